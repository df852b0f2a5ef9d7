package net.sluice.standalone.bench.switching;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import net.sluice.standalone.cli.Executables;

/** Processes kept to one core. */
final class OneCore {

  /** What {@code ./sluice switch} runs with, too. */
  static final List<String> OPTIONS =
      List.of("-XX:+UseSerialGC", "-XX:+UseTransparentHugePages", "-Xmx4g");

  private OneCore() {}

  /** A command, kept to the last core if there is {@code taskset} to do that. */
  static List<String> pinned(List<String> command) {
    return pinned(String.valueOf(Runtime.getRuntime().availableProcessors() - 1), command);
  }

  /** A command, kept off the last core if there is another and {@code taskset} to do that. */
  static List<String> beside(List<String> command) {
    return pinned("0-" + Math.max(0, Runtime.getRuntime().availableProcessors() - 2), command);
  }

  private static List<String> pinned(String cores, List<String> command) {
    List<String> pinned = new ArrayList<>();
    Executables.onPath("taskset")
        .ifPresent(taskset -> pinned.addAll(List.of(taskset.toString(), "-c", cores)));
    pinned.addAll(command);
    return pinned;
  }

  /** The command of a Java process with this one's classes. */
  static List<String> java(Class<?> main, String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dcom.google.protobuf.use_unsafe_pre22_gencode=true",
                "-Dorg.slf4j.simpleLogger.log.net.sluice=warn",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
    command.addAll(1, OPTIONS);
    command.addAll(List.of(arguments));
    return command;
  }
}
