package net.sluice.it.docker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.sluice.it.serve.SluiceProcess;
import net.sluice.lab.support.Executables;
import net.sluice.testing.Patience;
import net.sluice.testing.Prerequisite;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * docker-compose.yml as far as it can be checked without an engine, and what its containers run.
 */
final class ComposeFileTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path FILE = ROOT.resolve("docker-compose.yml");
  private static final Pattern PINNED = Pattern.compile("[a-z0-9][a-z0-9./_-]*:[\\w][\\w.-]*");
  private static final Pattern FROM =
      Pattern.compile("(?m)^FROM (\\S+)(?: AS (\\S+))?$", Pattern.CASE_INSENSITIVE);
  private static final Set<String> SERVICE_KEYS =
      Set.of(
          "image",
          "build",
          "profiles",
          "privileged",
          "tty",
          "stdin_open",
          "hostname",
          "command",
          "entrypoint",
          "environment",
          "expose",
          "ports",
          "volumes",
          "depends_on",
          "network_mode",
          "healthcheck",
          "restart",
          "stop_grace_period");

  private static Map<String, Map<String, Object>> services;

  @TempDir Path folder;

  @BeforeAll
  static void read() throws IOException {
    LoaderOptions options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    try (Reader text = Files.newBufferedReader(FILE)) {
      Map<String, Object> file = map(new Yaml(new SafeConstructor(options)).load(text));
      assertThat(file.keySet()).containsExactlyInAnyOrder("x-demo", "services", "volumes");
      services = map(file.get("services"));
      assertThat(services)
          .containsOnlyKeys("switch", "controller", "demo", "onos", "onos-setup", "demo-onos");
    }
  }

  @SuppressWarnings("unchecked") // What YAML calls a mapping here has texts as its keys.
  private static <V> Map<String, V> map(Object value) {
    assertThat(value).isInstanceOf(Map.class);
    return (Map<String, V>) value;
  }

  @SuppressWarnings("unchecked") // Checked by the assertion.
  private static List<String> texts(Object value) {
    assertThat((List<Object>) value).allMatch(String.class::isInstance);
    return (List<String>) value;
  }

  private static boolean ends(Map<String, Object> service) {
    return "no".equals(service.get("restart"));
  }

  @Test
  void everyServiceIsPinnedAndWatchedAndWaitsForWhatItNeeds() {
    services.forEach(
        (name, service) -> {
          assertThat(SERVICE_KEYS).as(name).containsAll(service.keySet());
          assertThat((String) service.get("image"))
              .as(name)
              .matches(PINNED)
              .doesNotEndWith(":latest");
          assertThat(service.containsKey("healthcheck")).as(name).isEqualTo(!ends(service));
          if (!ends(service)) {
            Map<String, Object> check = map(service.get("healthcheck"));
            assertThat(check)
                .as(name)
                .containsOnlyKeys("test", "interval", "timeout", "retries", "start_period");
            assertThat(texts(check.get("test")).get(0)).isEqualTo("CMD");
          }
          if (service.containsKey("depends_on")) {
            Map<String, Object> needs = map(service.get("depends_on"));
            needs.forEach((other, how) -> requireMet(name, service, other, map(how)));
          }
        });
  }

  private static void requireMet(
      String name, Map<String, Object> service, String other, Map<String, Object> how) {
    Map<String, Object> needed = services.get(other);
    assertThat(needed).as(name + " needs " + other).isNotNull();
    assertThat(texts(needed.get("profiles"))).as(name).containsAll(texts(service.get("profiles")));
    assertThat(how.get("condition"))
        .as(name)
        .isEqualTo(ends(needed) ? "service_completed_successfully" : "service_healthy");
  }

  @Test
  void filesAndStagesThatAreNamedExist() throws IOException {
    for (Map<String, Object> service : services.values()) {
      for (String volume : volumes(service)) {
        if (volume.startsWith("./")) {
          assertThat(ROOT.resolve(volume.substring(0, volume.indexOf(':')))).isRegularFile();
        }
      }
      if (service.containsKey("build")) {
        Map<String, Object> build = map(service.get("build"));
        assertThat(build.get("context")).isEqualTo(".");
        String dockerfile = Files.readString(ROOT.resolve((String) build.get("dockerfile")));
        List<String> stages = new ArrayList<>();
        Matcher from = FROM.matcher(dockerfile);
        while (from.find()) {
          assertThat(from.group(1)).matches(PINNED).doesNotEndWith(":latest");
          if (from.group(2) != null) {
            stages.add(from.group(2));
          }
        }
        if (build.containsKey("target")) {
          assertThat(stages).contains((String) build.get("target"));
        }
      }
    }
  }

  private static List<String> volumes(Map<String, Object> service) {
    return service.containsKey("volumes") ? texts(service.get("volumes")) : List.of();
  }

  @Test
  void onosRunsOnJava17WithWhatKarafNeedsThere() throws IOException {
    String dockerfile = Files.readString(ROOT.resolve("docker/onos/Dockerfile"));
    assertThat(dockerfile)
        .contains("FROM onosproject/onos:2.7.0 AS stock")
        .containsPattern("FROM eclipse-temurin:17\\S* AS onos")
        .contains("--add-opens java.base/java.util.concurrent.atomic=ALL-UNNAMED")
        .contains("--add-opens java.base/java.lang.invoke=ALL-UNNAMED");
  }

  /** The controller's own command line, with this machine's places for the container's. */
  @Test
  void theControllerStartsWithItsCommandLineAndTopology() throws Exception {
    List<String> command = new ArrayList<>(texts(services.get("controller").get("command")));
    replace(command, "--http", "127.0.0.1:0");
    replace(command, "--data", folder.resolve("data").toString());
    replace(command, "--topology", ROOT.resolve("docker/topology.json").toString());
    try (SluiceProcess controller =
        SluiceProcess.sluice(folder.resolve("log"), command.toArray(String[]::new))) {
      assertThat(controller.firstLine())
          .contains("switch switch:50001 device 1 (stratum-bmv2), gNMI switch:50001");
    }
  }

  private static void replace(List<String> command, String option, String value) {
    int at = command.indexOf(option);
    assertThat(at).as(option).isNotNegative();
    command.set(at + 1, value);
  }

  @Test
  void theDemoDeclaresWhatTheControllerInstalls() throws Exception {
    if (Executables.onPath("curl").isEmpty()) {
      skip("curl is not on PATH: the demo of docker-compose.yml is not run");
    }
    try (SluiceProcess controller =
        SluiceProcess.sluice(
            folder.resolve("log"),
            "serve",
            "--http",
            "127.0.0.1:0",
            "--data",
            folder.resolve("data").toString())) {
      Matcher api = Pattern.compile("API (\\S+),").matcher(controller.firstLine());
      assertThat(api.find()).isTrue();
      ProcessBuilder demo =
          new ProcessBuilder("sh", ROOT.resolve("docker/demo/declare.sh").toString());
      demo.environment().put("SLUICE_API", api.group(1));
      demo.environment().put("no_proxy", "127.0.0.1");
      assertThat(run(demo)).contains("\"id\":\"alice\"").contains("\"allInstalled\":true");
    }
  }

  @Test
  void composeItselfAcceptsTheFile() throws Exception {
    List<List<String>> composes = new ArrayList<>();
    if (Executables.onPath("docker-compose").isPresent()) {
      composes.add(List.of("docker-compose"));
    }
    if (Executables.onPath("docker").isPresent() && works("docker", "compose", "version")) {
      composes.add(List.of("docker", "compose"));
    }
    if (composes.isEmpty()) {
      skip("there is no docker compose here: docker-compose.yml is only checked by this test");
    }
    for (List<String> compose : composes) {
      for (String profile : List.of("standalone", "onos")) {
        List<String> command = new ArrayList<>(compose);
        command.addAll(List.of("-f", FILE.toString(), "--profile", profile, "config", "-q"));
        assertThat(run(new ProcessBuilder(command))).isEmpty();
      }
    }
  }

  private String run(ProcessBuilder builder) throws IOException, InterruptedException {
    Path said = Files.createTempFile(folder, "said", ".txt");
    Process process = builder.redirectErrorStream(true).redirectOutput(said.toFile()).start();
    boolean ended = process.waitFor(Patience.PROCESS_SECONDS, TimeUnit.SECONDS);
    process.destroyForcibly();
    String text = Files.readString(said, StandardCharsets.UTF_8);
    assertThat(ended).as(text).isTrue();
    assertThat(process.exitValue()).as(text).isZero();
    return text;
  }

  private static boolean works(String... command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    return process.waitFor() == 0;
  }

  private static void skip(String reason) {
    Prerequisite.DOCKER.skip(reason);
  }
}
