package net.sluice.lab.demo;

import java.util.Optional;
import net.sluice.emulator.netsim.FrameReceiver;
import net.sluice.emulator.netsim.SwitchPort;
import net.sluice.intents.compile.AqmTuning;
import net.sluice.intents.model.Direction;
import net.sluice.standalone.DefaultTopology;
import net.sluice.standalone.EmbeddedTargets;
import net.sluice.standalone.StartFailure;

/** The emulated targets with the bottleneck that a run asks for; virtual time stands at 0. */
final class EmulatedNetwork implements AutoCloseable {
  /** No bottleneck anywhere else. */
  private static final long FAST_BPS = 10_000_000_000_000L;

  private static final long FAST_QUEUE_BYTES = 1L << 30;

  /** The bottleneck's buffer, as a multiple of its AQM's target; and at least so many frames. */
  private static final int BUFFER_TARGETS = 8;

  private static final int BUFFER_FRAMES = 64;

  private final RunSpec spec;
  private final DefaultTopology topology;
  private final EmbeddedTargets targets;

  /** Starts the targets' control servers on free local ports. */
  EmulatedNetwork(RunSpec spec) throws StartFailure {
    this.spec = spec;
    topology = new DefaultTopology(spec.bottleneckBps(), spec.maxRateBps(), spec.randomRates());
    targets = EmbeddedTargets.start(topology, spec.seed());
    targets.accessPort().setQueueLimitBytes(bufferBytes(spec));
    targets.accessPort().setOverheadBytes(spec.overheadBytes());
    SwitchPort sidecar = targets.node().port(DefaultTopology.SIDECAR_DOWN_PORT);
    sidecar.setRateBps(FAST_BPS);
    sidecar.setQueueLimitBytes(FAST_QUEUE_BYTES);
  }

  DefaultTopology topology() {
    return topology;
  }

  EmbeddedTargets targets() {
    return targets;
  }

  /** Connects the meter behind the bottleneck and behind the FPGA, and TCP flows' ends. */
  void connect(Meter meter, Optional<TcpTraffic> tcp) {
    targets
        .accessPort()
        .connect(tcp.<FrameReceiver>map(flows -> flows.behind(meter)).orElse(meter));
    targets.tapBehindFpga(Direction.DOWN, meter::behindLimiter);
  }

  /** The longest a frame can be on its way through the bottleneck. */
  long drainNanos() {
    double bits = 8.0 * (bufferBytes(spec) + 2L * (spec.packetBytes() + spec.overheadBytes()));
    return Traffic.nanos(2 * bits / spec.bottleneckBps());
  }

  /** Room for the loop to overshoot its target delay without the buffer dropping blindly. */
  static long bufferBytes(RunSpec spec) {
    long targetMicros =
        AqmTuning.forPort(DefaultTopology.ACCESS_PORT, spec.bottleneckBps()).targetMicros();
    long bytes = BUFFER_TARGETS * targetMicros * (spec.bottleneckBps() / 8) / 1_000_000;
    return Math.max(bytes, (long) BUFFER_FRAMES * spec.packetBytes());
  }

  @Override
  public void close() {
    targets.close();
  }
}
