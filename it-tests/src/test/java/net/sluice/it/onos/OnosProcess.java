package net.sluice.it.onos;

import static java.util.concurrent.TimeUnit.SECONDS;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import net.sluice.it.p4.FreePorts;
import net.sluice.testing.Patience;
import net.sluice.testing.Prerequisite;
import org.awaitility.core.ConditionTimeoutException;

/** An ONOS of its own, run from a copy of an installed one with nothing active and free ports. */
final class OnosProcess implements AutoCloseable {
  /** Names the directory of an ONOS 2.7.0 that runs on this Java: the one with bin and apps. */
  private static final String HOME = "SLUICE_ONOS_HOME";

  /** Many times what ONOS takes to restart its bundles. */
  private static final Duration RESTARTING = Duration.ofSeconds(120);

  private final Path home;
  private final Path karaf;
  private final int restPort;
  private final int shellPort;
  private LoggedProcess process;

  /** The installed one, or skips the test where there is none. */
  static Path assumeInstalled() {
    String home = System.getenv(HOME);
    if (home == null) {
      return Prerequisite.ONOS.skip(
          HOME + " names no directory of an ONOS: the application is not tested in a running one");
    }
    if (!Files.isExecutable(Path.of(home, "bin", "onos-service"))) {
      throw new AssertionError(HOME + " is " + home + ", which has no bin/onos-service");
    }
    return Path.of(home);
  }

  /** One that is no part of a cluster. */
  OnosProcess(Path installed, Path home) throws IOException {
    this(installed, home, "127.0.0.1", "");
  }

  /**
   * Makes the copy; {@link #start} starts it.
   *
   * @param installed the installed one, which stays as it is
   * @param home directory for the copy; its name is the name of the log
   * @param ip a loopback address of its own, by which the cluster knows it
   * @param storage further fields of its {@code cluster.json}, each behind a comma
   */
  OnosProcess(Path installed, Path home, String ip, String storage) throws IOException {
    this.home = home;
    copy(installed, home);
    try (Stream<Path> all = Files.list(home)) {
      karaf =
          all.filter(each -> each.getFileName().toString().startsWith("apache-karaf-"))
              .findFirst()
              .orElseThrow();
    }
    restPort = FreePorts.next();
    shellPort = FreePorts.next();
    set("org.ops4j.pax.web.cfg", "org.osgi.service.http.port", restPort);
    set("org.apache.karaf.shell.cfg", "sshPort", shellPort);
    set("org.apache.karaf.management.cfg", "rmiRegistryPort", FreePorts.next());
    set("org.apache.karaf.management.cfg", "rmiServerPort", FreePorts.next());
    set("org.ops4j.pax.logging.cfg", "log4j2.out.pattern", "%p %c{1} %m%n%throwable");
    Files.createDirectories(home.resolve("config"));
    Files.writeString(
        home.resolve("config/cluster.json"),
        """
        {"name": "it", "node": {"id": "%s", "ip": "%s", "port": %d}%s}
        """
            .formatted(ip, ip, FreePorts.next(), storage));
  }

  /** Starts it with what it has stored; {@link #awaitAnswers} waits until it is there. */
  void start() throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(home.resolve("bin/onos-service").toString(), "server")
            .directory(home.toFile());
    environment(builder);
    process = new LoggedProcess(home.getFileName().toString(), builder);
  }

  /** ONOS starts its REST interface, and what that needs, in any order: 404 or 503 until then. */
  void awaitAnswers() throws Exception {
    process.awaitLine(
        line -> line.contains("PiPipeconfWatchdogManager") && line.endsWith("Started"));
    Patience.awaitAnswer(
        home.getFileName() + " answers",
        Duration.ofSeconds(Patience.PROCESS_SECONDS),
        () -> admin().get("/onos/v1/applications").statusCode(),
        status -> status == 200);
  }

  /**
   * Installs and activates the archive that the build has made. ONOS restarts bundles of its own
   * when gRPC is activated for the first time, on a busy machine before it has answered: it answers
   * 503 if its REST interface is gone by then, 500 if that went meanwhile.
   */
  void install() throws Exception {
    HttpResponse<String> answer =
        admin()
            .send(
                "POST",
                "/onos/v1/applications?activate=true",
                "application/octet-stream",
                BodyPublishers.ofFile(archive()));
    if (answer.statusCode() == 503 || answer.statusCode() == 500) {
      answer =
          Patience.awaitAnswer(
              "the archive is installed",
              Duration.ofSeconds(Patience.PROCESS_SECONDS),
              () -> admin().get("/onos/v1/applications/net.sluice"),
              asked -> asked.statusCode() == 200);
    }
    JsonNode installed = OnosRest.ok(answer);
    if (!installed.path("name").asText().equals("net.sluice")) {
      throw new AssertionError("ONOS installs another application: " + installed);
    }
  }

  /**
   * Waits until the installed application answers. Of the bundles that ONOS restarts for gRPC it
   * does not always start all again, and answers 503 for good then: such an ONOS is started anew.
   */
  void awaitSluice() throws Exception {
    try {
      awaitSluice(RESTARTING);
    } catch (ConditionTimeoutException e) {
      if (admin().get("/onos/v1/applications").statusCode() == 503) {
        close();
        start();
        awaitAnswers();
      }
      awaitSluice(Duration.ofSeconds(Patience.PROCESS_SECONDS));
    }
  }

  private void awaitSluice(Duration patience) {
    int unused =
        Patience.awaitAnswer(
            "Sluice answers at " + address(),
            patience,
            () -> admin().get("/onos/sluice/v1/status").statusCode(),
            status -> status == 200);
  }

  /** The archive in the folder of the build that these tests are of. */
  static Path archive() throws IOException, URISyntaxException {
    Path module = Path.of("").toAbsolutePath();
    Path classes =
        Path.of(OnosProcess.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Path folder =
        module
            .resolveSibling("controller-app/onos")
            .resolve(module.relativize(classes).getParent().toString());
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".oar"))
          .findFirst()
          .orElseThrow(() -> new AssertionError("mvn install makes an archive in " + folder));
    }
  }

  /** A copy without what the installed one has stored, logged, or made active. */
  private static void copy(Path from, Path to) throws IOException {
    Set<String> left = Set.of("data", "config", "instances", "active", "net.sluice", "lock");
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
              throws IOException {
            if (left.contains(directory.getFileName().toString()) && depth(directory) <= 2) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            Files.createDirectories(to.resolve(from.relativize(directory).toString()));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (!left.contains(file.getFileName().toString())) {
              Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
            return FileVisitResult.CONTINUE;
          }

          private int depth(Path file) {
            return from.relativize(file).getNameCount();
          }
        });
  }

  private void set(String file, String property, Object value) throws IOException {
    Path path = karaf.resolve("etc").resolve(file);
    List<String> changed = new ArrayList<>();
    boolean found = false;
    for (String line : Files.readAllLines(path)) {
      boolean that = line.matches("\\s*" + property.replace(".", "\\.") + "\\s*=.*");
      changed.add(that ? property + " = " + value : line);
      found |= that;
    }
    if (!found) {
      throw new IOException(path + " does not set " + property);
    }
    Files.write(path, changed);
  }

  /** The two options that docs/onos.md asks for, and no options of whoever runs the test. */
  private void environment(ProcessBuilder builder) {
    builder.environment().keySet().removeIf(name -> name.matches("(ONOS|KARAF|JAVA)_.*"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("ONOS_HOME", home.toString());
    builder.environment().put("ONOS_APPS", "");
    builder
        .environment()
        .put("JAVA_OPTS", "-Xmx2g -Dkaraf.log.console=INFO -Dds.lock.timeout.milliseconds=10000");
    builder
        .environment()
        .put(
            "JDK_JAVA_OPTIONS",
            "--add-opens java.base/java.util.concurrent.atomic=ALL-UNNAMED"
                + " --add-opens java.base/java.lang.invoke=ALL-UNNAMED");
  }

  /** Where ONOS's web server listens. */
  String url() {
    return "http://" + address();
  }

  /** Host and port of the web server. */
  String address() {
    return "127.0.0.1:" + restPort;
  }

  /** A client that may do everything. */
  OnosRest admin() {
    return new OnosRest(url(), "onos:rocks");
  }

  /** The process since the last start, with its log. */
  LoggedProcess process() {
    return process;
  }

  /** What a command prints in ONOS's shell, lines joined; it has to end with status 0. */
  String shell(String command) throws IOException, InterruptedException {
    return shell(command, status -> status == 0);
  }

  /** What a command prints in ONOS's shell that has to end with another status. */
  String failing(String command) throws IOException, InterruptedException {
    return shell(command, status -> status != 0);
  }

  private String shell(String command, IntPredicate expected)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
                karaf.resolve("bin/client").toString(),
                "-a",
                Integer.toString(shellPort),
                "-u",
                "onos",
                "-p",
                "rocks",
                command)
            .redirectErrorStream(true);
    environment(builder);
    builder.environment().put("JAVA_OPTS", "-Xmx256m");
    Process client = builder.start();
    CompletableFuture<String> output =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    // Its input stays open until it ends: it would end with it, whatever the command does.
    try {
      if (!client.waitFor(Patience.PROCESS_SECONDS, SECONDS)) {
        throw new AssertionError(command + " does not end");
      }
      if (!expected.test(client.exitValue())) {
        throw new AssertionError(
            command + " ends with " + client.exitValue() + ": " + output.join());
      }
    } finally {
      client.descendants().forEach(ProcessHandle::destroyForcibly);
      client.destroyForcibly();
    }
    return output
        .join()
        .lines()
        .filter(line -> !line.startsWith("NOTE: Picked up"))
        .reduce((first, second) -> first + "\n" + second)
        .orElse("");
  }

  /** Kills it, as {@code kill -9} does; what it has stored stays. */
  @Override
  public void close() throws InterruptedException {
    if (process != null) {
      process.close();
    }
  }
}
