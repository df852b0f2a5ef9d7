package net.sluice.it.docker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script that gives a stock ONOS another Karaf, on directories as it finds them. */
class KarafScriptTest {
  private static final Path SCRIPT = Path.of("..", "docker", "onos", "karaf.sh").toAbsolutePath();
  private static final List<String> COPIED =
      List.of(
          "keys.properties",
          "users.properties",
          "shell.init.script",
          "org.apache.karaf.command.acl.onos.cfg",
          "org.apache.karaf.kar.cfg",
          "org.apache.karaf.log.cfg",
          "org.apache.felix.fileinstall-deploy.cfg",
          "org.ops4j.pax.url.mvn.cfg",
          "org.ops4j.pax.web.cfg");

  private static final String FEATURES =
      "system/org/onosproject/onos-features/2.7.0/onos-features-2.7.0-features.xml";

  @TempDir Path folder;
  private Path onos;
  private Path karaf;

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  @BeforeEach
  void layOut() throws IOException {
    onos = folder.resolve("onos");
    karaf = folder.resolve("target");
    Path old = onos.resolve("apache-karaf-4.2.9");
    for (String file : COPIED) {
      write(old.resolve("etc").resolve(file), "of ONOS");
      write(karaf.resolve("apache-karaf-4.3.7/etc").resolve(file), "of Karaf");
    }
    write(
        old.resolve("etc/org.apache.karaf.features.cfg"),
        """
        featuresRepositories = \\
            mvn:org.apache.karaf.features/standard/4.2.9/xml/features, \\
            mvn:org.onosproject/onos-features/2.7.0/xml/features, \\
            mvn:org.apache.karaf.features/enterprise/4.2.9/xml/features, \\
            mvn:org.apache.karaf.features/spring/4.2.9/xml/features, \\
            mvn:org.apache.karaf.features/framework/4.2.9/xml/features
        featuresBoot = \\
            (wrap/2.6.2, \\
            scr/4.2.9), \\
            (onos-core/2.7.0)
        """);
    write(old.resolve("etc/startup.properties"), "of 4.2.9");
    write(old.resolve("system/org/onosproject/onos-core-net.jar"), "core");
    write(
        old.resolve(FEATURES),
        """
        <features name="onos-2.7.0">
            <repository>mvn:org.apache.karaf.features/standard/4.2.9/xml/features</repository>
            <feature name="onos-core" version="4.2.9"/>
        </features>
        """);
    write(old.resolve("system/org/both.jar"), "old");
    write(old.resolve("lib/onos-tools-package-branding.jar"), "branding");
    write(onos.resolve("bin/onos"), "exec apache-karaf-4.2.9/bin/client");
    write(onos.resolve("bin/onos-service"), "exec ${ONOS_HOME}/apache-karaf-4.2.9/bin/karaf");
    write(karaf.resolve("apache-karaf-4.3.7/etc/startup.properties"), "of 4.3.7");
    write(karaf.resolve("apache-karaf-4.3.7/system/org/both.jar"), "new");
    write(karaf.resolve("apache-karaf-4.3.7/lib/boot.jar"), "boot");
    write(karaf.resolve("assembly/system/org/scr.jar"), "scr");
  }

  private String run(int exitCode) throws Exception {
    Process process =
        new ProcessBuilder("sh", SCRIPT.toString(), onos.toString(), karaf.toString())
            .redirectErrorStream(true)
            .start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertThat(process.waitFor(Patience.PROCESS_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(output).isEqualTo(exitCode);
    return output;
  }

  @Test
  void onosIsTheSameOnTheOtherKaraf() throws Exception {
    assertThat(run(0)).isEmpty();
    assertThat(onos.resolve("apache-karaf-4.2.9")).doesNotExist();
    Path now = onos.resolve("apache-karaf-4.3.7");
    assertThat(now.resolve("system/org/onosproject/onos-core-net.jar")).hasContent("core");
    assertThat(now.resolve("system/org/both.jar")).hasContent("new");
    assertThat(now.resolve("system/org/scr.jar")).hasContent("scr");
    assertThat(now.resolve("lib/onos-tools-package-branding.jar")).hasContent("branding");
    assertThat(now.resolve("etc/startup.properties")).hasContent("of 4.3.7");
    for (String file : COPIED) {
      assertThat(now.resolve("etc").resolve(file)).hasContent("of ONOS");
    }
    assertThat(now.resolve("etc/org.apache.karaf.features.cfg"))
        .hasContent(
            """
            featuresRepositories = \\
                mvn:org.apache.karaf.features/standard/4.3.7/xml/features, \\
                mvn:org.onosproject/onos-features/2.7.0/xml/features, \\
                mvn:org.apache.karaf.features/framework/4.3.7/xml/features
            featuresBoot = \\
                (wrap/2.6.10, \\
                scr/4.3.7), \\
                (onos-core/2.7.0)
            """);
    // Bundles of the old Karaf's cannot read classes of Java 17: nothing may bring them back.
    assertThat(now.resolve(FEATURES))
        .hasContent(
            """
            <features name="onos-2.7.0">
                <repository>mvn:org.apache.karaf.features/standard/4.3.7/xml/features</repository>
                <feature name="onos-core" version="4.2.9"/>
            </features>
            """);
    assertThat(onos.resolve("bin/onos")).hasContent("exec apache-karaf-4.3.7/bin/client");
    assertThat(onos.resolve("bin/onos-service"))
        .hasContent("exec ${ONOS_HOME}/apache-karaf-4.3.7/bin/karaf");
  }

  @Test
  void anOnosWithAnotherKarafIsLeftAlone() throws Exception {
    run(0);
    assertThat(run(2)).isEqualTo("karaf.sh: " + onos + " has no Karaf 4.2");
    assertThat(onos.resolve("apache-karaf-4.3.7/lib/boot.jar")).hasContent("boot");
  }
}
