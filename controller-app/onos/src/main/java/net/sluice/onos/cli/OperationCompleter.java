package net.sluice.onos.cli;

import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.onosproject.cli.AbstractChoicesCompleter;

/** Operations of {@code sluice:plan}. */
@Service
public class OperationCompleter extends AbstractChoicesCompleter {
  @Override
  protected List<String> choices() {
    return PlanCommand.OPERATIONS;
  }
}
