package net.sluice.lab.bench.switching;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import net.sluice.lab.support.Executables;

/**
 * Pairs of virtual interfaces for a measurement, gone when this is closed or the process ends. Each
 * switch has two: one end of a pair is a port of it, the other end is where the packets come from
 * and go to. Nothing else sends on them. Needs root and ip(8).
 */
final class VethPairs implements AutoCloseable {

  /**
   * The pairs of one switch.
   *
   * @param access the switch's end of one
   * @param accessHost its other end
   * @param core the switch's end of the other
   * @param coreHost its other end
   */
  record Cables(String access, String accessHost, String core, String coreHost) {}

  private static final long PATIENCE_NANOS = 10_000_000_000L;

  private final String prefix = "sb" + Long.toString(ProcessHandle.current().pid(), 36);
  private final List<Cables> cables = new ArrayList<>();
  private final List<String> made = new ArrayList<>();
  private final Thread reaper = new Thread(this::remove);

  private VethPairs() {}

  /**
   * Makes pairs for some switches.
   *
   * @throws IOException if that is not possible here; the message has the reason
   */
  static VethPairs open(int switches) throws IOException {
    if (Executables.onPath("ip").isEmpty()) {
      throw new IOException("ip is not on PATH");
    }
    VethPairs pairs = new VethPairs();
    Runtime.getRuntime().addShutdownHook(pairs.reaper);
    try {
      for (int i = 0; i < switches; i++) {
        String name = pairs.prefix + (char) ('a' + i);
        pairs.add(name + "0", name + "1");
        pairs.add(name + "2", name + "3");
        pairs.cables.add(new Cables(name + "0", name + "1", name + "2", name + "3"));
      }
      return pairs;
    } catch (IOException e) {
      pairs.close();
      throw e;
    }
  }

  private void add(String near, String far) throws IOException {
    ip("link", "add", near, "type", "veth", "peer", "name", far);
    made.add(near);
    for (String end : List.of(near, far)) {
      ip("link", "set", "dev", end, "addrgenmode", "none", "up");
    }
    for (String end : List.of(near, far)) {
      awaitLink(end);
    }
  }

  /** The end that came up first drops frames until the kernel has set its carrier. */
  private static void awaitLink(String end) throws IOException {
    Path state = Path.of("/sys/class/net", end, "operstate");
    long giveUp = System.nanoTime() + PATIENCE_NANOS;
    while (!Files.readString(state).startsWith("up")) {
      if (System.nanoTime() - giveUp > 0) {
        throw new IOException("virtual interface " + end + " does not come up");
      }
      Thread.onSpinWait();
    }
    // The state is visible a moment before it takes effect; this waits for the lock in between.
    ip("link", "set", "dev", end, "up");
  }

  /** The pairs of a switch. */
  Cables cables(int index) {
    return cables.get(index);
  }

  private static void ip(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("ip"));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    try {
      if (process.waitFor() != 0) {
        throw new IOException(
            "virtual interfaces cannot be made: ip "
                + String.join(" ", arguments)
                + ": "
                + output.replaceAll("\\s+", " "));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private synchronized void remove() {
    for (String name : made) {
      try {
        ip("link", "del", name);
      } catch (IOException e) {
        System.err.println("sluice: " + name + " is left behind: " + e.getMessage());
      }
    }
    made.clear();
  }

  @Override
  public void close() {
    remove();
    Runtime.getRuntime().removeShutdownHook(reaper);
  }
}
