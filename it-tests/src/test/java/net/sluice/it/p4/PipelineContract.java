package net.sluice.it.p4;

import static java.util.stream.Collectors.toUnmodifiableSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.forwarding.EgressPortEntry;
import net.sluice.intents.plan.entry.forwarding.RouteEntry;
import net.sluice.intents.plan.entry.marker.PolicyValueEntry;
import net.sluice.intents.plan.entry.marker.RateBinEntry;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.plan.entry.subscriber.PortRoleEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberData;
import net.sluice.intents.plan.entry.subscriber.SubscriberPrefixEntry;
import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.CounterCodec.Point;
import net.sluice.pipeconf.CounterCodec.Reading;
import net.sluice.pipeconf.CounterCodec.Reading.OfDrops;
import net.sluice.pipeconf.CounterCodec.Reading.OfSubscriber;
import net.sluice.pipeconf.DropReason;
import org.junit.jupiter.api.AfterEach;

/**
 * What the behaviours of the P4 program have in common: the network around the switch, entries that
 * most need, and frames in, frames and counts out. A behaviour is declared once, in one of the
 * interfaces that extend this one; a test class per kind of switch implements them all.
 */
interface PipelineContract {
  int LINE_A = 1;
  int LINE_B = 2;
  int CORE = 3;
  int TRUNK = 4;
  int FPGA_DOWN = 5;
  int FPGA_UP = 6;
  int NEXT_SWITCH = 7;

  /** A port that has no role. */
  int STRANGER = 9;

  /** The bin that all rates are in, under {@link #oneBin}. */
  int ONLY_BIN = 700;

  /** What frames did: for each its descendants, and all counters that changed, by how much. */
  record Outcome(List<List<PortFrame>> out, Set<Reading> counted) {}

  /** The switch. */
  SwitchUnderTest dut();

  /** Subscribers whose counters are watched, among them the first and the last and nobody. */
  static List<Integer> watched(SwitchUnderTest dut) {
    int highest = dut.control().program().highestIndex();
    return List.of(0, 1, 2, 3, 4, 5, highest - 1, highest);
  }

  @AfterEach
  default void deleteEntries() {
    dut().control().deleteAll();
  }

  default void install(SwitchEntry... entries) {
    dut().control().insert(Arrays.asList(entries));
  }

  /** Roles of all ports and the addresses they write; only NEXT_SWITCH keeps packet values. */
  default void installPorts() {
    dut().control().insert(ports());
  }

  static List<SwitchEntry> ports() {
    List<SwitchEntry> entries = new ArrayList<>();
    for (int port = LINE_A; port <= NEXT_SWITCH; port++) {
      entries.add(
          new EgressPortEntry(port, sourceMac(port), destinationMac(port), port == NEXT_SWITCH));
    }
    entries.add(new PortRoleEntry(LINE_A, PortRole.ACCESS, Direction.UP));
    entries.add(new PortRoleEntry(LINE_B, PortRole.ACCESS, Direction.UP));
    entries.add(new PortRoleEntry(CORE, PortRole.CORE, Direction.DOWN));
    entries.add(new PortRoleEntry(TRUNK, PortRole.TRUNK, Direction.DOWN));
    entries.add(new PortRoleEntry(FPGA_DOWN, PortRole.SIDECAR, Direction.DOWN));
    entries.add(new PortRoleEntry(FPGA_UP, PortRole.SIDECAR, Direction.UP));
    return entries;
  }

  static long sourceMac(int port) {
    return 0x02_5a_00_00_00_00L | port;
  }

  static long destinationMac(int port) {
    return 0x02_5b_00_00_00_00L | port;
  }

  /** The frame with the addresses that a port writes. */
  static TestFrame rewritten(TestFrame frame, int port) {
    return frame.macs(sourceMac(port), destinationMac(port));
  }

  /** The frame one hop further, as a port sends it. */
  static TestFrame forwarded(TestFrame frame, int port) {
    return rewritten(frame, port).ttl(63);
  }

  static SubscriberData unshaped(int index, int policySlot, int port) {
    return new SubscriberData(index, policySlot, port, 0, false, false);
  }

  static SubscriberPrefixEntry prefix(String prefix, SubscriberData data) {
    return new SubscriberPrefixEntry(IpPrefix.parse(prefix), data);
  }

  static RouteEntry route(String prefix, int port) {
    return new RouteEntry(IpPrefix.parse(prefix), port);
  }

  /** Every rate is in one bin, and nothing is taken off it: the marker knows no chance. */
  static RateBinEntry oneBin() {
    return new RateBinEntry(ONLY_BIN, 0, 0xffff_ffffL);
  }

  /** The value of all packets of a policy, under {@link #oneBin}. */
  static PolicyValueEntry value(int policySlot, int packetValue) {
    return new PolicyValueEntry(policySlot, ONLY_BIN, packetValue);
  }

  static Reading in(int index, Direction direction, int packets, int bytes) {
    return new OfSubscriber(Point.IN, index, direction, packets, bytes);
  }

  static Reading out(int index, Direction direction, int packets, int bytes) {
    return new OfSubscriber(Point.OUT, index, direction, packets, bytes);
  }

  static Reading policed(int index, Direction direction, int packets, int bytes) {
    return new OfSubscriber(Point.POLICED, index, direction, packets, bytes);
  }

  static Reading suspended(int index, Direction direction, int packets, int bytes) {
    return new OfSubscriber(Point.SUSPENDED, index, direction, packets, bytes);
  }

  static Reading dropped(DropReason reason, int packets, int bytes) {
    return new OfDrops(reason, packets, bytes);
  }

  /** Of these counts those that the program has. */
  default Set<Reading> counted(Reading... counts) {
    return Stream.of(counts).filter(dut().control().program()::counts).collect(toUnmodifiableSet());
  }

  /** Passes frames and tells what became of them. */
  default Outcome send(PortFrame... frames) {
    return send(dut(), Arrays.asList(frames));
  }

  static Outcome send(SwitchUnderTest dut, List<PortFrame> frames) {
    List<Integer> watched = watched(dut);
    CounterSnapshot before = CounterSnapshot.of(dut.control(), watched);
    List<List<PortFrame>> out = dut.pass(frames);
    return new Outcome(out, CounterSnapshot.of(dut.control(), watched).since(before));
  }

  /** A frame in, one frame out, and of these counts those that the program has, and no other. */
  default void expect(PortFrame in, PortFrame out, Reading... counts) {
    Outcome outcome = send(in);
    assertThat(outcome.out()).as("what became of %s", in).containsExactly(List.of(out));
    assertThat(outcome.counted()).as("counts of %s", in).isEqualTo(counted(counts));
  }

  /** A frame in, nothing out, and of these counts those that the program has, and no other. */
  default void expectDrop(PortFrame in, Reading... counts) {
    Outcome outcome = send(in);
    assertThat(outcome.out()).as("what became of %s", in).containsExactly(List.of());
    assertThat(outcome.counted()).as("counts of %s", in).isEqualTo(counted(counts));
  }
}
