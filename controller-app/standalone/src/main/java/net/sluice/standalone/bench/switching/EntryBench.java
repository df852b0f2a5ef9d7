package net.sluice.standalone.bench.switching;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import net.sluice.standalone.report.Row;

/** Entries inserted and read over gRPC, switch and client in two processes. */
final class EntryBench {
  private static final double WRITES_PER_SECOND = 300_000;
  private static final double READS_PER_SECOND = 500_000;
  private static final int ROUNDS = 60;

  /**
   * Rounds at the end, of which the median counts. Those before warm up: two virtual machines
   * compile beside the work.
   */
  private static final int COUNTED_ROUNDS = 5;

  private static final int GRACE_SECONDS = 10;

  private EntryBench() {}

  /**
   * Measures.
   *
   * @param subscribers how many entries there are to insert
   * @throws IOException if one of the processes fails
   */
  static List<Row> run(int subscribers) throws IOException, InterruptedException {
    return run(subscribers, ROUNDS);
  }

  /**
   * The same with another number of rounds.
   *
   * @param roundCount 5 or more
   */
  static List<Row> run(int subscribers, int roundCount) throws IOException, InterruptedException {
    List<EntryLoadProcess.Round> rounds;
    Process server = start(OneCore.java(ServerProcess.class));
    try {
      String line = reader(server).readLine();
      if (line == null || !line.startsWith(ServerProcess.READY)) {
        throw new IOException("the switch did not start: " + line);
      }
      rounds = rounds(line.split(" ")[1], subscribers, roundCount);
    } finally {
      server.getOutputStream().close();
      if (!server.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
        server.destroyForcibly();
      }
    }
    return List.of(
        Row.atLeast(
            "write.entriesPerSecond",
            "1/s",
            null,
            median(rounds.stream().map(EntryLoadProcess.Round::writtenPerSecond).toList()),
            WRITES_PER_SECOND),
        Row.atLeast(
            "read.entriesPerSecond",
            "1/s",
            null,
            median(rounds.stream().map(EntryLoadProcess.Round::readPerSecond).toList()),
            READS_PER_SECOND));
  }

  private static List<EntryLoadProcess.Round> rounds(String port, int subscribers, int roundCount)
      throws IOException, InterruptedException {
    List<EntryLoadProcess.Round> rounds = new ArrayList<>();
    Process client =
        start(
            OneCore.java(
                EntryLoadProcess.OPTIONS,
                EntryLoadProcess.class,
                port,
                Integer.toString(subscribers),
                Integer.toString(roundCount)));
    try (BufferedReader output = reader(client)) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        if (line.startsWith(EntryLoadProcess.ROUND)) {
          rounds.add(
              EntryLoadProcess.Round.parse(line.substring(EntryLoadProcess.ROUND.length() + 1)));
        }
      }
    } finally {
      client.destroy();
    }
    if (client.waitFor() != 0 || rounds.size() != roundCount) {
      throw new IOException("the process that writes and reads entries failed");
    }
    return rounds;
  }

  private static Process start(List<String> command) throws IOException {
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static BufferedReader reader(Process process) {
    return new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** Of the rounds that count. */
  private static double median(List<Double> rounds) {
    return rounds.subList(rounds.size() - COUNTED_ROUNDS, rounds.size()).stream()
        .sorted()
        .toList()
        .get(COUNTED_ROUNDS / 2);
  }
}
