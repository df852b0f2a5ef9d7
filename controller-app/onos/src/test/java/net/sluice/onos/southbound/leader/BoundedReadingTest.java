package net.sluice.onos.southbound.leader;

import static net.sluice.onos.testing.TestSwitch.PIPELINE;
import static net.sluice.pipeconf.testing.SampleEntries.ALICE;
import static net.sluice.pipeconf.testing.SampleEntries.BOB;
import static net.sluice.pipeconf.testing.SampleEntries.v4;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import net.sluice.core.target.ExpectedEntries;
import net.sluice.core.testing.ReadBack;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.entry.forwarding.RouteEntry;
import net.sluice.intents.plan.entry.limit.MeterSetting;
import net.sluice.intents.plan.entry.limit.SubscriberMeterEntry;
import net.sluice.intents.value.Direction;
import net.sluice.onos.cluster.MasterTarget;
import net.sluice.onos.testing.MemorySwitch;
import net.sluice.onos.testing.TestSwitch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** No call takes nearly the ten seconds after which ONOS gives it up, however much there is. */
class BoundedReadingTest {
  private static final int MANY = 200_000;

  private final TestSwitch rig = new TestSwitch();

  @BeforeEach
  void connect() {
    rig.connect();
  }

  /** IPv4 subscribers 0 to {@code count}, which the table should hold. */
  private static ExpectedEntries<SwitchEntry> known(int count) {
    return new ExpectedEntries<>() {
      @Override
      public long count(Table table) {
        return table == Table.IPV4_PREFIX ? count : 0;
      }

      @Override
      public Cursor<SwitchEntry> entries(Table table) {
        int[] next = new int[1];
        return max -> {
          int from = next[0];
          next[0] = table == Table.IPV4_PREFIX ? Math.min(count, from + max) : 0;
          return IntStream.range(from, next[0]).mapToObj(i -> v4(i, ALICE)).toList();
        };
      }
    };
  }

  private void hold(int from, int to) {
    IntStream.range(from, to)
        .forEach(i -> rig.memory.place(PIPELINE.entries().encode(v4(i, ALICE))));
  }

  private void assertFarFromTheDeadline() {
    assertThat(rig.memory.longestRead()).isLessThan(MemorySwitch.DEADLINE.dividedBy(3));
  }

  @Test
  void aSmallTableIsListedWithWhatIsForeignInIt() {
    hold(0, 50_001);
    ReadBack<SwitchEntry> read = rig.read(known(50_000));
    assertThat(read.end).containsExactly("complete");
    assertThat(read.entries).hasSize(50_001);
    assertThat(rig.memory.reads())
        .as("one for each table")
        .isEqualTo(PIPELINE.entries().tables().size());
    assertFarFromTheDeadline();
  }

  @Test
  void aLargeTableIsReadByItsKeysInPieces() {
    hold(0, MANY);
    rig.memory
        .table(PIPELINE.entries().tableIds(Table.IPV4_PREFIX).get(0))
        .values()
        .removeIf(entry -> entry.equals(PIPELINE.entries().encode(v4(77, ALICE))));
    rig.memory.place(PIPELINE.entries().encode(v4(78, BOB)));
    ReadBack<SwitchEntry> read = rig.read(known(MANY));
    assertThat(read.end).containsExactly("complete");
    assertThat(read.entries).hasSize(MANY - 1).contains(v4(78, BOB));
    assertThat(new HashSet<>(read.entries)).as("each once").hasSize(MANY - 1);
    assertThat(rig.memory.largestRead()).isEqualTo(BoundedReading.KEYS_PER_READ);
    assertThat(rig.memory.mostReadsAtOnce()).isEqualTo(BoundedReading.READS_IN_FLIGHT);
    assertFarFromTheDeadline();
  }

  @Test
  void theGuardOfMastershipPassesOnWhatIsKnown() {
    hold(0, 60_000);
    ReadBack<SwitchEntry> read = new ReadBack<>();
    new MasterTarget<>(rig.target, Optional::empty).read(known(60_000), read);
    rig.time.pass(Duration.ofSeconds(30));
    assertThat(read.end).containsExactly("complete");
    assertThat(rig.memory.largestRead()).isEqualTo(BoundedReading.KEYS_PER_READ);
  }

  @Test
  void aSwitchThatRefusesAbsentKeysIsAskedInSmallerPieces() {
    rig.memory.refuseAbsentKeys();
    hold(0, 60_000);
    var table = rig.memory.table(PIPELINE.entries().tableIds(Table.IPV4_PREFIX).get(0));
    table.values().removeIf(entry -> entry.equals(PIPELINE.entries().encode(v4(5, ALICE))));
    ReadBack<SwitchEntry> read = rig.read(known(60_000));
    assertThat(read.end).containsExactly("complete");
    assertThat(read.entries).hasSize(59_999).doesNotContain(v4(5, ALICE));
  }

  @Test
  void aTableThatShouldBeSmallAndIsNotIsStillReadToTheEnd() {
    // 30,000 entries that nobody knows of before the ten that are ours: cut off after ten seconds.
    rig.memory.readsPerSecond(3_000);
    hold(100, 50_000);
    hold(0, 10);
    ReadBack<SwitchEntry> read = rig.read(known(10));
    assertThat(read.end).containsExactly("complete");
    assertThat(read.entries).hasSize(30_010).contains(v4(100, ALICE), v4(9, ALICE));
    assertThat(new HashSet<>(read.entries)).hasSize(30_010);
  }

  @Test
  void aSlowSwitchIsAskedForLessAtATime() {
    rig.memory.readsPerSecond(50);
    hold(0, 60_000);
    ReadBack<SwitchEntry> read = rig.read(known(BoundedReading.MOST_LISTED + 1));
    assertThat(read.end).as("a thousand keys take it 20 s").isEmpty();
    rig.time.pass(Duration.ofMinutes(20));
    assertThat(read.entries.size()).isGreaterThan(10_000);
    assertThat(new HashSet<>(read.entries)).hasSize(read.entries.size());
  }

  private static SwitchEntry metered(int i) {
    return new SubscriberMeterEntry(
        i, Direction.DOWN, new Attachment(0, 1), Optional.of(new MeterSetting(8_000_000, 3_000)));
  }

  /** Subscribers' meters 1 to {@code count}. */
  private static ExpectedEntries<SwitchEntry> knownMeters(int count) {
    return new ExpectedEntries<>() {
      @Override
      public long count(Table table) {
        return table == Table.SUBSCRIBER_METER ? count : 0;
      }

      @Override
      public Cursor<SwitchEntry> entries(Table table) {
        int[] next = {1};
        return max -> {
          int from = next[0];
          next[0] = Math.min(count + 1, from + max);
          return IntStream.range(from, next[0]).mapToObj(i -> metered(i)).toList();
        };
      }
    };
  }

  /** A meter is an object of its own beside its entry. */
  @Test
  void metersAreReadBesideTheirEntries() {
    int many = BoundedReading.MOST_LISTED / 2 + 1;
    IntStream.rangeClosed(1, many)
        .forEach(i -> rig.memory.place(PIPELINE.entries().encode(metered(i))));
    for (int known : new int[] {many - 1, many}) {
      ReadBack<SwitchEntry> read = rig.read(knownMeters(known));
      assertThat(read.end).containsExactly("complete");
      assertThat(read.entries).hasSize(many).allMatch(BoundedReadingTest::isPoliced);
      assertFarFromTheDeadline();
    }
    assertThat(rig.memory.largestRead()).isEqualTo(2 * many);
  }

  private static boolean isPoliced(SwitchEntry entry) {
    return ((SubscriberMeterEntry) entry).meter().isPresent();
  }

  /** Entries come first: without their meters they would be taken for others. */
  @Test
  void anEntryWhoseMeterWasCutOffIsAskedForByItsKey() {
    rig.memory.readsPerSecond(3_000);
    IntStream.rangeClosed(1, 20_000)
        .forEach(i -> rig.memory.place(PIPELINE.entries().encode(metered(i))));
    ReadBack<SwitchEntry> read = rig.read(knownMeters(20_000));
    assertThat(read.end).containsExactly("complete");
    assertThat(new HashSet<>(read.entries)).hasSize(20_000);
    assertThat(read.entries).hasSize(20_000).allMatch(BoundedReadingTest::isPoliced);
  }

  @Test
  void halvesAreJoinedInATableThatIsReadByKey() {
    RouteEntry everything = new RouteEntry(IpPrefix.parse("0.0.0.0/0"), 3);
    rig.write(Op.INSERT, everything);
    ExpectedEntries<SwitchEntry> routes =
        new ExpectedEntries<>() {
          @Override
          public long count(Table table) {
            return table == Table.IPV4_ROUTE ? BoundedReading.MOST_LISTED + 1 : 0;
          }

          @Override
          public Cursor<SwitchEntry> entries(Table table) {
            boolean[] asked = new boolean[1];
            return max -> {
              List<SwitchEntry> part = asked[0] ? List.of() : List.of(everything);
              asked[0] = true;
              return part;
            };
          }
        };
    assertThat(rig.read(routes).entries).containsExactly(everything);
  }

  @Test
  void aReadingEndsWithItsSession() {
    hold(0, MANY);
    ReadBack<SwitchEntry> read = new ReadBack<>();
    rig.target.read(known(MANY), read);
    rig.time.pass(Duration.ofMillis(200));
    assertThat(read.entries).isNotEmpty();
    rig.lost.accept("the connection is closed");
    rig.time.pass(Duration.ofSeconds(5));
    assertThat(read.end).containsExactly("failed: the session ended");
  }
}
