package net.sluice.embedded;

import java.net.InetSocketAddress;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.sluice.cli.StartFailure;
import net.sluice.core.Servers.FpgaEndpoint;
import net.sluice.core.Servers.GnmiEndpoint;
import net.sluice.core.Servers.SwitchEndpoint;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchPort;
import net.sluice.emulator.netsim.WallClock;
import net.sluice.emulator.ports.LinkMonitor;
import net.sluice.emulator.ports.NetworkPort;
import net.sluice.emulator.ports.PortException;
import net.sluice.emulator.ports.RealTimePorts;
import net.sluice.gates.AgentRun;
import net.sluice.intents.profile.Trunks.End;
import net.sluice.intents.value.Direction;
import net.sluice.standalone.InProcessTargets;
import net.sluice.standalone.network.EmulatedSwitch;

/**
 * The emulated switches of a network file and their FPGAs, in one simulation, joined by the trunks
 * between them, with some ports cabled to interfaces of this machine.
 *
 * <p>Virtual time stands still until somebody runs {@link #simulation()}; {@link #run} runs it in
 * step with the wall clock.
 */
public final class EmbeddedNetwork implements InProcessTargets.Running {
  private static final long SEED = 1;

  /** Registers of FPGAs that are written take effect within a millisecond. */
  private static final long LONGEST_SLEEP_NANOS = 1_000_000;

  private final JoinedSwitches joined = new JoinedSwitches(SEED);
  private final RealTimePorts outside = new RealTimePorts(simulation(), LONGEST_SLEEP_NANOS);
  private final boolean isCabled;
  private Runnable stop = () -> {};

  private EmbeddedNetwork(List<EmulatedSwitch> network) throws StartFailure {
    isCabled = network.stream().anyMatch(each -> !each.interfaces().isEmpty());
    try {
      for (EmulatedSwitch each : network) {
        start(each);
      }
    } catch (StartFailure e) {
      close();
      throw e;
    }
    joined.join();
  }

  /**
   * Starts the switches.
   *
   * @throws StartFailure if one cannot listen where it is to be reached, or has no such interface
   */
  public static EmbeddedNetwork start(List<EmulatedSwitch> network) throws StartFailure {
    return new EmbeddedNetwork(network);
  }

  private void start(EmulatedSwitch each) throws StartFailure {
    SwitchEndpoint server = each.remote().servers().p4runtime();
    Map<Direction, InetSocketAddress> fpgas = new EnumMap<>(Direction.class);
    for (Direction direction : Direction.values()) {
      if (each.remote().fpga(direction).orElse(null) instanceof FpgaEndpoint.Agent agent) {
        fpgas.put(direction, new InetSocketAddress(agent.host(), agent.port()));
      }
    }
    SwitchWithFpgas started =
        joined.start(
            each.remote().name(),
            each.remote().model().topology(),
            new SwitchWithFpgas.Serving(
                new InetSocketAddress(server.host(), server.port()),
                server.deviceId(),
                each.remote()
                    .servers()
                    .gnmi()
                    .map(EmbeddedNetwork::at)
                    .orElseGet(SwitchWithFpgas::local),
                fpgas,
                Math.round(each.remote().model().fpgas().clockHz()),
                each.interfaces(),
                outside::wakeUp));
    if (isCabled) {
      outside.follow(started.node());
    }
    for (Map.Entry<Integer, String> port : each.interfaces().entrySet()) {
      try {
        outside.cable(
            started.node(),
            started.node().port(port.getKey()),
            NetworkPort.open(port.getValue()),
            0,
            null);
      } catch (PortException e) {
        throw new StartFailure(
            "port " + port.getKey() + " of switch " + each.remote().name() + ": " + e.getMessage(),
            e);
      }
    }
  }

  private static InetSocketAddress at(GnmiEndpoint server) {
    return new InetSocketAddress(server.host(), server.port());
  }

  /** The simulation all switches are in. */
  public Simulation simulation() {
    return joined.simulation();
  }

  /** A port of a switch. */
  public SwitchPort port(End end) {
    return joined.port(end);
  }

  @Override
  public synchronized void run() {
    Map<String, AgentRun> agents = new LinkedHashMap<>();
    joined
        .switches()
        .forEach(
            (name, each) -> {
              if (!each.topology().loopPorts().isEmpty()) {
                agents.put("-" + name, each.agent());
              }
            });
    if (isCabled) {
      LinkMonitor links = outside.watchLinks();
      RunningTime time = new RunningTime(agents, outside::run, outside::stop);
      stop =
          () -> {
            links.close();
            time.close();
          };
    } else {
      stop =
          new RunningTime(
                  agents, () -> simulation().runPaced(Long.MAX_VALUE, WallClock.system()), () -> {})
              ::close;
    }
  }

  /** Stops virtual time if {@link #run} runs it, and all servers. */
  @Override
  public synchronized void close() {
    stop.run();
    joined.close();
    outside.close();
  }
}
