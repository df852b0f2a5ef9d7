package net.sluice.emulator.netsim;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import net.sluice.emulator.switching.PacketPipeline;
import net.sluice.emulator.switching.SwitchDevice;
import net.sluice.emulator.switching.SwitchPacket;

/**
 * A switch in the simulated network: a device's pipeline with a traffic manager around it. A frame
 * arrives at a port, passes ingress, waits in a queue of its egress port, passes egress when the
 * line is free, and is sent.
 *
 * <p>When the device gets a new program while frames wait in queues, those frames are lost and
 * counted: they carry the parsed state of the old program.
 */
public final class SwitchNode implements SliceParticipant {

  /**
   * Highest port number: P4Runtime targets of this kind have 9-bit ports, and 511 is their drop
   * port.
   */
  public static final int MAX_PORT = 511;

  private static final long NANOS_PER_MICRO = 1_000L;

  private final Simulation simulation;
  private final SwitchDevice device;
  private final SwitchPort[] ports = new SwitchPort[MAX_PORT + 1];
  private final List<SwitchPort> existing = new ArrayList<>();
  private final TimerService timers;
  private PacketPipeline pipeline;
  private PortListener portListener = port -> {};
  private LongSupplier earliestTurnNanos = () -> 0;
  private long unknownEgressPortDrops;
  private long replacedProgramDrops;
  private final CopyDispatcher copies = new CopyDispatcher(this);

  /** Puts a device into a simulation, with its CPU port, if it has one, as the only port. */
  public SwitchNode(Simulation simulation, SwitchDevice device) {
    this.simulation = simulation;
    this.device = device;
    this.timers = new TimerService(simulation, device);
    device.lock().lock();
    try {
      device.setClock(timers);
      this.pipeline = device.pipeline();
    } finally {
      device.lock().unlock();
    }
    simulation.addParticipant(this);
    if (device.cpuPort() != 0) {
      addPort(device.cpuPort(), LineClock.UNLIMITED_BPS, Long.MAX_VALUE)
          .connect(
              (bytes, offset, length, tag, nowNanos) -> device.packetIn(bytes, offset, length));
    }
  }

  /**
   * Adds a port.
   *
   * @param number 0..{@value #MAX_PORT}, not in use
   * @param rateBps line rate, bit/s, 1..{@link LineClock#MAX_RATE_BPS}, or {@link
   *     LineClock#UNLIMITED_BPS} to send at once
   * @param queueLimitBytes bytes that may wait for the line, at least 0
   * @throws IllegalArgumentException if an argument is out of range or the number is in use
   */
  public SwitchPort addPort(int number, long rateBps, long queueLimitBytes) {
    if (number < 0 || number > MAX_PORT) {
      throw new IllegalArgumentException("port " + number + ": must be 0.." + MAX_PORT);
    }
    if (ports[number] != null) {
      throw new IllegalArgumentException("port " + number + ": exists already");
    }
    SwitchPort port = new SwitchPort(this, number, rateBps, queueLimitBytes);
    ports[number] = port;
    existing.add(port);
    return port;
  }

  /**
   * A port by its number.
   *
   * @throws IllegalArgumentException when there is none
   */
  public SwitchPort port(int number) {
    SwitchPort port = portOrNull(number);
    if (port == null) {
      throw new IllegalArgumentException("port " + number + ": does not exist");
    }
    return port;
  }

  /** All ports, in the order they were added. */
  public List<SwitchPort> ports() {
    return List.copyOf(existing);
  }

  /** The ports but for the CPU port, in the order they were added. */
  public List<SwitchPort> frontPorts() {
    return existing.stream().filter(port -> port.number() != device.cpuPort()).toList();
  }

  /** Frames lost because the program sent them to a port that does not exist. */
  public long unknownEgressPortDrops() {
    return unknownEgressPortDrops;
  }

  /** Frames lost in queues because the program was replaced. */
  public long replacedProgramDrops() {
    return replacedProgramDrops;
  }

  /** Sets the listener for changes of ports; there is one. */
  public void setPortListener(PortListener listener) {
    portListener = listener;
  }

  /** Frames lost because the program sent them to a multicast group that does not exist. */
  public long unknownGroupDrops() {
    return copies.unknownGroups();
  }

  /**
   * Frames lost because more than {@value CopyDispatcher#MAX_TURNING} were on their way back to
   * ingress, or cloned in egress, at a time.
   */
  public long turnaroundDrops() {
    return copies.lost();
  }

  /**
   * Makes a run fail with an {@link EndlessProgramException} when packets loop for ever, for runs
   * that last until the last packet has left. Without limits they may.
   *
   * @param perPacket fails when a packet is resubmitted, recirculated or cloned in egress for this
   *     time, with the times of what it was cloned from; at least 1
   * @param together fails when all packets together are so for this time since {@link #forgetTurns}
   */
  public void limitTurns(int perPacket, long together) {
    copies.limitTurns(perPacket, together);
  }

  /** Begins to count the turns of all packets together from 0. */
  public void forgetTurns() {
    copies.forgetTurns();
  }

  /** Announces the frames that arrive next, for {@link PacketPipeline#expect}; during a run. */
  public void expect(byte[] bytes, int[] offsets, int[] lengths, int count) {
    pipeline.expect(bytes, offsets, lengths, count);
  }

  /** Resets the statistics of all ports. */
  public void resetStatistics() {
    for (SwitchPort port : existing) {
      port.resetStatistics();
    }
  }

  @Override
  public ReentrantLock lock() {
    return device.lock();
  }

  @Override
  public void onSliceStart() {
    timers.schedule();
    for (byte[] out = device.takePacketOut(); out != null; out = device.takePacketOut()) {
      byte[] frame = out;
      simulation.schedule(
          Math.max(simulation.nowNanos(), NANOS_PER_MICRO * timers.nowMicros()),
          (nowNanos, none) -> ports[device.cpuPort()].receive(frame, 0, frame.length, 0, nowNanos),
          0);
    }
    PacketPipeline current = device.pipeline();
    if (current != pipeline) {
      for (SwitchPort port : existing) {
        replacedProgramDrops += port.flush(pipeline);
      }
      replacedProgramDrops += copies.flush(pipeline);
      pipeline = current;
    }
  }

  /** A frame has passed ingress. */
  void afterIngress(SwitchPacket packet, long nowNanos) {
    if (packet.requests != 0 && copies.afterIngress(packet, nowNanos)) {
      return;
    }
    if (packet.dropped) {
      port(packet.ingressPort).countIngressDrop();
      pipeline.release(packet);
      return;
    }
    forward(packet, nowNanos);
  }

  /** A frame that has passed ingress is to leave by its egress port. */
  void forward(SwitchPacket packet, long nowNanos) {
    SwitchPort out = portOrNull(packet.egressPort);
    if (out == null) {
      loseBehindEgress(packet, nowNanos);
    } else {
      out.enqueue(pipeline, packet, nowNanos);
    }
  }

  /**
   * Egress for a port that does not exist, without queueing: the frame is lost, but its clone and
   * recirculation requests count.
   */
  private void loseBehindEgress(SwitchPacket packet, long nowNanos) {
    long nowMicros = nowNanos / NANOS_PER_MICRO;
    packet.enqMicros = nowMicros;
    packet.enqQdepth = 0;
    packet.deqTimedelta = 0;
    packet.deqQdepth = 0;
    pipeline.egress(packet, nowMicros);
    if (packet.requests == 0 || !copies.afterEgress(packet, nowNanos)) {
      unknownEgressPortDrops++;
      port(packet.ingressPort).countUnknownEgressPort();
      packet.loss = SwitchPacket.Loss.NO_SUCH_PORT;
      pipeline.release(packet);
    }
  }

  /**
   * A frame has passed egress and asks for more than to be sent.
   *
   * @return whether it has been dealt with
   */
  boolean afterEgress(SwitchPacket packet, long nowNanos) {
    return copies.afterEgress(packet, nowNanos);
  }

  /**
   * Bases the device's clock on real time instead of the simulation's, which stands still between
   * runs.
   *
   * @param nowNanos the real time; any thread
   * @param wakeUp makes the owner of the simulation run it up to the present; any thread
   */
  public void followRealTime(LongSupplier nowNanos, Runnable wakeUp) {
    timers.followRealTime(nowNanos, wakeUp);
  }

  /**
   * Sets how early packets that come back may be in ingress: where virtual time lags behind the
   * machine's, they would otherwise go round as often as it lags, and it would never catch up.
   *
   * @param nanos virtual time, asked for with each packet; the past if there is nothing to wait for
   */
  public void turnNoEarlierThan(LongSupplier nanos) {
    earliestTurnNanos = nanos;
  }

  long earliestTurnNanos() {
    return earliestTurnNanos.getAsLong();
  }

  Simulation simulation() {
    return simulation;
  }

  SwitchDevice device() {
    return device;
  }

  PacketPipeline pipeline() {
    return pipeline;
  }

  void portChanged(SwitchPort port) {
    portListener.onPortChange(port);
  }

  /** Whether there is such a port, and it is up. */
  boolean isUp(int number) {
    SwitchPort port = portOrNull(number);
    return port != null && port.isUp();
  }

  SwitchPort portOrNull(int number) {
    return number < 0 || number > MAX_PORT ? null : ports[number];
  }
}
