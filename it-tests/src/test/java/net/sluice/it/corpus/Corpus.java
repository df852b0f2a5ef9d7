package net.sluice.it.corpus;

import com.google.protobuf.TextFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import net.sluice.lab.support.Executables;
import net.sluice.testing.Prerequisite;
import p4.config.v1.P4InfoOuterClass.P4Info;

/**
 * The programs for v1model among the test programs of p4c, compiled with the p4c-bm2-ss on PATH:
 * those of {@code testdata/p4_16_samples} and its folders and, if they are there, those of {@code
 * p4_16_bmv_errors} and {@code p4_14_samples} beside it. Where it is is in the environment variable
 * {@value #VARIABLE} or the system property {@value #PROPERTY}.
 */
final class Corpus {

  static final String VARIABLE = "SLUICE_P4C_SAMPLES";
  static final String PROPERTY = "sluice.p4cSamples";

  private static final String COMPILER = "p4c-bm2-ss";
  private static final int COMPILER_SECONDS = 240;
  private static final int P4_14 = 14;
  private static final int P4_16 = 16;
  private static final String FOLDER_14 = "p4_14_samples";

  /**
   * A program that compiles.
   *
   * @param name its file's, without {@code .p4}; behind that of its folder, unless it is the one
   *     given
   * @param p4info where its P4Info is, if the compiler could write one
   * @param test the packet test beside it, if there is one
   */
  record Compiled(String name, Path json, Path p4info, Optional<Path> test) {

    byte[] deviceConfig() {
      try {
        return Files.readAllBytes(json);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    boolean hasInfo() {
      return Files.exists(p4info);
    }

    /** Without what the messages in use do not know yet. */
    P4Info info() {
      try {
        P4Info.Builder info = P4Info.newBuilder();
        TextFormat.Parser.newBuilder()
            .setAllowUnknownFields(true)
            .build()
            .merge(Files.readString(p4info), info);
        return info.build();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private Corpus() {}

  private static Optional<Path> samples() {
    String given = System.getProperty(PROPERTY, System.getenv(VARIABLE));
    return given == null || given.isBlank() ? Optional.empty() : Optional.of(Path.of(given));
  }

  /** Skips the test, and says why, if the programs or their compiler are not there. */
  static void assumeGiven() {
    if (samples().isEmpty()) {
      Prerequisite.P4C_SAMPLES.skip(
          VARIABLE
              + " does not name the folder of p4c's test programs: p4c's programs are not tested");
    }
    if (Executables.onPath(COMPILER).isEmpty()) {
      Prerequisite.P4C.skip(COMPILER + " is not on PATH: p4c's programs are not tested");
    }
  }

  /** All programs that compile, by name; compiled into a folder, or found there. */
  static List<Compiled> compile() {
    Path into = Path.of("target", "corpus");
    List<Source> sources = sources();
    long of14 = sources.stream().filter(source -> source.version() == P4_14).count();
    List<Compiled> compiled =
        sources.parallelStream()
            .map(source -> compile(source, into))
            .flatMap(Optional::stream)
            .toList();
    if (of14 > 0 && compiled.stream().noneMatch(program -> program.name().startsWith(FOLDER_14))) {
      System.out.println(
          "SKIPPED: "
              + COMPILER
              + " was built without P4_14: "
              + of14
              + " programs are not tested");
    }
    return compiled;
  }

  /**
   * A program of the folder, or of those beside it that p4c tests bmv2 with.
   *
   * @param name its path, without {@code .p4}; in the folder itself, its file's name
   */
  private record Source(String name, Path file, int version, List<String> options) {}

  private static List<Source> sources() {
    Path samples = samples().orElseThrow().toAbsolutePath();
    List<Source> sources = new ArrayList<>();
    for (Path file : programs(samples, "v1model")) {
      String name = name(samples, file);
      sources.add(new Source(name, file, P4_16, List.of()));
      // p4c has these twice, too.
      if (name.startsWith("parser-inline/")) {
        sources.add(new Source(name + "+opt", file, P4_16, List.of("--parser-inline-opt")));
      }
    }
    Path beside = samples.getParent();
    for (Path file : programs(beside.resolve("p4_16_bmv_errors"), "v1model")) {
      sources.add(new Source(name(beside, file), file, P4_16, List.of()));
    }
    // Most that have no pipeline are parts of others.
    for (Path file : programs(beside.resolve(FOLDER_14), "ingress")) {
      sources.add(new Source(name(beside, file), file, P4_14, List.of()));
    }
    return sources;
  }

  private static String name(Path folder, Path file) {
    return folder.relativize(file).toString().replaceFirst("\\.p4$", "");
  }

  /** Those with a word in them, in order. */
  private static List<Path> programs(Path folder, String word) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".p4") && contains(file, word))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + folder, e);
    }
  }

  private static boolean contains(Path file, String word) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1).contains(word);
    } catch (IOException e) {
      // Some of the folder are links to what a partial copy does not have.
      return false;
    }
  }

  private static Optional<Compiled> compile(Source source, Path into) {
    Path json = into.resolve(source.name() + ".json");
    Path info = into.resolve(source.name() + ".p4info.txtpb");
    Path failed = into.resolve(source.name() + ".failed");
    Path test = Path.of(source.file().toString().replaceFirst("\\.p4$", ".stf"));
    try {
      if (Files.exists(failed)) {
        return Optional.empty();
      }
      if (!Files.exists(json)) {
        Files.createDirectories(json.getParent());
        Path partial = into.resolve(source.name() + ".partial");
        // Some have names that P4Info cannot have, and run all the same.
        if (!compiles(source, partial, List.of("--p4runtime-files", info.toString()))
            && !compiles(source, partial, List.of())) {
          Files.writeString(failed, "");
          return Optional.empty();
        }
        Files.move(partial, json);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot compile " + source.file(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while compiling " + source.file(), e);
    }
    return Optional.of(
        new Compiled(
            source.name(), json, info, Files.exists(test) ? Optional.of(test) : Optional.empty()));
  }

  private static boolean compiles(Source source, Path into, List<String> more)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(List.of(COMPILER, "--p4v", Integer.toString(source.version())));
    command.addAll(source.options());
    command.addAll(more);
    command.addAll(List.of("-o", into.toString(), source.file().toString()));
    Process compiler =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    boolean done = compiler.waitFor(COMPILER_SECONDS, TimeUnit.SECONDS);
    if (!done) {
      compiler.destroyForcibly();
    }
    return done && compiler.exitValue() == 0 && Files.exists(into);
  }
}
