package net.sluice.it.p4;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import net.sluice.pipeconf.SwitchPipeline;
import org.junit.jupiter.api.Assumptions;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;

/** A simple_switch_grpc of its own process, from PATH. */
final class SimpleSwitchGrpc implements SwitchUnderTest {
  private static final String EXECUTABLE = "simple_switch_grpc";
  private static final long DEVICE_ID = 1;
  private static final int START_ATTEMPTS = 3;

  private final Process process;
  private final Path log;
  private final Thread reaper;
  private final ManagedChannel dataPlaneChannel;
  private final DataPlaneClient dataPlane;
  private final ControlClient control;

  private SimpleSwitchGrpc(
      BiFunction<ManagedChannel, Long, ControlClient> controller,
      List<String> options,
      Path executable)
      throws IOException {
    int controlPort;
    int dataPlanePort;
    try (ServerSocket first = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        ServerSocket second = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      controlPort = first.getLocalPort();
      dataPlanePort = second.getLocalPort();
    }
    log = Files.createTempFile("sluice-bmv2-", ".log");
    List<String> command =
        new ArrayList<>(
            List.of(
                executable.toString(),
                "--no-p4",
                "--device-id",
                Long.toString(DEVICE_ID),
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
    dataPlane = new DataPlaneClient(dataPlaneChannel, DEVICE_ID);
    ManagedChannel controlChannel = channel(controlPort);
    // Nobody shall wait for a switch that has ended.
    process.onExit().thenRun(controlChannel::shutdownNow);
    try {
      control = controller.apply(controlChannel, DEVICE_ID);
    } catch (RuntimeException e) {
      String output = Files.readString(log);
      controlChannel.shutdownNow();
      stop();
      throw new IllegalStateException(EXECUTABLE + " does not serve; it said: " + output, e);
    }
  }

  /** Where simple_switch_grpc is, if it is on PATH. */
  static Optional<Path> executable() {
    String path = System.getenv("PATH");
    return Arrays.stream((path == null ? "" : path).split(File.pathSeparator))
        .filter(directory -> !directory.isEmpty())
        .map(directory -> Path.of(directory, EXECUTABLE))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Skips the test, and says so, where there is no bmv2. */
  static void assumeInstalled() {
    if (executable().isEmpty()) {
      String reason = EXECUTABLE + " is not on PATH: the P4 program is not tested on bmv2";
      System.out.println("SKIPPED: " + reason);
      Assumptions.abort(reason);
    }
  }

  /**
   * Starts one and loads the program.
   *
   * @throws IllegalStateException if it does not come up, with what it printed
   */
  static SimpleSwitchGrpc start(SwitchPipeline program) {
    return start((channel, device) -> new ControlClient(channel, device, program), List.of());
  }

  /**
   * Starts one and loads any program.
   *
   * @param options of the target
   */
  static SimpleSwitchGrpc start(ForwardingPipelineConfig config, List<String> options) {
    return start((channel, device) -> new ControlClient(channel, device, config), options);
  }

  private static SimpleSwitchGrpc start(
      BiFunction<ManagedChannel, Long, ControlClient> controller, List<String> options) {
    Path executable =
        executable().orElseThrow(() -> new IllegalStateException(EXECUTABLE + " is not on PATH"));
    IllegalStateException last = null;
    // Another process may take a free port before the switch does.
    for (int attempt = 0; attempt < START_ATTEMPTS; attempt++) {
      try {
        return new SimpleSwitchGrpc(controller, options, executable);
      } catch (IllegalStateException e) {
        last = e;
      } catch (IOException e) {
        throw new UncheckedIOException("cannot start " + executable, e);
      }
    }
    throw last;
  }

  @Override
  public String name() {
    return "bmv2";
  }

  @Override
  public ControlClient control() {
    return control;
  }

  @Override
  public List<List<PortFrame>> pass(List<PortFrame> frames) {
    return dataPlane.pass(frames);
  }

  @Override
  public void close() {
    control.close();
    stop();
  }

  private void stop() {
    dataPlaneChannel.shutdownNow();
    process.destroy();
    try {
      if (!process.waitFor(10, SECONDS)) {
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
