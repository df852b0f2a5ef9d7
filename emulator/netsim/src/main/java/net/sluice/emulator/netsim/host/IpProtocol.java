package net.sluice.emulator.netsim.host;

/** A protocol above IP in a {@link Host}. */
@FunctionalInterface
public interface IpProtocol {

  /**
   * A packet of this protocol has come in for one of the host's addresses.
   *
   * @param packet valid until this method returns; its payload has not been checked
   * @param nowNanos virtual time, nanoseconds
   */
  void receive(IpPacket packet, long nowNanos);
}
