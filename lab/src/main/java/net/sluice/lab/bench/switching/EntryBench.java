package net.sluice.lab.bench.switching;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import net.sluice.lab.report.Row;

/** Entries inserted and read over gRPC, switch and client in two processes. */
final class EntryBench {
  private static final double WRITES_PER_SECOND = 300_000;
  private static final double READS_PER_SECOND = 500_000;

  /** Two virtual machines compile beside the work: both are done with that after some thirty. */
  private static final int ROUNDS = 60;

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
    Process server =
        new ProcessBuilder(CpuAffinity.java(ServerProcess.class))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      String line = server.inputReader().readLine();
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
    return RoundsProcess.run(
        "writes and reads entries",
        CpuAffinity.java(
            EntryLoadProcess.OPTIONS,
            EntryLoadProcess.class,
            port,
            Integer.toString(subscribers),
            Integer.toString(roundCount)),
        roundCount,
        EntryLoadProcess.Round::parse);
  }

  private static double median(List<Double> rounds) {
    return RoundsProcess.median(rounds, Comparator.naturalOrder());
  }
}
