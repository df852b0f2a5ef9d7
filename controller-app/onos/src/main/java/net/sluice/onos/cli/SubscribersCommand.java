package net.sluice.onos.cli;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import net.sluice.core.Declared;
import net.sluice.core.Page;
import net.sluice.core.Selection;
import net.sluice.core.TargetState;
import net.sluice.core.TargetStatus;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Subscriber;
import net.sluice.onos.SluiceService;
import net.sluice.rest.answer.AnswerWriter;
import net.sluice.rest.answer.JsonAnswer;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.CommandException;

/** {@code sluice:subscribers}: lists subscribers with their state at each target. */
@Service
@Command(
    scope = SluiceCommand.SCOPE,
    name = "subscribers",
    description = "Lists subscribers and how far each target has got with them")
public class SubscribersCommand extends SluiceCommand {
  @Argument(index = 0, name = "id", description = "Subscriber; all if absent", required = false)
  @Completion(SubscriberIdCompleter.class)
  private String id = null;

  @Option(name = "--after", description = "Subscriber after which to begin")
  private String after = "";

  @Option(name = "--limit", description = "Most subscribers to list, 1 to 1000")
  private int limit = 100;

  @Override
  void run(SluiceService sluice) throws CommandException, IOException {
    if (id != null) {
      Optional<Declared> found = sluice.controller().find(Kind.SUBSCRIBER, id);
      if (found.isEmpty()) {
        throw new CommandException("there is no subscriber " + id);
      } else if (outputJson()) {
        printJson(new JsonAnswer(json -> AnswerWriter.write(json, found.get())));
      } else {
        printAll(List.of(found.get()));
      }
      return;
    }
    Page page = sluice.controller().list(Kind.SUBSCRIBER, Selection.ALL, after, limit);
    if (outputJson()) {
      printJson(
          new JsonAnswer(
              json ->
                  AnswerWriter.write(
                      json, page, page.next(), each -> out -> AnswerWriter.write(out, each))));
      return;
    }
    printAll(page.items());
    print("%d of %d subscribers", page.items().size(), page.total().orElseThrow());
  }

  private void printAll(List<Declared> subscribers) {
    for (Declared each : subscribers) {
      Subscriber subscriber = (Subscriber) each.declared();
      print(
          "id=%s, policy=%s, prefixes=%s, port=%d, tree=%d, %s",
          each.id(),
          subscriber.policyId(),
          subscriber.prefixes(),
          subscriber.attachment().port(),
          subscriber.attachment().tree(),
          each.targets().stream().map(SubscribersCommand::text).collect(Collectors.joining(", ")));
    }
  }

  private static String text(TargetStatus status) {
    String state = status.target() + "=" + status.state();
    if (status.state() == TargetState.INSTALLED) {
      return state;
    }
    return state
        + " (since "
        + status.since()
        + status.error().map(error -> "; " + error).orElse("")
        + status.awaits().map(awaits -> "; awaits " + awaits).orElse("")
        + status.next().map(next -> "; next attempt at " + next).orElse("")
        + status.brokenBatch().map(batch -> "; a batch broke off, result " + batch).orElse("")
        + ")";
  }
}
