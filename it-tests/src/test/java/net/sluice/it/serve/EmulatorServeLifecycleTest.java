package net.sluice.it.serve;

import java.nio.file.Path;
import net.sluice.emulator.ports.LinuxNetwork;

/** {@code serve} and {@code switch}. */
final class EmulatorServeLifecycleTest extends ServeLifecycleContract {
  @Override
  void assumeInstalled() throws Exception {
    LinuxNetwork.assumeTapDevices();
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
