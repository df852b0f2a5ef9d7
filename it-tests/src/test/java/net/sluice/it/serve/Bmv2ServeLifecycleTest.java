package net.sluice.it.serve;

import java.nio.file.Path;
import net.sluice.it.p4.SimpleSwitchProcess;

/** {@code serve} and bmv2's {@code simple_switch_grpc}. */
final class Bmv2ServeLifecycleTest extends ServeLifecycleContract {
  @Override
  void assumeInstalled() {
    SimpleSwitchProcess.assumeInstalled("serve is not tested against bmv2");
  }

  @Override
  String profile() {
    return "bmv2";
  }

  /** As it is without an option. */
  @Override
  long deviceId() {
    return 0;
  }

  @Override
  SluiceProcess startSwitch(Path log, int p4runtimePort) throws Exception {
    return SluiceProcess.of(
        log,
        SimpleSwitchProcess.executable().orElseThrow().toString(),
        "--no-p4",
        "-L",
        "off",
        "--",
        "--grpc-server-addr",
        "127.0.0.1:" + p4runtimePort);
  }
}
