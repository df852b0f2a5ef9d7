package net.sluice.it.clients;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** Pairs of network interfaces for a switch and a test, removed with it. Needs root. */
final class VethPairs implements AutoCloseable {

  private final List<String> far = new ArrayList<>();
  private final List<String> near = new ArrayList<>();

  private VethPairs() {}

  /** So many pairs, up; skips the test, and says so, where interfaces cannot be made. */
  static VethPairs open(int count) throws IOException, InterruptedException {
    VethPairs pairs = new VethPairs();
    String unique = "c" + Long.toString(System.nanoTime() & 0xfffffffL, 36);
    for (int i = 1; i <= count; i++) {
      String one = unique + "h" + i;
      String other = unique + "s" + i;
      String problem = ip("link", "add", one, "type", "veth", "peer", "name", other);
      if (!problem.isEmpty()) {
        pairs.close();
        String reason = "cannot make network interfaces here: " + problem;
        System.out.println("SKIPPED: " + reason);
        Assumptions.abort(reason);
      }
      pairs.far.add(one);
      pairs.near.add(other);
      for (String end : List.of(one, other)) {
        problem = ip("link", "set", end, "addrgenmode", "none", "up");
        if (!problem.isEmpty()) {
          pairs.close();
          throw new IOException("cannot set up " + end + ": " + problem);
        }
      }
    }
    return pairs;
  }

  /** The switch's interface of a port; ports count from 1. */
  String near(int port) {
    return near.get(port - 1);
  }

  /** The test's interfaces as {@code 1@NAME,2@NAME,...}. */
  String far() {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < far.size(); i++) {
      all.append(i == 0 ? "" : ",").append(i + 1).append('@').append(far.get(i));
    }
    return all.toString();
  }

  private static String ip(String... arguments) throws InterruptedException {
    List<String> command = new ArrayList<>(List.of("ip"));
    command.addAll(List.of(arguments));
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String output =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return process.waitFor() == 0 ? "" : output.isEmpty() ? "ip fails" : output;
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  @Override
  public void close() throws InterruptedException {
    for (String name : far) {
      ip("link", "del", name);
    }
  }
}
