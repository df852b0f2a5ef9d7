package net.sluice.core.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.sluice.core.shard.NetworkSwitch;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.model.policy.PointsFunction;
import net.sluice.intents.model.policy.PointsFunction.Point;
import net.sluice.intents.plan.Change;
import net.sluice.intents.state.PolicyState;
import org.junit.jupiter.api.Test;

/** A journal has the records of the changes that are stored, and no others, after any failure. */
public abstract class RecordedChangesContract {
  /** The switches for which changes are made. */
  protected static final List<String> SWITCHES = List.of("bng1", "bng2", NetworkSwitch.ONLY);

  private static final String JOURNAL = "events";
  private static final int SEEDS = 60;

  private Random random;
  private NetworkStore store;
  private int commits;

  /** Ids of changes that were acknowledged, and of those that lead to nothing that is stored. */
  private Set<String> acknowledged;

  private Set<String> onlyTold;

  /** Begins a store that is empty. */
  protected abstract NetworkStore begin();

  /** Has what is written next fail, in the midst of it. */
  protected abstract void fail(Random by);

  /** The store as the next process finds it: it works again. */
  protected abstract NetworkStore goOn(Random by);

  /** Whether what was acknowledged may be gone then. */
  protected boolean mayLose() {
    return false;
  }

  /** How many commits are made with each seed. */
  protected int steps() {
    return 40;
  }

  /** Several changes share a record, and some records are large. */
  private static List<Journal.Item> records(List<Change> changes) {
    List<Journal.Item> items = new ArrayList<>();
    for (int i = 0; i < changes.size(); i += 3) {
      List<Change> some = changes.subList(i, Math.min(i + 3, changes.size()));
      String ids = String.join(",", some.stream().map(Change::id).toList());
      String filling = "x".repeat(1000 * (Math.abs(ids.hashCode()) % 40));
      items.add(
          new Journal.Item(some.size(), (ids + ";" + filling).getBytes(StandardCharsets.US_ASCII)));
    }
    return items;
  }

  @Test
  void theJournalHasExactlyTheChangesThatAreStored() {
    for (int seed = 0; seed < SEEDS; seed++) {
      try {
        run(seed);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed + ": " + e, e);
      }
    }
  }

  private void run(int seed) {
    random = new Random(seed);
    acknowledged = new HashSet<>();
    onlyTold = new HashSet<>();
    commits = 0;
    store = begin();
    store.recordChanges(JOURNAL, RecordedChangesContract::records);
    for (int step = 0; step < steps(); step++) {
      if (random.nextInt(3) == 0) {
        fail(random);
      }
      boolean isWell = true;
      try {
        commit();
      } catch (StoreException e) {
        isWell = false;
      }
      if (!isWell || random.nextInt(8) == 0) {
        follow();
      }
    }
    follow();
    store.close();
  }

  private void follow() {
    store = goOn(random);
    store.recordChanges(JOURNAL, RecordedChangesContract::records);
    check();
  }

  /** One commit, of one switch or several; some store nothing, and some tell nothing. */
  private void commit() {
    int kind = random.nextInt(6);
    boolean isOnlyTold = kind == 0;
    boolean isEverywhere = kind == 1;
    boolean isBulk = kind == 2;
    Map<String, StoreBatch> batches = new LinkedHashMap<>();
    Set<String> ids = new HashSet<>();
    for (String name : SWITCHES) {
      if (random.nextInt(2) == 0 && !isEverywhere) {
        continue;
      }
      StoreBatch batch = new StoreBatch();
      List<Change> changes = new ArrayList<>();
      commits += isEverywhere && !batches.isEmpty() ? 0 : 1;
      for (int i = isBulk ? random.nextInt(60) : 0; i >= 0; i--) {
        Policy policy = policy("c" + commits + "." + i);
        changes.add(new Change.Put(policy));
        ids.add(policy.id());
        if (!isOnlyTold) {
          batch.put(new PolicyState(policy, 1 + i));
        }
      }
      // A change that is made at all switches is recorded by one of them.
      if (!isEverywhere || batches.isEmpty()) {
        batch.announce(changes);
      }
      batches.put(name, batch);
    }
    if (isOnlyTold) {
      onlyTold.addAll(ids);
    }
    if (batches.size() == 1) {
      batches.forEach((name, batch) -> store.of(name).commit(batch));
    } else if (!batches.isEmpty()) {
      store.commit(batches);
    }
    acknowledged.addAll(ids);
  }

  private static Policy policy(String id) {
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      points.add(new Point(1_000_000L * (i + 1), 1e8 - i));
    }
    return new Policy(id, id.endsWith("7") ? new PointsFunction(points) : BuiltInFunction.GOLD);
  }

  private void check() {
    List<String> recorded = new ArrayList<>();
    long next = 1;
    for (Journal.Entry entry : store.journal(JOURNAL).read(1, Integer.MAX_VALUE)) {
      assertThat(entry.number()).isGreaterThanOrEqualTo(next);
      next = entry.last() + 1;
      String text = new String(entry.bytes(), StandardCharsets.US_ASCII);
      List<String> ids = List.of(text.substring(0, text.indexOf(';')).split(",", -1));
      assertThat(ids).hasSize(entry.count());
      recorded.addAll(ids);
    }
    Set<String> stored = new HashSet<>();
    for (String name : SWITCHES) {
      store.of(name).scanPolicies("", 0, Integer.MAX_VALUE, each -> stored.add(each.policy().id()));
    }
    assertThat(recorded).doesNotHaveDuplicates();
    assertThat(recorded)
        .filteredOn(id -> !onlyTold.contains(id))
        .containsExactlyInAnyOrderElementsOf(stored);
    if (!mayLose()) {
      assertThat(recorded).containsAll(acknowledged);
    }
  }
}
