package net.sluice.emulator.netsim.host.tcp;

/**
 * The application's side of a connection. Every method does nothing by default; all run in virtual
 * time, on the thread of the simulation, and may call anything on the connection.
 */
public interface TcpHandler {

  /** Discards and counts received data. */
  TcpHandler NONE = new TcpHandler() {};

  /** The bytes this side sends; asked once, when the connection is made. */
  default PayloadSource payload() {
    return PayloadSource.ZEROS;
  }

  /** The three-way handshake is complete. */
  default void onEstablished(TcpConnection connection) {}

  /**
   * The next bytes of the stream have come in.
   *
   * @param bytes buffer that holds them; valid until this method returns, not to be changed
   * @param offset index of the first
   * @param length how many, at least 1
   */
  default void onData(TcpConnection connection, byte[] bytes, int offset, int length) {}

  /** The other side has sent everything and closed its direction. */
  default void onRemoteClosed(TcpConnection connection) {}

  /** The connection is over. */
  default void onClosed(TcpConnection connection, CloseReason reason) {}
}
