package net.sluice.it.p4;

import static net.sluice.intents.value.Direction.DOWN;
import static net.sluice.intents.value.Direction.UP;
import static net.sluice.it.p4.PipelineContract.CORE;
import static net.sluice.it.p4.PipelineContract.FPGA_DOWN;
import static net.sluice.it.p4.PipelineContract.FPGA_UP;
import static net.sluice.it.p4.PipelineContract.LINE_A;
import static net.sluice.it.p4.PipelineContract.LINE_B;
import static net.sluice.it.p4.PipelineContract.NEXT_SWITCH;
import static net.sluice.it.p4.PipelineContract.prefix;
import static net.sluice.it.p4.PipelineContract.route;
import static net.sluice.it.p4.PipelineContract.unshaped;
import static net.sluice.it.p4.PipelineContract.watched;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.marker.csaqm.tables.RateBins;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.forwarding.EncapsulationEntry;
import net.sluice.intents.plan.entry.limit.SidecarEntry;
import net.sluice.intents.plan.entry.marker.PolicyValueEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberData;
import net.sluice.intents.plan.entry.subscriber.SubscriberVlanEntry;
import net.sluice.pipeconf.CounterCodec.Reading;
import net.sluice.pipeconf.CounterCodec.Reading.OfDrops;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.V1ModelPipeline;
import org.junit.jupiter.api.Test;

/**
 * The emulated switch does to every frame what bmv2 does to it, and counts the same. Values do not
 * depend on the bin here, because the two switches neither draw the same random numbers nor live in
 * the same time.
 */
class SameBytesTest {
  private static final int FRAMES = 6_000;
  private static final int BATCH = 480;

  @Test
  void emulatedSwitchDoesWhatBmv2Does() {
    SimpleSwitchGrpc.assumeInstalled();
    SwitchPipeline program = V1ModelPipeline.load();
    try (SwitchUnderTest bmv2 = SimpleSwitchGrpc.start(program);
        SwitchUnderTest emulated = EmulatedSwitch.start(program)) {
      List<SwitchEntry> entries = entries(program);
      bmv2.control().insert(entries);
      emulated.control().insert(entries);
      Set<Object> seen = new HashSet<>();
      for (long seed = 1; seed <= 3; seed++) {
        compare(bmv2, emulated, new RandomFrames(seed), seen);
      }
      // The frames are varied enough: they left by every port and met every fate.
      assertThat(seen)
          .contains(LINE_A, LINE_B, CORE, NEXT_SWITCH, FPGA_DOWN, FPGA_UP)
          .contains("UNKNOWN_PORT", "BAD_CHECKSUM", "NOT_IP", "NO_ROUTE", "TTL_EXPIRED");
    }
  }

  private static void compare(
      SwitchUnderTest bmv2, SwitchUnderTest emulated, RandomFrames source, Set<Object> seen) {
    CounterSnapshot bmv2Before = CounterSnapshot.of(bmv2.control(), watched(bmv2));
    CounterSnapshot emulatedBefore = CounterSnapshot.of(emulated.control(), watched(emulated));
    for (int sent = 0; sent < FRAMES; sent += BATCH) {
      List<PortFrame> frames = Stream.generate(source::next).limit(BATCH).toList();
      List<List<PortFrame>> expected = bmv2.pass(frames);
      List<List<PortFrame>> actual = emulated.pass(frames);
      List<String> differences = new ArrayList<>();
      for (int i = 0; i < frames.size(); i++) {
        expected.get(i).forEach(frame -> seen.add(frame.port()));
        if (!actual.get(i).equals(expected.get(i))) {
          differences.add(
              frames.get(i) + "\n  bmv2     " + expected.get(i) + "\n  emulated " + actual.get(i));
        }
      }
      assertThat(differences).isEmpty();
    }
    Set<Reading> expected = CounterSnapshot.of(bmv2.control(), watched(bmv2)).since(bmv2Before);
    Set<Reading> actual =
        CounterSnapshot.of(emulated.control(), watched(emulated)).since(emulatedBefore);
    assertThat(actual).containsExactlyInAnyOrderElementsOf(expected);
    for (Reading reading : expected) {
      if (reading instanceof OfDrops) {
        seen.add(((OfDrops) reading).reason().name());
      }
    }
  }

  private static List<SwitchEntry> entries(SwitchPipeline program) {
    List<SwitchEntry> entries = new ArrayList<>(PipelineContract.ports());
    program.profile().rateBins().entries().forEach(entries::add);
    RandomRates.BITS_16.entries().forEach(entries::add);
    for (int policy = 1; policy <= 3; policy++) {
      int slot = policy;
      IntStream.range(0, RateBins.BINS)
          .mapToObj(bin -> new PolicyValueEntry(slot, bin, slot * 0x1111))
          .forEach(entries::add);
    }
    int highest = ProgramUnderTest.of(program).highestIndex();
    SubscriberData shaped = new SubscriberData(4, 1, LINE_B, 0x2a5f8, true, true);
    entries.addAll(
        List.of(
            new SidecarEntry(DOWN, FPGA_DOWN),
            new SidecarEntry(UP, FPGA_UP),
            prefix("10.0.0.0/16", unshaped(1, 1, LINE_A)),
            prefix("10.0.0.2/32", unshaped(2, 2, LINE_B)),
            prefix("10.0.1.0/24", unshaped(3, 3, NEXT_SWITCH)),
            prefix("10.0.2.0/24", shaped),
            prefix("2001:db8:1::/48", unshaped(1, 1, LINE_A)),
            prefix("2001:db8:1:ff::/64", unshaped(highest, 2, NEXT_SWITCH)),
            prefix("2001:db8:2::8000:0:0:0/65", shaped),
            new EncapsulationEntry(1, VlanTags.single(200)),
            new EncapsulationEntry(2, VlanTags.pair(100, 7)),
            new EncapsulationEntry(highest, VlanTags.pair(4094, 1)),
            new SubscriberVlanEntry(LINE_A, VlanTags.single(200), unshaped(1, 1, LINE_A)),
            new SubscriberVlanEntry(LINE_B, VlanTags.pair(100, 7), shaped),
            route("10.0.0.0/8", NEXT_SWITCH),
            route("198.51.100.0/24", CORE),
            route("8.0.0.0/6", NEXT_SWITCH),
            route("2001:db8::/32", NEXT_SWITCH),
            route("2001:4860::/32", CORE)));
    return entries;
  }
}
