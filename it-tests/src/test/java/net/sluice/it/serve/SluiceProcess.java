package net.sluice.it.serve;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import net.sluice.testing.Patience;

/** A program in a process of its own, which is killed with the test at the latest. */
public final class SluiceProcess implements AutoCloseable {
  private final Process process;
  private final Path log;
  private final Thread reaper;

  private SluiceProcess(Path log, List<String> command) throws IOException {
    this.log = log;
    process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
            .start();
    reaper = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(reaper);
  }

  /** A command of {@code ./sluice}, in another Java machine with this one's classes. */
  public static SluiceProcess sluice(Path log, String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "net.sluice.lab.LabMain"));
    command.addAll(Arrays.asList(arguments));
    return new SluiceProcess(log, command);
  }

  /** Any other program. */
  public static SluiceProcess of(Path log, String... command) throws IOException {
    return new SluiceProcess(log, Arrays.asList(command));
  }

  /**
   * The first line it prints, then the next.
   *
   * @throws AssertionError if it prints none, with its log
   */
  public String firstLine() throws IOException, InterruptedException {
    CompletableFuture<String> line = new CompletableFuture<>();
    BufferedReader reader = process.inputReader(StandardCharsets.UTF_8);
    Thread waiting =
        new Thread(
            () -> {
              try {
                line.complete(reader.readLine());
              } catch (IOException e) {
                line.completeExceptionally(e);
              }
            });
    waiting.setDaemon(true);
    waiting.start();
    String first;
    try {
      first = line.get(Patience.PROCESS_SECONDS, SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new AssertionError("no line is printed: " + Files.readString(log), e);
    }
    if (first == null) {
      throw new AssertionError("it ends without a word: " + Files.readString(log));
    }
    return first;
  }

  /** What it has logged. */
  String log() throws IOException {
    return Files.readString(log);
  }

  /** Ends it as a crash would. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Sends SIGTERM and waits; the exit code. */
  public int terminate() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(Patience.PROCESS_SECONDS, SECONDS)) {
      throw new AssertionError("it does not end");
    }
    return process.exitValue();
  }

  /** Returns when it has ended, so that nobody writes files any more. */
  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
    Runtime.getRuntime().removeShutdownHook(reaper);
  }
}
