package net.sluice.emulator.ports;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.sluice.emulator.netsim.FrameReceiver;
import net.sluice.emulator.netsim.LineErrors;
import net.sluice.emulator.netsim.PortStatistics;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.netsim.SwitchPort;

/**
 * Ports of this machine, cabled to switches of a simulation that runs in real time: a frame's
 * arrival is stamped when it is taken from the kernel, and a port with a rate sends each frame when
 * its line is free. One thread runs everything, in {@link #run}; it sleeps when there is nothing to
 * do.
 */
public final class RealTimePorts implements AutoCloseable {
  /**
   * Most that a packet which goes round is held back while virtual time lags. Limits that the
   * program shapes give up the order of packets that are late by 268 ms.
   */
  private static final long LONGEST_TURN_NANOS = 50_000_000;

  private final Simulation simulation;
  private final RealTimeNetwork network;
  private final List<Port> ports = new ArrayList<>();

  private record Port(SwitchPort inside, NetworkPort outside) {}

  /**
   * Counts of a port.
   *
   * @param number of the switch's port
   * @param name of the interface
   * @param inside counters of the switch's port
   * @param outside counters of its interface
   */
  public record PortReport(
      int number, String name, PortStatistics inside, NetworkPortStatistics outside) {}

  /**
   * No ports yet.
   *
   * @param longestSleepNanos most that virtual time may lag while nothing happens, for other
   *     threads that use the simulation; Long.MAX_VALUE if there are none but those that wake it
   */
  public RealTimePorts(Simulation simulation, long longestSleepNanos) {
    this.simulation = simulation;
    network = new RealTimeNetwork(simulation, longestSleepNanos);
  }

  /** Has a switch of the simulation follow the machine's time; before {@link #run}. */
  public void follow(SwitchNode node) {
    node.followRealTime(network::nowNanos, network::wakeUp);
    node.turnNoEarlierThan(
        () -> Math.min(network.advancingTo(), simulation.nowNanos() + LONGEST_TURN_NANOS) + 1);
  }

  /**
   * Cables a port of a switch that follows; before {@link #run}.
   *
   * @param outside closed with this
   * @param delayNanos delay of the port's line, in either direction, at least 0
   * @param recording captures of the port, closed by the caller; null for none
   */
  public void cable(
      SwitchNode node,
      SwitchPort inside,
      NetworkPort outside,
      long delayNanos,
      PortRecording recording) {
    RealTimeNetwork.Cable cable = network.cable(outside, delayNanos);
    FrameReceiver inwards =
        (bytes, offset, length, tag, nowNanos) -> {
          if (!inside.linkUp()) {
            // A received frame proves that the link is up, even if the last poll found it down.
            inside.setLinkUp(true);
          }
          inside.receive(bytes, offset, length, tag, nowNanos);
        };
    inside.connect(recording == null ? cable : recording.outgoing(cable));
    cable.connect(recording == null ? inwards : recording.incoming(inwards));
    cable.onHeldBack(inside::setHeldBack);
    cable.onExpected(node::expect);
    inside.setLineErrors(errors(outside));
    ports.add(new Port(inside, outside));
  }

  private static LineErrors errors(NetworkPort outside) {
    return new LineErrors() {
      @Override
      public long inErrors() {
        return outside.statistics().unusableFrames();
      }

      @Override
      public long inDiscards() {
        return outside.statistics().kernelDrops();
      }

      @Override
      public long outErrors() {
        return outside.statistics().unsentFrames();
      }
    };
  }

  /** The names of the interfaces, by the numbers of the ports cabled so far. */
  Map<Integer, String> names() {
    Map<Integer, String> names = new HashMap<>();
    ports.forEach(port -> names.put(port.inside().number(), port.outside().name()));
    return names;
  }

  /** Follows the links of the interfaces until closed. */
  public LinkMonitor watchLinks() {
    return LinkMonitor.start(
        simulation,
        ports.stream().map(port -> new LinkMonitor.Watched(port.inside(), port.outside())).toList(),
        network::wakeUp);
  }

  /** Runs until {@link #stop} is called; once, on a thread of its own. */
  public void run() {
    network.run();
  }

  /** Makes the simulation run up to the present, soon. Any thread. */
  public void wakeUp() {
    network.wakeUp();
  }

  /** Number of times it has slept. */
  long waits() {
    return network.waits();
  }

  /** Makes {@link #run} return, soon. Any thread. */
  public void stop() {
    network.stop();
  }

  /** The counts of each port so far, in the order in which they were cabled. Any thread. */
  List<PortReport> reports() {
    return simulation.query(
        () ->
            ports.stream()
                .map(
                    port ->
                        new PortReport(
                            port.inside().number(),
                            port.outside().name(),
                            port.inside().statistics(),
                            port.outside().statistics()))
                .toList());
  }

  /** The scheduling delay so far. Any thread. */
  SchedulingDelay schedulingDelay() {
    return network.schedulingDelay();
  }

  /** Closes all ports; after {@link #run} has returned. */
  @Override
  public void close() {
    network.close();
  }
}
