package net.sluice.emulator.switching;

/**
 * What a switch does to packets: ingress in front of its queues, egress behind them. The parsed
 * state of a packet stays with it in between. Not thread-safe: callers hold the lock of the {@link
 * SwitchDevice} the pipeline belongs to.
 */
public interface PacketPipeline {

  /** Takes an empty packet from the pool; fill it with {@link SwitchPacket#setBytes}. */
  SwitchPacket acquire();

  /**
   * Gives a packet of this pipeline back to its pool. Packets of a pipeline that has been replaced
   * are discarded.
   */
  void release(SwitchPacket packet);

  /**
   * Parser, checksum verification and ingress control. Afterwards either {@link
   * SwitchPacket#dropped} is set, or {@link SwitchPacket#egressPort} and {@link
   * SwitchPacket#priority} are.
   *
   * @param port port the packet came in on
   * @param nowMicros virtual time, microseconds; the packet's ingress timestamp
   */
  void ingress(SwitchPacket packet, int port, long nowMicros);

  /**
   * Egress control, checksum update and deparser. Reads {@code egressPort}, {@code enqMicros},
   * {@code enqQdepth}, {@code deqTimedelta} and {@code deqQdepth}. Afterwards the packet holds the
   * bytes to send, unless {@link SwitchPacket#dropped} is set.
   *
   * @param nowMicros virtual time, microseconds; the packet's egress timestamp
   */
  void egress(SwitchPacket packet, long nowMicros);
}
