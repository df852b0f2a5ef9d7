package net.sluice.it.onos;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Predicate;
import java.util.stream.Stream;
import net.sluice.testing.Patience;

/**
 * A server in a process of its own, whose log is read and kept in {@code target/onos-NAME.log}. It
 * ends with this process at the latest, however this process ends: the shell beside it kills the
 * whole group at the end of its input.
 */
final class LoggedProcess implements AutoCloseable {
  private static final String WITH_GUARD =
      "exec 3<&0; (cat <&3 >/dev/null; kill -KILL 0) & exec 3<&-; exec \"$@\" </dev/null";
  private static final int TAIL = 100;

  private final String name;
  private final Process process;
  private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final List<String> log = new ArrayList<>();

  /** Starts it with the directory and environment of {@code builder}. */
  LoggedProcess(String name, ProcessBuilder builder) throws IOException {
    this.name = name;
    List<String> command = new ArrayList<>(List.of("setsid", "sh", "-c", WITH_GUARD, name));
    command.addAll(builder.command());
    Path file = Files.createDirectories(Path.of("target")).resolve("onos-" + name + ".log");
    BufferedWriter kept = Files.newBufferedWriter(file);
    process = builder.command(command).redirectErrorStream(true).start();
    BufferedReader reader = process.inputReader(StandardCharsets.UTF_8);
    Thread reading = new Thread(() -> read(reader, kept), name + "-log");
    reading.setDaemon(true);
    reading.start();
  }

  private void read(BufferedReader reader, BufferedWriter kept) {
    try (reader;
        kept) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        synchronized (log) {
          log.add(line);
        }
        lines.add(line);
        kept.write(line + "\n");
        kept.flush();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits for a line of the log that has not been looked at yet. */
  String awaitLine(Predicate<String> wanted) throws InterruptedException {
    return nextLine(wanted, Duration.ofSeconds(Patience.PROCESS_SECONDS))
        .orElseThrow(() -> new AssertionError(name + " does not log what it should:\n" + tail()));
  }

  /** The next such line, if it comes in time. */
  Optional<String> nextLine(Predicate<String> wanted, Duration time) throws InterruptedException {
    long end = System.nanoTime() + time.toNanos();
    while (true) {
      long left = end - System.nanoTime();
      String line = lines.poll(Math.max(0, left / 1_000_000), MILLISECONDS);
      if (line == null) {
        return Optional.empty();
      }
      if (wanted.test(line)) {
        return Optional.of(line);
      }
    }
  }

  /** Counts the lines so far as looked at. */
  void forgetLines() {
    lines.clear();
  }

  /** The last such line, looked at or not. */
  Optional<String> lastLine(Predicate<String> wanted) {
    synchronized (log) {
      return log.stream().filter(wanted).reduce((earlier, later) -> later);
    }
  }

  /** How many such lines there are, looked at or not. */
  long lines(Predicate<String> wanted) {
    synchronized (log) {
      return log.stream().filter(wanted).count();
    }
  }

  /** Status with which the server has ended, if it has. */
  OptionalInt status() {
    return process.isAlive() ? OptionalInt.empty() : OptionalInt.of(process.exitValue());
  }

  /** The end of the log. */
  String tail() {
    synchronized (log) {
      return String.join("\n", log.subList(Math.max(0, log.size() - TAIL), log.size()));
    }
  }

  /** Sends a signal, such as {@code STOP}, to the server's Java machine alone. */
  void signal(String signal) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("kill", "-" + signal));
    Stream.concat(process.descendants(), Stream.of(process.toHandle()))
        .filter(each -> each.info().command().orElse("").endsWith("/java"))
        .forEach(each -> command.add(Long.toString(each.pid())));
    int status = new ProcessBuilder(command).start().waitFor();
    if (status != 0) {
      throw new IOException("kill -" + signal + " of " + name + " ends with status " + status);
    }
  }

  /** Kills it with all that it has started, and waits until they are gone. */
  @Override
  public void close() {
    List<ProcessHandle> all =
        Stream.concat(process.descendants(), Stream.of(process.toHandle())).toList();
    all.forEach(ProcessHandle::destroyForcibly);
    for (ProcessHandle each : all) {
      each.onExit().orTimeout(Patience.PROCESS_SECONDS, SECONDS).join();
    }
    try {
      // The shell beside a server that ended by itself is nobody's child any more.
      process.getOutputStream().close();
    } catch (IOException alreadyGone) {
      return;
    }
  }
}
