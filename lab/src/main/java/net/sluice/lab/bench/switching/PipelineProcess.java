package net.sluice.lab.bench.switching;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import net.sluice.cli.Logging;
import net.sluice.emulator.netsim.LineClock;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.ports.pcap.PcapReader;
import net.sluice.emulator.ports.pcap.PcapReplay;
import net.sluice.emulator.ports.pcap.PcapResolution;
import net.sluice.emulator.ports.pcap.PcapWriter;
import net.sluice.emulator.server.p4runtime.OfflineControl;
import net.sluice.emulator.v1model.V1modelSwitch;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.V1ModelPipeline;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.Update;

/**
 * Switches the benchmark's captures from files to files, in rounds, in a process of its own on one
 * core. Reports the time of each round.
 */
final class PipelineProcess {

  private PipelineProcess() {}

  /** The other process: folder of the captures, subscribers, rounds. */
  public static void main(String[] arguments) throws IOException {
    Logging.configureWarnings();
    Path folder = Path.of(arguments[0]);
    V1modelSwitch device = device(Integer.parseInt(arguments[1]));
    for (int round = 0; round < Integer.parseInt(arguments[2]); round++) {
      RoundsProcess.tell(round(device, folder).text());
    }
  }

  /** A switch with everything installed. */
  static V1modelSwitch device(int subscribers) {
    SwitchPipeline program = V1ModelPipeline.load();
    V1modelSwitch device = new V1modelSwitch(1, 1);
    List<Update> entries = new ArrayList<>(SwitchBenchSetup.infrastructure());
    entries.addAll(SwitchBenchSetup.subscribers(subscribers));
    OfflineControl.load(
            device,
            ForwardingPipelineConfig.newBuilder()
                .setP4Info(program.p4Info())
                .setP4DeviceConfig(program.deviceConfig())
                .build())
        .write(entries);
    return device;
  }

  /**
   * The times of a round.
   *
   * @param received packets that came in
   * @param sent packets that went out
   * @param wallNanos from the first to the last
   * @param cpuNanos CPU time of the thread
   * @param allocatedBytes by that thread
   */
  record Round(long received, long sent, long wallNanos, long cpuNanos, long allocatedBytes) {

    String text() {
      return MeasurementLine.of(received, sent, wallNanos, cpuNanos, allocatedBytes);
    }

    static Round parse(String text) {
      long[] parts = MeasurementLine.parse(text);
      return new Round(parts[0], parts[1], parts[2], parts[3], parts[4]);
    }
  }

  /** Switches the captures once. */
  static Round round(V1modelSwitch device, Path folder) throws IOException {
    Simulation simulation = new Simulation(1);
    SwitchNode node = new SwitchNode(simulation, device);
    PcapReplay replay = new PcapReplay(simulation, node, 0);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long id = Thread.currentThread().getId();
    long received;
    long wall;
    long cpu;
    long allocated;
    String access = SwitchBenchSetup.ACCESS_NAME;
    String core = SwitchBenchSetup.CORE_NAME;
    try (PcapReader up = PcapReader.open(SwitchBenchSetup.input(folder, access));
        PcapReader down = PcapReader.open(SwitchBenchSetup.input(folder, core));
        PcapWriter toAccess =
            PcapWriter.create(SwitchBenchSetup.output(folder, access), PcapResolution.MICROS);
        PcapWriter toCore =
            PcapWriter.create(SwitchBenchSetup.output(folder, core), PcapResolution.MICROS)) {
      node.addPort(SwitchBenchSetup.ACCESS, LineClock.UNLIMITED_BPS, Long.MAX_VALUE);
      node.addPort(SwitchBenchSetup.CORE, LineClock.UNLIMITED_BPS, Long.MAX_VALUE);
      replay.addInput(SwitchBenchSetup.ACCESS, up);
      replay.addInput(SwitchBenchSetup.CORE, down);
      replay.addOutput(SwitchBenchSetup.ACCESS, toAccess);
      replay.addOutput(SwitchBenchSetup.CORE, toCore);
      allocated = threads.getThreadAllocatedBytes(id);
      cpu = threads.getThreadCpuTime(id);
      wall = System.nanoTime();
      received = replay.run();
      wall = System.nanoTime() - wall;
      cpu = threads.getThreadCpuTime(id) - cpu;
      allocated = threads.getThreadAllocatedBytes(id) - allocated;
    }
    long sent =
        node.port(SwitchBenchSetup.ACCESS).statistics().sentPackets()
            + node.port(SwitchBenchSetup.CORE).statistics().sentPackets();
    return new Round(received, sent, wall, cpu, allocated);
  }
}
