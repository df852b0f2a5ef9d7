package net.sluice.emulator.ports;

import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.fpga.FpgaModel;
import net.sluice.emulator.netsim.fpga.FpgaStatistics;

/**
 * Queueing FPGAs on real ports in real time, beside any switch: a frame received behind a queue id
 * leaves by the same port without it when its limits allow. One thread runs all of them, in {@link
 * #run}. It wakes up every {@value #LONGEST_SLEEP_NANOS} ns, so that registers written meanwhile
 * take effect at the time at which they are written.
 */
public final class RealTimeFpga implements AutoCloseable {
  private static final long LONGEST_SLEEP_NANOS = 1_000_000;

  private final Simulation simulation;
  private final RealTimeNetwork network;
  private final List<Port> ports = new ArrayList<>();

  private record Port(FpgaModel fpga, NetworkPort outside) {}

  /**
   * Counts of an FPGA.
   *
   * @param name of its interface
   * @param inside counters of the FPGA
   * @param outside counters of its interface
   */
  public record PortReport(String name, FpgaStatistics inside, NetworkPortStatistics outside) {}

  /** None yet. */
  public RealTimeFpga() {
    simulation = new Simulation(0);
    network = new RealTimeNetwork(simulation, LONGEST_SLEEP_NANOS);
  }

  /**
   * Adds an FPGA as it is after power-on; before {@link #run}. Its port is closed with this.
   *
   * @param clockHz as {@link FpgaModel} has it, line rate too
   * @return the FPGA, whose registers any thread may access
   */
  public FpgaModel add(NetworkPort outside, long clockHz, long lineBps) {
    RealTimeNetwork.Cable cable = network.cable(outside, 0);
    FpgaModel fpga = new FpgaModel(simulation, cable, clockHz, lineBps);
    cable.connect(fpga);
    ports.add(new Port(fpga, outside));
    return fpga;
  }

  /** Shapes frames until {@link #stop} is called; once, on a thread of its own. */
  public void run() {
    network.run();
  }

  /** Makes {@link #run} return, soon. Any thread. */
  public void stop() {
    network.stop();
  }

  /** The counts of each so far, in the order in which they were added. Any thread. */
  public List<PortReport> reports() {
    return ports.stream()
        .map(
            port ->
                new PortReport(
                    port.outside().name(), port.fpga().statistics(), port.outside().statistics()))
        .toList();
  }

  /** The scheduling delay so far. Any thread. */
  public SchedulingDelay schedulingDelay() {
    return network.schedulingDelay();
  }

  /** Closes all ports; after {@link #run} has returned. */
  @Override
  public void close() {
    network.close();
  }
}
