package net.sluice.onos.cli;

import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.onosproject.cli.AbstractChoicesCompleter;

/** Kinds of declarations. */
@Service
public class KindCompleter extends AbstractChoicesCompleter {
  @Override
  protected List<String> choices() {
    return PlanCommand.KINDS;
  }
}
