package net.sluice.it.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.TextFormat;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import net.sluice.cli.RootCommand;
import net.sluice.emulator.cli.EmulatorMain;
import net.sluice.emulator.netsim.LineClock;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.ports.pcap.PcapReader;
import net.sluice.emulator.ports.pcap.PcapResolution;
import net.sluice.emulator.ports.pcap.PcapWriter;
import net.sluice.emulator.server.p4runtime.OfflineControl;
import net.sluice.emulator.switching.InternetChecksum;
import net.sluice.emulator.v1model.V1modelSwitch;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.WriteRequest;
import picocli.CommandLine;

/**
 * Captures through the project's own program: what {@code sluice switch --pcap} writes is, byte for
 * byte and nanosecond for nanosecond, what the same frames do to a switch in memory.
 */
class SwitchCaptureTest {
  private static final long ORIGIN = 1_700_000_000_123_456_789L;
  private static final long SEED = 42;
  private static final int ACCESS = 0;
  private static final int CORE = 1;
  private static final int TRUNK = 2;
  private static final List<Integer> PORTS = List.of(ACCESS, CORE, TRUNK);
  private static final SwitchPipeline PROGRAM = V1ModelPipeline.load();

  @TempDir private Path folder;
  private Path json;
  private Path p4info;

  record Arrival(int port, long nanos, byte[] frame) {}

  @BeforeEach
  void program() throws IOException {
    json = folder.resolve("program.json");
    p4info = folder.resolve("program.txtpb");
    Files.write(json, PROGRAM.deviceConfig().toByteArray());
    Files.writeString(p4info, TextFormat.printer().printToString(PROGRAM.p4Info()));
  }

  private static List<Update> entries() {
    List<SwitchEntry> entries = new ArrayList<>();
    PROGRAM.profile().rateBins().entries().forEach(entries::add);
    RandomRates.BITS_16.entries().forEach(entries::add);
    for (int policy = 1; policy <= 2; policy++) {
      int slot = policy;
      // Another value for every bin, so that a different time or random number shows.
      IntStream.range(0, RateBins.BINS)
          .mapToObj(bin -> new PolicyValueEntry(slot, bin, slot * 20_000 + bin))
          .forEach(entries::add);
    }
    entries.add(new PortRoleEntry(ACCESS, PortRole.ACCESS, Direction.UP));
    entries.add(new PortRoleEntry(CORE, PortRole.CORE, Direction.DOWN));
    entries.add(new PortRoleEntry(TRUNK, PortRole.TRUNK, Direction.DOWN));
    for (int port : PORTS) {
      entries.add(
          new EgressPortEntry(
              port, 0x02_5a_00_00_00_00L | port, 0x02_5b_00_00_00_00L | port, port == TRUNK));
    }
    for (int host = 1; host <= 20; host++) {
      SubscriberData data =
          new SubscriberData(host, 1 + host % 2, host % 3 == 0 ? TRUNK : ACCESS, 0, false, false);
      entries.add(new SubscriberPrefixEntry(IpPrefix.parse("10.0.0." + host + "/32"), data));
    }
    entries.add(new RouteEntry(IpPrefix.parse("192.0.2.0/24"), CORE));
    return entries.stream()
        .map(
            entry ->
                Update.newBuilder()
                    .setType(Update.Type.INSERT)
                    .setEntity(Entity.newBuilder().setTableEntry(PROGRAM.entries().encode(entry)))
                    .build())
        .toList();
  }

  private static byte[] frame(Random random) {
    byte[] frame = new byte[60 + random.nextInt(1_400)];
    random.nextBytes(frame);
    int length = frame.length - 14;
    int subscriber = 1 + random.nextInt(22);
    byte[] ip = {
      0x45,
      0,
      (byte) (length >> 8),
      (byte) length,
      0,
      7,
      0x40,
      0,
      (byte) (1 + random.nextInt(64)),
      17,
      0,
      0,
      (byte) 192,
      0,
      2,
      9,
      10,
      0,
      0,
      (byte) subscriber
    };
    if (random.nextInt(4) == 0) {
      System.arraycopy(new byte[] {10, 0, 0, (byte) subscriber, (byte) 192, 0, 2, 9}, 0, ip, 12, 8);
    }
    int checksum = InternetChecksum.finish(InternetChecksum.sum(ip, 0, ip.length));
    ip[10] = (byte) (checksum >> 8);
    ip[11] = (byte) (checksum + (random.nextInt(50) == 0 ? 1 : 0));
    frame[12] = 0x08;
    frame[13] = (byte) (random.nextInt(50) == 0 ? 0x06 : 0x00);
    System.arraycopy(ip, 0, frame, 14, ip.length);
    return frame;
  }

  private static List<Arrival> traffic(int count) {
    Random random = new Random(5);
    List<Arrival> arrivals = new ArrayList<>();
    long nanos = 0;
    for (int i = 0; i < count; i++) {
      nanos += random.nextInt(40_000);
      arrivals.add(new Arrival(PORTS.get(random.nextInt(3)), nanos, frame(random)));
    }
    return arrivals;
  }

  private void writeInputs(List<Arrival> arrivals) throws IOException {
    for (int port : PORTS) {
      try (PcapWriter writer =
          PcapWriter.of(
              Files.newOutputStream(folder.resolve("v" + port + "_in.pcap")),
              port == CORE ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN,
              PcapResolution.NANOS,
              PcapReader.MAX_FRAME_BYTES)) {
        for (Arrival arrival : arrivals) {
          if (arrival.port() == port) {
            writer.write(ORIGIN + arrival.nanos(), arrival.frame(), 0, arrival.frame().length);
          }
        }
      }
    }
  }

  private Map<Integer, List<String>> outputs() throws IOException {
    Map<Integer, List<String>> outputs = new TreeMap<>();
    for (int port : PORTS) {
      List<String> frames = new ArrayList<>();
      try (PcapReader reader = PcapReader.open(folder.resolve("v" + port + "_out.pcap"))) {
        while (reader.next()) {
          assertThat(reader.originalLength()).isEqualTo(reader.length());
          frames.add(text(reader.nanos() - ORIGIN, reader.bytes(), 0, reader.length()));
        }
      }
      outputs.put(port, frames);
    }
    return outputs;
  }

  private static String text(long nanos, byte[] bytes, int offset, int length) {
    return nanos + " " + HexFormat.of().formatHex(bytes, offset, offset + length);
  }

  private static Map<Integer, List<String>> inMemory(
      List<Arrival> arrivals, Map<Integer, Long> rates, long queueBytes) {
    V1modelSwitch device = new V1modelSwitch(1, SEED);
    OfflineControl.load(device, PROGRAM.forwardingPipelineConfig()).write(entries());
    Simulation simulation = new Simulation(SEED);
    SwitchNode node = new SwitchNode(simulation, device);
    Map<Integer, List<String>> outputs = new TreeMap<>();
    for (int port : PORTS) {
      List<String> frames = new ArrayList<>();
      outputs.put(port, frames);
      node.addPort(port, rates.getOrDefault(port, LineClock.UNLIMITED_BPS), queueBytes)
          .connect(
              (bytes, offset, length, tag, now) -> frames.add(text(now, bytes, offset, length)));
    }
    long origin = arrivals.get(0).nanos();
    for (Arrival arrival : arrivals) {
      simulation.schedule(
          arrival.nanos() - origin,
          (now, argument) ->
              node.port(arrival.port()).receive(arrival.frame(), 0, arrival.frame().length, 0, now),
          0);
    }
    simulation.runUntil(60_000_000_000L);
    // The capture's time goes on from the first frame's.
    outputs.replaceAll(
        (port, frames) ->
            frames.stream()
                .map(
                    frame -> {
                      int space = frame.indexOf(' ');
                      return Long.parseLong(frame.substring(0, space))
                          + origin
                          + frame.substring(space);
                    })
                .toList());
    return outputs;
  }

  private String run(String... more) throws IOException {
    Path entries = folder.resolve("entries.txtpb");
    Files.writeString(
        entries,
        TextFormat.printer()
            .printToString(WriteRequest.newBuilder().addAllUpdates(entries()).build()));
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "switch",
                "--pcap",
                folder.toString(),
                "-i",
                "0@v0",
                "-i",
                "1@v1",
                "-i",
                "2@v2",
                "--json",
                json.toString(),
                "--p4info",
                p4info.toString(),
                "--entries",
                entries.toString(),
                "--seed",
                Long.toString(SEED)));
    arguments.addAll(Arrays.asList(more));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command = RootCommand.with(EmulatorMain.commands());
    command.setOut(new PrintWriter(out, true));
    command.setErr(new PrintWriter(err, true));
    assertThat(command.execute(arguments.toArray(String[]::new))).as(err.toString()).isZero();
    return out.toString();
  }

  @Test
  void capturesSwitchedAsFramesInMemoryAre() throws IOException {
    List<Arrival> arrivals = traffic(20_000);
    writeInputs(arrivals);
    String report = run();
    Map<Integer, List<String>> outputs = outputs();
    assertThat(outputs).isEqualTo(inMemory(arrivals, Map.of(), Long.MAX_VALUE));
    // The comparison is not one of nothing with nothing.
    assertThat(outputs.values()).allSatisfy(frames -> assertThat(frames).hasSizeGreaterThan(1_000));
    int sent = outputs.values().stream().mapToInt(List::size).sum();
    assertThat(report)
        .matches(
            ("sluice switch: 20000 packets in, %s out, dropped: %s by the program, 0 by full"
                    + " queues, 0 sent to ports that do not exist; \\d+"
                    + " packets/s\\R")
                .formatted(sent, 20_000 - sent));
  }

  @Test
  void ratesAndQueueLimitsHoldInCaptures() throws IOException {
    List<Arrival> arrivals = traffic(5_000);
    writeInputs(arrivals);
    run("--port-rate", "0=20M");
    assertThat(outputs()).isEqualTo(inMemory(arrivals, Map.of(ACCESS, 20_000_000L), 1L << 50));
    String report =
        run(
            "--port-rate",
            "0=20M",
            "--queue-bytes",
            "0=5000",
            "--queue-bytes",
            "1=5000",
            "--queue-bytes",
            "2=5000");
    assertThat(outputs()).isEqualTo(inMemory(arrivals, Map.of(ACCESS, 20_000_000L), 5_000));
    assertThat(report).doesNotContain(" 0 by full queues");
  }

  @Test
  void aMissingCaptureAndCutPacketsAreTold() throws IOException {
    writeInputs(traffic(300));
    Files.delete(folder.resolve("v2_in.pcap"));
    try (PcapWriter writer =
        PcapWriter.of(
            Files.newOutputStream(folder.resolve("v0_in.pcap")),
            ByteOrder.LITTLE_ENDIAN,
            PcapResolution.MICROS,
            64)) {
      writer.write(ORIGIN, new byte[100], 0, 100);
      writer.write(ORIGIN, new byte[60], 0, 60);
    }
    assertThat(run())
        .contains(
            "0@v0: 1 of 2 packets are cut in v0_in.pcap (snaplen 64) and were switched as they are")
        .contains("2@v2: no v2_in.pcap, nothing comes in");
    try (PcapReader reader = PcapReader.open(folder.resolve("v2_out.pcap"))) {
      assertThat(reader.resolution()).isEqualTo(PcapResolution.NANOS);
    }
  }
}
