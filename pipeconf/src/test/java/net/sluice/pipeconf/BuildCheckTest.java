package net.sluice.pipeconf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import net.sluice.pipeconf.p4info.V1ModelProgram;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The build's check of the compiled program, and the script that compiles it, as processes. */
class BuildCheckTest {
  private static final Set<String> JVM_OPTIONS =
      Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");
  private static final Path GENERATOR =
      Path.of("src/build/java/net/sluice/pipeconf/build/GenerateDescriptors.java");
  private static final Path P4 = Path.of("../p4");
  private static final String MARKER = "shared/marker/csaqm/marker.p4";
  private static final String PACKAGE = "net/sluice/pipeconf/p4info";
  private static final String GENERATED = "java/" + PACKAGE;

  @TempDir static Path compiled;
  @TempDir Path directory;
  private Path p4;

  private record Exit(int code, String output, String errors) {}

  /** The build runs the source file itself; compiling it once makes a dozen runs quicker. */
  @BeforeAll
  static void compileGenerator() {
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-d", compiled.toString(), GENERATOR.toString());
    assertThat(code).isZero();
  }

  @BeforeEach
  void copySources() throws IOException {
    p4 = directory.resolve("p4");
    List<Path> files;
    try (Stream<Path> walk = Files.walk(P4)) {
      files = walk.filter(Files::isRegularFile).collect(Collectors.toList());
    }
    for (Path file : files) {
      String name = P4.relativize(file).toString();
      if (name.matches("(shared|v1model|tna|p4c-out)/.*|compile\\.sh|compact_json\\.py")) {
        Path copy = p4.resolve(name);
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  @Test
  void unchangedSourcesGiveTheDescriptorsOfThisBuild() throws Exception {
    assertThat(generate()).isEqualTo(new Exit(0, "", ""));

    Path ofThisBuild = Path.of("target/generated-sources/pipeline", PACKAGE);
    try (Stream<Path> files = Files.list(directory.resolve(GENERATED))) {
      assertThat(files.toList())
          .hasSizeGreaterThan(20)
          .allSatisfy(
              file ->
                  assertThat(file)
                      .hasSameTextualContentAs(ofThisBuild.resolve(file.getFileName())));
    }
  }

  @Test
  void aChangedSourceFailsTheBuild() throws Exception {
    Files.writeString(p4.resolve(MARKER), "// more\n", StandardOpenOption.APPEND);
    assertStale();
  }

  @Test
  void aChangedIncludeFailsTheBuild() throws Exception {
    Files.writeString(p4.resolve("v1model/marker/csaqm/decay_fraction.inc"), "");
    assertStale();
  }

  @Test
  void anAddedOrRenamedSourceFailsTheBuild() throws Exception {
    Files.move(p4.resolve(MARKER), p4.resolve("shared/marker/csaqm/markers.p4"));
    assertStale();
  }

  @Test
  void otherFilesDoNotMatter() throws Exception {
    Files.writeString(p4.resolve("shared/notes.txt"), "not compiled");
    Files.createDirectories(p4.resolve("ebpf"));
    Files.writeString(p4.resolve("ebpf/sluice.p4"), "// another program");

    assertThat(generate().code()).isZero();
  }

  @Test
  void aChangedSourceOfTheProgramForTofinoFailsTheBuild() throws Exception {
    Files.writeString(p4.resolve("tna/verdict.p4"), "// more\n", StandardOpenOption.APPEND);

    Exit exit = generate();

    assertThat(exit.code()).isEqualTo(1);
    assertThat(exit.errors().replaceAll("[0-9a-f]{64}", "*"))
        .isEqualTo(
            "p4/p4c-out/tna was compiled from other P4 sources (SOURCES.sha256 is *, the sources"
                + " are *); run ./sluice p4 --tna (needs p4c on PATH) and build again\n");
    assertThat(directory.resolve(GENERATED)).doesNotExist();
  }

  @Test
  void anEnumerationHasOneMeaningInAllPrograms() throws Exception {
    Path info = p4.resolve("p4c-out/tna/tofino/sluice.p4info.txtpb");
    String text = Files.readString(info);
    Files.writeString(info, text.replaceFirst("name: \"FAST\"", "name: \"RAPID\""));

    assertThat(generate().errors())
        .isEqualTo(
            "tna/tofino/sluice.p4info.txtpb: enum Gain_t is {NONE=0, RAPID=1, MEDIUM=2, SLOW=3},"
                + " in another program {NONE=0, FAST=1, MEDIUM=2, SLOW=3}\n");
  }

  @Test
  void aMissingStampFailsTheBuild() throws Exception {
    Files.delete(p4.resolve("p4c-out/v1model/SOURCES.sha256"));

    assertThat(generate())
        .isEqualTo(
            new Exit(
                1,
                "",
                "p4/p4c-out/v1model/SOURCES.sha256 is missing: the P4 program is not compiled; run"
                    + " ./sluice p4 (needs p4c-bm2-ss on PATH) and build again\n"));
    assertThat(directory.resolve(GENERATED)).doesNotExist();
  }

  @Test
  void brokenP4InfoFailsTheBuild() throws Exception {
    Path info = p4.resolve("p4c-out/v1model/sluice.p4info.txtpb");
    String text = Files.readString(info);

    Files.writeString(info, text.replaceFirst("id: 1\n", "id: one\n"));
    assertThat(generate().errors())
        .isEqualTo("v1model/sluice.p4info.txtpb.tables.match_fields.id is one, not a number\n");

    Files.writeString(info, text.replaceFirst("match_type: LPM", "match_type: OPTIONAL"));
    assertThat(generate().errors())
        .isEqualTo("table SubscriberRate4 matches addr by OPTIONAL, which has no descriptor yet\n");

    Files.writeString(info, text.replaceFirst("size: 512", "direct_resource_ids: 7\n  size: 512"));
    assertThat(generate().errors())
        .isEqualTo(
            "table Wire has direct resources other than a meter, which have no descriptor"
                + " yet\n");

    Files.writeString(info, text.substring(0, text.length() - 2));
    assertThat(generate().errors())
        .isEqualTo("v1model/sluice.p4info.txtpb.type_info: a field name was expected, not ''\n");

    Files.writeString(info, "tables {\n  size: 1\n}\n!\n");
    assertThat(generate().errors())
        .isEqualTo("v1model/sluice.p4info.txtpb is unreadable after line 3\n");
  }

  @Test
  void theScriptComputesTheSameStamp() throws Exception {
    assertThat(run(Map.of(), "bash", p4.resolve("compile.sh").toString(), "--stamp"))
        .isEqualTo(new Exit(0, V1ModelProgram.DESCRIPTOR.sourcesSha256() + "\n", ""));
  }

  @Test
  void theScriptCompilesAndStamps() throws Exception {
    Files.writeString(p4.resolve(MARKER), "// more\n", StandardOpenOption.APPEND);
    assertThat(compile("v1model/sluice.p4")).isEqualTo(new Exit(0, "", ""));

    assertThat(Files.readString(p4.resolve("p4c-out/v1model/sluice.json")))
        .isEqualTo("{\"filename\":\"v1model/sluice.p4\"}\n");
    assertThat(generate().errors()).startsWith("p4/p4c-out/tna was compiled from other P4 sources");
    try (Stream<Path> files = Files.list(p4.resolve("p4c-out/v1model"))) {
      assertThat(files.map(f -> f.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "SOURCES.sha256", "aggregate", "sluice.json", "sluice.p4info.txtpb");
    }
  }

  @Test
  void theScriptKeepsAbsoluteFileNamesOut() throws Exception {
    byte[] before = Files.readAllBytes(p4.resolve("p4c-out/v1model/sluice.json"));

    assertThat(compile("/somewhere/sluice.p4"))
        .isEqualTo(
            new Exit(
                1,
                "",
                "p4/compile.sh: p4c wrote absolute file names into sluice.json, so the output would"
                    + " differ from machine to machine\n"));
    assertThat(p4.resolve("p4c-out/v1model/sluice.json")).hasBinaryContent(before);
  }

  @Test
  void theScriptSaysThatTheCompilerIsMissing() throws Exception {
    Path tools = Files.createDirectories(directory.resolve("tools"));
    Files.createSymbolicLink(tools.resolve("dirname"), which("dirname"));

    assertThat(
            run(
                Map.of("PATH", tools.toString()),
                which("bash").toString(),
                p4.resolve("compile.sh").toString()))
        .isEqualTo(
            new Exit(
                3,
                "",
                "p4/compile.sh: p4c-bm2-ss is not on PATH; install p4c"
                    + " (https://github.com/p4lang/p4c) or add its directory to PATH\n"));
  }

  @Test
  void theScriptTakesNoProgramForTofinoWhoseParserLostItsSelects() throws Exception {
    byte[] before = Files.readAllBytes(p4.resolve("p4c-out/tna/tofino-one/sluice.p4info.txtpb"));
    String counterAlone = "match: [ ctr_neg, ctr_zero ]";

    assertThat(compileTna(counterAlone))
        .isEqualTo(
            new Exit(
                1,
                "p4/compile.sh: tofino-one: sluice.p4 for tofino, 1 marker instances a pipe\n",
                "p4/compile.sh: tofino-one: p4c 1.2.3 lost the selects of the parsers, so that no"
                    + " packet would be read rightly; take another release. Nothing was changed\n"));
    assertThat(p4.resolve("p4c-out/tna/tofino-one/sluice.p4info.txtpb")).hasBinaryContent(before);
    assertThat(compileTna("match: [ half, byte0 ]").errors()).contains("fit_summary.py");
  }

  /** Runs the script with a compiler that writes an assembly with one line in its parser. */
  private Exit compileTna(String line) throws Exception {
    Path tools = Files.createDirectories(directory.resolve("tools"));
    Path compiler = tools.resolve("p4c");
    Files.writeString(
        compiler,
        String.join(
            "\n",
            "#!/bin/sh",
            "[ \"$1\" = --version ] && echo 'p4c 1.2.3 (SHA: 0)' && exit",
            "for out; do [ \"$last\" = -o ] && break; last=$out; done",
            "mkdir -p \"$out/pipe\"",
            "touch \"$out.p4info.txtpb\"",
            "printf 'parser ingress:\\n  "
                + line
                + "\\ndeparser ingress:\\n' >\"$out/pipe/sluice.bfa\"",
            ""));
    assertThat(compiler.toFile().setExecutable(true)).isTrue();
    return run(
        Map.of("PATH", tools + ":" + System.getenv("PATH")),
        "bash",
        p4.resolve("compile.sh").toString(),
        "--tna");
  }

  /** Runs the script with a compiler that passes the old P4Info on and names the given source. */
  private Exit compile(String sourceName) throws Exception {
    Path tools = Files.createDirectories(directory.resolve("tools"));
    Path compiler = tools.resolve("p4c-bm2-ss");
    Files.writeString(
        compiler,
        String.join(
            "\n",
            "#!/bin/sh",
            "[ \"$1 $2 $3 $5 $7\" = '--arch v1model --p4runtime-files -o v1model/sluice.p4' ] || exit 9",
            "cp p4c-out/v1model/sluice.p4info.txtpb \"$4\"",
            "printf '{\"filename\" : \"" + sourceName + "\"}' >\"$6\"",
            ""));
    assertThat(compiler.toFile().setExecutable(true)).isTrue();
    return run(
        Map.of("PATH", tools + ":" + System.getenv("PATH")),
        "bash",
        p4.resolve("compile.sh").toString());
  }

  private void assertStale() throws Exception {
    Exit exit = generate();

    assertThat(exit.code()).isEqualTo(1);
    assertThat(exit.errors().replaceAll("[0-9a-f]{64}", "*"))
        .isEqualTo(
            "p4/p4c-out/v1model was compiled from other P4 sources (SOURCES.sha256 is *, the"
                + " sources are *); run ./sluice p4 (needs p4c-bm2-ss on PATH) and build again\n");
    assertThat(directory.resolve(GENERATED)).doesNotExist();
  }

  private Exit generate() throws Exception {
    return run(
        Map.of(),
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-cp",
        compiled.toString(),
        "net.sluice.pipeconf.build.GenerateDescriptors",
        p4.toString(),
        PACKAGE.replace('/', '.'),
        directory.resolve("java").toString(),
        directory.resolve("resources").toString(),
        "v1model=V1Model",
        "v1model/aggregate=Aggregate",
        "tna/tofino=Tna");
  }

  private static Path which(String tool) {
    List<Path> found = new ArrayList<>();
    for (String place : System.getenv("PATH").split(":", -1)) {
      if (Files.isExecutable(Path.of(place, tool))) {
        found.add(Path.of(place, tool));
      }
    }
    return found.get(0);
  }

  private Exit run(Map<String, String> environment, String... command) throws Exception {
    Path output = Files.createTempFile(directory, "output", "");
    Path errors = Files.createTempFile(directory, "errors", "");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(output.toFile()).redirectError(errors.toFile());
    builder.environment().putAll(environment);
    // Would make the JVM report itself on standard error.
    builder.environment().keySet().removeAll(JVM_OPTIONS);
    int code = builder.start().waitFor();
    return new Exit(
        code,
        Files.readString(output, StandardCharsets.UTF_8),
        Files.readString(errors, StandardCharsets.UTF_8));
  }
}
