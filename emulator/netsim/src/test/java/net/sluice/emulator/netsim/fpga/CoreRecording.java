package net.sluice.emulator.netsim.fpga;

import java.util.Arrays;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.traffic.CapturingSink;

/**
 * What the model answers to accesses and packets, as a file that the core is given by {@code
 * fpga-driver/rtl/tests/test_core_model.py}: there it has to answer the same. One a line:
 *
 * <ul>
 *   <li>{@code w ADDRESS WORD}: a write
 *   <li>{@code r ADDRESS WORD}: a read and its answer
 *   <li>{@code k QUEUE LENGTH}, {@code d QUEUE LENGTH}: a packet that is kept, or dropped when it
 *       comes. Both are numbered from 1 on
 *   <li>{@code e}: until every packet has left
 *   <li>{@code t TICKS CLOCKS}: until so many clocks after the beginning of the tick that is so
 *       many on from the current one
 *   <li>{@code s NUMBER TICK}: that packet has left its queue in that tick, counted from the first
 *       {@code t}; all such lines together, at the end
 * </ul>
 */
final class CoreRecording {
  static final int COUNTERS = 0x02000000;
  static final int STATISTICS = 0x03000300;
  private static final long CLOCK_HZ = 220_000_000;
  private static final long LINE_BPS = 16 * 8 * CLOCK_HZ;

  final Simulation simulation = new Simulation(1);
  final CapturingSink sink = new CapturingSink();
  final FpgaModel fpga;
  private final FpgaClock clock = new FpgaClock(CLOCK_HZ);
  private final StringBuilder lines = new StringBuilder();
  private long tick;
  private int packets;

  CoreRecording(FpgaBuild build) {
    fpga = new FpgaModel(simulation, sink, build, CLOCK_HZ, LINE_BPS);
  }

  void write(int address, int value) {
    fpga.writeRegister(address, value);
    lines.append(String.format("w %08x %08x%n", address, value));
  }

  void read(int address) {
    lines.append(String.format("r %08x %08x%n", address, fpga.readRegister(address)));
  }

  /** Packets dropped so far when they came. */
  private long dropped() {
    FpgaStatistics did = fpga.statistics();
    return did.droppedPackets() + did.noBufferPackets() + did.malformedPackets();
  }

  void packet(int queue, int length) {
    long before = dropped();
    byte[] frame = new byte[length + 4];
    for (int i = 0; i < 4; i++) {
      frame[i] = (byte) (queue >> 24 - 8 * i);
    }
    fpga.receive(frame, 0, frame.length, ++packets, simulation.nowNanos());
    lines.append(String.format("%s %05x %d%n", dropped() > before ? "d" : "k", queue, length));
  }

  void readCounters(int queue) {
    write(COUNTERS, queue);
    read(COUNTERS + 4);
    read(COUNTERS + 8);
  }

  void readStatistics() {
    for (int i = 0; i < RegisterMap.STATISTICS; i++) {
      read(STATISTICS + 4 * i);
    }
  }

  /** Waits until every packet has left. */
  void drain() {
    simulation.runUntil(simulation.nowNanos() + 1_000_000_000L);
    if (fpga.statistics().waitingPackets() > 0) {
      throw new AssertionError("packets wait: " + fpga.statistics());
    }
    lines.append("e\n");
  }

  void advance(int ticks, int clocks) {
    tick += ticks;
    simulation.runUntil(clock.nanos(tick * FpgaClock.CYCLES_PER_TICK + clocks));
    lines.append(String.format("t %d %d%n", ticks, clocks));
  }

  /** Tells when packets have left, which is a line's time before the sink has them. */
  void sent() {
    for (CapturingSink.Capture sent : sink.captures()) {
      long nanos = sent.nanos() - 8_000_000_000L * sent.bytes().length / LINE_BPS;
      lines.append(
          String.format("s %d %d%n", sent.tag(), clock.floor(nanos) / FpgaClock.CYCLES_PER_TICK));
    }
  }

  /** Number of lines that begin with a letter. */
  long count(char kind) {
    return Arrays.stream(lines.toString().split("\n")).filter(l -> l.charAt(0) == kind).count();
  }

  String text() {
    return lines.toString();
  }
}
