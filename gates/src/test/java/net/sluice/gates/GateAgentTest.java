package net.sluice.gates;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import net.sluice.emulator.server.p4runtime.OfflineControl;
import net.sluice.emulator.v1model.V1modelSwitch;
import net.sluice.gates.loop.GateLoop;
import net.sluice.gates.loop.LoopSettings;
import net.sluice.gates.loop.Windows;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.V1ModelPipeline;
import net.sluice.pipeconf.table.GateCodec;
import org.junit.jupiter.api.Test;
import p4.config.v1.P4InfoOuterClass.Counter;
import p4.config.v1.P4InfoOuterClass.Register;
import p4.v1.P4DataOuterClass.P4Data;
import p4.v1.P4RuntimeOuterClass.CounterData;
import p4.v1.P4RuntimeOuterClass.CounterEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.FieldMatch;
import p4.v1.P4RuntimeOuterClass.Index;
import p4.v1.P4RuntimeOuterClass.RegisterEntry;
import p4.v1.P4RuntimeOuterClass.TableEntry;
import p4.v1.P4RuntimeOuterClass.Update;

/** The agent on the emulated switch with the compiled program. */
class GateAgentTest {
  private static final SwitchPipeline PROGRAM = V1ModelPipeline.load();
  private static final GateCodec GATES = GateCodec.of(PROGRAM.descriptor());
  private static final GateLoop LOOP = GateLoop.of(LoopSettings.PAPER);
  private static final long ROUND = 1L << 32;

  private final OfflineControl control =
      OfflineControl.load(new V1modelSwitch(1, 1), PROGRAM.forwardingPipelineConfig());

  /** How much each read asked for. */
  private final List<Integer> reads = new ArrayList<>();

  private int writes;

  /** Looks at the table after every single update. */
  private final LocalSwitch device =
      new LocalSwitch() {
        @Override
        public List<Entity> read(List<Entity> wanted) {
          reads.add(wanted.size());
          return control.read(wanted);
        }

        @Override
        public void write(List<Update> updates) {
          writes++;
          boolean watched = !entries().isEmpty();
          for (Update update : updates) {
            control.write(List.of(update));
            if (watched) {
              everyTimeHasAPipe();
            }
          }
        }
      };

  private List<TableEntry> entries() {
    return control.read(List.of(Entity.newBuilder().setTableEntry(GATES.all()).build())).stream()
        .map(Entity::getTableEntry)
        .toList();
  }

  private static long number(ByteString bytes) {
    return new BigInteger(1, bytes.toByteArray()).longValueExact();
  }

  private static FieldMatch.Range range(TableEntry entry) {
    return entry.getMatch(0).getRange();
  }

  /** The pipe of a virtual finish time; empty where no entry matches. */
  private Optional<Long> pipe(long nanos) {
    long finish = nanos & ROUND - 1;
    Optional<TableEntry> best = Optional.empty();
    for (TableEntry entry : entries()) {
      if (number(range(entry).getLow()) <= finish
          && finish <= number(range(entry).getHigh())
          && entry.getPriority() > best.map(TableEntry::getPriority).orElse(0)) {
        best = Optional.of(entry);
      }
    }
    return best.map(entry -> number(entry.getAction().getAction().getParams(0).getValue()));
  }

  private void everyTimeHasAPipe() {
    // Where no range begins or ends the answer is that of the boundary before.
    TreeSet<Long> edges = new TreeSet<>(List.of(0L, ROUND - 1));
    for (TableEntry entry : entries()) {
      edges.add(number(range(entry).getLow()));
      edges.add(number(range(entry).getHigh()));
      edges.add(number(range(entry).getHigh()) + 1 & ROUND - 1);
    }
    assertThat(edges).allSatisfy(edge -> assertThat(pipe(edge)).isPresent());
  }

  private void clock(long nanos) {
    register("shape_clock", nanos);
  }

  private void register(String name, long nanos) {
    int id =
        PROGRAM.p4Info().getRegistersList().stream()
            .map(Register::getPreamble)
            .filter(named -> named.getName().endsWith("." + name))
            .findFirst()
            .orElseThrow()
            .getId();
    write(
        Entity.newBuilder()
            .setRegisterEntry(
                RegisterEntry.newBuilder()
                    .setRegisterId(id)
                    .setIndex(Index.newBuilder())
                    .setData(P4Data.newBuilder().setBitstring(bytes(nanos)))));
  }

  /** As if all pipes but the second had been full since the last step. */
  private void fillPipes() {
    int id =
        PROGRAM.p4Info().getCountersList().stream()
            .map(Counter::getPreamble)
            .filter(named -> named.getName().endsWith(".pipe_events"))
            .findFirst()
            .orElseThrow()
            .getId();
    for (int pipe : new int[] {0, 2, 3}) {
      write(
          Entity.newBuilder()
              .setCounterEntry(
                  CounterEntry.newBuilder()
                      .setCounterId(id)
                      .setIndex(Index.newBuilder().setIndex(4L * pipe))
                      .setData(CounterData.newBuilder().setByteCount(1_000_000))));
    }
  }

  private void write(Entity.Builder entity) {
    control.write(
        List.of(Update.newBuilder().setType(Update.Type.MODIFY).setEntity(entity).build()));
  }

  private static ByteString bytes(long nanos) {
    return ByteString.copyFrom(
        new byte[] {
          (byte) (nanos >>> 24), (byte) (nanos >>> 16), (byte) (nanos >>> 8), (byte) nanos
        });
  }

  @Test
  void theWindowsSlideWithTheClockAndNoTimeIsEverWithoutAPipe() {
    clock(1_000_000);
    GateAgent agent = new GateAgent(device, PROGRAM, LOOP);
    for (long now = 1_005_000; now < 1_100_000; now += 5_000) {
      clock(now);
      agent.step();
      assertThat(agent.windows()).isEqualTo(Windows.equal(now, 5_000));
      assertThat(pipe(now)).hasValue(0L);
      assertThat(pipe(now + 4_999)).hasValue(0L);
      assertThat(pipe(now + 5_000)).hasValue(1L);
      assertThat(pipe(now + 10_000)).hasValue(2L);
      assertThat(pipe(now + 15_000)).hasValue(3L);
      assertThat(pipe(now - 1_000_000_000)).hasValue(0L);
      assertThat(pipe(now + 1_000_000_000)).hasValue(3L);
    }
  }

  /** A switch without packets is asked for its clock alone, and written to once in 50 steps. */
  @Test
  void aSwitchWithoutPacketsCostsLittle() {
    clock(1_000_000);
    GateAgent agent = new GateAgent(device, PROGRAM, LOOP);
    assertThat(agent.step()).isFalse();
    Windows windows = agent.windows();
    reads.clear();
    writes = 0;
    for (int step = 0; step < 100; step++) {
      assertThat(agent.step()).isFalse();
      assertThat(agent.windows()).isEqualTo(windows);
    }
    assertThat(writes).isEqualTo(2);
    assertThat(reads).filteredOn(size -> size == 1).hasSize(98);
    assertThat(reads).filteredOn(size -> size > 1).hasSize(2);

    fillPipes();
    clock(1_005_000);
    assertThat(agent.step()).isTrue();
    assertThat(agent.windows().beginNanos()).isEqualTo(1_005_000);
    assertThat(pipe(1_005_000)).hasValue(0L);
  }

  @Test
  void theClockGoesRound() {
    clock(ROUND - 12_000);
    GateAgent agent = new GateAgent(device, PROGRAM, LOOP);
    for (long now = ROUND - 9_500; now < ROUND + 30_000; now += 2_500) {
      clock(now);
      agent.step();
      for (long vft = now - 20_000; vft < now + 40_000; vft += 500) {
        assertThat(pipe(vft)).hasValue((long) agent.windows().pipe(vft));
      }
    }
  }

  @Test
  void aFullPipesWindowIsEmpty() {
    clock(1_000_000);
    GateAgent agent = new GateAgent(device, PROGRAM, new GateLoop(LoopSettings.PAPER, true, false));
    clock(1_005_000);
    register("latest_finish", 1_105_000);
    fillPipes();
    agent.step();
    // T is 100 us, and the second pipe alone has anything free; the first has a period at least.
    assertThat(agent.windows()).isEqualTo(new Windows(1_005_000, 5_000, 100_000, 0));
    for (long vft = 1_000_000; vft < 1_200_000; vft += 2_500) {
      assertThat(pipe(vft)).hasValue((long) agent.windows().pipe(vft));
    }
  }

  @Test
  void anotherAgentsEntriesGiveWay() {
    clock(1_000_000);
    new GateAgent(device, PROGRAM, LOOP).step();
    List<TableEntry> before = new ArrayList<>(entries());
    clock(2_000_000);
    new GateAgent(device, PROGRAM, LOOP);
    assertThat(entries()).doesNotContainAnyElementsOf(before);
    assertThat(pipe(2_000_000 + 5_000)).hasValue(1L);
  }

  @Test
  void prioritiesBeginAnewWhenTheyRunOut() {
    clock(1_000_000);
    for (long low : new long[] {0, ROUND / 2}) {
      TableEntry entry = GATES.entry(low, low + ROUND / 2 - 1, 3, 1 << 30);
      control.write(
          List.of(
              Update.newBuilder()
                  .setType(Update.Type.INSERT)
                  .setEntity(Entity.newBuilder().setTableEntry(entry))
                  .build()));
    }
    GateAgent agent = new GateAgent(device, PROGRAM, LOOP);
    assertThat(entries()).extracting(TableEntry::getPriority).containsOnly(1);
    agent.step();
    assertThat(entries()).extracting(TableEntry::getPriority).containsOnly(2);
  }
}
