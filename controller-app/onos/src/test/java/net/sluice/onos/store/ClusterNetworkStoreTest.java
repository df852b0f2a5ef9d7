package net.sluice.onos.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import net.sluice.core.shard.NetworkSwitch;
import net.sluice.core.store.IntentStore;
import net.sluice.core.store.NetworkStore;
import net.sluice.core.store.StoreBatch;
import net.sluice.core.store.StoreException;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.model.policy.PointsFunction;
import net.sluice.intents.model.policy.PointsFunction.Point;
import net.sluice.intents.state.PolicyState;
import net.sluice.onos.testing.TestCluster;
import net.sluice.onos.testing.TestCluster.Fault;
import org.junit.jupiter.api.Test;

/** The store of several switches over the cluster's maps. */
class ClusterNetworkStoreTest {
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-01-01T00:00:00Z"), ZoneOffset.UTC);
  private static final List<String> SWITCHES = List.of("bng1", "bng2", NetworkSwitch.ONLY);

  private final TestCluster cluster = new TestCluster();
  private final TestCluster.Node node = cluster.node("first");
  private final List<StoreException> lost = new ArrayList<>();

  private ClusterNetworkStore open(TestCluster.Node by) {
    return ClusterNetworkStore.open(
        by.storage, by.id.toString(), Duration.ofMillis(20), CLOCK, new KnownCommits(), lost::add);
  }

  private static StoreBatch policy(String id) {
    StoreBatch batch = new StoreBatch();
    batch.put(new PolicyState(new Policy(id, BuiltInFunction.GOLD), 1));
    return batch;
  }

  /** More than the commit record itself takes. */
  private static StoreBatch large(String id) {
    StoreBatch batch = policy(id);
    for (int i = 0; i < 40; i++) {
      List<Point> points = new ArrayList<>();
      for (int p = 0; p < 300; p++) {
        points.add(new Point(1_000_000L * (p + 1), 1e8 - p));
      }
      batch.put(new PolicyState(new Policy(id + "-" + i, new PointsFunction(points)), i + 2));
    }
    return batch;
  }

  /** The same change of all switches, which is larger at one of them. */
  private static Map<String, StoreBatch> everywhere(String id) {
    return SWITCHES.stream()
        .collect(
            Collectors.toMap(name -> name, name -> name.equals("bng2") ? large(id) : policy(id)));
  }

  /** Those of the switches that have a policy, each with all that came with it. */
  private static Set<String> having(NetworkStore store, String id) {
    Set<String> having = new TreeSet<>();
    for (String name : SWITCHES) {
      IntentStore one = store.of(name);
      if (one.policy(id).isPresent()) {
        having.add(name);
      }
      assertThat(one.policy(id + "-39").isPresent())
          .isEqualTo(name.equals("bng2") && one.policy(id).isPresent());
    }
    return having;
  }

  @Test
  void whatIsKeptForOneSwitchIsNoOtherOnes() {
    ClusterNetworkStore store = open(node);
    store.of("bng1").commit(policy("one"));
    store.of("bng10").commit(policy("ten"));
    store.of(NetworkSwitch.ONLY).commit(policy("only"));
    NetworkStore heir = open(cluster.node("heir"));
    assertThat(heir.of("bng1").policy("one")).isPresent();
    assertThat(heir.of("bng10").policy("one")).isEmpty();
    assertThat(heir.of("bng10").policy("ten")).isPresent();
    List<String> all = new ArrayList<>();
    heir.of(NetworkSwitch.ONLY).scanPolicies("", 0, 10, each -> all.add(each.policy().id()));
    assertThat(all).containsExactly("only");
    assertThat(heir.of("bng1").identity()).isEqualTo(store.of("bng2").identity()).isNotZero();
    // What a release that knew one switch only has written has no switch's name.
    assertThat(cluster.content(ClusterNetworkStore.INTENTS).keySet())
        .containsExactly("bng1/d", "bng1/pone", "bng10/d", "bng10/pten", "d", "ponly");
    assertThat(cluster.content(ClusterNetworkStore.LOG).keySet())
        .containsExactly("bng1/head", "bng10/head", "bng2/head", "head", "identity");
  }

  @Test
  void aCommitThatIsNotAnsweredKeepsNoOtherSwitchWaiting() throws Exception {
    ClusterNetworkStore store = open(node);
    IntentStore slow = store.of("bng1");
    IntentStore quick = store.of("bng2");
    CountDownLatch under = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    Thread[] waiting = new Thread[1];
    node.faults(
        operation -> {
          if (Thread.currentThread() == waiting[0]) {
            under.countDown();
            join(answer);
          }
          return Fault.NONE;
        });
    CompletableFuture<Void> done = new CompletableFuture<>();
    waiting[0] =
        new Thread(
            () -> {
              slow.commit(policy("slow"));
              done.complete(null);
            });
    waiting[0].start();
    join(under);
    quick.commit(policy("quick"));
    assertThat(quick.policy("quick")).isPresent();
    assertThat(done).isNotDone();
    answer.countDown();
    done.get(60, TimeUnit.SECONDS);
    assertThat(slow.policy("slow")).isPresent();
  }

  private static void join(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Each would have to read the head again and again if they replaced the same one. */
  @Test
  void commitsBesideEachOtherTakeNoMoreOperationsThanOneByOne() throws Exception {
    ClusterNetworkStore store = open(node);
    SWITCHES.forEach(store::of);
    node.faults(operation -> Fault.NONE);
    List<Thread> threads = new ArrayList<>();
    int commits = 50;
    for (String name : SWITCHES) {
      IntentStore one = store.of(name);
      Thread thread =
          new Thread(
              () -> {
                for (int i = 0; i < commits; i++) {
                  one.commit(policy("p" + i));
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join(60_000);
    }
    // The first of a takeover also writes which takeover it is of.
    assertThat(node.operations()).isEqualTo((4L * commits + 2) * SWITCHES.size());
  }

  @Test
  void aCommitOfSeveralSwitchesIsThereWholeOrNotAtAllWhereverTheInstanceDies() {
    boolean finished = false;
    Set<Integer> sizes = new TreeSet<>();
    for (int fatal = 1; !finished; fatal++) {
      TestCluster each = new TestCluster();
      TestCluster.Node victim = each.node("victim");
      ClusterNetworkStore dying = open(victim);
      dying.commit(everywhere("old"));
      int at = fatal;
      victim.faults(operation -> operation < at ? Fault.NONE : Fault.DEAD);
      boolean acknowledged;
      try {
        dying.commit(everywhere("new"));
        acknowledged = true;
      } catch (StoreException e) {
        acknowledged = false;
      }
      finished = !victim.isDead();
      NetworkStore heir = open(each.node("heir"));
      Set<String> having = having(heir, "new");
      assertThat(having.size()).as("killed at operation %d", at).isIn(0, SWITCHES.size());
      sizes.add(having.size());
      if (acknowledged) {
        assertThat(having).as("killed at operation %d", at).hasSize(SWITCHES.size());
      }
      assertThat(having(heir, "old")).hasSize(SWITCHES.size());
      heir.commit(everywhere("next"));
      NetworkStore third = open(each.node("third"));
      assertThat(having(third, "new")).isEqualTo(having);
      assertThat(having(third, "next")).hasSize(SWITCHES.size());
      assertThat(each.content(ClusterNetworkStore.LOG).keySet())
          .noneMatch(key -> key.startsWith("/"));
    }
    assertThat(sizes).containsExactly(0, SWITCHES.size());
  }

  @Test
  void aCommitOfSeveralSwitchesIsThereWholeOrNotAtAllWhateverIsNotAnswered() {
    for (Fault fault : List.of(Fault.LOST, Fault.UNANSWERED, Fault.LATE)) {
      for (int arrival = 0; arrival < 3; arrival++) {
        boolean finished = false;
        for (int failing = 1; !finished; failing++) {
          finished = oneUnanswered(fault, failing, arrival);
        }
      }
    }
  }

  /** True if there is no such operation. */
  private boolean oneUnanswered(Fault fault, int failing, int arrival) {
    String as = fault + " at operation " + failing + ", arrival " + arrival;
    TestCluster each = new TestCluster();
    TestCluster.Node only = each.node("node");
    ClusterNetworkStore store = open(only);
    store.commit(everywhere("old"));
    boolean[] hit = {false};
    only.faults(
        operation -> {
          hit[0] |= operation == failing;
          return operation == failing ? fault : Fault.NONE;
        });
    boolean acknowledged;
    try {
      store.commit(everywhere("new"));
      acknowledged = true;
    } catch (StoreException e) {
      acknowledged = false;
    }
    only.faults(operation -> Fault.NONE);
    if (arrival == 0) {
      each.arrive();
    }
    Set<String> having;
    if (arrival == 1) {
      // One finds out, then what is late comes, then the others find out.
      boolean there = store.of("bng1").policy("new").isPresent();
      each.arrive();
      having = having(store, "new");
      assertThat(having.contains("bng1")).as(as).isEqualTo(there);
    } else {
      having = having(store, "new");
    }
    each.arrive();
    assertThat(having.size()).as(as).isIn(0, SWITCHES.size());
    assertThat(acknowledged && having.isEmpty()).as(as).isFalse();
    store.commit(everywhere("next"));
    NetworkStore heir = open(each.node("heir"));
    assertThat(having(heir, "new")).as(as).isEqualTo(having);
    assertThat(having(heir, "next")).as(as).hasSize(SWITCHES.size());
    assertThat(having(heir, "old")).as(as).hasSize(SWITCHES.size());
    return !hit[0];
  }

  @Test
  void whoTakesOverInTheMidstOfACommitOfSeveralSwitchesDecidesItOrFindsItDecided() {
    Set<String> ends = new TreeSet<>();
    boolean finished = false;
    for (int failing = 1; !finished; failing++) {
      TestCluster each = new TestCluster();
      TestCluster.Node first = each.node("first");
      ClusterNetworkStore store = open(first);
      store.commit(everywhere("old"));
      ClusterNetworkStore[] heir = new ClusterNetworkStore[1];
      int at = failing;
      first.faults(
          operation -> {
            if (operation == at) {
              heir[0] = open(each.node("heir"));
            }
            return Fault.NONE;
          });
      boolean acknowledged;
      try {
        store.commit(everywhere("new"));
        acknowledged = true;
      } catch (StoreException e) {
        acknowledged = false;
        assertThat(e).hasMessageContaining("another instance leads now");
      }
      finished = heir[0] == null;
      if (!finished) {
        Set<String> having = having(heir[0], "new");
        assertThat(having.size()).as("operation %d", at).isIn(0, SWITCHES.size());
        assertThat(having.isEmpty()).as("operation %d", at).isEqualTo(!acknowledged);
        ends.add(acknowledged + " " + having.size());
        heir[0].commit(everywhere("next"));
        NetworkStore third = open(each.node("third"));
        assertThat(having(third, "new")).isEqualTo(having);
        assertThat(having(third, "next")).hasSize(SWITCHES.size());
      }
    }
    assertThat(ends).containsExactly("false 0", "true 3");
  }

  @Test
  void whoNoLongerLeadsCanWriteForNoSwitch() {
    ClusterNetworkStore store = open(node);
    SWITCHES.forEach(store::of);
    ClusterNetworkStore heir = open(cluster.node("heir"));
    for (String name : SWITCHES) {
      assertThatThrownBy(() -> store.of(name).commit(policy("late")))
          .isInstanceOf(StoreException.class)
          .hasMessage("another instance leads now: heir");
      assertThatThrownBy(() -> store.declare(name, Optional.of(new byte[1])))
          .hasMessage("another instance leads now: heir");
      assertThat(heir.epoch(name)).isEqualTo(2);
    }
    assertThat(lost).as("told once").hasSize(1);
    assertThat(having(heir, "late")).isEmpty();
  }

  @Test
  void howASwitchIsDrivenIsKeptBesideWhatIsDeclaredForIt() {
    ClusterNetworkStore store = open(node);
    assertThat(store.switches()).isEmpty();
    store.declare("bng1", Optional.of("one".getBytes(StandardCharsets.UTF_8)));
    store.declare(NetworkSwitch.ONLY, Optional.of("only".getBytes(StandardCharsets.UTF_8)));
    store.of("bng1").commit(policy("gold"));
    node.faults(operation -> Fault.NONE);
    store.declare("bng1", Optional.of("one".getBytes(StandardCharsets.UTF_8)));
    assertThat(node.operations()).as("of what is as it was").isZero();
    ClusterNetworkStore heir = open(cluster.node("heir"));
    Map<String, String> documents = new TreeMap<>();
    heir.switches()
        .forEach((name, each) -> documents.put(name, new String(each, StandardCharsets.UTF_8)));
    assertThat(documents).containsExactly(Map.entry("bng1", "one"), Map.entry("switch", "only"));
    assertThat(heir.of("bng1").isEmpty()).isFalse();
    assertThat(heir.of(NetworkSwitch.ONLY).isEmpty()).isTrue();
    heir.declare("bng1", Optional.empty());
    assertThat(heir.switches()).containsOnlyKeys(NetworkSwitch.ONLY);
    assertThat(heir.of("bng1").policy("gold")).isPresent();
    assertThat(open(cluster.node("third")).switches()).containsOnlyKeys(NetworkSwitch.ONLY);
  }

  @Test
  void aClosedStoreSaysSo() {
    ClusterNetworkStore store = open(node);
    IntentStore one = store.of("bng1");
    store.close();
    assertThatThrownBy(() -> store.of("bng1")).hasMessage("the cluster's store is closed");
    assertThatThrownBy(() -> one.policy("gold")).hasMessage("the cluster's store is closed");
  }
}
