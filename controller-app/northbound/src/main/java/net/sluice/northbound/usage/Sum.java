package net.sluice.northbound.usage;

import java.util.Arrays;
import java.util.Optional;
import net.sluice.intents.value.Direction;
import net.sluice.intents.verdict.Cause;

/** The mean of rates over several times, those of which nothing is known left out. */
final class Sum {
  private static final double MOST_SHARE = 4_000;
  private static final int CAUSES = Cause.values().length;

  private final double[] sums = new double[Measure.COLUMNS];

  /** Of each direction: times by cause, how much of them was short, and those with a bound. */
  private final int[][] judged = new int[2][CAUSES];

  private final double[][] shorts = new double[2][CAUSES];
  private final int[] bound = new int[2];
  private int times;

  void clear() {
    Arrays.fill(sums, 0);
    Arrays.fill(bound, 0);
    for (int way = 0; way < bound.length; way++) {
      Arrays.fill(judged[way], 0);
      Arrays.fill(shorts[way], 0);
    }
    times = 0;
  }

  /** Adds the rates of a slot of a block, if they are known. */
  void add(Block block, int slot) {
    if (!block.known.get(slot)) {
      return;
    }
    times++;
    for (int i = 0; i < Measure.COLUMNS; i++) {
      double value = Compact.value(block.codes[i][slot]);
      sums[i] += Measure.isWait(i) ? value * weight(block, slot, i) : value;
    }
    for (int way = 0; way < bound.length; way++) {
      int first = way * Measure.COUNT;
      int code = block.codes[first + Measure.JUDGED.ordinal()][slot];
      judged[way][KeptTime.cause(code).ordinal()]++;
      shorts[way][KeptTime.cause(code).ordinal()] += KeptTime.shortShare(code);
      bound[way] += block.codes[first + Measure.ENTITLED.ordinal()][slot] == 0 ? 0 : 1;
    }
  }

  /** The cause of most of what was short, or else of most times; and how much was short. */
  private short judged(int way) {
    int most = 0;
    double all = 0;
    for (int i = 0; i < CAUSES; i++) {
      all += shorts[way][i];
      double more = shorts[way][i] - shorts[way][most];
      if (more > 0 || more == 0 && judged[way][i] > judged[way][most]) {
        most = i;
      }
    }
    return KeptTime.code(Cause.values()[most], all / times);
  }

  /** Waits of a block are shares: they count by what the subscriber got then. */
  private static double weight(Block block, int slot, int column) {
    int first = column < Measure.COUNT ? 0 : Measure.COUNT;
    return 1 + Compact.value(block.codes[first + Measure.GOT.ordinal()][slot]);
  }

  /** Puts the mean into a slot of a block; leaves that unknown if nothing was known. */
  void store(Block to, int slot) {
    if (times == 0) {
      return;
    }
    to.known.set(slot);
    for (int first = 0; first < Measure.COLUMNS; first += Measure.COUNT) {
      double waits = 0;
      for (int i = Measure.FIRST_WAIT; i < Measure.COUNT; i++) {
        waits = Math.max(waits, sums[first + i]);
      }
      for (int i = 0; i < Measure.COUNT; i++) {
        double value =
            i < Measure.FIRST_WAIT
                ? sums[first + i] / times
                : waits == 0 ? 0 : Math.ceil(MOST_SHARE * sums[first + i] / waits);
        to.codes[first + i][slot] = Compact.code(Math.round(value));
      }
      int way = first / Measure.COUNT;
      to.codes[first + Measure.JUDGED.ordinal()][slot] = judged(way);
      to.codes[first + Measure.ENTITLED.ordinal()][slot] =
          bound[way] == 0
              ? 0
              : Compact.code(Math.round(sums[first + Measure.ENTITLED.ordinal()] / bound[way]));
    }
  }

  /** The mean of a direction; empty if nothing was known. */
  Optional<Rates> rates(Direction direction) {
    if (times == 0) {
      return Optional.empty();
    }
    double[] means = new double[Measure.COUNT];
    for (int i = 0; i < means.length; i++) {
      means[i] = sums[Measure.column(i, direction)] / times;
    }
    return Optional.of(Columns.rates(means));
  }
}
