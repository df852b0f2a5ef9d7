package net.sluice.onos.cli;

import java.util.Arrays;
import java.util.List;
import net.sluice.core.Page;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.onosproject.cli.AbstractChoicesCompleter;

/** Ids of what the argument before names: policies, subscribers or rate limits. */
@Service
public class DeclarationIdCompleter extends AbstractChoicesCompleter {
  @Override
  protected List<String> choices() {
    List<String> words = Arrays.asList(commandLine.getArguments());
    int at = commandLine.getCursorArgumentIndex();
    return switch (at > 0 && at <= words.size() ? words.get(at - 1) : "") {
      case "policy" -> SubscriberIdCompleter.ids(c -> c.policies(0, Page.MAX_LIMIT));
      case "rate-limit" -> SubscriberIdCompleter.ids(c -> c.rateLimits(0, Page.MAX_LIMIT));
      default -> SubscriberIdCompleter.ids(c -> c.subscribers(0, Page.MAX_LIMIT));
    };
  }
}
