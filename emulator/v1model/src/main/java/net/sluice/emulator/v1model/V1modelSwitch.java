package net.sluice.emulator.v1model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import net.sluice.emulator.switching.DeviceTimer;
import net.sluice.emulator.switching.PacketPipeline;
import net.sluice.emulator.switching.SwitchClock;
import net.sluice.emulator.switching.SwitchDevice;
import net.sluice.emulator.switching.SwitchPacket;
import net.sluice.emulator.v1model.table.ActionProfile;
import net.sluice.emulator.v1model.trace.Tracing;

/**
 * A switch that runs p4c's BMv2 output for v1model as bmv2's simple_switch would. It starts without
 * a program.
 */
public final class V1modelSwitch implements SwitchDevice {

  /** Capacity of the queue of packet-outs that have not entered the switch yet, packets. */
  public static final int MAX_PACKET_OUTS = 4_096;

  private static final int MAX_CPU_PORT = 510;

  private final long deviceId;
  private final long seed;
  private final int cpuPort;
  private final Map<Integer, String> portNames = new ConcurrentHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Tracing tracing = new Tracing(lock);
  private final ArrayDeque<byte[]> packetOuts = new ArrayDeque<>();
  private PacketInListener packetIns = (bytes, offset, length) -> false;
  private long lostPacketIns;
  private final WithoutProgram withoutProgram = new WithoutProgram();
  private final List<DeviceTimer> timers = new ArrayList<>();
  private SwitchClock clock = SwitchClock.STOPPED;
  private volatile LoadedProgram loaded;
  private Consumer<String> messages;
  private final BitSet downPorts = new BitSet();

  /**
   * @param deviceId P4Runtime device id; 0, simple_switch's default, is allowed
   * @param seed of the random numbers of the programs it runs
   */
  public V1modelSwitch(long deviceId, long seed) {
    this(deviceId, seed, 0);
  }

  /**
   * @param deviceId P4Runtime device id; 0, simple_switch's default, is allowed
   * @param seed of the random numbers of the programs it runs
   * @param cpuPort port that packets from and to the controller use, 1..510, or 0 for none
   */
  public V1modelSwitch(long deviceId, long seed, int cpuPort) {
    if (cpuPort < 0 || cpuPort > MAX_CPU_PORT) {
      throw new IllegalArgumentException(
          "cpuPort " + cpuPort + ": must be from 1 to " + MAX_CPU_PORT + ", or 0 for none");
    }
    this.deviceId = deviceId;
    this.seed = seed;
    this.cpuPort = cpuPort;
  }

  @Override
  public long deviceId() {
    return deviceId;
  }

  @Override
  public ReentrantLock lock() {
    return lock;
  }

  @Override
  public PacketPipeline pipeline() {
    LoadedProgram program = loaded;
    return program == null ? withoutProgram : program.pipeline();
  }

  @Override
  public long droppedWithoutProgram() {
    return withoutProgram.dropped;
  }

  @Override
  public void setClock(SwitchClock newClock) {
    clock = newClock;
  }

  /** The clock of the network the switch is in; use it under {@link #lock()}. */
  public SwitchClock clock() {
    return clock;
  }

  /**
   * Adds a timer. Whoever changes its due time while the switch runs calls {@link
   * SwitchClock#timersChanged()}.
   */
  public void addTimer(DeviceTimer timer) {
    lock.lock();
    try {
      timers.add(timer);
    } finally {
      lock.unlock();
    }
  }

  /** Removes a timer. */
  public void removeTimer(DeviceTimer timer) {
    lock.lock();
    try {
      timers.remove(timer);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long nextTimerMicros() {
    long next = Long.MAX_VALUE;
    for (int i = 0; i < timers.size(); i++) {
      next = Math.min(next, timers.get(i).nextMicros());
    }
    return next;
  }

  @Override
  public void runTimers(long nowMicros) {
    for (int i = 0; i < timers.size(); i++) {
      if (timers.get(i).nextMicros() <= nowMicros) {
        timers.get(i).run(nowMicros);
      }
    }
  }

  /**
   * Compiles a program for this switch without putting it in force.
   *
   * @throws net.sluice.emulator.v1model.program.ProgramException if it is malformed or does
   *     something unsupported
   */
  public LoadedProgram load(byte[] json) {
    return LoadedProgram.load(json, seed);
  }

  /**
   * Puts a program in force, with the entries already in its tables. Packets queued under the
   * previous program will be dropped.
   */
  public void install(LoadedProgram program) {
    tracing.prepare(program.tracer());
    lock.lock();
    try {
      if (messages != null) {
        program.pipeline().log().listener(messages);
      }
      for (ActionProfile profile : program.state().profiles()) {
        downPorts.stream().forEach(port -> profile.portUp(port, false));
      }
      loaded = program;
      tracing.install(program.tracer(), program.pipeline());
    } finally {
      lock.unlock();
    }
  }

  /**
   * Sends the messages of {@code log_msg} to a listener from now on, on the thread that runs the
   * pipeline; null for the log.
   */
  public void onMessage(Consumer<String> listener) {
    lock.lock();
    try {
      messages = listener;
      if (loaded != null) {
        loaded.pipeline().log().listener(listener);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Traces of its packets. */
  public Tracing tracing() {
    return tracing;
  }

  /** The program in force. */
  public Optional<LoadedProgram> loaded() {
    return Optional.ofNullable(loaded);
  }

  @Override
  public void portUp(int port, boolean up) {
    downPorts.set(port, !up);
    if (loaded != null) {
      for (ActionProfile profile : loaded.state().profiles()) {
        profile.portUp(port, up);
      }
    }
  }

  @Override
  public int cpuPort() {
    return cpuPort;
  }

  /** Sets the name of the interface behind a port. */
  public void namePort(int port, String name) {
    portNames.put(port, name);
  }

  /** Interface names by port, as far as they are known: a live view. */
  public Map<Integer, String> portNames() {
    return Collections.unmodifiableMap(portNames);
  }

  /**
   * Queues a packet-out, which will enter the switch at its CPU port; any thread.
   *
   * @return false if the queue is full
   */
  public boolean packetOut(byte[] bytes) {
    lock.lock();
    try {
      if (packetOuts.size() >= MAX_PACKET_OUTS) {
        return false;
      }
      packetOuts.addLast(bytes);
      clock.timersChanged();
      return true;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public byte[] takePacketOut() {
    return packetOuts.pollFirst();
  }

  /**
   * Sets the receiver of packet-ins, the packets that leave by the CPU port; under {@link #lock()}.
   */
  public void onPacketIn(PacketInListener listener) {
    packetIns = listener;
  }

  @Override
  public void packetIn(byte[] bytes, int offset, int length) {
    if (!packetIns.deliver(bytes, offset, length)) {
      lostPacketIns++;
    }
  }

  /** Packet-ins that no controller received; under {@link #lock()}. */
  public long lostPacketIns() {
    return lostPacketIns;
  }

  /** The receiver of packet-ins. */
  public interface PacketInListener {
    /**
     * Takes a packet.
     *
     * @return whether a controller receives it
     */
    boolean deliver(byte[] bytes, int offset, int length);
  }

  /** Drops everything. */
  private static final class WithoutProgram implements PacketPipeline {

    private volatile long dropped;

    @Override
    public SwitchPacket acquire() {
      return new SwitchPacket() {};
    }

    @Override
    public void release(SwitchPacket packet) {
      // Nothing is pooled here: there is no hurry in dropping packets.
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // Written under the switch's lock only.
    public void ingress(SwitchPacket packet, int port, long nowMicros) {
      packet.dropped = true;
      dropped++;
    }

    @Override
    public void egress(SwitchPacket packet, long nowMicros) {
      packet.dropped = true;
    }
  }
}
