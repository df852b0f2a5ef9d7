package net.sluice.lab.bench.switching;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import net.sluice.lab.support.Executables;

/** Command lines of processes pinned to one core with {@code taskset}. */
final class CpuAffinity {

  /** The options of {@code ./sluice switch}. */
  static final List<String> OPTIONS =
      List.of("-XX:+UseSerialGC", "-XX:+UseTransparentHugePages", "-Xmx4g");

  private static final String ALLOWED = "Cpus_allowed_list:";

  private CpuAffinity() {}

  /** A command, pinned to the last core if there is {@code taskset}. */
  static List<String> pinned(List<String> command) throws IOException {
    List<Integer> cores = cores();
    List<String> pinned = new ArrayList<>();
    Executables.onPath("taskset")
        .ifPresent(
            taskset ->
                pinned.addAll(
                    List.of(taskset.toString(), "-c", cores.get(cores.size() - 1).toString())));
    pinned.addAll(command);
    return pinned;
  }

  /** The cores this process may run on, which need not be the machine's first. */
  private static List<Integer> cores() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith(ALLOWED))
        .findFirst()
        .map(line -> cores(line.substring(ALLOWED.length()).strip()))
        .orElseThrow(() -> new IOException("/proc/self/status does not tell of cores"));
  }

  /** The numbers of a CPU list such as {@code 0,2-3}. */
  static List<Integer> cores(String list) {
    return Arrays.stream(list.split(","))
        .map(range -> range.split("-"))
        .flatMap(
            ends ->
                IntStream.rangeClosed(
                        Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]))
                    .boxed())
        .toList();
  }

  /**
   * The command of a Java process with this one's classes and the options of {@code ./sluice
   * switch}.
   */
  static List<String> java(Class<?> main, String... arguments) {
    return java(OPTIONS, main, arguments);
  }

  /** The same with other options. */
  static List<String> java(List<String> options, Class<?> main, String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
    command.addAll(1, options);
    command.addAll(List.of(arguments));
    return command;
  }
}
