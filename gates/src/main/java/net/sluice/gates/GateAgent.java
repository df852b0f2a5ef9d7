package net.sluice.gates;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import net.sluice.gates.loop.GateLoop;
import net.sluice.gates.loop.Readings;
import net.sluice.gates.loop.Windows;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.table.GateCodec;
import net.sluice.pipeconf.table.PipeStateCodec;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.TableEntry;
import p4.v1.P4RuntimeOuterClass.Update;

/**
 * Moves the windows of a switch's gate table, a step at a time; one thread. What it finds there is
 * another agent's and gives way to its own.
 *
 * <p>New windows are written from the earliest to the latest, with a higher priority than all
 * before, and only then those before are deleted, so at no time a packet matches none (paper 004,
 * section IV). When priorities run out the new ones begin again below those before, which are
 * deleted as well: no packet matches none then either.
 */
public final class GateAgent {
  private static final int MOST_PRIORITY = 1 << 30;

  /** While no packet comes. */
  private static final int STEPS_BETWEEN_WRITES = 50;

  private static final long HALF_ROUND = 1L << 31;
  private static final long ROUND = 0xffff_ffffL;

  /** Nanoseconds; twice as much, what the windows span at most, is less than half a round. */
  private static final long MOST_SPAN = 1_000_000_000;

  private final LocalSwitch device;
  private final GateCodec gates;
  private final PipeStateCodec pipes;
  private final GateLoop loop;
  private final List<Entity> reads;
  private final List<Entity> clockReads;
  private List<Entity> entries;
  private int priority;
  private Windows windows;
  private PipeStateCodec.State before;
  private long nowNanos;

  /** Steps since the last write, each without a packet; 0 after one with packets. */
  private int idleSteps;

  /**
   * Takes the table over.
   *
   * @param program that the switch runs
   * @throws IllegalArgumentException if it has no gates
   * @throws LocalSwitch.SwitchException if the switch does not let it
   */
  public GateAgent(LocalSwitch device, SwitchPipeline program, GateLoop loop) {
    this.device = device;
    this.loop = loop;
    gates = GateCodec.of(program.descriptor());
    pipes = PipeStateCodec.of(program.p4Info());
    reads = pipes.reads();
    clockReads = pipes.clockReads();
    entries = device.read(List.of(entity(gates.all())));
    for (Entity entry : entries) {
      priority = Math.max(priority, entry.getTableEntry().getPriority());
    }
    before = pipes.state(device.read(reads));
    nowNanos = Integer.toUnsignedLong(before.clock());
    windows = loop.first(nowNanos);
    write();
  }

  /**
   * Reads the counters, computes the next windows and writes them. As long as no packet comes the
   * windows stay, and are written only now and then: whether the switch still takes them.
   *
   * @return whether anything has gone into a pipe since the last step
   * @throws LocalSwitch.SwitchException if the switch does not take them
   */
  public boolean step() {
    if (idleSteps > 0 && idleSteps < STEPS_BETWEEN_WRITES && clock() == before.clock()) {
      idleSteps++;
      return false;
    }
    PipeStateCodec.State now = pipes.state(device.read(reads));
    nowNanos += Integer.toUnsignedLong(now.clock() - before.clock());
    long[] bytes = new long[Windows.PIPES];
    OptionalLong earliest = OptionalLong.empty();
    for (int pipe = 0; pipe < Windows.PIPES; pipe++) {
      bytes[pipe] = now.pipeBytes()[pipe] - before.pipeBytes()[pipe];
      // A pipe that nothing went round in is empty, and what it tells is of long ago.
      if (pipe > 0 && bytes[pipe] > 0) {
        long start = at(now.earliestStart()[pipe], now.clock());
        earliest = OptionalLong.of(Math.min(start, earliest.orElse(start)));
      }
    }
    before = now;
    windows =
        loop.next(
            windows,
            new Readings(
                nowNanos,
                bytes,
                earliest,
                Math.max(0, Math.min(MOST_SPAN, at(now.latestFinish(), now.clock()) - nowNanos))));
    write();
    boolean isIdle = Arrays.stream(bytes).allMatch(each -> each == 0);
    idleSteps = isIdle ? 1 : 0;
    return !isIdle;
  }

  private int clock() {
    return pipes.state(device.read(clockReads)).clock();
  }

  /** The windows in force. */
  public Windows windows() {
    return windows;
  }

  /** A time of 32 bits within half a round of the clock. */
  private long at(int time, int clock) {
    return nowNanos + (time - clock);
  }

  private void write() {
    priority = priority < MOST_PRIORITY ? priority + 1 : 1;
    List<Entity> next = new ArrayList<>();
    long from = windows.beginNanos() - HALF_ROUND;
    for (int pipe = 0; pipe < Windows.BOUNDARIES; pipe++) {
      addWindow(pipe, from, windows.endNanos(pipe) - 1, next);
      from = windows.endNanos(pipe);
    }
    addWindow(Windows.PIPES - 1, from, windows.beginNanos() + HALF_ROUND - 1, next);
    List<Update> updates = new ArrayList<>();
    next.forEach(entry -> updates.add(update(Update.Type.INSERT, entry)));
    entries.forEach(entry -> updates.add(update(Update.Type.DELETE, entry)));
    device.write(updates);
    entries = next;
  }

  /** The entries of a window: none if it is empty, two if it spans the end of the clock's round. */
  private void addWindow(int pipe, long from, long to, List<Entity> into) {
    if (to < from) {
      return;
    }
    long low = from & ROUND;
    long high = to & ROUND;
    if (low <= high) {
      into.add(entity(gates.entry(low, high, pipe, priority)));
    } else {
      into.add(entity(gates.entry(low, ROUND, pipe, priority)));
      into.add(entity(gates.entry(0, high, pipe, priority)));
    }
  }

  private static Entity entity(TableEntry entry) {
    return Entity.newBuilder().setTableEntry(entry).build();
  }

  private static Update update(Update.Type type, Entity entry) {
    return Update.newBuilder().setType(type).setEntity(entry).build();
  }
}
