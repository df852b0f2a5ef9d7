package net.sluice.it.p4;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import net.sluice.lab.support.Executables;
import net.sluice.testing.Prerequisite;

/** A process of simple_switch_grpc without a program, and the ways to talk to it. */
public final class SimpleSwitchProcess implements AutoCloseable {
  /** P4Runtime device id that it has. */
  public static final long DEVICE_ID = 1;

  private static final String EXECUTABLE = "simple_switch_grpc";
  private static final int END_SECONDS = 10;

  /** By executable, because asking starts a process. */
  private static final Map<Path, Boolean> HAS_THRIFT = new ConcurrentHashMap<>();

  private final Process process;
  private final int controlPort;
  private final Path log;
  private final Thread reaper;
  private final ManagedChannel dataPlaneChannel;
  private final ManagedChannel controlChannel;

  private SimpleSwitchProcess(Path executable, List<String> options) throws IOException {
    controlPort = FreePorts.next();
    int dataPlanePort = FreePorts.next();
    log = Files.createTempFile("sluice-bmv2-", ".log");
    List<String> command =
        new ArrayList<>(
            List.of(executable.toString(), "--no-p4", "--device-id", Long.toString(DEVICE_ID)));
    if (HAS_THRIFT.computeIfAbsent(executable, SimpleSwitchProcess::hasThrift)) {
      // All would take the same port, and one that gets none never ends.
      command.addAll(List.of("--thrift-port", Integer.toString(FreePorts.next())));
    }
    command.addAll(
        List.of(
            "--",
            "--grpc-server-addr",
            "127.0.0.1:" + controlPort,
            "--dp-grpc-server-addr",
            "127.0.0.1:" + dataPlanePort));
    command.addAll(options);
    process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    // A test run that is killed must not leave switches behind.
    reaper = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(reaper);
    dataPlaneChannel = channel(dataPlanePort);
    controlChannel = channel(controlPort);
    // Nobody shall wait for a switch that has ended.
    process
        .onExit()
        .thenRun(
            () -> {
              controlChannel.shutdownNow();
              dataPlaneChannel.shutdownNow();
            });
  }

  /** Whether it was built with a Thrift server, which runs beside P4Runtime's. */
  private static boolean hasThrift(Path executable) {
    try {
      Process help =
          new ProcessBuilder(executable.toString(), "--help").redirectErrorStream(true).start();
      return new String(help.getInputStream().readAllBytes(), UTF_8).contains("--thrift-port");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run " + executable, e);
    }
  }

  /** Where simple_switch_grpc is, if it is on PATH. */
  public static Optional<Path> executable() {
    return Executables.onPath(EXECUTABLE);
  }

  /**
   * Skips the test, and says so, where there is none.
   *
   * @param untested what then is not tested
   */
  public static void assumeInstalled(String untested) {
    if (executable().isEmpty()) {
      Prerequisite.BMV2.skip(EXECUTABLE + " is not on PATH: " + untested);
    }
  }

  /**
   * Starts one.
   *
   * @param options of its own, such as {@code --cpu-port} and a port
   */
  public static SimpleSwitchProcess start(List<String> options) throws IOException {
    return new SimpleSwitchProcess(
        executable().orElseThrow(() -> new IllegalStateException(EXECUTABLE + " is not on PATH")),
        options);
  }

  /** Where its P4Runtime server listens, on 127.0.0.1. */
  public int controlPort() {
    return controlPort;
  }

  /** Whether it runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** To its P4Runtime server. */
  public ManagedChannel control() {
    return controlChannel;
  }

  /** A client of its data plane. */
  public DataPlaneClient dataPlane() {
    return new DataPlaneClient(dataPlaneChannel, DEVICE_ID);
  }

  /** Whether it ends by itself in so many seconds. */
  public boolean endsWithin(int seconds) {
    try {
      return process.waitFor(seconds, SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for the switch", e);
    }
  }

  /** What it has printed so far. */
  public String output() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + log, e);
    }
  }

  @Override
  public void close() {
    controlChannel.shutdownNow();
    dataPlaneChannel.shutdownNow();
    process.destroy();
    try {
      if (!process.waitFor(END_SECONDS, SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().removeShutdownHook(reaper);
    try {
      Files.deleteIfExists(log);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + log, e);
    }
  }

  private static ManagedChannel channel(int port) {
    return ManagedChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
  }
}
