package net.sluice.onos.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import net.sluice.core.ControllerException;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.onos.Services;
import net.sluice.onos.SluiceService;
import net.sluice.rest.answer.JsonAnswer;
import org.onosproject.cli.AbstractShellCommand;

/** What the commands have in common: refusals in words, and the REST interface's JSON. */
abstract class SluiceCommand extends AbstractShellCommand {
  @Override
  protected final void doExecute() throws Exception {
    try {
      run(Services.get(SluiceService.class));
    } catch (Refusal e) {
      for (Problem problem : e.problems()) {
        error("%s", problem.detail());
      }
    } catch (ControllerException | InvalidValueException e) {
      error("%s", e.getMessage());
    }
  }

  /** With the digits that scripts read, whatever the locale. */
  @Override
  public void print(String format, Object... arguments) {
    super.print("%s", String.format(Locale.ROOT, format, arguments));
  }

  @Override
  public void error(String format, Object... arguments) {
    super.error("%s", String.format(Locale.ROOT, format, arguments));
  }

  /** Does what the command is for. */
  abstract void run(SluiceService sluice) throws Refusal, IOException, InterruptedException;

  /** Prints what the REST interface would answer. */
  void printJson(JsonAnswer answer) throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    answer.write(text);
    print("%s", text.toString(StandardCharsets.UTF_8));
  }
}
