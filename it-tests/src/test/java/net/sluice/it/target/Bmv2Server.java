package net.sluice.it.target;

import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import p4.v1.P4RuntimeGrpc;
import p4.v1.P4RuntimeOuterClass.CapabilitiesRequest;

/** bmv2's simple_switch_grpc, from PATH. */
public final class Bmv2Server implements SwitchServer {
  private static final String EXECUTABLE = "simple_switch_grpc";

  private static final int START_SECONDS = 60;

  private final Process process;
  private final Thread reaper;
  private final int port;

  private static Optional<Path> executable() {
    String path = System.getenv("PATH");
    return Arrays.stream((path == null ? "" : path).split(File.pathSeparator))
        .filter(directory -> !directory.isEmpty())
        .map(directory -> Path.of(directory, EXECUTABLE))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Skips the test, and says so, where there is no bmv2. */
  public static void assumeInstalled() {
    if (executable().isEmpty()) {
      String reason = EXECUTABLE + " is not on PATH: targets are not tested against bmv2";
      System.out.println("SKIPPED: " + reason);
      Assumptions.abort(reason);
    }
  }

  /** Starts it without a program, at a free port. */
  public Bmv2Server() {
    try {
      int dataPlanePort;
      try (ServerSocket first = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
          ServerSocket second = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        port = first.getLocalPort();
        dataPlanePort = second.getLocalPort();
      }
      process =
          new ProcessBuilder(
                  executable().orElseThrow().toString(),
                  "--no-p4",
                  "-L",
                  "off",
                  "--device-id",
                  Long.toString(deviceId()),
                  "--",
                  "--grpc-server-addr",
                  "127.0.0.1:" + port,
                  "--dp-grpc-server-addr",
                  "127.0.0.1:" + dataPlanePort)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + EXECUTABLE, e);
    }
    // A test run that is killed must not leave switches behind.
    reaper = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(reaper);
    awaitServing();
  }

  /** Whatever it answers, it then serves. */
  private void awaitServing() {
    ManagedChannel channel =
        ManagedChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
    process.onExit().thenRun(channel::shutdownNow);
    try {
      P4RuntimeGrpc.newBlockingStub(channel)
          .withWaitForReady()
          .withDeadlineAfter(START_SECONDS, TimeUnit.SECONDS)
          .capabilities(CapabilitiesRequest.getDefaultInstance());
    } catch (StatusRuntimeException e) {
      Status.Code code = e.getStatus().getCode();
      if (code == Status.Code.DEADLINE_EXCEEDED || !process.isAlive()) {
        close();
        throw new IllegalStateException(EXECUTABLE + " does not serve", e);
      }
    } finally {
      channel.shutdownNow();
    }
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public long deviceId() {
    return 1;
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().removeShutdownHook(reaper);
  }
}
