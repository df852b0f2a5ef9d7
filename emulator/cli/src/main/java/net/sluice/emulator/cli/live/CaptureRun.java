package net.sluice.emulator.cli.live;

import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import net.sluice.cli.ListenAddress;
import net.sluice.cli.StartFailure;
import net.sluice.emulator.netsim.PortStatistics;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.netsim.SwitchPort;
import net.sluice.emulator.ports.pcap.PcapFormatException;
import net.sluice.emulator.ports.pcap.PcapReader;
import net.sluice.emulator.ports.pcap.PcapReplay;
import net.sluice.emulator.ports.pcap.PcapResolution;
import net.sluice.emulator.ports.pcap.PcapSummary;
import net.sluice.emulator.ports.pcap.PcapWriter;
import net.sluice.emulator.server.p4runtime.OfflineControl;
import net.sluice.emulator.v1model.V1modelSwitch;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.Update;

/** Switches captures: NAME_in.pcap of each port through the program into NAME_out.pcap. */
final class CaptureRun {
  private static final double NANOS_PER_SECOND = 1e9;

  private final SwitchOptions options;
  private final PrintWriter out;
  private final Path folder;

  CaptureRun(SwitchOptions options, PrintWriter out) {
    this.options = options;
    this.out = out;
    this.folder = options.captures().orElseThrow();
  }

  /**
   * Reads everything once before anything is written, so that a refusal leaves no half of a result.
   *
   * @throws StartFailure if a file is not usable
   */
  void run() throws StartFailure {
    ProgramFiles files = options.program().orElseThrow();
    ForwardingPipelineConfig config = files.read();
    List<Update> entries =
        options.entries().isPresent()
            ? ProgramFiles.readEntries(options.entries().get())
            : List.of();
    Map<PortOption, PcapSummary> inputs = summaries();
    V1modelSwitch device = new V1modelSwitch(options.servers().deviceId(), options.seed());
    load(device, config, files, entries);
    try {
      replay(device, inputs);
    } catch (IOException e) {
      throw new StartFailure("--pcap " + folder + ": " + ListenAddress.reason(e), e);
    }
  }

  private void load(
      V1modelSwitch device,
      ForwardingPipelineConfig config,
      ProgramFiles files,
      List<Update> entries)
      throws StartFailure {
    OfflineControl control;
    try {
      control = OfflineControl.load(device, config);
    } catch (IllegalArgumentException e) {
      throw files.refused(e);
    }
    try {
      control.write(entries);
    } catch (IllegalArgumentException e) {
      throw options.entriesRefused(e);
    }
  }

  private Map<PortOption, PcapSummary> summaries() throws StartFailure {
    Map<PortOption, PcapSummary> inputs = new LinkedHashMap<>();
    for (PortOption port : options.ports()) {
      Path file = input(port);
      if (!Files.exists(file)) {
        continue;
      }
      try {
        inputs.put(port, PcapSummary.of(file));
      } catch (PcapFormatException e) {
        throw new StartFailure(e.getMessage(), e);
      } catch (IOException e) {
        throw new StartFailure(file + ": cannot be read: " + ListenAddress.reason(e), e);
      }
    }
    if (inputs.isEmpty()) {
      throw new StartFailure(
          "--pcap " + folder + ": no port has a capture, such as " + input(options.ports().get(0)));
    }
    return inputs;
  }

  private Path input(PortOption port) {
    return folder.resolve(port.name() + "_in.pcap");
  }

  private void replay(V1modelSwitch device, Map<PortOption, PcapSummary> inputs)
      throws IOException {
    Simulation simulation = new Simulation(options.seed());
    SwitchNode node = new SwitchNode(simulation, device);
    long origin =
        inputs.values().stream()
            .filter(input -> input.frames() > 0)
            .mapToLong(PcapSummary::firstNanos)
            .min()
            .orElse(0);
    // As fine as the finest input: nothing finer would mean anything, and some tools know no other.
    PcapResolution resolution =
        inputs.values().stream().anyMatch(input -> input.resolution() == PcapResolution.NANOS)
            ? PcapResolution.NANOS
            : PcapResolution.MICROS;
    PcapReplay replay = new PcapReplay(simulation, node, origin);
    List<Closeable> open = new ArrayList<>();
    long frames;
    long startNanos;
    try {
      for (PortOption port : options.ports()) {
        int number = port.number();
        options
            .lines()
            .prepare(
                node.addPort(
                    number,
                    options.lines().rateBps(number),
                    options.lines().queueLimitBytes(number, true)));
        if (inputs.containsKey(port)) {
          PcapReader reader = PcapReader.open(input(port));
          open.add(reader);
          replay.addInput(number, reader);
        }
        PcapWriter writer =
            PcapWriter.create(folder.resolve(port.name() + "_out.pcap"), resolution);
        open.add(writer);
        replay.addOutput(number, writer);
      }
      for (int loop : options.lines().loops()) {
        options
            .lines()
            .prepare(
                node.addPort(
                    loop,
                    options.lines().rateBps(loop),
                    options.lines().queueLimitBytes(loop, true)));
      }
      startNanos = System.nanoTime();
      frames = replay.run();
    } finally {
      close(open);
    }
    report(node, inputs, frames, System.nanoTime() - startNanos);
  }

  private static void close(List<Closeable> open) throws IOException {
    IOException failure = null;
    for (Closeable file : open) {
      try {
        file.close();
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private void report(
      SwitchNode node, Map<PortOption, PcapSummary> inputs, long frames, long nanos) {
    long sent = 0;
    long byProgram = 0;
    long byQueues = 0;
    for (PortOption port : options.ports()) {
      PcapSummary input = inputs.get(port);
      if (input == null) {
        out.printf("%s: no %s_in.pcap, nothing comes in%n", port.text(), port.name());
      } else if (input.cutFrames() > 0) {
        out.printf(
            Locale.ROOT,
            "%s: %d of %d packets are cut in %s_in.pcap (snaplen %d) and were switched as they"
                + " are%n",
            port.text(),
            input.cutFrames(),
            input.frames(),
            port.name(),
            input.snaplen());
      }
      SwitchPort inside = node.port(port.number());
      PortStatistics statistics = inside.statistics();
      sent += statistics.sentPackets();
      byProgram += statistics.ingressDrops() + statistics.egressDropPackets();
      byQueues += statistics.tailDropPackets();
    }
    out.printf(
        Locale.ROOT,
        "sluice switch: %d packets in, %d out, dropped: %d by the program, %d by full queues, %d"
            + " sent to ports that do not exist%s; %.0f packets/s%n",
        frames,
        sent,
        byProgram,
        byQueues,
        node.unknownEgressPortDrops(),
        rare(node.unknownGroupDrops(), "sent to multicast groups that do not exist")
            + rare(
                node.turnaroundDrops(),
                "because too many were being resubmitted, recirculated or cloned"),
        frames / (Math.max(1, nanos) / NANOS_PER_SECOND));
    out.flush();
  }

  private static String rare(long packets, String cause) {
    return packets == 0 ? "" : ", " + packets + " " + cause;
  }
}
