package net.sluice.emulator.ports;

import com.sun.jna.Native;
import com.sun.jna.Platform;
import com.sun.jna.Pointer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import net.sluice.testing.Patience;
import net.sluice.testing.Prerequisite;

/** Interfaces and network namespaces for a test, removed with it. Needs root. */
public final class LinuxNetwork implements AutoCloseable {
  private static final Path IPV6 = Path.of("/proc/net/if_inet6");
  private static final int CLONE_NEWNET = 0x40000000;
  private static final int CAPABILITIES_VERSION = 0x20080522;

  private final String prefix =
      "s" + Long.toString(ProcessHandle.current().pid(), 36) + Long.toString(System.nanoTime(), 36);
  private final List<String> interfaces = new ArrayList<>();
  private final List<String> namespaces = new ArrayList<>();

  /** Calls that only tests make. */
  static final class Calls {
    static {
      Native.register(Calls.class, Platform.C_LIBRARY_NAME);
    }

    private Calls() {}

    static native int setns(int fd, int type);

    static native int capset(Pointer header, Pointer data);
  }

  private LinuxNetwork() {}

  /** Skips the test, and says so, where interfaces cannot be made. */
  public static LinuxNetwork open() throws IOException, InterruptedException {
    LinuxNetwork network = new LinuxNetwork();
    String probe = network.name("q");
    assume(
        "network interfaces",
        "link",
        "add",
        probe + "a",
        "type",
        "veth",
        "peer",
        "name",
        probe + "b");
    network.interfaces.add(probe + "a");
    int socket = Libc.socket(Libc.AF_PACKET, Libc.SOCK_RAW | Libc.SOCK_CLOEXEC, 0);
    if (socket < 0) {
      String problem = Libc.text(Libc.errno());
      network.close();
      skip("cannot open packet sockets here: " + problem);
    }
    Libc.close(socket);
    return network;
  }

  private static void skip(String reason) {
    Prerequisite.INTERFACES.skip(reason);
  }

  /** Skips the test, and says so, where /sys shows the interfaces of another network namespace. */
  static void assumeShown(String name) {
    if (!Files.exists(Path.of("/sys/class/net", name))) {
      skip("/sys does not show interface " + name);
    }
  }

  /** Skips the test, and says so, where TAP devices cannot be made. */
  public static void assumeTapDevices() throws IOException, InterruptedException {
    try (LinuxNetwork network = open()) {
      network.assumeTap();
    }
  }

  /** The same for a test that has made interfaces already. */
  void assumeTap() throws InterruptedException {
    String probe = name("p");
    assume("TAP devices", "tuntap", "add", "mode", "tap", "dev", probe);
    interfaces.add(probe);
  }

  /** Does what shows whether something can be made, with ip(8). */
  private static void assume(String what, String... arguments) throws InterruptedException {
    assume(what, ip(arguments));
  }

  private static void assume(String what, List<String> command) throws InterruptedException {
    String problem;
    try {
      problem = command(command).problem();
    } catch (IOException e) {
      problem = e.getMessage();
    }
    if (!problem.isEmpty()) {
      skip("cannot make " + what + " here: " + problem);
    }
  }

  /** A unique interface name of at most 15 bytes. */
  String name(String suffix) {
    String unique = prefix.substring(0, 2) + prefix.substring(prefix.length() - 8);
    return unique + suffix;
  }

  /** A pair of interfaces, up, with an MTU, on which nothing but the test talks: one, other. */
  public String[] veth(String suffix, int mtu) throws IOException, InterruptedException {
    String[] ends = {name(suffix + "h"), name(suffix + "s")};
    run("link", "add", ends[0], "type", "veth", "peer", "name", ends[1]);
    interfaces.add(ends[0]);
    for (String end : ends) {
      beQuiet(end);
      run("link", "set", end, "mtu", Integer.toString(mtu), "up");
    }
    awaitLinks(ends);
    return ends;
  }

  /** Keeps the kernel from sending frames of its own there, such as IPv6's. */
  private static void beQuiet(String name) throws IOException, InterruptedException {
    if (Files.exists(IPV6)) {
      run("link", "set", name, "addrgenmode", "none");
    }
  }

  /**
   * The end that came up first sends nothing, and says nothing of it, until the kernel has got
   * round to telling it of the other.
   */
  static void awaitLinks(String... ends) throws IOException, InterruptedException {
    for (String end : ends) {
      // Not /sys, which may show another network namespace.
      Patience.await(
          end + " is up",
          () -> command(ip("-o", "link", "show", "dev", end)).output().contains(" state UP "));
      // The state is visible a moment before it takes effect; this waits for the lock in between.
      run("link", "set", end, "up");
    }
  }

  /** A TAP device with an MTU of 9,000 on which nothing but the test talks. */
  void tap(String name) throws IOException, InterruptedException {
    run("tuntap", "add", "mode", "tap", "dev", name);
    interfaces.add(name);
    beQuiet(name);
    run("link", "set", name, "mtu", "9000");
  }

  /**
   * Limits an interface's rate; skips the test with a message if the kernel or the machine cannot.
   */
  static void limitRate(String name, String rate) throws InterruptedException {
    assume("limited rates", tokenBucket("add", name, rate));
  }

  /** Changes the rate of a limited interface. */
  static void changeRate(String name, String rate) throws IOException, InterruptedException {
    run(tokenBucket("change", name, rate));
  }

  private static List<String> tokenBucket(String how, String name, String rate) {
    List<String> command = new ArrayList<>(List.of("tc", "qdisc", how, "dev", name, "root", "tbf"));
    command.addAll(List.of("rate", rate, "burst", "10kb", "limit", "10mb"));
    return command;
  }

  /** A network namespace; where there can be none, the test is skipped, which is said. */
  String namespace(String suffix) throws InterruptedException {
    String namespace = name(suffix);
    assume("network namespaces", "netns", "add", namespace);
    namespaces.add(namespace);
    return namespace;
  }

  /** Runs ip(8), which must succeed. */
  static void run(String... arguments) throws IOException, InterruptedException {
    run(ip(arguments));
  }

  private static void run(List<String> command) throws IOException, InterruptedException {
    String problem = command(command).problem();
    if (!problem.isEmpty()) {
      throw new IOException(String.join(" ", command) + ": " + problem);
    }
  }

  private static List<String> ip(String... arguments) {
    List<String> command = new ArrayList<>(List.of("ip"));
    command.addAll(List.of(arguments));
    return command;
  }

  /**
   * Result of a command.
   *
   * @param problem error, empty if none
   * @param output its whole output
   */
  private record Done(String problem, String output) {}

  private static Done command(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    return new Done(process.waitFor() == 0 ? "" : output.isEmpty() ? "failed" : output, output);
  }

  /** Does something on a thread of its own, inside a network namespace. */
  static <T> FutureTask<T> inNamespace(String namespace, Callable<T> work) {
    return start(
        () -> {
          int fd = Libc.open("/var/run/netns/" + namespace, Libc.O_CLOEXEC);
          if (fd < 0 || Calls.setns(fd, CLONE_NEWNET) < 0) {
            throw new IOException("cannot enter " + namespace + ": " + Libc.text(Libc.errno()));
          }
          Libc.close(fd);
          return work.call();
        });
  }

  /** Does something on a thread of its own that has no capabilities. */
  static <T> T withoutCapabilities(Callable<T> work)
      throws InterruptedException, ExecutionException {
    return start(
            () -> {
              NativeMemory header = new NativeMemory(8);
              header.bytes().putInt(0, CAPABILITIES_VERSION);
              NativeMemory none = new NativeMemory(24);
              if (Calls.capset(header.pointer(), none.pointer()) < 0) {
                throw new IOException("capset: " + Libc.text(Libc.errno()));
              }
              return work.call();
            })
        .get();
  }

  static <T> FutureTask<T> start(Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    Thread thread = new Thread(task, "test");
    thread.setDaemon(true);
    thread.start();
    return task;
  }

  @Override
  public void close() throws IOException, InterruptedException {
    for (String name : interfaces) {
      // One that lived in a namespace goes with it.
      command(ip("link", "del", name));
    }
    for (String namespace : namespaces) {
      run("netns", "del", namespace);
    }
  }
}
