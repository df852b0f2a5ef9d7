package net.sluice.onos.cli;

import java.util.List;
import net.sluice.intents.model.Kind;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.onosproject.cli.AbstractChoicesCompleter;

/** Ids of subscribers. */
@Service
public class SubscriberIdCompleter extends AbstractChoicesCompleter {
  @Override
  protected List<String> choices() {
    return IdCompletion.ids(Kind.SUBSCRIBER, commandLine);
  }
}
