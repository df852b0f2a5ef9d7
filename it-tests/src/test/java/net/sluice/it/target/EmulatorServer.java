package net.sluice.it.target;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import net.sluice.emulator.server.p4runtime.P4RuntimeServer;
import net.sluice.emulator.server.p4runtime.variant.ServerVariant;
import net.sluice.emulator.v1model.V1modelSwitch;

/** The emulated switch, as itself or standing in for another server. */
final class EmulatorServer implements SwitchServer {
  private static final long DEVICE_ID = 1;

  private final P4RuntimeServer server;

  /** The emulated switch on a free port. */
  EmulatorServer() {
    this(ServerVariant.specified(), 0);
  }

  /**
   * The emulated switch.
   *
   * @param kind the server it behaves as
   * @param port where on the loopback interface; 0 for a free port
   */
  EmulatorServer(ServerVariant kind, int port) {
    try {
      server =
          P4RuntimeServer.start(
              new V1modelSwitch(DEVICE_ID, 1),
              new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
              kind);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot serve the emulated switch", e);
    }
  }

  @Override
  public int port() {
    return server.port();
  }

  @Override
  public long deviceId() {
    return DEVICE_ID;
  }

  @Override
  public void close() {
    server.close();
  }
}
