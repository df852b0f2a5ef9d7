package net.sluice.it.mininet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import net.sluice.testing.Prerequisite;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * The Python tests of {@code it-tests/mininet}, with the system's own python3, which is where
 * Debian puts Mininet. They say themselves what they lack (root, iperf3, bmv2) and skip.
 */
@ResourceLock("mininet")
@Timeout(value = 60, unit = TimeUnit.MINUTES)
@Tag("long")
final class MininetTest {
  private static final Path PYTHON = Path.of("/usr/bin/python3");
  private static final String SKIPPED = "SKIPPED: ";

  @Test
  void partsWithoutANetwork() throws Exception {
    pass("tests.test_parts");
  }

  @Test
  void partsOfTheWire() throws Exception {
    pass("tests.test_wire.RoutersTest");
    pass("tests.test_wire.PppTest");
    pass("tests.test_wire.PartsTest");
  }

  /** Also: nothing is left of a demo that is killed. */
  @Test
  void aWireIsPutIntoANetworkAndNobodyNotices() throws Exception {
    pass("tests.test_wire.WholeDemoTest");
  }

  @Test
  void onlyWhatTheMachineKeptUpWithIsMeasured() throws Exception {
    pass("tests.test_measuring");
  }

  @Test
  void theDemoHoldsWhatItDeclares() throws Exception {
    pass("tests.test_network.EmulatorDemoTest");
  }

  @Test
  void theDemoHoldsWhatItDeclaresOnBmv2() throws Exception {
    pass("tests.test_network.Bmv2DemoTest");
  }

  @Test
  void theEmulatedSwitchKeepsLimitsAndComesBack() throws Exception {
    pass("tests.test_network.EmulatorTest");
  }

  @Test
  void bmv2KeepsLimitsAndComesBack() throws Exception {
    pass("tests.test_network.Bmv2Test");
  }

  @Test
  void stratumKeepsLimitsAndComesBack() throws Exception {
    pass("tests.test_network.StratumTest");
  }

  @Test
  void codelOnBmv2DropsWhatThePseudoCodeDrops() throws Exception {
    pass("tests.test_codel.CodelActOnBmv2Test");
  }

  @Test
  void codelOnBmv2MarksWhatThePseudoCodeDrops() throws Exception {
    pass("tests.test_codel.EcnOnBmv2Test");
  }

  @Test
  void rfc8289OnBmv2DropsWhatThePseudoCodeDrops() throws Exception {
    pass("tests.test_codel.Rfc8289OnBmv2Test");
  }

  @Test
  void p4CodelOnBmv2DropsWhatThePseudoCodeDrops() throws Exception {
    pass("tests.test_codel.P4CodelOnBmv2Test");
  }

  @Test
  void subscribersOfTwoSwitchesShareALineByValue() throws Exception {
    pass("tests.test_two_bng.EmulatorTwoBngTest");
  }

  @Test
  void subscribersOfTwoSwitchesShareALineByValueOnBmv2() throws Exception {
    pass("tests.test_two_bng.Bmv2TwoBngTest");
  }

  private static void pass(String tests) throws IOException, InterruptedException {
    if (!Files.isExecutable(PYTHON)) {
      skip(PYTHON + " is not there: nothing of Mininet is tested");
    }
    Path log = Files.createTempFile("sluice-mininet-", ".log");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(List.of(PYTHON.toString(), "-m", "tests.run", tests))
              .directory(Path.of("mininet").toAbsolutePath().toFile())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile());
      builder
          .environment()
          .put(
              "SLUICE_COMMAND",
              String.join(
                  " ",
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:+UseSerialGC",
                  "-Xmx1g",
                  "-cp",
                  "'" + System.getProperty("java.class.path") + "'",
                  "net.sluice.lab.LabMain"));
      Process process = builder.start();
      int code;
      try {
        code = process.waitFor();
      } finally {
        // What it has started ends with it.
        process.destroyForcibly();
      }
      String said = Files.readString(log, StandardCharsets.UTF_8);
      assertThat(code).as(said).isZero();
      for (String line : said.lines().toList()) {
        int at = line.indexOf(SKIPPED);
        if (at >= 0) {
          skip(line.substring(at + SKIPPED.length()));
        }
      }
      assertThat(said).contains("OK");
    } finally {
      Files.deleteIfExists(log);
    }
  }

  private static void skip(String reason) {
    Prerequisite missing =
        reason.contains("stratum_bmv2")
            ? Prerequisite.STRATUM
            : reason.contains("simple_switch_grpc") ? Prerequisite.BMV2 : Prerequisite.MININET;
    missing.skip(reason);
  }
}
