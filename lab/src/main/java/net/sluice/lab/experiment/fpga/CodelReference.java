package net.sluice.lab.experiment.fpga;

import java.util.ArrayDeque;
import net.sluice.emulator.netsim.EventHandler;
import net.sluice.emulator.netsim.FrameReceiver;
import net.sluice.emulator.netsim.FrameStore;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.lab.support.Rfc8289Codel;

/** A queue at a rate with the CoDel of RFC 8289: it knows when each packet came. */
final class CodelReference implements FrameReceiver, EventHandler {
  private static final double BITS = 8;

  private final Simulation simulation;
  private final CodelRun.Delays delays;
  private final FrameReceiver next;
  private final double nanosPerByte;
  private final FrameStore frames = new FrameStore();
  private final ArrayDeque<Waiting> queue = new ArrayDeque<>();
  private final Rfc8289Codel codel =
      new Rfc8289Codel(CodelRun.TARGET_NANOS, CodelRun.INTERVAL_NANOS);
  private long bytes;
  private boolean busy;

  private record Waiting(int slot, long sinceNanos) {}

  /**
   * An empty queue.
   *
   * @param bps its rate, of frames without what Ethernet adds
   * @param next where packets go when they have been sent
   */
  CodelReference(Simulation simulation, double bps, CodelRun.Delays delays, FrameReceiver next) {
    this.simulation = simulation;
    this.nanosPerByte = BITS * 1e9 / bps;
    this.delays = delays;
    this.next = next;
  }

  @Override
  public void receive(byte[] frame, int offset, int length, long tag, long nowNanos) {
    queue.add(new Waiting(frames.put(frame, offset, length, tag), nowNanos));
    bytes += length;
    if (!busy) {
      send(nowNanos);
    }
  }

  @Override
  public void onEvent(long nowNanos, long argument) {
    int slot = (int) argument;
    next.receive(frames.bytes(slot), 0, frames.length(slot), frames.tag(slot), nowNanos);
    frames.release(slot);
    busy = false;
    send(nowNanos);
  }

  private void send(long nowNanos) {
    Waiting packet = dequeue(nowNanos);
    if (packet != null) {
      busy = true;
      delays.sent(packet.sinceNanos, nowNanos, frames.length(packet.slot));
      long took = Math.round(frames.length(packet.slot) * nanosPerByte);
      simulation.schedule(nowNanos + took, this, packet.slot);
    }
  }

  private Waiting dequeue(long nowNanos) {
    Waiting packet = poll();
    while (packet != null
        && codel.drops(nowNanos, nowNanos - packet.sinceNanos, bytes <= CodelRun.MTU_BYTES)) {
      drop(packet, nowNanos);
      packet = poll();
    }
    if (packet == null) {
      codel.empty();
    }
    return packet;
  }

  private Waiting poll() {
    Waiting packet = queue.poll();
    bytes -= packet == null ? 0 : frames.length(packet.slot);
    return packet;
  }

  private void drop(Waiting packet, long nowNanos) {
    delays.dropped(nowNanos);
    frames.release(packet.slot);
  }
}
