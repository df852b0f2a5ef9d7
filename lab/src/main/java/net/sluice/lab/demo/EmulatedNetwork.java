package net.sluice.lab.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import net.sluice.cli.StartFailure;
import net.sluice.embedded.JoinedSwitches;
import net.sluice.embedded.SwitchWithFpgas;
import net.sluice.emulator.netsim.FrameReceiver;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchPort;
import net.sluice.intents.compile.AqmTuning;
import net.sluice.intents.profile.MarkerSettings;
import net.sluice.intents.profile.Trunks.End;
import net.sluice.intents.value.Direction;
import net.sluice.lab.demo.DemoNetwork.Link;
import net.sluice.lab.demo.DemoNetwork.Member;
import net.sluice.lab.demo.DemoNetwork.Way;
import net.sluice.standalone.network.RemoteSwitch;

/** The emulated switches of a run, joined by its trunks; virtual time stands at 0. */
final class EmulatedNetwork implements AutoCloseable {
  /** No bottleneck on the way to an FPGA. */
  private static final long FAST_BPS = 10_000_000_000_000L;

  private static final long FAST_QUEUE_BYTES = 1L << 30;

  /** A line's buffer, as a multiple of its AQM's target; and at least so many frames. */
  private static final int BUFFER_TARGETS = 8;

  private static final int BUFFER_FRAMES = 64;

  private final RunSpec spec;
  private final List<Way> ways;
  private final JoinedSwitches joined;

  /** Starts the targets' control servers on free local ports. */
  EmulatedNetwork(RunSpec spec, List<Way> ways) throws StartFailure {
    this.spec = spec;
    this.ways = List.copyOf(ways);
    joined = new JoinedSwitches(spec.seed());
    try {
      for (Member member : spec.network().switches()) {
        start(member);
      }
    } catch (StartFailure e) {
      close();
      throw e;
    }
    joined.join();
    for (Way way : ways) {
      for (Link link : way.links()) {
        port(link).setQueueLimitBytes(bufferBytes(link));
        port(link).setOverheadBytes(spec.overheadBytes());
      }
    }
  }

  private void start(Member member) throws StartFailure {
    SwitchWithFpgas started = joined.start(member.id(), member.topology());
    OptionalInt sidecar = member.topology().sidecar(spec.network().direction());
    if (sidecar.isPresent()) {
      SwitchPort port = started.node().port(sidecar.getAsInt());
      port.setRateBps(FAST_BPS);
      port.setQueueLimitBytes(FAST_QUEUE_BYTES);
    }
  }

  Simulation simulation() {
    return joined.simulation();
  }

  /** The switches as their controller is told of them. */
  List<RemoteSwitch> switches() {
    List<RemoteSwitch> remotes = new ArrayList<>();
    MarkerSettings marker = new MarkerSettings(spec.maxRateBps(), spec.randomRates());
    joined.switches().forEach((id, each) -> remotes.add(each.remote(id, marker)));
    return remotes;
  }

  /** The port that traffic comes in by. */
  SwitchPort port(End end) {
    return joined.port(end);
  }

  /** The port that a line begins at. */
  SwitchPort port(Link link) {
    return joined.port(new End(link.switchId(), link.port().number()));
  }

  /**
   * Connects the meter where traffic leaves the network, and behind the FPGAs, and TCP flows' ends.
   */
  void connect(Meter meter, Optional<TcpTraffic> tcp) {
    Direction direction = spec.network().direction();
    FrameReceiver leaving = tcp.<FrameReceiver>map(flows -> flows.behind(meter)).orElse(meter);
    ways.forEach(way -> port(way.exit()).connect(leaving));
    for (Member member : spec.network().switches()) {
      if (member.topology().sidecar(direction).isPresent()) {
        joined.switches().get(member.id()).tapBehindFpga(direction, meter::behindLimiter);
      }
    }
  }

  /** The longest a frame can be on its way through the network. */
  long drainNanos() {
    return ways.stream()
        .mapToLong(way -> way.links().stream().mapToLong(this::drainNanos).sum())
        .max()
        .orElseThrow();
  }

  private long drainNanos(Link link) {
    double bits = 8.0 * (bufferBytes(link) + 2L * (frameBytes(link) + spec.overheadBytes()));
    return Traffic.nanos(2 * bits / link.port().rateBps());
  }

  /** Room for the loop to overshoot its target delay without the buffer dropping blindly. */
  private long bufferBytes(Link link) {
    long rateBps = link.port().rateBps();
    long targetMicros = AqmTuning.forPort(link.port().number(), rateBps).targetMicros();
    long bytes = BUFFER_TARGETS * targetMicros * (rateBps / 8) / 1_000_000;
    return Math.max(bytes, (long) BUFFER_FRAMES * frameBytes(link));
  }

  private int frameBytes(Link link) {
    return spec.packetBytes() + link.extraBytes();
  }

  @Override
  public void close() {
    joined.close();
  }
}
