package net.sluice.lab.bench.switching;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import net.sluice.cli.Logging;
import net.sluice.emulator.server.p4runtime.P4RuntimeServer;
import net.sluice.emulator.v1model.V1modelSwitch;

/** A switch without a program, served over P4Runtime in a process of its own. */
final class ServerProcess {

  static final String READY = "READY";
  static final long DEVICE_ID = 1;

  private ServerProcess() {}

  /** The other process: serves until its standard input ends. */
  public static void main(String[] arguments) throws IOException {
    Logging.configureWarnings();
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (P4RuntimeServer server = P4RuntimeServer.start(new V1modelSwitch(DEVICE_ID, 1), any)) {
      System.out.println(READY + " " + server.port());
      while (System.in.read() >= 0) {
        continue;
      }
    }
  }
}
