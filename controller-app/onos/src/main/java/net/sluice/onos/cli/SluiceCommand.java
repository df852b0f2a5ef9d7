package net.sluice.onos.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.stream.Collectors;
import net.sluice.core.ControllerException;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.onos.Services;
import net.sluice.onos.SluiceService;
import net.sluice.rest.answer.JsonAnswer;
import org.apache.karaf.shell.support.CommandException;
import org.onosproject.cli.AbstractShellCommand;

/**
 * The common part of the commands: refusals in words, and the REST interface's JSON. A command that
 * fails throws, as Karaf's own do: the shell prints the words, and a script sees a status other
 * than 0.
 */
abstract class SluiceCommand extends AbstractShellCommand {
  /** The scope of the commands. */
  static final String SCOPE = "sluice";

  @Override
  protected final void doExecute() throws Exception {
    try {
      run(Services.get(SluiceService.class));
    } catch (Refusal e) {
      throw new CommandException(
          e.problems().stream().map(Problem::detail).collect(Collectors.joining("\n")), e);
    } catch (ControllerException | InvalidValueException e) {
      throw new CommandException(e.getMessage(), e);
    }
  }

  /** With the digits that scripts read, whatever the locale. */
  @Override
  public void print(String format, Object... arguments) {
    super.print("%s", String.format(Locale.ROOT, format, arguments));
  }

  /**
   * Does what the command is for.
   *
   * @throws CommandException with the words for the operator, if it could not be done
   */
  abstract void run(SluiceService sluice)
      throws CommandException, Refusal, IOException, InterruptedException;

  /** Prints what the REST interface would answer. */
  void printJson(JsonAnswer answer) throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    answer.write(text);
    print("%s", text.toString(StandardCharsets.UTF_8));
  }
}
