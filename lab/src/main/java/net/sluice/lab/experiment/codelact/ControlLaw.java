package net.sluice.lab.experiment.codelact;

import java.util.Arrays;
import net.sluice.emulator.netsim.host.IpAddress;
import net.sluice.emulator.netsim.traffic.FrameBuilder;
import net.sluice.emulator.switching.PacketPipeline;
import net.sluice.emulator.switching.SwitchPacket;
import net.sluice.intents.model.policy.AqmKind;

/**
 * How long the program waits after its n-th drop of a cycle, beside interval / sqrt(count): the
 * paper's figures 6 and 11. Measured on the program itself: packets leave a queue that is above the
 * target all the time, one after the other at a time chosen here, until one is dropped.
 *
 * @param waitMicros the wait that follows count 1, 2, ..., in microseconds
 */
record ControlLaw(double[] waitMicros) {
  /** The paper's. */
  static final int COUNTS = 1_000;

  /** Parts of the exact wait between packets: what a wait is measured to. */
  private static final int PARTS = 2_000;

  /** No wait is shorter than this part of the exact one. */
  private static final double SHORTEST = 0.9;

  /** About as long as a measurement takes, in packets of a cell. */
  static final double PACKETS = 50_000;

  private static final int LONG_QUEUE = 10;
  private static final long START_MICROS = 2_000_000;
  private static final IpAddress SUBSCRIBER = IpAddress.of("10.0.0.1");
  private static final long SUBSCRIBER_MAC = 0x02_00_00_00_00_02L;
  private static final byte[] FRAME =
      new FrameBuilder().frameBytes(100).addresses("192.0.2.1", "10.0.0.1").build().frame(0, 0);

  /** Measures an algorithm with the paper's interval. */
  static ControlLaw measure(AqmKind kind) {
    ManagedSwitch device = new ManagedSwitch(1);
    device.forwardTo(SUBSCRIBER, SUBSCRIBER_MAC);
    device.manage(kind, false);
    // The predecessor counts a drop before it computes the wait.
    int first = kind == AqmKind.P4_CODEL ? 2 : 1;
    double[] wait = new double[first - 1 + COUNTS];
    long now = START_MICROS;
    dropped(device, now);
    now += ManagedSwitch.INTERVAL_MICROS;
    if (!dropped(device, now)) {
      throw new IllegalStateException(kind + ": no drop an interval after the target was passed");
    }
    if (first == 2) {
      wait[0] = Double.NaN;
    }
    for (int count = first; count <= COUNTS; count++) {
      double exact = exactMicros(count);
      long last = now;
      long pace = Math.max(1, Math.round(exact / PARTS));
      now += Math.round(SHORTEST * exact);
      while (!dropped(device, now)) {
        now += pace;
      }
      wait[count - 1] = now - last;
    }
    return new ControlLaw(Arrays.copyOf(wait, COUNTS));
  }

  /** Whether a packet that has waited for the target is dropped when it leaves the queue. */
  private static boolean dropped(ManagedSwitch device, long nowMicros) {
    PacketPipeline pipeline = device.device().pipeline();
    SwitchPacket packet = pipeline.acquire();
    packet.setBytes(FRAME, 0, FRAME.length);
    packet.enqMicros = nowMicros - ManagedSwitch.TARGET_MICROS;
    pipeline.ingress(packet, ManagedSwitch.CORE_PORT, packet.enqMicros);
    packet.deqTimedelta = (int) ManagedSwitch.TARGET_MICROS;
    packet.deqQdepth = LONG_QUEUE;
    pipeline.egress(packet, nowMicros);
    boolean dropped = packet.dropped;
    pipeline.release(packet);
    return dropped;
  }

  static double exactMicros(int count) {
    return ManagedSwitch.INTERVAL_MICROS / Math.sqrt(count);
  }

  /** How far a wait is off, of the exact one. */
  double error(int count) {
    return Math.abs(waitMicros[count - 1] / exactMicros(count) - 1);
  }

  /** By how much a wait is too long, ms; negative if it is too short. */
  double lateMillis(int count) {
    return (waitMicros[count - 1] - exactMicros(count)) / 1e3;
  }
}
