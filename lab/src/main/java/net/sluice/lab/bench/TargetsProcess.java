package net.sluice.lab.bench;

import io.grpc.Server;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import net.sluice.core.ControllerConfig;
import net.sluice.intents.model.Direction;
import net.sluice.standalone.DefaultTopology;
import net.sluice.standalone.EmbeddedTargets;
import net.sluice.standalone.Logging;
import net.sluice.standalone.StartFailure;

/**
 * The emulated switch and FPGAs, and a {@link Loopback}, in a Java process of their own, so that
 * this process measures the controller alone.
 */
final class TargetsProcess implements AutoCloseable {
  private static final String READY = "READY";
  private static final int GRACE_SECONDS = 10;

  private final Process process;
  private final int switchPort;
  private final int downPort;
  private final int upPort;
  private final int loopbackPort;

  private TargetsProcess(Process process, String[] ports) {
    this.process = process;
    switchPort = Integer.parseInt(ports[1]);
    downPort = Integer.parseInt(ports[2]);
    upPort = Integer.parseInt(ports[3]);
    loopbackPort = Integer.parseInt(ports[4]);
  }

  /** The other process: serves until its standard input ends. */
  public static void main(String[] arguments) throws StartFailure, IOException {
    Logging.configureWarnings();
    DefaultTopology topology =
        new DefaultTopology(Long.parseLong(arguments[0]), Long.parseLong(arguments[1]));
    Server loopback = Loopback.serve();
    try (EmbeddedTargets targets = EmbeddedTargets.start(topology, 1)) {
      System.out.println(
          READY
              + " "
              + targets.p4runtimePort()
              + " "
              + targets.agentPort(Direction.DOWN)
              + " "
              + targets.agentPort(Direction.UP)
              + " "
              + loopback.getPort());
      while (System.in.read() >= 0) {
        continue;
      }
    } finally {
      loopback.shutdownNow();
    }
  }

  /** Starts the process and waits until it serves. */
  static TargetsProcess start(DefaultTopology topology) throws IOException {
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:+UseParallelGC",
                    // Its optimizing compiler would take the cores from the controller in turns.
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    System.getProperty("java.class.path"),
                    TargetsProcess.class.getName(),
                    Long.toString(topology.bottleneckBps()),
                    Long.toString(topology.maxSubscriberRateBps())))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String line = output.readLine();
    if (line == null || !line.startsWith(READY)) {
      process.destroy();
      throw new IOException("the emulated targets did not start: " + line);
    }
    return new TargetsProcess(process, line.split(" "));
  }

  /** Address of the switch. */
  ControllerConfig.SwitchEndpoint switchEndpoint() {
    return new ControllerConfig.SwitchEndpoint(host(), switchPort, EmbeddedTargets.DEVICE_ID, 1);
  }

  /** Address of a direction's FPGA. */
  ControllerConfig.FpgaEndpoint fpgaEndpoint(Direction direction) {
    return new ControllerConfig.FpgaEndpoint.Agent(
        host(), direction == Direction.DOWN ? downPort : upPort);
  }

  /** Port of the loopback. */
  int loopbackPort() {
    return loopbackPort;
  }

  /** CPU time that the process has taken. */
  Duration cpu() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  static String host() {
    return InetAddress.getLoopbackAddress().getHostAddress();
  }

  @Override
  public void close() throws IOException, InterruptedException {
    process.getOutputStream().close();
    if (!process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
  }
}
