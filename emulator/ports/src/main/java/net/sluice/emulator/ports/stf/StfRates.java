package net.sluice.emulator.ports.stf;

import java.math.BigDecimal;
import java.util.List;
import net.sluice.emulator.v1model.table.MeterCells;

/** The rates of a meter as STF has them: as many as the meter has, the lowest first. */
final class StfRates {

  private static final int BURST_BITS = 42;

  private StfRates() {}

  /** Configures a cell; each rate is tokens per microsecond and a burst: {@code 0.001:10}. */
  static void configure(MeterCells meter, int index, List<String> texts, int line) {
    long[] rates = new long[texts.size()];
    long[] bursts = new long[texts.size()];
    for (int i = 0; i < rates.length; i++) {
      String[] parts = texts.get(i).split(":");
      if (parts.length != 2 || !parts[0].matches("\\d+(\\.\\d+)?")) {
        throw new StfException(
            line, "'" + texts.get(i) + "' must be a rate per microsecond, ':' and a burst");
      }
      rates[i] = new BigDecimal(parts[0]).movePointRight(6).longValue();
      bursts[i] = StfTables.value(parts[1], BURST_BITS, "burst", line).longValue();
      if (i > 0 && rates[i - 1] > rates[i]) {
        throw new StfException(
            line, "rate " + texts.get(i - 1) + " must not be above rate " + texts.get(i));
      }
    }
    meter.configure(index, rates, bursts);
  }
}
