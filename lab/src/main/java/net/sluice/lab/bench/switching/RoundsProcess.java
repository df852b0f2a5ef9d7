package net.sluice.lab.bench.switching;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/** A process that measures in rounds, and prints a line of numbers for each. */
final class RoundsProcess {

  /**
   * Rounds at the end, of which the median counts. Earlier ones are warm-up for the JIT compiler.
   */
  private static final int COUNTED = 5;

  private static final String ROUND = "ROUND ";

  private RoundsProcess() {}

  /** In the process: reports the numbers of a round. */
  static void tell(String numbers) {
    System.out.println(ROUND + numbers);
  }

  /**
   * Runs one to its end.
   *
   * @param what its task, for the error: "the process that ... failed"
   * @param count rounds that it must report
   * @param parse reads the numbers of a round
   * @throws IOException if it fails or reports more or fewer rounds
   */
  static <R> List<R> run(String what, List<String> command, int count, Function<String, R> parse)
      throws IOException, InterruptedException {
    List<R> rounds = new ArrayList<>();
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (BufferedReader output = process.inputReader()) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        if (line.startsWith(ROUND)) {
          rounds.add(parse.apply(line.substring(ROUND.length())));
        }
      }
      if (process.waitFor() != 0 || rounds.size() != count) {
        throw new IOException("the process that " + what + " failed");
      }
    } finally {
      process.destroy();
    }
    return rounds;
  }

  /** The median of the rounds that count. */
  static <R> R median(List<R> rounds, Comparator<R> order) {
    return rounds.subList(rounds.size() - COUNTED, rounds.size()).stream()
        .sorted(order)
        .toList()
        .get(COUNTED / 2);
  }
}
