package net.sluice.emulator.netsim;

/** A receiver of frames: a port of a switch, a link, a sidecar, a sink. */
@FunctionalInterface
public interface FrameReceiver {

  /**
   * Receives a frame whose last bit arrives now.
   *
   * @param bytes buffer that holds the frame; valid only until this method returns, never to be
   *     changed
   * @param offset index of the frame's first byte
   * @param length length of the frame without FCS, bytes
   * @param tag what the sender attached to the frame; passed on unchanged
   * @param nowNanos virtual time, nanoseconds
   */
  void receive(byte[] bytes, int offset, int length, long tag, long nowNanos);
}
