package net.sluice.it.target;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import net.sluice.emulator.server.p4runtime.P4RuntimeServer;
import net.sluice.emulator.v1model.V1modelSwitch;

/** The emulated switch. */
final class EmulatorServer implements SwitchServer {
  private static final long DEVICE_ID = 1;

  private final P4RuntimeServer server;

  EmulatorServer() {
    try {
      server =
          P4RuntimeServer.start(
              new V1modelSwitch(DEVICE_ID, 1),
              new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
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
