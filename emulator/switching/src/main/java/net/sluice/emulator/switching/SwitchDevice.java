package net.sluice.emulator.switching;

import java.util.concurrent.locks.ReentrantLock;

/**
 * One switch as the packet side sees it. Its control side (P4Runtime) and its packet side share one
 * lock: packet loops hold {@link #lock()} for a slice of work, so that a table write happens
 * between packets and never during one.
 *
 * <p>{@link #pipeline()} is never null: until a program is loaded it is a pipeline that drops every
 * packet and counts it. Loading a program replaces the pipeline, so packet loops ask for it again
 * each time they take the lock.
 */
public interface SwitchDevice {

  /** P4Runtime device id. */
  long deviceId();

  /** The lock between packets and control; reentrant. */
  ReentrantLock lock();

  /** The pipeline in force; call and use it only under {@link #lock()}. */
  PacketPipeline pipeline();

  /** Packets dropped because no program was loaded when they arrived. */
  long droppedWithoutProgram();

  /**
   * Sets whether a port is up, for the selectors of action profiles; all are at first. Called under
   * {@link #lock()}.
   */
  default void portUp(int port, boolean up) {}

  /** Sets the clock of the device's network; under {@link #lock()}. */
  default void setClock(SwitchClock clock) {}

  /**
   * When {@link #runTimers} is due next, on the packets' clock, microseconds; Long.MAX_VALUE for
   * never. Call it under {@link #lock()}.
   */
  default long nextTimerMicros() {
    return Long.MAX_VALUE;
  }

  /** Runs the timers that are due; under {@link #lock()}. */
  default void runTimers(long nowMicros) {}

  /**
   * Number of the port that packets from and to the controller use, or 0 for none; it never
   * changes.
   */
  default int cpuPort() {
    return 0;
  }

  /** The next packet-out that has not entered the switch yet, or null; under {@link #lock()}. */
  default byte[] takePacketOut() {
    return null;
  }

  /** Delivers a packet-in; under {@link #lock()}. */
  default void packetIn(byte[] bytes, int offset, int length) {}
}
