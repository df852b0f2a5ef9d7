package net.sluice.emulator.switching;

/**
 * A switch's packet processing: ingress in front of its queues, egress behind them. The parsed
 * state of a packet stays with it in between. Not thread-safe: callers hold the lock of the {@link
 * SwitchDevice} the pipeline belongs to.
 */
public interface PacketPipeline {

  /** Takes an empty packet from the pool; fill it with {@link SwitchPacket#setBytes}. */
  SwitchPacket acquire();

  /**
   * Returns a packet of this pipeline to its pool. Packets of a pipeline that has been replaced are
   * discarded.
   */
  void release(SwitchPacket packet);

  /** Most packets announced by one {@link #expect}. */
  int MAX_EXPECTED = 16;

  /**
   * Announces the next packets, so that their data can be prefetched. A hint without effect on
   * processing; they need not come.
   *
   * @param bytes buffer with the packets; not kept
   * @param offsets where each begins
   * @param lengths of each, or of the part of it in the buffer
   * @param count how many there are, at most {@value #MAX_EXPECTED}
   */
  default void expect(byte[] bytes, int[] offsets, int[] lengths, int count) {}

  /**
   * Parser, checksum verification and ingress control. Afterwards either {@link
   * SwitchPacket#dropped} is set, or {@link SwitchPacket#egressPort} and {@link
   * SwitchPacket#priority} are; {@link SwitchPacket#requests} has the requests besides or instead
   * of that.
   *
   * @param port port the packet came in on
   * @param nowMicros virtual time, microseconds; the packet's ingress timestamp
   */
  void ingress(SwitchPacket packet, int port, long nowMicros);

  /**
   * Egress control, checksum update and deparser. Reads {@code egressPort}, {@code enqMicros},
   * {@code enqQdepth}, {@code deqTimedelta} and {@code deqQdepth}. Afterwards the packet holds the
   * bytes to send, unless {@link SwitchPacket#dropped} is set; {@link SwitchPacket#requests} has
   * the requests besides or instead of sending it.
   *
   * @param nowMicros virtual time, microseconds; the packet's egress timestamp
   */
  void egress(SwitchPacket packet, long nowMicros);

  /**
   * Ingress for a packet that has been through it already: one that ingress resubmits or that
   * egress recirculates, as {@link SwitchPacket#REENTER} asks. The result is as with {@link
   * #ingress}.
   *
   * @param nowMicros virtual time, microseconds
   */
  default void reenter(SwitchPacket packet, long nowMicros) {
    throw new UnsupportedOperationException("this pipeline does not ask for it");
  }

  /**
   * A copy of a packet that waits for egress, as a member of a multicast group.
   *
   * @param instance the copy's instance number
   */
  default SwitchPacket replica(SwitchPacket packet, int instance) {
    throw new UnsupportedOperationException("this pipeline does not ask for it");
  }

  /**
   * Turns a packet that waits for egress into what {@link #replica} would have returned, without a
   * copy.
   */
  default void becomeReplica(SwitchPacket packet, int instance) {
    throw new UnsupportedOperationException("this pipeline does not ask for it");
  }

  /** Multicast groups and clone sessions; call and use it only under the device's lock. */
  default ReplicationEngine replication() {
    throw new UnsupportedOperationException("this pipeline does not ask for copies");
  }
}
