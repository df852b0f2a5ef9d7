package net.sluice.lab.bench.switching;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.sluice.lab.bench.switching.VethLoadProcess.Trial;
import net.sluice.standalone.Main;

/**
 * A switch on virtual interfaces, pinned to the last core, with the benchmark's program and
 * entries, written over gRPC; and the process that sends packets through it.
 */
final class LiveSwitch implements AutoCloseable {
  private static final long DEVICE_ID = Bmv2Process.DEVICE_ID;
  private static final int GRACE_SECONDS = 10;
  private static final Pattern READY = Pattern.compile("P4Runtime 127\\.0\\.0\\.1:(\\d+)");

  private final String name;
  private final Process process;
  private final Path log;
  private final Thread reaper;
  private Process load;
  private PrintWriter trials;
  private BufferedReader results;

  /** Its output goes to a file, or to {@link #portTold}. */
  private LiveSwitch(String name, List<String> command, Path folder, boolean tellsPort)
      throws IOException {
    this.name = name;
    log = folder.resolve(name + ".log");
    ProcessBuilder builder =
        new ProcessBuilder(CpuAffinity.pinned(command))
            .directory(folder.toFile())
            .redirectErrorStream(true);
    process = (tellsPort ? builder : builder.redirectOutput(log.toFile())).start();
    reaper = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(reaper);
  }

  /** Starts the emulated switch, as {@code ./sluice switch} does. */
  static LiveSwitch sluice(VethPairs.Cables cables, int subscribers, Path folder)
      throws IOException, InterruptedException {
    LiveSwitch live =
        new LiveSwitch(
            "sluice",
            CpuAffinity.java(
                Main.class,
                "switch",
                "-i",
                SwitchBenchSetup.ACCESS + "@" + cables.access(),
                "-i",
                SwitchBenchSetup.CORE + "@" + cables.core(),
                "--device-id",
                Long.toString(DEVICE_ID),
                "--grpc",
                "127.0.0.1:0"),
            folder,
            true);
    return live.prepare(live.portTold(), cables, subscribers);
  }

  /** The port that it listens on; further output goes to the file. */
  private int portTold() throws IOException {
    BufferedReader said = process.inputReader(StandardCharsets.UTF_8);
    PrintWriter copy = new PrintWriter(Files.newBufferedWriter(log), true);
    for (String line = said.readLine(); line != null; line = said.readLine()) {
      copy.println(line);
      Matcher ready = READY.matcher(line);
      if (ready.find()) {
        Thread rest = new Thread(() -> said.lines().forEach(copy::println), "sluice-switch-log");
        rest.setDaemon(true);
        rest.start();
        return Integer.parseInt(ready.group(1));
      }
    }
    close();
    throw new IOException(name + " ended: " + Files.readString(log));
  }

  /** Starts bmv2's. */
  static LiveSwitch bmv2(Path executable, VethPairs.Cables cables, int subscribers, Path folder)
      throws IOException, InterruptedException {
    int port = Bmv2Process.freePort();
    return new LiveSwitch(
            "simple_switch_grpc",
            Bmv2Process.command(executable, port, cables.access(), cables.core()),
            folder,
            false)
        .prepare(port, cables, subscribers);
  }

  private LiveSwitch prepare(int port, VethPairs.Cables cables, int subscribers)
      throws IOException, InterruptedException {
    try {
      try (BenchController controller = new BenchController(port, DEVICE_ID)) {
        controller.loadProgram();
        controller.write(controller.requests(SwitchBenchSetup.infrastructure()));
        controller.write(controller.requests(SwitchBenchSetup.subscribers(subscribers)));
      }
      List<String> command =
          new ArrayList<>(
              CpuAffinity.java(
                  VethLoadProcess.class,
                  cables.accessHost(),
                  cables.coreHost(),
                  Integer.toString(subscribers)));
      load =
          new ProcessBuilder(CpuAffinity.beside(command))
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      trials = new PrintWriter(load.getOutputStream(), true, StandardCharsets.UTF_8);
      results =
          new BufferedReader(new InputStreamReader(load.getInputStream(), StandardCharsets.UTF_8));
      answer(VethLoadProcess.READY);
      return this;
    } catch (IOException | InterruptedException | RuntimeException e) {
      close();
      throw e;
    }
  }

  private String answer(String start) throws IOException {
    String line = results.readLine();
    if (line == null || !line.startsWith(start)) {
      throw new IOException("the process that sends packets failed: " + line);
    }
    return line.substring(start.length()).strip();
  }

  /**
   * Sends packets through the switch.
   *
   * @param perSecond packets per second; 0 for as many as the sender can
   */
  Trial trial(long perSecond, long millis) throws IOException {
    trials.println(perSecond + " " + millis);
    Trial trial = Trial.parse(answer(VethLoadProcess.TRIAL));
    if (!process.isAlive()) {
      throw new IOException(name + " ended: " + Files.readString(log));
    }
    return trial;
  }

  /** CPU time of the switch so far, of all its threads. */
  long cpuNanos() throws IOException {
    return process
        .toHandle()
        .info()
        .totalCpuDuration()
        .orElseThrow(() -> new IOException(name + " has ended"))
        .toNanos();
  }

  @Override
  public void close() {
    if (load != null) {
      trials.close();
      end(load);
    }
    // Closing the process's streams would close its output.
    process.toHandle().destroy();
    end(process);
    Runtime.getRuntime().removeShutdownHook(reaper);
  }

  private static void end(Process process) {
    try {
      if (!process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    }
  }
}
