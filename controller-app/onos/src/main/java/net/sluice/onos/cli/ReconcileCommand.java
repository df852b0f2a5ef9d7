package net.sluice.onos.cli;

import java.time.Duration;
import net.sluice.core.Controller;
import net.sluice.onos.SluiceService;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.CommandException;

/** {@code sluice:reconcile}: has the targets read back and corrected. */
@Service
@Command(
    scope = SluiceCommand.SCOPE,
    name = "reconcile",
    description = "Reads all connected targets back and corrects what differs")
public class ReconcileCommand extends SluiceCommand {
  @Option(name = "--wait", description = "Seconds to wait until everything is installed")
  @Completion(SecondsCompleter.class)
  private int waitSeconds = 0;

  @Override
  void run(SluiceService sluice) throws CommandException, InterruptedException {
    Controller controller = sluice.controller();
    controller.reconcile();
    if (waitSeconds <= 0) {
      print("reconciling; sluice:status tells how far it is");
    } else if (controller.awaitAllInstalled(Duration.ofSeconds(waitSeconds))) {
      print("everything is installed");
    } else {
      throw new CommandException(
          "not everything is installed after "
              + waitSeconds
              + " s; sluice:status tells what is not");
    }
  }
}
