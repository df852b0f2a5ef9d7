package net.sluice.onos.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import net.sluice.core.shard.NetworkSwitch;
import net.sluice.core.store.IntentStore;
import net.sluice.core.store.IntentStoreContract;
import net.sluice.core.store.Revision;
import net.sluice.core.store.StoreBatch;
import net.sluice.core.store.StoreException;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.state.PolicyState;
import net.sluice.onos.testing.TestCluster;
import net.sluice.onos.testing.TestCluster.Fault;
import org.junit.jupiter.api.Test;

/** The store over the cluster's maps: what every store does, and what only this one can suffer. */
class ClusterIntentStoreTest extends IntentStoreContract {
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-01-01T00:00:00Z"), ZoneOffset.UTC);

  private final TestCluster cluster = new TestCluster();
  private final TestCluster.Node first = cluster.node("first");
  private final List<StoreException> lost = new ArrayList<>();

  private ClusterIntentStore open(TestCluster.Node node) {
    return open(node, new KnownCommits());
  }

  private ClusterIntentStore open(TestCluster.Node node, KnownCommits known) {
    return (ClusterIntentStore)
        ClusterNetworkStore.open(
                node.storage, node.id.toString(), Duration.ofMillis(20), CLOCK, known, lost::add)
            .of(NetworkSwitch.ONLY);
  }

  @Override
  protected IntentStore open() {
    return open(first);
  }

  private static StoreBatch batch(int from, int to) {
    StoreBatch batch = new StoreBatch();
    for (int i = from; i < to; i++) {
      batch.put(subscriber("s" + i, i, i, "10.0." + i / 256 + "." + i % 256 + "/32"));
    }
    return batch;
  }

  private static List<String> ids(IntentStore store) {
    List<String> ids = new ArrayList<>();
    store.scanSubscribers("", 0, Integer.MAX_VALUE, s -> ids.add(s.subscriber().id()));
    return ids;
  }

  @Test
  void whatIsCommittedIsThereForWhoeverTakesOver() {
    store.commit(batch(1, 200));
    StoreBatch second = new StoreBatch();
    second.deleteSubscriber("s7");
    second.put(subscriber("s8", 5_000, 3, "10.9.0.1/32"));
    second.put(new PolicyState(new Policy("gold", BuiltInFunction.GOLD), 1));
    second.put(limit("l", new Scope.OfPort(1)));
    store.commit(second);

    IntentStore next = open(cluster.node("second"));
    assertThat(ids(next)).isEqualTo(ids(store)).hasSize(198).isSorted();
    assertThat(next.subscriber("s8")).contains(subscriber("s8", 5_000, 3, "10.9.0.1/32"));
    assertThat(next.subscriber("s7")).isEmpty();
    assertThat(next.policy("gold")).isPresent();
    assertThat(next.rateLimit("l")).isPresent();
  }

  @Test
  void aBatchIsThereWholeOrNotAtAllWhereverTheInstanceDies() {
    for (boolean large : new boolean[] {false, true}) {
      boolean finished = false;
      for (int fatal = 1; !finished; fatal++) {
        TestCluster each = new TestCluster();
        TestCluster.Node victim = each.node("victim");
        ClusterIntentStore dying = open(victim);
        dying.commit(batch(1, 50));
        int at = fatal;
        victim.faults(operation -> operation < at ? Fault.NONE : Fault.DEAD);
        boolean acknowledged;
        try {
          StoreBatch doomed = batch(20, large ? 6_000 : 80);
          doomed.deleteSubscriber("s3");
          dying.commit(doomed);
          acknowledged = true;
        } catch (StoreException e) {
          acknowledged = false;
        }
        finished = !victim.isDead();

        IntentStore next = open(each.node("heir"));
        int all = large ? 5_998 : 78;
        if (acknowledged) {
          assertThat(ids(next)).as("killed at operation %d", at).hasSize(all);
        } else {
          assertThat(ids(next).size()).as("killed at operation %d", at).isIn(49, all);
        }
        assertThat(next.subscriber("s3").isPresent()).isEqualTo(ids(next).size() == 49);
      }
    }
  }

  @Test
  void whoNoLongerLeadsCanWriteNothing() {
    store.commit(batch(1, 10));
    IntentStore heir = open(cluster.node("heir"));
    assertThatThrownBy(() -> store.commit(batch(10, 20)))
        .isInstanceOf(StoreException.class)
        .hasMessage("another instance leads now: heir");
    assertThat(lost).singleElement().matches(e -> e.getMessage().endsWith("heir"));
    assertThatThrownBy(() -> store.subscriber("s1")).hasMessageEndingWith("heir");
    assertThat(ids(heir)).hasSize(9);
    heir.commit(batch(10, 12));
    assertThat(ids(open(cluster.node("third")))).hasSize(11);
  }

  @Test
  void blocksThatTheLastLeaderSendsTooLateChangeNothing() {
    store.commit(batch(1, 10));
    // Commits, and stops just before it writes the block.
    long before = operationsOfASmallCommit();
    first.faults(operation -> operation <= before - 2 ? Fault.NONE : Fault.LOST);
    store.commit(batch(1, 20));
    IntentStore heir = open(cluster.node("heir"));
    StoreBatch deletions = new StoreBatch();
    IntStream.range(1, 20).forEach(i -> deletions.deleteSubscriber("s" + i));
    heir.commit(deletions);
    Map<String, byte[]> written = cluster.content(ClusterNetworkStore.INTENTS);
    first.faults(operation -> Fault.NONE);
    assertThatThrownBy(() -> store.commit(batch(20, 21))).isInstanceOf(StoreException.class);
    assertThat(ids(open(cluster.node("third")))).isEmpty();
    assertThat(cluster.content(ClusterNetworkStore.INTENTS).keySet()).isEqualTo(written.keySet());
  }

  /** Operations of a commit that fits the commit record and touches one block. */
  private static long operationsOfASmallCommit() {
    return 4;
  }

  @Test
  void anUnansweredCommitIsFoundOutAboutBeforeAnythingElse() {
    for (Fault fault : List.of(Fault.LOST, Fault.UNANSWERED)) {
      for (int at = 1; at <= 2; at++) {
        TestCluster each = new TestCluster();
        TestCluster.Node node = each.node("node");
        ClusterIntentStore one = open(node);
        one.commit(batch(1, 3));
        int failing = at;
        node.faults(operation -> operation == failing ? fault : Fault.NONE);
        assertThatThrownBy(() -> one.commit(batch(3, 5)))
            .isInstanceOf(StoreException.class)
            .hasMessageMatching(
                "the cluster's map sluice-log does not answer, since 2026-01-01T00:00:00Z, last"
                    + " while (read|writ)ing head; it is asked again with the next request");
        boolean done = fault == Fault.UNANSWERED && at == 2;
        assertThat(ids(one)).hasSize(done ? 4 : 2);
        one.commit(batch(5, 6));
        assertThat(ids(open(each.node("heir")))).hasSize(done ? 5 : 3);
      }
    }
    assertThat(lost).isEmpty();
  }

  @Test
  void whatIsLeftOfALargeBatchThatFailedIsNotTakenForTheNextOnes() {
    for (Fault fault : List.of(Fault.LOST, Fault.LATE)) {
      for (int at = 1; at <= 3; at++) {
        TestCluster each = new TestCluster();
        TestCluster.Node node = each.node("node");
        ClusterIntentStore one = open(node);
        int failing = at;
        node.faults(operation -> operation == failing ? fault : Fault.NONE);
        assertThatThrownBy(() -> one.commit(batch(1, 4_000))).isInstanceOf(StoreException.class);
        one.commit(batch(1, 5_000));
        each.arrive();
        assertThat(ids(open(each.node("heir")))).as("%s %d", fault, at).hasSize(4_999);
      }
    }
  }

  @Test
  void aClusterThatStaysSilentIsGivenUp() {
    store.commit(batch(1, 3));
    first.faults(operation -> Fault.LOST);
    assertThatThrownBy(() -> store.commit(batch(3, 5))).isInstanceOf(StoreException.class);
    assertThat(lost).isEmpty();
    assertThatThrownBy(() -> ids(store)).hasMessageContaining("does not answer, since 2026");
    assertThat(lost).hasSize(1);
    first.faults(operation -> Fault.NONE);
    assertThatThrownBy(() -> ids(store)).isInstanceOf(StoreException.class);
    store = open(first);
    assertThat(ids(store)).containsExactly("s1", "s2");
  }

  @Test
  void storageThatHasGoneBackIsNoticedByWhoWritesAndByWhoHasWritten() {
    KnownCommits known = new KnownCommits();
    ClusterIntentStore leading = open(first, known);
    leading.commit(batch(1, 10));
    Revision common = leading.history().revision();
    TestCluster.Copy copy = cluster.copy();
    leading.commit(batch(10, 20));
    Revision last = leading.history().revision();
    assertThat(leading.furthest()).isEqualTo(last);
    cluster.goBackTo(copy);
    assertThatThrownBy(() -> leading.commit(batch(20, 30)))
        .isInstanceOf(StoreException.class)
        .hasMessage(
            "the cluster's storage has gone back: it has lost what it had acknowledged for switch"
                + " switch, from commit 1 to 2");
    assertThat(lost).hasSize(1);

    // Other instances learn it from the targets only.
    ClusterIntentStore stranger = open(cluster.node("stranger"));
    assertThat(stranger.furthest()).isEqualTo(common);
    assertThat(stranger.has(last)).isFalse();

    ClusterIntentStore again = open(first, known);
    assertThat(again.epoch()).isGreaterThan(stranger.epoch());
    again.commit(batch(20, 40));
    again.commit(batch(40, 50));
    assertThat(again.furthest()).as("not hidden by what comes after").isEqualTo(last);
    assertThat(again.history().upTo(last)).hasValue(common.number());
    again.accept();
    assertThat(again.furthest()).isEqualTo(again.history().revision());
    assertThat(open(first, known).furthest()).isEqualTo(again.history().revision());
  }

  /** Masters and register agents know the epochs that the storage has forgotten. */
  @Test
  void noEpochComesAgainThatThisInstanceHasHad() {
    KnownCommits known = new KnownCommits();
    TestCluster.Copy empty = cluster.copy();
    open(cluster.node("other"), known);
    long epoch = open(first, known).epoch();
    cluster.goBackTo(empty);
    assertThat(open(first, known).epoch()).isEqualTo(epoch + 1);
  }

  @Test
  void aPartThatTheStorageHasLostIsMissed() {
    // A block as it was before, and one that is gone, while the commit record is the last one.
    for (String block : List.of("s3", "s5")) {
      TestCluster each = new TestCluster();
      ClusterIntentStore one = open(each.node("one"));
      one.commit(batch(1, 100));
      Revision before = one.history().revision();
      TestCluster.Copy copy = each.copy();
      one.commit(batch(100, 200));
      // Whoever takes over repeats the last batch, and so mends what that one wrote.
      one.commit(batch(300, 301));
      Revision last = one.history().revision();
      assertThat(open(each.node("of all"))).matches(all -> all.has(before) && all.has(last));
      each.goBackTo(copy, ClusterNetworkStore.INTENTS, block);
      for (String name : List.of("heir", "next")) {
        assertThat(open(each.node(name))).matches(heir -> !heir.has(last) && !heir.has(before));
      }
      ClusterIntentStore third = open(each.node("third"));
      third.commit(batch(400, 401));
      Revision anew = third.history().revision();
      assertThat(third.has(last)).as("nor by going on").isFalse();
      assertThat(open(each.node("after"))).matches(after -> after.has(anew) && !after.has(last));
    }
  }

  /** What an earlier release has written has no digests, and is not missed then. */
  @Test
  void aRecordWithoutDigestsGetsThemWithTheNextCommit() {
    store.commit(batch(1, 100));
    CommitRecord head =
        CommitRecord.decode(cluster.content(ClusterNetworkStore.LOG).get(ClusterIntentStore.HEAD));
    CommitRecord old =
        new CommitRecord(
            head.epoch(),
            head.sequence(),
            head.nonce(),
            head.owner(),
            head.parts(),
            head.partsEpoch(),
            head.inline(),
            head.recordBytes(),
            "",
            Optional.empty());
    assertThat(old.encode()[0]).isEqualTo((byte) 1);
    cluster.overwrite(ClusterNetworkStore.LOG, ClusterIntentStore.HEAD, old.encode());
    ClusterIntentStore heir = open(cluster.node("heir"));
    assertThat(heir.history().revision().number()).isEqualTo(1);
    heir.commit(batch(100, 101));
    assertThat(
            CommitRecord.decode(
                    cluster.content(ClusterNetworkStore.LOG).get(ClusterIntentStore.HEAD))
                .digests())
        .isPresent();
    assertThat(ids(open(cluster.node("next")))).hasSize(100);
  }

  @Test
  void oldBatchesDoNotPileUp() {
    for (int i = 0; i < 3; i++) {
      store.commit(batch(1 + i * 6_000, 6_001 + i * 6_000));
    }
    assertThat(cluster.content(ClusterNetworkStore.LOG).keySet())
        .contains("head", "identity")
        .allMatch(key -> key.matches("head|identity|part-1-3-.*"));
    store.commit(batch(1, 2));
    assertThat(cluster.content(ClusterNetworkStore.LOG).keySet())
        .containsExactlyInAnyOrder("head", "identity");
  }

  @Test
  void valuesStayFarBelowWhatTheClusterTakes() {
    store.commit(batch(1, 20_000));
    StoreBatch limits = new StoreBatch();
    for (int i = 0; i < 32_768; i++) {
      limits.put(
          new RateLimit(
              "limit-" + i,
              new Scope.OfSubscriber("s" + i),
              OptionalLong.of(50_000_000),
              OptionalLong.of(10_000_000),
              OptionalInt.empty()));
    }
    store.commit(limits);
    for (String map : List.of(ClusterNetworkStore.INTENTS, ClusterNetworkStore.LOG)) {
      assertThat(cluster.content(map).values())
          .allMatch(value -> value.length <= ClusterIntentStore.PART_BYTES + 64);
    }
  }

  @Test
  void aMillionSubscribersTakeFiftyBytesEachInTheCluster() {
    int subscribers = 1_000_000;
    for (int from = 1; from <= subscribers; from += 10_000) {
      StoreBatch batch = new StoreBatch();
      for (int i = from; i < from + 10_000; i++) {
        batch.put(
            subscriber(
                "sub-" + i,
                i,
                -1,
                "10." + (i >>> 16 & 255) + "." + (i >>> 8 & 255) + "." + (i & 255) + "/32",
                "2001:db8:"
                    + Integer.toHexString(i >>> 8)
                    + ":"
                    + Integer.toHexString((i & 255) << 8)
                    + "::/56"));
      }
      store.commit(batch);
    }
    Map<String, byte[]> blocks = cluster.content(ClusterNetworkStore.INTENTS);
    long bytes = blocks.values().stream().mapToLong(v -> v.length).sum();
    long keys = blocks.keySet().stream().mapToLong(String::length).sum();
    System.out.printf(
        "%d subscribers: %d values, %.1f bytes each with keys, %.1f bytes each in the leader%n",
        subscribers,
        blocks.size(),
        (bytes + keys) / (double) subscribers,
        ((ClusterIntentStore) store).replicaBytes() / (double) subscribers);
    // And one with what is kept of the switch beside its declarations.
    assertThat(blocks).hasSize(subscribers / 32 + 2);
    assertThat((bytes + keys) / (double) subscribers).isLessThan(60);
    assertThat(blocks.values()).allMatch(value -> value.length < 4096);
    try (IntentStore heir = open(cluster.node("heir"))) {
      assertThat(heir.subscriber("sub-1000000")).isPresent();
      List<String> page = new ArrayList<>();
      heir.scanSubscribers("", 999_990, 100, s -> page.add(s.subscriber().id()));
      assertThat(page).hasSize(10).last().isEqualTo("sub-999999");
    }
  }

  @Test
  void whatCannotBeUnderstoodIsSaidAndLeftAlone() {
    store.commit(batch(1, 40));
    byte[] head = cluster.content(ClusterNetworkStore.LOG).get("head");
    byte[] newer = head.clone();
    newer[0] = 9;
    cluster.overwrite(ClusterNetworkStore.LOG, "head", newer);
    assertThatThrownBy(() -> open(cluster.node("heir")))
        .isInstanceOf(StoreException.class)
        .hasMessage(
            "the cluster's store has format 9; this release reads formats 1 to 4; nothing was"
                + " changed");
    cluster.overwrite(ClusterNetworkStore.LOG, "head", head);
    byte[] block = cluster.content(ClusterNetworkStore.INTENTS).get("s0");
    cluster.overwrite(ClusterNetworkStore.INTENTS, "s0", Arrays.copyOf(block, block.length - 3));
    assertThatThrownBy(() -> open(cluster.node("heir")))
        .hasMessage("block s0 of the cluster's store is cut short");
    cluster.overwrite(ClusterNetworkStore.INTENTS, "s0", new byte[3]);
    assertThatThrownBy(() -> open(cluster.node("heir")))
        .hasMessage("block s0 of the cluster's store is cut short");
  }

  @Test
  void aClosedStoreSaysSo() {
    store.close();
    assertThatThrownBy(() -> store.subscriber("a"))
        .isInstanceOf(StoreException.class)
        .hasMessage("the cluster's store is closed");
  }
}
