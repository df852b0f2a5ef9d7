package net.sluice.it.serve;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** {@code serve} and {@code switch}. */
final class EmulatorServeLifeTest extends ServeLifeContract {
  private static final Path TUN = Path.of("/dev/net/tun");

  @Override
  void assumeInstalled() {
    if (!Files.isWritable(TUN) || !"root".equals(System.getProperty("user.name"))) {
      String reason = "no TAP device can be made here: serve is not tested against sluice switch";
      System.out.println("SKIPPED: " + reason);
      Assumptions.abort(reason);
    }
  }

  @Override
  String profile() {
    return "emulator";
  }

  @Override
  long deviceId() {
    return 7;
  }

  @Override
  SluiceProcess startSwitch(Path log, int p4runtimePort) throws Exception {
    String tap = "sl" + Long.toString(ProcessHandle.current().pid(), 36);
    SluiceProcess started =
        SluiceProcess.sluice(
            log,
            "switch",
            "-i",
            "1@tap:" + tap,
            "-i",
            "2@tap:" + tap + "c",
            "--device-id",
            Long.toString(deviceId()),
            "--grpc",
            "127.0.0.1:" + p4runtimePort);
    started.firstLine();
    return started;
  }
}
