package net.sluice.it.docker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import net.sluice.it.p4.FreePorts;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Karaf that {@code docs/onos.md} puts into a stock ONOS 2.7.0, made by the steps written there
 * and started on this Java. ONOS itself is in no repository. What stands for it is the Karaf 4.2.9
 * that it is built on, with all that its features need, laid out and configured as ONOS's, and in
 * place of ONOS's bundles one of Java 17 that is woven as theirs are.
 */
@Tag("long")
@Timeout(4 * Patience.PROCESS_SECONDS)
class ExchangedKarafTest {
  private static final Path SOURCES = Path.of("..", "docker", "onos").toAbsolutePath();
  private static final String NEW = "4.3.7";
  private static final String OLD = "4.2.9";
  private static final String BOOTED = "a bundle of Java 17 is started";

  /** What ONOS starts of Karaf's, beside the wrap feature, which has a version of its own. */
  private static final List<String> FEATURES =
      List.of(
          "instance",
          "package",
          "log",
          "ssh",
          "framework",
          "system",
          "eventadmin",
          "feature",
          "shell",
          "management",
          "service",
          "jaas",
          "deployer",
          "diagnostic",
          "bundle",
          "config",
          "kar",
          "webconsole",
          "scr",
          "war");

  /** Woven by SPI Fly, which has to read its classes for it. */
  private static final String ACTIVATOR =
      """
      package probe;

      import java.util.ServiceLoader;
      import org.osgi.framework.BundleActivator;
      import org.osgi.framework.BundleContext;

      public final class Probe implements BundleActivator {
        @Override
        public void start(BundleContext context) {
          System.out.println("%s: " + ServiceLoader.load(Runnable.class).stream().count());
        }

        @Override
        public void stop(BundleContext context) {}
      }
      """
          .formatted(BOOTED);

  @TempDir Path folder;
  private Process karaf;

  @AfterEach
  void stop() throws InterruptedException {
    if (karaf != null) {
      karaf.descendants().forEach(ProcessHandle::destroyForcibly);
      karaf.destroyForcibly();
      assertThat(karaf.waitFor(Patience.PROCESS_SECONDS, SECONDS)).isTrue();
    }
  }

  private void run(String... command) throws Exception {
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertThat(process.waitFor(3 * Patience.PROCESS_SECONDS, SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(output)).isZero();
  }

  /** Fetches a Karaf as {@code docs/onos.md} does; its distribution and its features' bundles. */
  private Path fetch(String version) throws Exception {
    Path project = Files.createDirectory(folder.resolve("karaf-" + version));
    String pom = Files.readString(SOURCES.resolve("karaf/pom.xml"));
    assertThat(pom).contains(NEW);
    Files.writeString(project.resolve("pom.xml"), pom.replace(NEW, version));
    run("mvn", "-B", "-q", "-ntp", "-f", project.resolve("pom.xml").toString(), "package");
    return project.resolve("target");
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  /** A directory as a stock ONOS 2.7.0 has it, as far as the exchange has to do with it. */
  private Path layOutOnos() throws Exception {
    Path fetched = fetch(OLD);
    Path onos = folder.resolve("onos");
    Path karafs = onos.resolve("apache-karaf-" + OLD);
    Files.createDirectories(onos);
    Files.move(fetched.resolve("apache-karaf-" + OLD), karafs);
    run(
        "cp",
        "-rn",
        fetched.resolve("assembly/system") + "/.",
        karafs.resolve("system").toString());
    String starts = "exec \"$ONOS_HOME\"/apache-karaf-" + OLD + "/bin/karaf server\n";
    write(onos.resolve("bin/onos-service"), starts);
    write(onos.resolve("bin/onos"), "ssh -p 8101 localhost\n");
    write(karafs.resolve("lib/onos-tools-package-branding.jar"), "");
    write(karafs.resolve("etc/org.apache.karaf.command.acl.onos.cfg"), "apps = viewer\n");
    write(
        karafs.resolve("etc/org.ops4j.pax.web.cfg"),
        "org.osgi.service.http.port = " + FreePorts.next() + "\n");
    // Nothing may come from anywhere else: an ONOS has to start without a repository in reach.
    write(
        karafs.resolve("etc/org.ops4j.pax.url.mvn.cfg"),
        """
        org.ops4j.pax.url.mvn.useFallbackRepositories = false
        org.ops4j.pax.url.mvn.localRepository = %s
        org.ops4j.pax.url.mvn.defaultRepositories = file:${karaf.home}/${karaf.default.repository}@id=system.repository
        org.ops4j.pax.url.mvn.repositories = ${org.ops4j.pax.url.mvn.defaultRepositories}
        """
            .formatted(folder.resolve("empty")));
    String features =
        FEATURES.stream().map(feature -> feature + "/" + OLD).collect(Collectors.joining(", "));
    write(
        karafs.resolve("etc/org.apache.karaf.features.cfg"),
        """
        featuresRepositories = \\
            mvn:org.apache.karaf.features/standard/4.2.9/xml/features, \\
            mvn:org.onosproject/onos-features/2.7.0/xml/features, \\
            mvn:org.apache.karaf.features/enterprise/4.2.9/xml/features, \\
            mvn:org.apache.karaf.features/spring/4.2.9/xml/features, \\
            mvn:org.apache.karaf.features/framework/4.2.9/xml/features
        featuresBoot = (wrap/2.6.2, %s), (onos-core/2.7.0)
        featuresBootAsynchronous = false
        """
            .formatted(features));
    Path bundles = karafs.resolve("system/org/onosproject");
    write(
        bundles.resolve("onos-features/2.7.0/onos-features-2.7.0-features.xml"),
        """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <features xmlns="http://karaf.apache.org/xmlns/features/v1.2.0" name="onos-2.7.0">
            <repository>mvn:org.apache.karaf.features/standard/4.2.9/xml/features</repository>
            <feature name="onos-core" version="2.7.0">
                <bundle>mvn:org.onosproject/probe/2.7.0</bundle>
            </feature>
        </features>
        """);
    Path probe = bundles.resolve("probe/2.7.0/probe-2.7.0.jar");
    Files.createDirectories(probe.getParent());
    makeProbe(karafs, probe);
    return onos;
  }

  private void makeProbe(Path karafs, Path jar) throws IOException {
    Path source = folder.resolve("probe/Probe.java");
    write(source, ACTIVATOR);
    Path framework;
    try (Stream<Path> jars = Files.walk(karafs.resolve("system/org/apache/felix"))) {
      framework =
          jars.filter(
                  each -> each.toString().matches(".*/org\\.apache\\.felix\\.framework-.*\\.jar"))
              .findFirst()
              .orElseThrow();
    }
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "--release",
                "17",
                "-cp",
                framework.toString(),
                "-d",
                folder.toString(),
                source.toString());
    assertThat(failed).isZero();
    Manifest manifest = new Manifest();
    Attributes headers = manifest.getMainAttributes();
    headers.putValue("Manifest-Version", "1.0");
    headers.putValue("Bundle-ManifestVersion", "2");
    headers.putValue("Bundle-SymbolicName", "probe");
    headers.putValue("Bundle-Version", "2.7.0");
    headers.putValue("Bundle-Activator", "probe.Probe");
    headers.putValue("Import-Package", "org.osgi.framework;version=\"[1.8,2)\"");
    headers.putValue("SPI-Consumer", "*");
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream to = new JarOutputStream(out, manifest)) {
      to.putNextEntry(new JarEntry("probe/Probe.class"));
      to.write(Files.readAllBytes(folder.resolve("probe/Probe.class")));
    }
  }

  private static void set(Path file, String property) throws IOException {
    String text = Files.readString(file);
    String changed =
        text.replaceAll("(?m)^" + property + "\\s*=.*$", property + " = " + FreePorts.next());
    assertThat(changed).isNotEqualTo(text);
    Files.writeString(file, changed);
  }

  @Test
  void aStockOnosStartsOnTheOtherKaraf() throws Exception {
    Path onos = layOutOnos();
    run("sh", SOURCES.resolve("karaf.sh").toString(), onos.toString(), fetch(NEW).toString());
    Path etc = onos.resolve("apache-karaf-" + NEW + "/etc");
    set(etc.resolve("org.apache.karaf.shell.cfg"), "sshPort");
    set(etc.resolve("org.apache.karaf.management.cfg"), "rmiRegistryPort");
    set(etc.resolve("org.apache.karaf.management.cfg"), "rmiServerPort");
    ProcessBuilder builder =
        new ProcessBuilder("sh", onos.resolve("bin/onos-service").toString())
            .redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.matches("(ONOS|KARAF|JAVA)_.*"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("ONOS_HOME", onos.toString());
    builder.environment().put("JAVA_OPTS", "-Xmx1g -Dkaraf.log.console=INFO");
    builder
        .environment()
        .put(
            "JDK_JAVA_OPTIONS",
            "--add-opens java.base/java.util.concurrent.atomic=ALL-UNNAMED"
                + " --add-opens java.base/java.lang.invoke=ALL-UNNAMED");
    karaf = builder.start();
    List<String> log = new ArrayList<>();
    try (var reader = karaf.inputReader(UTF_8)) {
      String line = reader.readLine();
      while (line != null && !line.contains(BOOTED) && !line.contains("Error installing boot")) {
        log.add(line);
        line = reader.readLine();
      }
      assertThat(line)
          .as(() -> String.join("\n", log.subList(Math.max(0, log.size() - 100), log.size())))
          .isEqualTo(BOOTED + ": 0");
    }
    assertThat(log)
        .anyMatch(line -> line.contains("spifly.dynamic.bundle/1.3"))
        .noneMatch(line -> line.contains("Unsupported class file major version"))
        .noneMatch(line -> line.contains("spifly.dynamic.bundle/1.2"));
  }
}
