package net.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rules of docs/contributing.md by which a test passes on a machine that is busy, too. */
final class TestSourcesTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /** Waits are those of {@code Patience}. */
  private static final Pattern WAIT =
      Pattern.compile(
          "Thread\\.(?:sleep|yield|onSpinWait)\\b|LockSupport\\.park|TimeUnit\\.\\w+\\.sleep\\b");

  private static final Set<String> WAIT_ALLOWED = Set.of("TestSourcesTest.java");

  private static final Pattern CLOCK =
      Pattern.compile("System\\s*(?:\\.|::)\\s*(?:nanoTime|currentTimeMillis)\\b");

  /**
   * Real interfaces, kernels and other projects' switches have no clock but the machine's. These
   * classes assert that something is not early, which holds under any load, or bound a wait.
   */
  private static final Set<String> CLOCK_ALLOWED =
      Set.of(
          "Bmv2ShapingTest.java",
          "LinuxNetwork.java",
          "LoggedProcess.java",
          "PollerTest.java",
          "RealTimeFpgaTest.java",
          "RealTimeSwitchTest.java",
          "RunningOnosClusterTest.java",
          "ShapedByTheSwitchTest.java",
          "StandaloneControllerTest.java",
          "CableEnd.java");

  private static List<Path> tests() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> ROOT.relativize(file).toString().contains("src/test/java/"))
          .toList();
    }
  }

  private static void assertNone(Pattern pattern, Set<String> allowed) throws IOException {
    List<String> found = new ArrayList<>();
    for (Path file : tests()) {
      String name = file.getFileName().toString();
      if (!allowed.contains(name) && pattern.matcher(Files.readString(file)).find()) {
        found.add(ROOT.relativize(file).toString());
      }
    }
    assertThat(found).as("%s", pattern).isEmpty();
  }

  /** Those that look at something else than how hosts answer. */
  private static final Set<String> ON_NO_HOST =
      Set.of(
          "CompilationCountTest.java",
          "DocumentedOperationsTest.java",
          "GeneratedClientsTest.java",
          "OnosPageTest.java",
          "RequestFormsTest.java",
          "RestApiDocumentTest.java",
          "RestoreResourceTest.java");

  private static Set<String> named(String text) throws IOException {
    Set<String> found = new TreeSet<>();
    for (Path file : tests()) {
      String name = file.getFileName().toString();
      if (!name.equals("TestSourcesTest.java") && Files.readString(file).contains(text)) {
        found.add(name);
      }
    }
    return found;
  }

  @Test
  void whatServesTheApiInATestIsAContractThatRunsOnEachHost() throws IOException {
    assertThat(named("@SelectPackages(\"net.sluice.rest.api\")"))
        .containsExactly(
            "FollowerContractsTest.java", "LeaderContractsTest.java", "ServeContractsTest.java");
    Set<String> contracts = named("package net.sluice.rest.api;");
    assertThat(contracts).hasSizeGreaterThan(15).allMatch(name -> name.endsWith("Contract.java"));
    Set<String> others = named("new TestServer(");
    others.remove("TestServer.java");
    others.removeAll(contracts);
    assertThat(others).isEqualTo(ON_NO_HOST);
  }

  @Test
  void noTestSleepsOrSpins() throws IOException {
    assertNone(WAIT, WAIT_ALLOWED);
  }

  @Test
  void noTestMeasuresTheWallClock() throws IOException {
    assertThat(tests()).hasSizeGreaterThan(500);
    assertNone(CLOCK, CLOCK_ALLOWED);
  }
}
