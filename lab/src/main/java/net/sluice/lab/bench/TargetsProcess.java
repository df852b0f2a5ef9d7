package net.sluice.lab.bench;

import io.grpc.Server;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import net.sluice.cli.Logging;
import net.sluice.cli.StartFailure;
import net.sluice.core.Servers;
import net.sluice.core.Servers.FpgaEndpoint;
import net.sluice.embedded.DefaultTopology;
import net.sluice.embedded.EmbeddedTargets;
import net.sluice.intents.value.Direction;

/**
 * Emulated switches with their FPGAs, and a {@link Loopback}, in a Java process of their own, so
 * that this process measures the controller alone.
 */
final class TargetsProcess implements AutoCloseable {
  private static final String READY = "READY";
  private static final int GRACE_SECONDS = 10;

  /** Told to the process: its last switch is to answer nothing from now on, or to answer again. */
  private static final int HANG = 'h';

  private static final int ANSWER = 'a';

  private final Process process;
  private final List<Ports> switches = new ArrayList<>();
  private final int loopbackPort;

  /** Where a switch and its FPGAs are served. */
  private record Ports(int p4runtime, int down, int up) {}

  private TargetsProcess(Process process, String[] ports) {
    this.process = process;
    loopbackPort = Integer.parseInt(ports[1]);
    for (int i = 2; i < ports.length; i += 3) {
      switches.add(
          new Ports(
              Integer.parseInt(ports[i]),
              Integer.parseInt(ports[i + 1]),
              Integer.parseInt(ports[i + 2])));
    }
  }

  /** The other process: serves until its standard input ends. */
  public static void main(String[] arguments) throws StartFailure, IOException {
    Logging.configureWarnings();
    DefaultTopology topology = new DefaultTopology(Long.parseLong(arguments[0]));
    Server loopback = Loopback.serve();
    List<EmbeddedTargets> all = new ArrayList<>();
    try {
      StringBuilder ready = new StringBuilder(READY).append(' ').append(loopback.getPort());
      for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
        EmbeddedTargets targets = EmbeddedTargets.start(topology, 1 + i);
        all.add(targets);
        Servers servers = targets.remote().servers();
        ready.append(' ').append(servers.p4runtime().port());
        for (FpgaEndpoint fpga :
            List.of(servers.fpgaDown().orElseThrow(), servers.fpgaUp().orElseThrow())) {
          ready.append(' ').append(((FpgaEndpoint.Agent) fpga).port());
        }
      }
      System.out.println(ready);
      obey(all.get(all.size() - 1));
    } finally {
      all.forEach(EmbeddedTargets::close);
      loopback.shutdownNow();
    }
  }

  /** Obeys the other process; a switch whose lock is held answers nothing. */
  private static void obey(EmbeddedTargets last) throws IOException {
    ReentrantLock lock = last.device().lock();
    try {
      for (int told = System.in.read(); told >= 0; told = System.in.read()) {
        if (told == HANG) {
          lock.lock();
        } else if (told == ANSWER) {
          lock.unlock();
        }
      }
    } finally {
      while (lock.isHeldByCurrentThread()) {
        lock.unlock();
      }
    }
  }

  /** Starts the process with one switch and waits until it serves. */
  static TargetsProcess start(DefaultTopology topology) throws IOException {
    return start(topology, 1);
  }

  /** Starts the process with several switches, each cabled alike, and waits until it serves. */
  static TargetsProcess start(DefaultTopology topology, int switches) throws IOException {
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
                    Integer.toString(switches)))
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

  /** Where a switch, from 0, and its FPGAs are. */
  Servers servers(int of) {
    Ports ports = switches.get(of);
    return new Servers(
        new Servers.SwitchEndpoint(host(), ports.p4runtime(), 1, 1),
        Optional.empty(),
        Optional.of(new Servers.FpgaEndpoint.Agent(host(), ports.down())),
        Optional.of(new Servers.FpgaEndpoint.Agent(host(), ports.up())));
  }

  /** TCP port of the register agent of a direction's FPGA at a switch, from 0. */
  int agentPort(int of, Direction direction) {
    Ports ports = switches.get(of);
    return direction == Direction.DOWN ? ports.down() : ports.up();
  }

  /** Makes the last switch answer nothing from now on, or answer again, what it was asked, too. */
  void hang(boolean hangs) throws IOException {
    process.getOutputStream().write(hangs ? HANG : ANSWER);
    process.getOutputStream().flush();
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
