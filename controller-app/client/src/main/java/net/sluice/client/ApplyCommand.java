package net.sluice.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import net.sluice.cli.StartFailure;
import net.sluice.client.DeclaredFiles.Key;
import net.sluice.core.Controller;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.plan.Change;
import net.sluice.rest.bulk.BulkLine;
import net.sluice.rest.bulk.LineSplitter;
import net.sluice.rest.bulk.SetExchange;
import net.sluice.rest.condition.RequestCondition;
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
          + " and *.json with one declaration. What differs is told first, and then made together:"
          + " if something is refused, nothing is changed, and the exit code is 1."
    },
    mixinStandardHelpOptions = true)
public final class ApplyCommand implements Callable<Integer> {
  @Mixin private ApiOptions api = new ApiOptions();

  @Option(
      names = {"-f", "--filename"},
      paramLabel = "DIR",
      required = true,
      description = "The folder, or one file")
  private String folder;

  @Option(names = "--prune", description = "Delete what is declared and not in the files")
  private boolean prune;

  @Option(names = "--dry-run", description = "Only tell what differs, and what would be refused")
  private boolean dryRun;

  @Spec private CommandSpec spec;

  /**
   * A change to be made.
   *
   * @param before what is declared now; null if there is none
   * @param condition that this is so still
   */
  private record Step(String where, Change change, Change.Put before, RequestCondition condition)
      implements DependentChanges.Step {
    @Override
    public Optional<Declaration> declared() {
      return Optional.ofNullable(before).map(Change.Put::declaration);
    }

    boolean isPut() {
      return change instanceof Change.Put;
    }

    SetSender.Asked asked() {
      return new SetSender.Asked(change, condition);
    }
  }

  private record Refused(Step step, String why) {}

  private final Map<Key, Step> steps = new LinkedHashMap<>();
  private long asTheyAre;
  private long unnamed;
  private long done;

  @Override
  public Integer call() throws StartFailure {
    DeclaredFiles files = DeclaredFiles.read("--filename", folder);
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    files.unread().forEach(file -> err.println("sluice: not read, being no such file: " + file));
    ApiClient client = api.client();
    compare(client, files);
    steps.values().forEach(step -> DeclarationDifferences.tell(out, step.before, step.change));
    out.printf(
        "%d to add, %d to change, %d to delete; %d as declared, %d not in the files%n",
        count(step -> step.before == null),
        count(step -> step.before != null && step.isPut()),
        count(step -> !step.isPut()),
        asTheyAre,
        unnamed);
    out.flush();
    err.flush();
    List<List<Step>> sets = sets();
    if (sets.size() > 1) {
      out.printf(
          "in %d sets that do not need each other; each has at most %d changes and %d bytes%n",
          sets.size(), Controller.MOST_TOGETHER, SetExchange.MAX_BYTES);
    }
    SetSender sender = new SetSender(client);
    List<Refused> refused = dryRun ? foresee(sender, sets, out) : apply(sender, sets);
    refused.forEach(each -> err.println("sluice: " + each.step.where + ": " + each.why));
    err.flush();
    if (!dryRun) {
      out.printf("%d done, %d refused%n", done, number(refused));
    }
    out.flush();
    return refused.isEmpty() ? 0 : 1;
  }

  private static long number(List<Refused> refused) {
    return refused.stream().map(Refused::step).distinct().count();
  }

  private long count(Predicate<Step> which) {
    return steps.values().stream().filter(which).count();
  }

  /** Finds out what to do; of what is declared only that is kept. */
  private void compare(ApiClient client, DeclaredFiles files) throws StartFailure {
    Map<Key, DeclaredFiles.Declaration> wanted = new LinkedHashMap<>(files.all());
    LineSplitter splitter = new LineSplitter(line -> compare(line, wanted));
    byte[] buffer = new byte[1 << 16];
    try (InputStream declared = client.get("/export?ifMatch=true&declaredOnly=true")) {
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

  private void compare(BulkLine line, Map<Key, DeclaredFiles.Declaration> wanted) {
    if (!(line.change() instanceof Change.Put declared)) {
      throw new IllegalStateException(
          "the controller is of another release: " + ImportCommand.text(line.problems()));
    }
    Key key = Key.of(declared);
    DeclaredFiles.Declaration file = wanted.remove(key);
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
    } else if (file.put().elsewhere(Optional.empty()).equals(declared)) {
      asTheyAre++;
    } else {
      steps.put(key, new Step(file.where(), file.put(), declared, line.condition()));
    }
  }

  /**
   * Makes the sets. One that was refused is tried again as long as others could be made: it may
   * have waited for one of these.
   */
  private List<Refused> apply(SetSender sender, List<List<Step>> sets) throws StartFailure {
    List<List<Step>> left = sets;
    List<Refused> refused = new ArrayList<>();
    int before;
    do {
      before = left.size();
      refused.clear();
      List<List<Step>> again = new ArrayList<>();
      for (List<Step> set : left) {
        List<Refused> ofSet = attempt(sender, set);
        if (ofSet.isEmpty()) {
          done += set.size();
        } else {
          again.add(set);
          refused.addAll(ofSet);
        }
      }
      left = again;
    } while (!left.isEmpty() && left.size() < before);
    return refused;
  }

  /**
   * Asks what would become of the sets: of each as if no other one were made, but with the policies
   * that come before it.
   */
  private List<Refused> foresee(SetSender sender, List<List<Step>> sets, PrintWriter out)
      throws StartFailure {
    if (sets.size() <= 1) {
      List<Refused> refused = sets.isEmpty() ? List.of() : attempt(sender, sets.get(0));
      if (!refused.isEmpty()) {
        out.printf("nothing would be done, %d refused%n", number(refused));
      }
      return refused;
    }
    List<Refused> refused = new ArrayList<>();
    List<Step> policies = List.of();
    for (int i = 0; i < sets.size(); i++) {
      List<Step> set = sets.get(i);
      out.printf("set %d, %d %s: ", i + 1, set.size(), set.size() == 1 ? "change" : "changes");
      if (i > 0 && isOfPolicies(set)) {
        out.println("not checked, since it deletes policies when all others are made");
        continue;
      }
      List<Step> together = new ArrayList<>(policies);
      together.addAll(set);
      if (isRoomFor(set) && !isRoomFor(together)) {
        out.println("not checked, since it is too large beside the policies of the first");
        continue;
      }
      List<Refused> ofSet = attempt(sender, together);
      if (ofSet.isEmpty()) {
        out.println("would be done");
        policies = isOfPolicies(set) ? set : policies;
      } else {
        out.printf("nothing would be done, %d refused%n", number(ofSet));
        refused.addAll(ofSet);
      }
    }
    out.println("each set was checked with the policies of the first, and without the others");
    return refused;
  }

  /**
   * The changes together, or, if they are too many, in sets that are as large as may be, each
   * without need of the others. Each leaves room for the policies that are put before it.
   */
  private List<List<Step>> sets() {
    List<Step> all = List.copyOf(steps.values());
    if (isRoomFor(all)) {
      return all.isEmpty() ? List.of() : List.of(all);
    }
    List<Step> policies =
        all.stream().filter(step -> isOfPolicies(List.of(step)) && step.isPut()).toList();
    long policyBytes = bytes(policies);
    List<List<Step>> sets = new ArrayList<>();
    List<Step> set = List.of();
    long bytes = 0;
    for (List<Step> group : DependentChanges.groups(all)) {
      long more = bytes(group);
      boolean goesOn =
          !set.isEmpty()
              && isOfPolicies(set) == isOfPolicies(group)
              && SetSender.fits(
                  policies.size() + set.size() + group.size(), policyBytes + bytes + more);
      if (!goesOn) {
        set = new ArrayList<>();
        bytes = 0;
        sets.add(set);
      }
      set.addAll(group);
      bytes += more;
    }
    return sets;
  }

  private static boolean isOfPolicies(List<Step> set) {
    return set.get(0).change.kind().isOfNetwork();
  }

  private static boolean isRoomFor(List<Step> set) {
    return SetSender.fits(set.size(), bytes(set));
  }

  private static long bytes(List<Step> set) {
    return set.stream().mapToLong(step -> SetSender.bytes(step.asked())).sum();
  }

  private List<Refused> attempt(SetSender sender, List<Step> set) throws StartFailure {
    if (!isRoomFor(set)) {
      return List.of(
          new Refused(
              set.get(0),
              "this and %d others depend on each other; allowed: at most %d that do"
                  .formatted(set.size() - 1, Controller.MOST_TOGETHER)));
    }
    return sender.send(set.stream().map(Step::asked).toList(), dryRun).stream()
        .map(each -> new Refused(set.get(each.number()), each.why()))
        .toList();
  }
}
