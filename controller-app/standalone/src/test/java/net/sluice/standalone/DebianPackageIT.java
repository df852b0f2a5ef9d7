package net.sluice.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import net.sluice.testing.Prerequisite;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Debian package, installed in a root of its own and started from there. */
final class DebianPackageIT {
  private static final Path PACKAGE = Path.of(System.getProperty("sluice.package"));
  private static final int ENDED_BY_SIGTERM = 143;

  @TempDir Path folder;
  private Path root;

  @BeforeEach
  void anEmptyRoot() throws IOException {
    if (!Files.isExecutable(Path.of("/usr/bin/dpkg"))) {
      Prerequisite.DEBIAN.skip("dpkg is not installed: the Debian package is not installed");
    }
    root = folder.resolve("root");
    Files.createDirectories(root.resolve("var/lib/dpkg/info"));
    Files.createDirectories(root.resolve("var/lib/dpkg/updates"));
    Files.createFile(root.resolve("var/lib/dpkg/status"));
  }

  private static String run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(out).isZero();
    return out;
  }

  private String dpkg(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add("dpkg");
    command.add("--root=" + root);
    command.addAll(
        List.of(
            "--force-script-chrootless",
            "--force-depends",
            "--force-unsafe-io",
            "--force-not-root",
            "--force-confold"));
    command.addAll(List.of(arguments));
    return run(command.toArray(String[]::new));
  }

  @Test
  void anUpgradeAndARemovalKeepWhatTheOperatorWroteAndAPurgeItsDeclarations() throws Exception {
    assertThat(dpkg("-i", PACKAGE.toString()))
        .contains("sluice: say in /etc/sluice/sluice.yaml what to control");
    Path configuration = root.resolve("etc/sluice/sluice.yaml");
    assertThat(configuration).content().startsWith("# Options of 'sluice serve'");
    Files.writeString(configuration, "switch: 192.0.2.7:9559\n");
    Files.createDirectories(root.resolve("var/lib/sluice"));

    dpkg("-i", PACKAGE.toString());
    assertThat(configuration).hasContent("switch: 192.0.2.7:9559");

    dpkg("-r", "sluice");
    assertThat(configuration).hasContent("switch: 192.0.2.7:9559");
    assertThat(root.resolve("usr/share/sluice/lib")).doesNotExist();

    assertThat(dpkg("-P", "sluice")).contains("declarations are left in /var/lib/sluice");
    assertThat(configuration).doesNotExist();
    assertThat(root.resolve("var/lib/sluice")).exists();
  }

  @Test
  void whatThePackageHasBelongsToRootAndIsWritableByNobodyElse() throws Exception {
    List<String> lines = run("dpkg-deb", "-c", PACKAGE.toString()).lines().toList();
    assertThat(lines)
        .allSatisfy(line -> assertThat(line).matches("[dl-]rw.r.x?[-x]?.*").contains(" root/root "))
        .noneSatisfy(line -> assertThat(line.substring(0, 10)).matches("-....w....|-.......w."));
    assertThat(lines.stream().map(line -> line.replaceAll(".* \\./", "/")).toList())
        .contains(
            "/lib/systemd/system/sluice.service",
            "/usr/bin/sluice -> ../share/sluice/bin/sluice",
            "/usr/share/sluice/bin/sluice",
            "/usr/share/man/man1/sluice-serve.1",
            "/usr/share/bash-completion/completions/sluice",
            "/etc/sluice/sluice.yaml")
        .noneMatch(name -> name.contains("emulator"));
  }

  @Test
  void theInstalledControllerServesWhatItsConfigurationSays() throws Exception {
    dpkg("-i", PACKAGE.toString());
    Path topology = root.resolve("etc/sluice/topology.json");
    Files.writeString(
        topology,
        """
        {"ports": [{"number": 1, "role": "access", "rateBps": 100000000, "destinationMac": "02:00:00:01:00:01"}],
         "bngPorts": {"0": 1}}
        """);
    Path configuration = root.resolve("etc/sluice/sluice.yaml");
    Files.writeString(
        configuration,
        """
        switch: 127.0.0.1:1
        profile: stratum-bmv2
        topology: %s
        data: %s
        http: 127.0.0.1:0
        health: 127.0.0.1:0
        """
            .formatted(topology, root.resolve("var/lib/sluice")));
    String launcher = root.resolve("usr/bin/sluice").toString();
    Process process =
        new ProcessBuilder(launcher, "serve", "--config", configuration.toString())
            .redirectErrorStream(true)
            .start();
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
        Stream<String> said = lines.lines()) {
      String ready =
          said.filter(line -> line.startsWith("sluice: ready")).findFirst().orElseThrow();
      Matcher api = Pattern.compile("API (http://\\S+?),").matcher(ready);
      assertThat(api.find()).as(ready).isTrue();
      var answer =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(URI.create(api.group(1) + "/version")).build(),
                  BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(200);
      process.destroy();
    } finally {
      process.destroy();
    }
    assertThat(process.waitFor()).isEqualTo(ENDED_BY_SIGTERM);
  }
}
