package net.sluice.standalone.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import net.sluice.cli.StartFailure;
import net.sluice.intents.plan.Change;
import net.sluice.rest.bulk.BulkLine;
import net.sluice.rest.bulk.LineSplitter;
import net.sluice.rest.condition.RequestCondition;
import net.sluice.standalone.client.DeclaredFiles.Declaration;
import net.sluice.standalone.client.DeclaredFiles.Key;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sluice apply}: makes a controller hold what files declare. */
@Command(
    name = "apply",
    description = {
      "Make a controller hold what the files of a folder declare: *.ndjson as export writes them,"
          + " and *.json with one declaration. What differs is told first. Exit code 1 if something"
          + " was refused."
    },
    mixinStandardHelpOptions = true)
public final class ApplyCommand implements Callable<Integer> {
  private static final int CHANGED = 412;
  private static final String CHANGED_WORDS =
      "was changed by others since it was compared; apply again";

  @Mixin private ApiOptions api = new ApiOptions();

  @Option(
      names = {"-f", "--filename"},
      paramLabel = "DIR",
      required = true,
      description = "The folder, or one file")
  private String folder;

  @Option(names = "--prune", description = "Delete what is declared and not in the files")
  private boolean prune;

  @Option(names = "--dry-run", description = "Only tell what differs")
  private boolean dryRun;

  @Spec private CommandSpec spec;

  /**
   * A change to be made.
   *
   * @param before what is declared now; null if there is none
   * @param condition that this is so still
   */
  private record Step(String where, Change change, Change.Put before, RequestCondition condition) {}

  private record Refused(Step step, String why) {}

  private final Map<Key, Step> steps = new LinkedHashMap<>();
  private long asTheyAre;
  private long unnamed;

  @Override
  public Integer call() throws StartFailure {
    DeclaredFiles files = DeclaredFiles.read("--filename", folder);
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    files.unread().forEach(file -> err.println("sluice: not read, being no such file: " + file));
    ApiClient client = api.client();
    compare(client, files);
    steps.values().forEach(step -> Differences.tell(out, step.before, step.change));
    out.printf(
        "%d to add, %d to change, %d to delete; %d as declared, %d not in the files%n",
        count(step -> step.before == null),
        count(step -> step.before != null && step.change instanceof Change.Put),
        count(step -> step.change instanceof Change.Delete),
        asTheyAre,
        unnamed);
    out.flush();
    err.flush();
    if (dryRun) {
      return 0;
    }
    List<Refused> refused = apply(client);
    refused.forEach(each -> err.println("sluice: " + each.step.where + ": " + each.why));
    err.flush();
    out.printf("%d done, %d refused%n", steps.size() - refused.size(), refused.size());
    out.flush();
    return refused.isEmpty() ? 0 : 1;
  }

  private long count(Predicate<Step> which) {
    return steps.values().stream().filter(which).count();
  }

  /** Finds out what to do; of what is declared only that is kept. */
  private void compare(ApiClient client, DeclaredFiles files) throws StartFailure {
    Map<Key, Declaration> wanted = new LinkedHashMap<>(files.all());
    LineSplitter splitter = new LineSplitter(line -> compare(line, wanted));
    byte[] buffer = new byte[1 << 16];
    try (InputStream declared = client.get("/export?ifMatch=true")) {
      for (int n = declared.read(buffer); n >= 0; n = declared.read(buffer)) {
        splitter.take(buffer, n);
      }
      splitter.end();
    } catch (IOException e) {
      throw client.failed(e);
    }
    wanted.forEach(
        (key, it) -> steps.put(key, new Step(it.where(), it.put(), null, RequestCondition.ABSENT)));
  }

  private void compare(BulkLine line, Map<Key, Declaration> wanted) {
    if (!(line.change() instanceof Change.Put declared)) {
      throw new IllegalStateException(
          "the controller is of another release: " + ImportCommand.text(line.problems()));
    }
    Key key = Key.of(declared);
    Declaration file = wanted.remove(key);
    if (file == null && prune) {
      steps.put(
          key,
          new Step(
              "deleting " + key.kind().words() + " " + key.id(),
              new Change.Delete(key.kind(), key.id()),
              declared,
              line.condition()));
    } else if (file == null) {
      unnamed++;
    } else if (file.put().equals(declared)) {
      asTheyAre++;
    } else {
      steps.put(key, new Step(file.where(), file.put(), declared, line.condition()));
    }
  }

  /**
   * Makes the changes, what makes room before what needs it. What was refused is tried again as
   * long as others could be made: it may have waited for one of these.
   */
  private List<Refused> apply(ApiClient client) throws StartFailure {
    List<Step> left =
        steps.values().stream()
            .sorted(Comparator.comparingInt(step -> order(step.change)))
            .toList();
    List<Refused> refused = List.of();
    int before;
    do {
      before = left.size();
      refused = attempt(client, left);
      left = refused.stream().map(Refused::step).toList();
    } while (!left.isEmpty() && left.size() < before);
    return refused;
  }

  private static int order(Change change) {
    boolean isPut = change instanceof Change.Put;
    return switch (change.kind()) {
      case RATE_LIMIT -> isPut ? 4 : 0;
      case SUBSCRIBER -> isPut ? 3 : 1;
      case POLICY -> isPut ? 2 : 5;
    };
  }

  private static List<Refused> attempt(ApiClient client, List<Step> all) throws StartFailure {
    Map<Key, Step> byKey = new HashMap<>();
    all.forEach(step -> byKey.put(Key.of(step.change), step));
    List<Refused> refused = new ArrayList<>();
    BulkSender sender =
        new BulkSender(
            client,
            (where, change, status, why) ->
                refused.add(
                    new Refused(
                        byKey.get(Key.of(change)), status == CHANGED ? CHANGED_WORDS : why)));
    for (Step step : all) {
      sender.send(step.where, step.change, step.condition);
    }
    sender.flush();
    return refused;
  }
}
