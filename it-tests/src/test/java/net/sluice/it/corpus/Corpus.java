package net.sluice.it.corpus;

import com.google.protobuf.TextFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import net.sluice.standalone.cli.Executables;
import org.junit.jupiter.api.Assumptions;
import p4.config.v1.P4InfoOuterClass.P4Info;

/**
 * The programs for v1model among the test programs of p4c ({@code testdata/p4_16_samples}),
 * compiled with the p4c-bm2-ss on PATH. Where they are is in the environment variable {@value
 * #VARIABLE} or the system property {@value #PROPERTY}.
 */
final class Corpus {

  static final String VARIABLE = "SLUICE_P4C_SAMPLES";
  static final String PROPERTY = "sluice.p4cSamples";

  private static final String COMPILER = "p4c-bm2-ss";
  private static final int COMPILER_SECONDS = 120;

  /**
   * A program that compiles.
   *
   * @param name its file's, without {@code .p4}
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
    String missing =
        samples().isEmpty()
            ? VARIABLE + " does not name the folder of p4c's test programs"
            : Executables.onPath(COMPILER).isEmpty() ? COMPILER + " is not on PATH" : null;
    if (missing != null) {
      System.out.println("SKIPPED: " + missing + ": p4c's programs are not tested");
      Assumptions.abort(missing);
    }
  }

  /** All programs that compile, by name; compiled into a folder, or found there. */
  static List<Compiled> compile() {
    Path samples = samples().orElseThrow();
    Path into = Path.of("target", "corpus");
    try {
      Files.createDirectories(into);
      List<Path> sources;
      try (Stream<Path> files = Files.list(samples)) {
        sources = files.filter(Corpus::isForV1Model).sorted().toList();
      }
      return sources.parallelStream()
          .map(source -> compile(source, into))
          .flatMap(Optional::stream)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + samples, e);
    }
  }

  private static boolean isForV1Model(Path source) {
    try {
      return source.toString().endsWith(".p4") && Files.readString(source).contains("v1model");
    } catch (IOException e) {
      // Some of the folder are links to what a partial copy does not have.
      return false;
    }
  }

  private static Optional<Compiled> compile(Path source, Path into) {
    String name = source.getFileName().toString().replaceFirst("\\.p4$", "");
    Path json = into.resolve(name + ".json");
    Path info = into.resolve(name + ".p4info.txtpb");
    Path failed = into.resolve(name + ".failed");
    Path test = source.resolveSibling(name + ".stf");
    try {
      if (Files.exists(failed)) {
        return Optional.empty();
      }
      if (!Files.exists(json)) {
        Path partial = into.resolve(name + ".partial");
        Process compiler =
            new ProcessBuilder(
                    COMPILER,
                    "--p4v",
                    "16",
                    "--p4runtime-files",
                    info.toString(),
                    "-o",
                    partial.toString(),
                    source.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        boolean done = compiler.waitFor(COMPILER_SECONDS, TimeUnit.SECONDS);
        if (!done || compiler.exitValue() != 0 || !Files.exists(partial)) {
          compiler.destroyForcibly();
          Files.writeString(failed, "");
          return Optional.empty();
        }
        Files.move(partial, json);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot compile " + source, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while compiling " + source, e);
    }
    return Optional.of(
        new Compiled(name, json, info, Files.exists(test) ? Optional.of(test) : Optional.empty()));
  }
}
