package net.sluice.emulator.ports;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.sluice.testing.Patience;

/** The far end of a cable: sends frames and receives them. */
public final class CableEnd implements AutoCloseable {
  private final NetworkPort port;
  private final ReceiveBatch batch = new ReceiveBatch();
  private final Poller poller = new Poller(1);
  private final Poller room = new Poller(1);

  /** Opens the far end by the name of its interface. */
  public CableEnd(String name) throws PortException {
    port = PacketSocketPort.open(name);
    poller.set(0, port.descriptor());
  }

  /** Sends all of them. */
  public void send(List<byte[]> frames) {
    for (byte[] frame : frames) {
      port.send(frame, 0, frame.length);
      awaitRoom();
    }
    port.flush();
    awaitRoom();
    if (port.statistics().unsentFrames() != 0) {
      throw new AssertionError("not sent: " + port.statistics());
    }
  }

  private void awaitRoom() {
    while (port.blockedDescriptor() >= 0) {
      room.setWritable(0, port.blockedDescriptor());
      room.await(Long.MAX_VALUE);
      port.flush();
    }
  }

  /** Waits until so many frames have arrived. */
  public List<byte[]> receive(int count) {
    List<byte[]> frames = new ArrayList<>();
    long giveUp = System.nanoTime() + Patience.TIME.toNanos();
    while (frames.size() < count) {
      long left = giveUp - System.nanoTime();
      if (left < 0) {
        throw new AssertionError(frames.size() + " of " + count + " frames have arrived");
      }
      poller.await(left);
      port.deliver(
          batch,
          0,
          port.receive(batch),
          (bytes, offset, length, tag, now) ->
              frames.add(Arrays.copyOfRange(bytes, offset, offset + length)),
          0);
    }
    return frames;
  }

  NetworkPortStatistics statistics() {
    return port.statistics();
  }

  @Override
  public void close() {
    port.close();
    poller.close();
    room.close();
  }
}
