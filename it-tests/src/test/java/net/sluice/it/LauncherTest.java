package net.sluice.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher, with doubles of the tools it calls: what it runs, and under which names. */
class LauncherTest {
  @TempDir private Path folder;
  private Path root;

  @BeforeEach
  void install() throws IOException {
    root = Files.createDirectory(folder.resolve("root"));
    Files.createDirectories(root.resolve("controller-app/standalone/target"));
    Files.createDirectories(folder.resolve("bin"));
    Path launcher = root.resolve("sluice");
    Files.copy(Path.of("..", "sluice"), launcher);
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
    script("bin/javac", "echo 'javac 17.0.1'");
    script("bin/java", "echo java \"$@\"");
    script("bin/mvn", "exit 0");
  }

  private void script(String name, String line) throws IOException {
    Path file = folder.resolve(name);
    Files.writeString(file, "#!/bin/sh\n" + line + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private String run(Path executable, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(executable.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().put("PATH", folder.resolve("bin") + ":" + System.getenv("PATH"));
    builder.environment().put("JAVA_HOME", folder.toString());
    builder.environment().put("SLUICE_JAVA_OPTS", "-Xmx1g");
    Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output.strip();
  }

  private String java(String arguments) {
    return "java -Dcom.google.protobuf.use_unsafe_pre22_gencode=true -Xmx1g -jar "
        + root.resolve("controller-app/standalone/target/sluice.jar")
        + " "
        + arguments;
  }

  @Test
  void itMayBeALinkFromElsewhere() throws Exception {
    Path link = Files.createSymbolicLink(folder.resolve("bin/sluice"), root.resolve("sluice"));
    assertThat(run(link, "stf", "a.json")).isEqualTo(java("stf a.json"));
    assertThat(run(root.resolve("sluice"), "switch", "-i", "1@v")).isEqualTo(java("switch -i 1@v"));
  }

  @Test
  void byALinkThatIsCalledAsBmv2IsItIsTheSwitch() throws Exception {
    for (String name : List.of("simple_switch_grpc", "sluice_switch_grpc")) {
      Path link =
          Files.createSymbolicLink(folder.resolve("bin").resolve(name), root.resolve("sluice"));
      assertThat(run(link, "--no-p4", "-i", "1@v", "--", "--cpu-port", "255"))
          .isEqualTo(java("switch --no-p4 -i 1@v -- --cpu-port 255"));
    }
  }
}
