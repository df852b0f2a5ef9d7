package net.sluice.it.serve;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/** {@code serve} and bmv2's {@code simple_switch_grpc}. */
final class Bmv2ServeLifeTest extends ServeLifeContract {
  private static final String EXECUTABLE = "simple_switch_grpc";

  private static Optional<Path> executable() {
    String path = System.getenv("PATH");
    return Arrays.stream((path == null ? "" : path).split(File.pathSeparator))
        .filter(directory -> !directory.isEmpty())
        .map(directory -> Path.of(directory, EXECUTABLE))
        .filter(Files::isExecutable)
        .findFirst();
  }

  @Override
  void assumeInstalled() {
    if (executable().isEmpty()) {
      String reason = EXECUTABLE + " is not on PATH: serve is not tested against bmv2";
      System.out.println("SKIPPED: " + reason);
      Assumptions.abort(reason);
    }
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
        executable().orElseThrow().toString(),
        "--no-p4",
        "-L",
        "off",
        "--",
        "--grpc-server-addr",
        "127.0.0.1:" + p4runtimePort);
  }
}
