package net.sluice.emulator.netsim.host;

import java.util.HashSet;
import java.util.Set;
import net.sluice.emulator.netsim.EventHandler;
import net.sluice.emulator.netsim.FrameReceiver;
import net.sluice.emulator.netsim.FrameStore;
import net.sluice.emulator.netsim.LineClock;
import net.sluice.emulator.netsim.Prng;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.switching.InternetChecksum;

/**
 * One direction of an impaired path: a line with a finite queue, delay, loss (of chosen frames or
 * at random), duplication, reordering by random extra delay, corruption, and CE marks above a queue
 * threshold.
 */
public final class ImpairedPath implements FrameReceiver, EventHandler {

  private final Simulation simulation;
  private final FrameReceiver to;
  private final Prng random;
  private final FrameStore frames = new FrameStore();
  private final Set<Long> lost = new HashSet<>();
  private LineClock line;
  private long delayNanos;
  private long queueBytes = Long.MAX_VALUE;
  private long markBytes = Long.MAX_VALUE;
  private double lossRate;
  private double duplicateRate;
  private double reorderRate;
  private double corruptRate;
  private long reorderNanos;

  public long received;
  public long dropped;
  public long marked;
  public long corrupted;
  public long carriedBytes;

  public ImpairedPath(Simulation simulation, long streamId, FrameReceiver to) {
    this.simulation = simulation;
    this.random = simulation.random(streamId);
    this.to = to;
  }

  public ImpairedPath line(long rateBps, long queueLimitBytes) {
    line = new LineClock(rateBps);
    queueBytes = queueLimitBytes;
    return this;
  }

  public ImpairedPath delayNanos(long nanos) {
    delayNanos = nanos;
    return this;
  }

  /** Loses the frames with these numbers, from 1. */
  public ImpairedPath lose(long... numbers) {
    for (long number : numbers) {
      lost.add(number);
    }
    return this;
  }

  public ImpairedPath random(double loss, double duplicates, double reordered, double corrupt) {
    lossRate = loss;
    duplicateRate = duplicates;
    reorderRate = reordered;
    corruptRate = corrupt;
    return this;
  }

  public ImpairedPath reorderNanos(long nanos) {
    reorderNanos = nanos;
    return this;
  }

  public ImpairedPath markAbove(long bytes) {
    markBytes = bytes;
    return this;
  }

  @Override
  public void receive(byte[] bytes, int offset, int length, long tag, long nowNanos) {
    received++;
    if (lost.contains(received) || (lossRate > 0 && random.nextDouble() < lossRate)) {
      dropped++;
      return;
    }
    byte[] frame = bytes;
    int start = offset;
    long sent = nowNanos;
    if (line != null) {
      long waiting = (line.endNanos() - nowNanos) * (line.rateBps() / 8) / 1_000_000_000;
      if (waiting + length > queueBytes) {
        dropped++;
        return;
      }
      if (waiting > markBytes && (bytes[offset + 15] & 3) != 0) {
        marked++;
        frame = java.util.Arrays.copyOfRange(bytes, offset, offset + length);
        start = 0;
        frame[15] |= 3;
        frame[24] = 0;
        frame[25] = 0;
        int checksum = InternetChecksum.finish(InternetChecksum.sum(frame, 14, 20));
        frame[24] = (byte) (checksum >> 8);
        frame[25] = (byte) checksum;
      }
      sent = line.send(nowNanos, length * 8L);
    }
    if (corruptRate > 0 && random.nextDouble() < corruptRate) {
      corrupted++;
      frame = java.util.Arrays.copyOfRange(frame, start, start + length);
      start = 0;
      // Behind the Ethernet header, which a real frame's FCS would protect together with the rest.
      frame[14 + (int) random.nextLong(length - 14)] ^= (byte) (1 << random.nextLong(8));
    }
    int copies = duplicateRate > 0 && random.nextDouble() < duplicateRate ? 2 : 1;
    for (int i = 0; i < copies; i++) {
      long extra =
          reorderRate > 0 && random.nextDouble() < reorderRate ? random.nextLong(reorderNanos) : 0;
      carriedBytes += length;
      simulation.schedule(sent + delayNanos + extra, this, frames.put(frame, start, length, tag));
    }
  }

  @Override
  public void onEvent(long nowNanos, long argument) {
    int slot = (int) argument;
    to.receive(frames.bytes(slot), 0, frames.length(slot), frames.tag(slot), nowNanos);
    frames.release(slot);
  }
}
