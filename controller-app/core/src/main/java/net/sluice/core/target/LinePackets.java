package net.sluice.core.target;

import net.sluice.pipeconf.PacketCodec.Reason;

/** Frames between the controller and the lines at a switch's ports; each host has its own way. */
public interface LinePackets {
  /** Receives frames; on any thread, and must not block. */
  @FunctionalInterface
  interface Receiver {
    /**
     * A frame as it came in.
     *
     * @param port where
     */
    void receive(int port, Reason reason, byte[] frame);
  }

  /** Has a frame leave by a port; it is lost, as on any line, if the switch cannot be reached. */
  void send(int port, byte[] frame);

  /** Says who receives frames from now on; there is one receiver. */
  void receive(Receiver receiver);
}
