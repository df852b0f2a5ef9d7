package net.sluice.lab.bench.switching;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * bmv2's simple_switch_grpc with the same program and entries on the same captures, on the same
 * core. It switches as fast as it can, and drops packets when its queues are full.
 */
final class Bmv2Process {
  private static final long DEVICE_ID = 1;
  private static final int GRACE_SECONDS = 10;
  private static final int MAX_SECONDS = 300;
  private static final int PCAP_HEADER_BYTES = 24;
  private static final int RECORD_HEADER_BYTES = 16;
  private static final double NANOS_PER_SECOND = 1e9;

  private Bmv2Process() {}

  /**
   * Its results.
   *
   * @param sent packets that it sent
   * @param perSecond of them, from the first to the last by the times that it wrote
   * @param perCpuSecond packets of the captures, by the processor time of all its threads
   */
  record Result(long sent, double perSecond, double perCpuSecond) {}

  /**
   * Runs it.
   *
   * @param folder with the captures; its output is written beside them
   * @param setupSeconds time to install the entries before it begins with the captures
   */
  static Result run(Path executable, Path folder, int packets, int subscribers, int setupSeconds)
      throws IOException, InterruptedException {
    Files.deleteIfExists(SwitchBenchSetup.output(folder, SwitchBenchSetup.ACCESS_NAME));
    Files.deleteIfExists(SwitchBenchSetup.output(folder, SwitchBenchSetup.CORE_NAME));
    int port = freePort();
    double cpuSeconds;
    Process process =
        new ProcessBuilder(CpuAffinity.pinned(command(executable, port, setupSeconds)))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("bmv2.log").toFile())
            .start();
    Thread reaper = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(reaper);
    try {
      try (BenchController controller = new BenchController(port, DEVICE_ID)) {
        controller.loadProgram();
        controller.write(controller.requests(SwitchBenchSetup.infrastructure()));
        controller.write(controller.requests(SwitchBenchSetup.subscribers(subscribers)));
      }
      if (sent(folder) > 0) {
        throw new IOException(
            "simple_switch_grpc took longer than " + setupSeconds + " s to take the entries");
      }
      double before = cpuSeconds(process);
      untilSilent(process, folder, setupSeconds);
      cpuSeconds = cpuSeconds(process) - before;
    } finally {
      process.destroy();
      if (!process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
      Runtime.getRuntime().removeShutdownHook(reaper);
    }
    return result(folder, packets / cpuSeconds);
  }

  private static List<String> command(Path executable, int port, int setupSeconds) {
    return List.of(
        executable.toString(),
        "--no-p4",
        "--device-id",
        Long.toString(DEVICE_ID),
        "-i",
        SwitchBenchSetup.ACCESS + "@" + SwitchBenchSetup.ACCESS_NAME,
        "-i",
        SwitchBenchSetup.CORE + "@" + SwitchBenchSetup.CORE_NAME,
        "--use-files",
        Integer.toString(setupSeconds),
        "--log-level",
        "off",
        "--",
        "--grpc-server-addr",
        "127.0.0.1:" + port);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static long sent(Path folder) throws IOException {
    long bytes = 0;
    for (String name : List.of(SwitchBenchSetup.ACCESS_NAME, SwitchBenchSetup.CORE_NAME)) {
      Path file = SwitchBenchSetup.output(folder, name);
      bytes += Files.exists(file) ? Math.max(0, Files.size(file) - PCAP_HEADER_BYTES) : 0;
    }
    return bytes;
  }

  /** It does not report its end: it is done when it has begun and writes nothing more. */
  private static void untilSilent(Process process, Path folder, int setupSeconds)
      throws IOException, InterruptedException {
    long last = 0;
    int silent = 0;
    for (int second = 0; second < setupSeconds + MAX_SECONDS && silent < 3; second++) {
      if (process.waitFor(1, TimeUnit.SECONDS)) {
        throw new IOException(
            "simple_switch_grpc ended: " + Files.readString(folder.resolve("bmv2.log")));
      }
      long now = sent(folder);
      silent = now == last && now > 0 ? silent + 1 : 0;
      last = now;
    }
  }

  private static double cpuSeconds(Process process) throws IOException {
    return process
            .toHandle()
            .info()
            .totalCpuDuration()
            .orElseThrow(() -> new IOException("simple_switch_grpc has ended"))
            .toNanos()
        / NANOS_PER_SECOND;
  }

  /** Packets sent, from the captures it wrote, which it stamps when sending. */
  private static Result result(Path folder, double perCpuSecond) throws IOException {
    long packets = 0;
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (String name : List.of(SwitchBenchSetup.ACCESS_NAME, SwitchBenchSetup.CORE_NAME)) {
      Path file = SwitchBenchSetup.output(folder, name);
      if (Files.exists(file)) {
        // Its captures lack the link type of Ethernet.
        ByteBuffer capture =
            ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        capture.position(PCAP_HEADER_BYTES);
        while (capture.remaining() > RECORD_HEADER_BYTES) {
          long nanos = capture.getInt() * 1_000_000_000L + capture.getInt() * 1_000L;
          int length = capture.getInt();
          capture.position(capture.position() + Integer.BYTES + length);
          packets++;
          first = Math.min(first, nanos);
          last = Math.max(last, nanos);
        }
      }
    }
    if (packets < 2 || last <= first) {
      throw new IOException("simple_switch_grpc sent " + packets + " packets of the captures");
    }
    return new Result(packets, packets / ((last - first) / NANOS_PER_SECOND), perCpuSecond);
  }
}
