package net.sluice.onos.cli;

import java.util.List;
import net.sluice.core.ControllerException;
import net.sluice.core.Page;
import net.sluice.intents.model.Kind;
import net.sluice.onos.Services;
import net.sluice.onos.SluiceService;
import org.apache.karaf.shell.api.console.CommandLine;

/** Completes ids: the first {@link Page#MAX_LIMIT} that begin with what is typed. */
final class IdCompletion {
  private IdCompletion() {}

  /** Ids that begin with what stands before the cursor; none on an instance that does not lead. */
  static List<String> ids(Kind kind, CommandLine commandLine) {
    String word = commandLine.getCursorArgument();
    String typed =
        word == null ? "" : word.substring(0, Math.min(word.length(), position(commandLine)));
    try {
      return Services.get(SluiceService.class).controller().ids(kind, typed, Page.MAX_LIMIT);
    } catch (ControllerException e) {
      // Completion is no place for complaints: the command itself will say what is wrong.
      return List.of();
    }
  }

  private static int position(CommandLine commandLine) {
    return Math.max(0, commandLine.getArgumentPosition());
  }
}
