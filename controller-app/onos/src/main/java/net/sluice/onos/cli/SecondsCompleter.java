package net.sluice.onos.cli;

import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.onosproject.cli.AbstractChoicesCompleter;

/** Usual waits. */
@Service
public class SecondsCompleter extends AbstractChoicesCompleter {
  @Override
  protected List<String> choices() {
    return List.of("10", "60");
  }
}
