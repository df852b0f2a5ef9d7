package net.sluice.lab.bench.switching;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.sluice.emulator.netsim.host.IpAddress;
import net.sluice.emulator.netsim.traffic.FrameBuilder;
import net.sluice.emulator.ports.pcap.PcapResolution;
import net.sluice.emulator.ports.pcap.PcapWriter;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.marker.csaqm.tables.RateBins;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.forwarding.EgressPortEntry;
import net.sluice.intents.plan.entry.forwarding.RouteEntry;
import net.sluice.intents.plan.entry.marker.PolicyValueEntry;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.plan.entry.subscriber.PortRoleEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberData;
import net.sluice.intents.plan.entry.subscriber.SubscriberPrefixEntry;
import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.V1ModelPipeline;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Update;

/**
 * The set-up of every switch in the benchmark: the same entries of Sluice's own program, and the
 * same captures. No port has a congestion threshold, so that every lost packet was lost by the
 * switch.
 */
final class SwitchBenchSetup {
  static final int ACCESS = 1;
  static final int CORE = 2;

  /** Names of the interfaces, and of the captures. */
  static final String ACCESS_NAME = "access";

  static final String CORE_NAME = "core";

  /** Length of a frame, bytes. */
  static final int FRAME_BYTES = 100;

  private static final int FIRST_ADDRESS = 0x0a000001;
  private static final int CORE_ADDRESS = 0xc0000209;
  private static final int POLICIES = 2;
  private static final int DOWN_OF_TEN = 9;
  private static final long SPACING_NANOS = 1_000;

  private SwitchBenchSetup() {}

  /** Entries that do not depend on the number of subscribers. */
  static List<Update> infrastructure() {
    SwitchPipeline program = V1ModelPipeline.load();
    List<SwitchEntry> entries = new ArrayList<>();
    program.profile().rateBins().entries().forEach(entries::add);
    RandomRates.BITS_16.entries().forEach(entries::add);
    for (int policy = 1; policy <= POLICIES; policy++) {
      int slot = policy;
      IntStream.range(0, RateBins.BINS)
          .mapToObj(bin -> new PolicyValueEntry(slot, bin, 60_000 - bin * slot))
          .forEach(entries::add);
    }
    entries.add(new PortRoleEntry(ACCESS, PortRole.ACCESS, Direction.UP));
    entries.add(new PortRoleEntry(CORE, PortRole.CORE, Direction.DOWN));
    for (int port : new int[] {ACCESS, CORE}) {
      entries.add(
          new EgressPortEntry(
              port, 0x02_5a_00_00_00_00L | port, 0x02_5b_00_00_00_00L | port, false));
    }
    entries.add(new RouteEntry(IpPrefix.parse("0.0.0.0/0"), CORE));
    return updates(program, entries);
  }

  /** The entry of each subscriber: one IPv4 address. */
  static List<Update> subscribers(int count) {
    List<SwitchEntry> entries = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      entries.add(
          new SubscriberPrefixEntry(
              IpPrefix.v4(FIRST_ADDRESS + i, 32),
              new SubscriberData(i + 1, 1 + i % POLICIES, ACCESS, 0, false, false)));
    }
    return updates(V1ModelPipeline.load(), entries);
  }

  private static List<Update> updates(SwitchPipeline program, List<SwitchEntry> entries) {
    return entries.stream()
        .map(
            entry ->
                Update.newBuilder()
                    .setType(Update.Type.INSERT)
                    .setEntity(Entity.newBuilder().setTableEntry(program.entries().encode(entry)))
                    .build())
        .toList();
  }

  /** The capture of the packets to receive on an interface. */
  static Path input(Path folder, String name) {
    return folder.resolve(name + "_in.pcap");
  }

  /** The capture of the packets sent by an interface. */
  static Path output(Path folder, String name) {
    return folder.resolve(name + "_out.pcap");
  }

  /**
   * Writes captures of UDP packets: nine of ten from the core to a subscriber drawn at random, the
   * others back.
   */
  static void writeCaptures(Path folder, int packets, int subscribers, long seed)
      throws IOException {
    Random random = new Random(seed);
    try (PcapWriter core = PcapWriter.create(input(folder, CORE_NAME), PcapResolution.MICROS);
        PcapWriter access = PcapWriter.create(input(folder, ACCESS_NAME), PcapResolution.MICROS)) {
      for (int i = 0; i < packets; i++) {
        int address = FIRST_ADDRESS + random.nextInt(subscribers);
        boolean down = random.nextInt(10) < DOWN_OF_TEN;
        byte[] frame = down ? frame(CORE_ADDRESS, address) : frame(address, CORE_ADDRESS);
        (down ? core : access).write(i * SPACING_NANOS, frame, 0, frame.length);
      }
    }
  }

  /** A UDP packet in a frame of {@value #FRAME_BYTES} bytes. */
  static byte[] frame(int source, int destination) {
    return new FrameBuilder()
        .macs(0x025a_0000_0002L, 0x025b_0000_0001L)
        .addresses(text(source), text(destination))
        .ports(4_000, 5_000)
        .frameBytes(FRAME_BYTES)
        .build()
        .frame(0, 0);
  }

  private static String text(int address) {
    return new IpAddress(false, 0, Integer.toUnsignedLong(address)).toString();
  }
}
