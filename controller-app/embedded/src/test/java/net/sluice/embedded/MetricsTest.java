package net.sluice.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import net.sluice.standalone.StandaloneController;
import net.sluice.testing.Http;
import net.sluice.testing.Prerequisite;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The metrics of a controller that serves, and what the repository has for their readers. */
final class MetricsTest {
  private static final Path MONITORING = Path.of("..", "..", "docker", "monitoring");

  @TempDir Path data;

  private static String get(StandaloneController standalone, String accept) throws Exception {
    HttpResponse<String> answer =
        Http.send("GET", standalone.api() + "/metrics", null, "Accept", accept);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  private static Set<String> names(String text, String pattern) {
    return Pattern.compile(pattern)
        .matcher(text)
        .results()
        .map(MatchResult::group)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void dashboardAndAlertsAskForWhatIsTold() throws Exception {
    try (EmbeddedTargets targets = EmbeddedTargets.start(new DefaultTopology(1_000_000_000L), 1);
        StandaloneController standalone =
            StandaloneController.start(
                List.of(targets.remote()),
                data,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      String api = standalone.api().toString();
      String act =
          "{\"throughputValue\":{\"builtIn\":\"gold\"},\"aqm\":{\"kind\":\"codel-act\","
              + "\"targetMicros\":5000,\"intervalMicros\":100000}}";
      assertThat(Http.send("PUT", api + "/policies/gold", act).statusCode()).isEqualTo(201);
      String alice =
          "{\"policy\":\"gold\",\"prefixes\":[\"10.0.0.1/32\"],"
              + "\"attachment\":{\"port\":0,\"tree\":3}}";
      assertThat(Http.send("PUT", api + "/subscribers/alice", alice).statusCode()).isEqualTo(201);
      assertThat(Http.send("GET", api + "/subscribers/none", null).statusCode()).isEqualTo(404);
      assertThat(Http.send("GET", api + "/nothing", null).statusCode()).isEqualTo(404);
      assertThat(standalone.controller().awaitAllInstalled(Duration.ofMinutes(1))).isTrue();

      String text = get(standalone, "text/plain");
      while (!text.contains("sluice_port_out_octets_total{")) {
        text = get(standalone, "text/plain");
      }
      assertThat(text)
          .contains("sluice_all_installed 1.0\n")
          .contains(
              "sluice_http_requests_seconds_count{method=\"PUT\","
                  + "route=\"/subscribers/{id}\",status=\"201\"} 1\n")
          .contains("{method=\"GET\",route=\"/subscribers/{id}\",status=\"404\"} 1\n")
          .contains("{method=\"GET\",route=\"none\",status=\"404\"} 1\n")
          .containsPattern(
              "sluice_target_updates_total\\{outcome=\"answered\",target=\"switch\"\\}")
          .containsPattern("sluice_commit_seconds_bucket\\{le=\"0.005\"\\} \\d");
      Set<String> told = names(text, "(?m)^[a-z_]+");
      for (String file : List.of("dashboard.json", "alerts.yml")) {
        Set<String> asked =
            names(Files.readString(MONITORING.resolve(file)), "\\b(sluice|jvm)_[a-z_]+");
        assertThat(asked).hasSizeGreaterThan(8);
        // Nothing has differed yet.
        asked.remove("sluice_drift_entries");
        assertThat(told).as(file).containsAll(asked);
      }

      String open =
          get(standalone, "application/openmetrics-text;version=1.0.0,text/plain;q=0.5,*/*;q=0.1");
      assertThat(open).endsWith("# EOF\n").contains("sluice_all_installed 1.0\n");
      assertThat(get(standalone, "*/*")).doesNotContain("# EOF");
      assertThat(Http.send("GET", api + "/version", null).body())
          .matches("\\{\"version\":\"[0-9][^\"]*\",\"commit\":\"[^$\"]+\",\"capabilities\":.*\n");
    }
  }

  @Test
  void alertsAreGivenWhenTheyShould() throws Exception {
    Process tested;
    try {
      tested =
          new ProcessBuilder("promtool", "test", "rules", "alerts-test.yml")
              .directory(MONITORING.toFile())
              .redirectErrorStream(true)
              .start();
    } catch (IOException e) {
      tested = Prerequisite.PROMTOOL.skip("there is no promtool on PATH, so no alert is tested");
    }
    String said = new String(tested.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(tested.waitFor()).as(said).isZero();
  }
}
