package net.sluice.emulator.netsim.traffic;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.sluice.emulator.netsim.FrameReceiver;

/** Keeps every frame that arrives, for tests and for looking closely. */
public final class CapturingSink implements FrameReceiver {

  /**
   * A frame.
   *
   * @param nanos virtual time of arrival, nanoseconds
   * @param bytes the frame without FCS
   * @param tag the tag its sender attached
   */
  @SuppressWarnings("ArrayRecordComponent") // for tests
  public record Capture(long nanos, byte[] bytes, long tag) {}

  private final List<Capture> captures = new ArrayList<>();

  @Override
  public void receive(byte[] bytes, int offset, int length, long tag, long nowNanos) {
    captures.add(new Capture(nowNanos, Arrays.copyOfRange(bytes, offset, offset + length), tag));
  }

  /** The frames in order of arrival; a live list. */
  public List<Capture> captures() {
    return captures;
  }
}
