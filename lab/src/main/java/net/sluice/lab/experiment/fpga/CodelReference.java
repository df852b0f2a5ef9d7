package net.sluice.lab.experiment.fpga;

import java.util.ArrayDeque;
import net.sluice.emulator.netsim.EventHandler;
import net.sluice.emulator.netsim.FrameReceiver;
import net.sluice.emulator.netsim.FrameStore;
import net.sluice.emulator.netsim.Simulation;

/**
 * A queue at a rate with CoDel as the pseudocode of RFC 8289, section 5, has it: it knows when each
 * packet came.
 */
final class CodelReference implements FrameReceiver, EventHandler {
  private static final double BITS = 8;
  private static final int RECENT_INTERVALS = 16;

  private final Simulation simulation;
  private final CodelRun.Delays delays;
  private final FrameReceiver next;
  private final double nanosPerByte;
  private final FrameStore frames = new FrameStore();
  private final ArrayDeque<Waiting> queue = new ArrayDeque<>();
  private long bytes;
  private boolean busy;

  private long firstAboveNanos;
  private long dropNextNanos;
  private int count;
  private int lastCount;
  private boolean dropping;
  private boolean okToDrop;

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
    Waiting packet = first(nowNanos);
    if (dropping) {
      if (!okToDrop) {
        dropping = false;
      }
      while (dropping && nowNanos >= dropNextNanos) {
        drop(packet, nowNanos);
        count++;
        packet = first(nowNanos);
        if (okToDrop) {
          dropNextNanos = later(dropNextNanos);
        } else {
          dropping = false;
        }
      }
    } else if (okToDrop) {
      drop(packet, nowNanos);
      packet = first(nowNanos);
      dropping = true;
      int gained = count - lastCount;
      boolean recent = nowNanos - dropNextNanos < RECENT_INTERVALS * CodelRun.INTERVAL_NANOS;
      count = gained > 1 && recent ? gained : 1;
      dropNextNanos = later(nowNanos);
      lastCount = count;
    }
    return packet;
  }

  private Waiting first(long nowNanos) {
    okToDrop = false;
    Waiting packet = queue.poll();
    if (packet == null) {
      firstAboveNanos = 0;
      return null;
    }
    bytes -= frames.length(packet.slot);
    if (nowNanos - packet.sinceNanos < CodelRun.TARGET_NANOS || bytes <= CodelRun.MTU_BYTES) {
      firstAboveNanos = 0;
    } else if (firstAboveNanos == 0) {
      firstAboveNanos = nowNanos + CodelRun.INTERVAL_NANOS;
    } else {
      okToDrop = nowNanos >= firstAboveNanos;
    }
    return packet;
  }

  private void drop(Waiting packet, long nowNanos) {
    delays.dropped(nowNanos);
    frames.release(packet.slot);
  }

  private long later(long nanos) {
    return nanos + Math.round(CodelRun.INTERVAL_NANOS / Math.sqrt(count));
  }
}
