package net.sluice.onos.cli;

import java.util.Arrays;
import java.util.List;
import net.sluice.intents.model.Kind;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.onosproject.cli.AbstractChoicesCompleter;

/** Ids of what the argument before names: policies, subscribers or rate limits. */
@Service
public class DeclarationIdCompleter extends AbstractChoicesCompleter {
  @Override
  protected List<String> choices() {
    List<String> words = Arrays.asList(commandLine.getArguments());
    int at = commandLine.getCursorArgumentIndex();
    String before = at > 0 && at <= words.size() ? words.get(at - 1) : "";
    return IdCompletion.ids(Kind.of(before).orElse(Kind.SUBSCRIBER), commandLine);
  }
}
