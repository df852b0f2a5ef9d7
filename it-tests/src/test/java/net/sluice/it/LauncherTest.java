package net.sluice.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import net.sluice.lab.LabMain;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher, with doubles of the tools it calls: when it builds, what it runs, and under which
 * names.
 */
class LauncherTest {
  private static final Path REAL_JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

  /** A process that stays up ends when memory runs out. */
  private static final String ENDS = "-XX:+ExitOnOutOfMemoryError";

  @TempDir private Path folder;
  private Path root;
  private Path built;
  private Path source;

  @BeforeEach
  void install() throws IOException {
    root = Files.createDirectory(folder.resolve("root"));
    built = root.resolve("lab/target/run");
    source = root.resolve("core/src/main/java/net/sluice/core/target/Target.java");
    Files.createDirectories(source.getParent());
    Files.writeString(source, "interface Target {}");
    Files.createDirectories(folder.resolve("bin"));
    Path launcher = root.resolve("sluice");
    Files.copy(Path.of("..", "sluice"), launcher);
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
    script("javac", "echo 'javac 17.0.1'");
    script("java", "echo java \"$@\"");
    script(
        "mvn",
        "echo \"$@\" >>" + folder.resolve("builds"),
        "mkdir -p " + built,
        "touch " + built.resolve("sluice.jar"));
  }

  private void script(String name, String... lines) throws IOException {
    Path file = folder.resolve("bin").resolve(name);
    Files.writeString(file, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private String run(Path executable, String javaOptions, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(executable.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().put("PATH", folder.resolve("bin") + ":" + System.getenv("PATH"));
    builder.environment().put("JAVA_HOME", folder.toString());
    builder.environment().put("SLUICE_COMMIT", "c0ffee");
    if (javaOptions != null) {
      builder.environment().put("SLUICE_JAVA_OPTS", javaOptions);
    }
    Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output.strip();
  }

  private String run(String... arguments) throws Exception {
    return run(root.resolve("sluice"), "-Xmx1g", arguments);
  }

  private String java(String options, String arguments) {
    return "java " + options + " -jar " + built.resolve("sluice.jar") + " " + arguments;
  }

  private int builds() throws IOException {
    return Files.readAllLines(folder.resolve("builds")).size();
  }

  @Test
  void itMayBeALinkFromElsewhere() throws Exception {
    Path link = Files.createSymbolicLink(folder.resolve("bin/sluice"), root.resolve("sluice"));
    assertThat(run(link, "-Xmx1g", "stf", "a.json")).isEqualTo(java("-Xmx1g", "stf a.json"));
    assertThat(run("switch", "-i", "1@v")).isEqualTo(java(ENDS + " -Xmx1g", "switch -i 1@v"));
  }

  @Test
  void itKnowsEveryCommandThereIs() throws Exception {
    String usage = run("help");
    Set<String> commands = new TreeSet<>(LabMain.commandLine().getSubcommands().keySet());
    // The launcher's own.
    commands.remove("help");
    for (String command : commands) {
      assertThat(run(command, "--x")).as(command).endsWith(" " + command + " --x");
      assertThat(usage).containsPattern("\\b" + command + " ");
    }
  }

  @Test
  void byALinkThatIsCalledAsBmv2IsItIsTheSwitch() throws Exception {
    for (String name : List.of("simple_switch_grpc", "sluice_switch_grpc")) {
      Path link =
          Files.createSymbolicLink(folder.resolve("bin").resolve(name), root.resolve("sluice"));
      assertThat(run(link, "-Xmx1g", "--no-p4", "-i", "1@v", "--", "--cpu-port", "255"))
          .isEqualTo(java(ENDS + " -Xmx1g", "switch --no-p4 -i 1@v -- --cpu-port 255"));
    }
  }

  /** Has Java print some of its flags as it understands them, where the double is called. */
  private List<String> flags(String... arguments) throws Exception {
    script(
        "java",
        "options=",
        "while [ \"$1\" != -jar ]; do options=\"$options $1\"; shift; done",
        "exec " + REAL_JAVA + " $options -XX:+PrintFlagsFinal -version");
    return run(root.resolve("sluice"), null, arguments)
        .lines()
        .map(String::strip)
        .map(line -> line.replaceAll("\\S+ (\\S+) += (\\S+) .*", "$1=$2"))
        .toList();
  }

  @Test
  void aProcessThatStaysUpEndsWhenMemoryRunsOut() throws Exception {
    for (String command : List.of("serve", "switch", "fpga", "gates", "demo")) {
      assertThat(flags(command)).as(command).contains("ExitOnOutOfMemoryError=true");
    }
    assertThat(flags("stf")).contains("ExitOnOutOfMemoryError=false");
  }

  @Test
  void commandsThatOnlyPrintAndTheControllersBenchRunWithoutTheOptimizingCompiler()
      throws Exception {
    for (String arguments : List.of("profile list", "netcfg bmv2", "switch --help", "bench")) {
      assertThat(flags(arguments.split(" "))).as(arguments).contains("TieredStopAtLevel=1");
    }
    assertThat(flags("profile", "list")).contains("MaxHeapSize=" + (256L << 20));
    for (String arguments : List.of("stf profile", "serve", "switch", "bench switch")) {
      assertThat(flags(arguments.split(" "))).as(arguments).contains("TieredStopAtLevel=4");
    }
  }

  @Test
  void theVersionIsThatOfTheCommit() throws Exception {
    assertThat(run(root.resolve("sluice"), null, "--version"))
        .contains(" -Dsluice.commit=c0ffee ")
        .endsWith(" --version");
  }

  @Test
  void helpNeedsNoJava() throws Exception {
    for (String argument : List.of("help", "-h", "--help")) {
      assertThat(run(argument)).startsWith("Usage: ./sluice COMMAND [OPTIONS]");
    }
    assertThat(folder.resolve("builds")).doesNotExist();
  }

  @Test
  void itBuildsExactlyWhenSourcesChange() throws Exception {
    run("build");
    assertThat(Files.readString(folder.resolve("builds")))
        .isEqualTo("-B -ntp -Dsluice.commit=c0ffee -q -T 1C -P launcher package -pl lab -am\n");
    run("build");
    assertThat(builds()).as("nothing changed").isEqualTo(1);
    Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(1)));
    run("build");
    assertThat(builds()).as("only touched").isEqualTo(1);
    Files.writeString(source, "interface Target { void close(); }");
    run("build");
    assertThat(builds()).as("edited").isEqualTo(2);
    Path other = Files.writeString(source.resolveSibling("Other.java"), "class Other {}");
    run("build");
    assertThat(builds()).as("added").isEqualTo(3);
    Path moved = Files.move(other, source.resolveSibling("Another.java"));
    run("build");
    assertThat(builds()).as("renamed").isEqualTo(4);
    Files.delete(moved);
    run("build");
    assertThat(builds()).as("deleted").isEqualTo(5);
    Files.createDirectories(root.resolve("core/src/test/java"));
    Files.writeString(root.resolve("core/src/test/java/TargetTest.java"), "class TargetTest {}");
    run("build");
    assertThat(builds()).as("a test is no part of what runs").isEqualTo(5);
    Files.delete(built.resolve("sluice.jar"));
    run("build");
    assertThat(builds()).as("nothing there").isEqualTo(6);
  }

  @Test
  void theClassesOfAStartedSwitchAreSharedIfTheyCouldBeKept() throws Exception {
    // Java writes its archive when it ends, here the double does at once.
    script(
        "java",
        "for option; do case $option in -XX:ArchiveClassesAtExit=*)",
        "  echo classes >\"${option#*=}\";; esac; done",
        "echo java \"$@\"");
    Path archive = built.resolve("classes.jsa");
    String shared = "-XX:SharedArchiveFile=" + archive + " -Xlog:cds*=off -Xmx1g";
    assertThat(run("stf", "a")).isEqualTo(java(shared, "stf a"));
    assertThat(archive).hasContent("classes\n");
    Files.delete(archive);
    assertThat(run("stf", "a")).isEqualTo(java("-Xmx1g", "stf a"));
  }
}
