package net.sluice.it.target;

/** A switch with nothing on it behind a P4Runtime server, until it is killed. */
public interface SwitchServer extends AutoCloseable {
  /** TCP port on the loopback interface. */
  int port();

  long deviceId();

  /** Ends it without a word. */
  @Override
  void close();
}
