package net.sluice.onos.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import net.sluice.core.store.Journal;
import net.sluice.core.store.JournalContract;
import net.sluice.core.store.StoreException;
import net.sluice.onos.testing.TestCluster;
import net.sluice.onos.testing.TestCluster.Fault;
import org.junit.jupiter.api.Test;

class ClusterJournalTest extends JournalContract {
  private static final Duration TIMEOUT = Duration.ofMillis(20);

  private final TestCluster cluster = new TestCluster();
  private final List<StoreException> lost = new ArrayList<>();
  private TestCluster.Node node = cluster.node("first");
  private ClusterNetworkStore store;

  private ClusterNetworkStore open(TestCluster.Node by, KnownCommits known) {
    return ClusterNetworkStore.open(by.storage, by.id.toString(), TIMEOUT, time, known, lost::add);
  }

  private ClusterNetworkStore open(TestCluster.Node by) {
    return open(by, new KnownCommits());
  }

  @Override
  protected Journal open() {
    node = cluster.node("next");
    store = open(node);
    return store.journal("events");
  }

  @Override
  protected void close() {
    store.close();
  }

  @Override
  protected void kill() {
    node.kill();
  }

  @Override
  protected boolean losesNothing() {
    return true;
  }

  /** The store of a backup may have taken its place by then. */
  @Test
  void whatHasBeenAddedIsDurableAfterTheEndToo() {
    Journal journal = open();
    long number = journal.append(List.of(new Journal.Item(1, new byte[1])));
    close();
    journal.sync(number);
    assertThatThrownBy(() -> journal.sync(number + 1)).isInstanceOf(StoreException.class);
  }

  @Override
  protected int recordsInBlock() {
    return 33;
  }

  private static List<Journal.Item> record(int size) {
    return List.of(new Journal.Item(1, new byte[size]));
  }

  private List<String> keys() {
    return List.copyOf(cluster.content(ClusterNetworkStore.JOURNALS).keySet());
  }

  private static String key(int number) {
    return "events/%019d".formatted(number);
  }

  @Test
  void recordsShareABlockUntilItIsFull() {
    for (int i = 0; i < 4; i++) {
      journal.append(record(10_000));
    }
    assertThat(keys()).containsExactly(key(1), key(4), "events/id");
    assertThat(cluster.content(ClusterNetworkStore.JOURNALS).get(key(1)).length)
        .isBetween(30_000, ClusterJournal.BLOCK_BYTES + 100);
  }

  @Test
  void anAppendNeedsOneAnswerOfTheCluster() {
    journal.append(record(10));
    node.faults(operation -> Fault.NONE);
    journal.append(record(10));
    // The other one asks what the next append begins with, and is not waited for.
    assertThat(node.operations()).isEqualTo(2);
  }

  @Test
  void moreThanTheMostIsForgottenByItself() {
    int records = (int) (ClusterJournal.MOST_BYTES / 200_000) + 10;
    for (int i = 0; i < records; i++) {
      journal.append(record(200_000));
    }
    assertThat(200_000L * (journal.last() - journal.first() + 1))
        .isBetween(ClusterJournal.MOST_BYTES - 200_000, ClusterJournal.MOST_BYTES);
    assertThat(keys()).hasSize((int) (journal.last() - journal.first() + 2));
  }

  @Test
  void whoLedBeforeAddsNothingMoreAndIsTold() {
    journal.append(record(10));
    Journal heir = open(cluster.node("heir")).journal("events");
    assertThatThrownBy(() -> journal.append(record(10)))
        .isInstanceOf(StoreException.class)
        .hasMessage("another instance leads now");
    assertThat(lost).hasSize(1);
    assertThatThrownBy(() -> journal.read(1, 10)).isInstanceOf(StoreException.class);
    assertThat(heir.append(record(10))).isEqualTo(2);
    assertThat(heir.last()).isEqualTo(2);
  }

  /** Where it would have begun another block, too. */
  @Test
  void whoLedBeforeBeginsNoBlock() {
    journal.append(record(ClusterJournal.BLOCK_BYTES));
    Journal heir = open(cluster.node("heir")).journal("events");
    assertThatThrownBy(() -> journal.append(record(10))).hasMessage("another instance leads now");
    assertThat(heir.append(record(20))).isEqualTo(2);
    assertThat(heir.read(2, 1).get(0).bytes()).hasSize(20);
  }

  @Test
  void whatAFormerLeaderSentComesTooLate() {
    journal.append(record(10));
    node.faults(operation -> Fault.LATE);
    assertThatThrownBy(() -> journal.append(record(11))).isInstanceOf(StoreException.class);
    TestCluster.Node next = cluster.node("heir");
    Journal heir = open(next).journal("events");
    cluster.arrive();
    assertThat(heir.append(record(12))).isEqualTo(2);
    Journal third = open(cluster.node("third")).journal("events");
    assertThat(third.read(1, 1000))
        .extracting(entry -> entry.bytes().length)
        .containsExactly(10, 12);
  }

  @Test
  void whatWasNotAnsweredIsCompletedFirst() {
    for (Fault fault : List.of(Fault.LOST, Fault.UNANSWERED, Fault.LATE)) {
      long before = journal.last();
      node.faults(operation -> operation == 1 ? fault : Fault.NONE);
      assertThatThrownBy(() -> journal.append(record(1))).isInstanceOf(StoreException.class);
      node.faults(operation -> Fault.NONE);
      assertThat(journal.append(record(2))).as("%s", fault).isEqualTo(before + 2);
      cluster.arrive();
    }
    Journal heir = open(cluster.node("heir")).journal("events");
    assertThat(heir.read(1, 1000))
        .extracting(entry -> entry.bytes().length)
        .containsExactly(1, 2, 1, 2, 1, 2);
  }

  @Test
  void whatIsAddedInSeveralBlocksCountsWithTheLastOne() {
    List<Journal.Item> large =
        IntStream.range(0, 5).mapToObj(i -> new Journal.Item(1, new byte[200_000])).toList();
    int records = 0;
    for (int operation = 1; operation <= 6; operation++) {
      int fatal = operation;
      node.faults(each -> each == fatal ? Fault.DEAD : Fault.NONE);
      records++;
      try {
        journal.append(large);
        records += large.size();
      } catch (StoreException e) {
        assertThat(node.isDead()).isTrue();
      }
      journal = open();
      assertThat(journal.append(record(3))).isEqualTo(journal.last());
      assertThat(journal.read(0, Integer.MAX_VALUE))
          .hasSize(records)
          .extracting(Journal.Entry::number)
          .isSorted()
          .doesNotHaveDuplicates();
    }
  }

  /** Whoever began to add something large goes on when another instance leads already. */
  @Test
  void whatAFormerLeaderHasNotEndedDoesNotCount() {
    List<Journal.Item> large =
        IntStream.range(0, 3).mapToObj(i -> new Journal.Item(1, new byte[200_000])).toList();
    journal.append(record(1));
    for (int operation = 1; operation <= 4; operation++) {
      ClusterNetworkStore heir = open(cluster.node("heir"));
      TestCluster.Node former = cluster.node("former");
      Journal led = open(former).journal("events");
      int late = operation;
      former.faults(each -> each >= late ? Fault.LATE : Fault.NONE);
      assertThatThrownBy(() -> led.append(large)).isInstanceOf(StoreException.class);
      heir = open(cluster.node("heir"));
      Journal journalOfHeir = heir.journal("events");
      long last = journalOfHeir.last();
      cluster.arrive();
      assertThat(journalOfHeir.append(record(2))).isEqualTo(last + 1);
      assertThat(journalOfHeir.append(large)).isEqualTo(last + 2);
      Journal next = open(cluster.node("next")).journal("events");
      assertThat(next.last()).isEqualTo(last + 4);
      assertThat(next.read(last + 1, Integer.MAX_VALUE))
          .extracting(entry -> entry.bytes().length)
          .containsExactly(2, 200_000, 200_000, 200_000);
    }
  }

  @Test
  void storageThatHasGoneBackGivesNoNumberTwice() {
    KnownCommits known = new KnownCommits();
    ClusterNetworkStore led = open(cluster.node("led"), known);
    journal = led.journal("events");
    journal.append(record(1));
    TestCluster.Copy older = cluster.copy();
    journal.append(record(1));
    journal.append(record(1));
    cluster.goBackTo(older);
    assertThatThrownBy(() -> journal.append(record(1)))
        .hasMessage("the cluster's storage has gone back: it has lost records of journal events");
    store = open(cluster.node("again"), known);
    Journal again = store.journal("events");
    assertThat(again.isWhole()).isFalse();
    assertThat(again.append(record(1))).isEqualTo(4);
    assertThat(again.read(0, 1000)).extracting(Journal.Entry::number).containsExactly(1L, 4L);
    again.trim(0, Instant.MIN);
    assertThat(again.read(0, 1000)).extracting(Journal.Entry::number).containsExactly(4L);
  }
}
