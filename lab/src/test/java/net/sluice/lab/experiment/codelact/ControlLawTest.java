package net.sluice.lab.experiment.codelact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import net.sluice.intents.model.policy.AqmKind;
import net.sluice.lab.report.Row;
import org.junit.jupiter.api.Test;

/** The measured control laws against formulas of their own. */
class ControlLawTest {
  private static final double INTERVAL = 100_000;

  /**
   * 2^22 us / sqrt(weighted count) as a Tofino's math unit has it: the four leading bits of the
   * count at an even power of two choose eight bits of the result, the middle between its ends.
   */
  private static double mathUnit(int count) {
    double weighted = count * (double) Math.round(Math.pow((1 << 22) / INTERVAL, 2));
    int power = 0;
    while (weighted / Math.pow(4, power) >= 16) {
      power++;
    }
    double leading = Math.floor(weighted / Math.pow(4, power));
    double eight = Math.rint(1_024 / (Math.sqrt(leading) + Math.sqrt(leading + 1)));
    return Math.floor(eight * Math.pow(2, 13 - power));
  }

  private static double powerOfTwo(int count) {
    return Math.floor(INTERVAL / Math.sqrt(Integer.highestOneBit(count)));
  }

  private static Row row(List<Row> rows, String name) {
    return rows.stream().filter(row -> row.name().equals(name)).findFirst().orElseThrow();
  }

  private static double[] errors(int from, IntToDoubleFunction law) {
    return IntStream.rangeClosed(from, 1_000)
        .mapToDouble(count -> Math.abs(law.applyAsDouble(count) * Math.sqrt(count) / INTERVAL - 1))
        .toArray();
  }

  @Test
  void rowsShowTheErrorsOfTheProgramsOwnWaits() {
    List<Row> rows =
        CodelActRows.law(
            ControlLaw.measure(AqmKind.CODEL_ACT), ControlLaw.measure(AqmKind.P4_CODEL));
    double[] act = errors(1, ControlLawTest::mathUnit);
    double[] p4Codel = errors(2, ControlLawTest::powerOfTwo);
    // A wait is measured to a microsecond or 1 / 2,000.
    close(row(rows, "sqrt.meanError"), mean(act));
    close(row(rows, "sqrt.worstError"), max(act));
    close(row(rows, "sqrt.p4codel.meanError"), mean(p4Codel));
    close(row(rows, "sqrt.p4codel.worstError"), max(p4Codel));
    assertThat(row(rows, "sqrt.meanError").paper()).isEqualTo(0.04);
    assertThat(row(rows, "sqrt.meanError").ok()).isTrue();
    assertThat(row(rows, "sqrt.latest").measured()).isCloseTo(2.9, within(0.1));
    assertThat(row(rows, "sqrt.p4codel.latest").measured())
        .isCloseTo((powerOfTwo(3) - INTERVAL / Math.sqrt(3)) / 1e3, within(0.05));
  }

  private static void close(Row row, double expected) {
    assertThat(row.measured()).as(row.name()).isCloseTo(expected, within(1e-3));
  }

  private static double max(double[] errors) {
    return Arrays.stream(errors).max().orElseThrow();
  }

  private static double mean(double[] errors) {
    return Arrays.stream(errors).average().orElseThrow();
  }
}
