package net.sluice.lab.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import net.sluice.lab.report.chart.ComparisonChart;
import net.sluice.lab.support.Figures;

/**
 * Rows of one quantity that belong side by side, as in a figure of the paper.
 *
 * @param title the quantity, and of what
 * @param source where the paper has it, and what the bars are
 * @param scale the unit that its values are shown in
 * @param bars the rows in order
 */
public record PaperFigure(String title, String source, Scale scale, List<Bar> bars) {
  /** A unit for people, and what a row's value is multiplied by for it. */
  public enum Scale {
    MEGABIT_PER_SECOND("Mbit/s", 1e-6),
    KILOBIT_PER_SECOND("kbit/s", 1e-3),
    PERCENT("%", 100),
    MILLISECONDS("ms", 1),
    MICROSECONDS("us", 1),
    PACKETS_PER_SECOND("packets/s", 1),
    PACKETS("packets", 1),
    RATIO("", "ratio", 1);

    private final String unit;
    private final String axis;
    private final double factor;

    Scale(String unit, String axis, double factor) {
      this.unit = unit;
      this.axis = axis;
      this.factor = factor;
    }

    Scale(String unit, double factor) {
      this(unit, unit, factor);
    }

    private String text(double value) {
      return Figures.shortNumber(factor * value) + (unit.isEmpty() ? "" : " " + unit);
    }
  }

  /**
   * A row of the figure.
   *
   * @param label stands under its bars
   */
  public record Bar(String label, Row row) {}

  /** So many misses of a figure are named one by one. */
  private static final int NAMED = 3;

  public PaperFigure {
    bars = List.copyOf(bars);
  }

  /** Bars of measured beside paper, and the range that the bound allows. */
  String chart() {
    return ComparisonChart.draw(title, scale.axis, bars.stream().map(this::drawn).toList());
  }

  private ComparisonChart.Group drawn(Bar bar) {
    Row row = bar.row();
    return switch (row.rule()) {
      case NONE -> drawn(bar, Double.NaN, Double.NaN);
      case WITHIN -> drawn(bar, row.paper() - row.bound(), row.paper() + row.bound());
      case AT_MOST -> drawn(bar, Double.NEGATIVE_INFINITY, row.bound());
      case AT_LEAST -> drawn(bar, row.bound(), Double.POSITIVE_INFINITY);
    };
  }

  private ComparisonChart.Group drawn(Bar bar, double least, double most) {
    Row row = bar.row();
    return new ComparisonChart.Group(
        bar.label(),
        scaled(row.paper()),
        scaled(row.measured()),
        scaled(least),
        scaled(most),
        mark(row.verdict()));
  }

  private static ComparisonChart.Mark mark(Verdict verdict) {
    return switch (verdict) {
      case REPRODUCED, FITTED, KEPT, NONE -> ComparisonChart.Mark.NONE;
      case DIRECTION -> ComparisonChart.Mark.DIRECTION;
      case MISSED -> ComparisonChart.Mark.MISSED;
    };
  }

  private double scaled(Double value) {
    return value == null ? Double.NaN : scale.factor * value;
  }

  /** Which of its rows with a verdict are outside their bounds and by how much; empty if none. */
  Optional<String> outside(Verdict verdict) {
    List<Bar> bound = bars.stream().filter(bar -> bar.row().bound() != null).toList();
    List<Bar> outside = bars.stream().filter(bar -> bar.row().outside(verdict)).toList();
    if (outside.isEmpty()) {
      return Optional.empty();
    }
    if (outside.size() <= NAMED) {
      List<String> each = new ArrayList<>();
      outside.forEach(bar -> each.add(bar.label() + " " + instead(bar.row())));
      return Optional.of(title + ": " + String.join(", ", each));
    }
    double least = outside.stream().mapToDouble(bar -> off(bar.row())).min().orElseThrow();
    double most = outside.stream().mapToDouble(bar -> off(bar.row())).max().orElseThrow();
    return Optional.of(
        String.format(
            Locale.ROOT,
            "%s: %d of %d, by %s to %s",
            title,
            outside.size(),
            bound.size(),
            scale.text(least),
            scale.text(most)));
  }

  private String instead(Row row) {
    if (row.measured() == null) {
      return "not measured";
    }
    String measured = scale.text(row.measured());
    return switch (row.rule()) {
      case NONE -> measured;
      case WITHIN -> measured + " instead of " + scale.text(row.paper()) + relative(row);
      case AT_MOST -> measured + " instead of at most " + scale.text(row.bound()) + relative(row);
      case AT_LEAST -> measured + " instead of at least " + scale.text(row.bound()) + relative(row);
    };
  }

  private static String relative(Row row) {
    double expected = row.rule() == Row.Rule.WITHIN ? row.paper() : row.bound();
    return expected == 0 ? "" : " (" + percent(100 * (row.measured() / expected - 1)) + " %)";
  }

  /** Two significant digits, one below 0.1. */
  private static String percent(double percent) {
    double magnitude = Math.abs(percent);
    return magnitude >= 10
        ? String.format(Locale.ROOT, "%+.0f", percent)
        : magnitude >= 0.1
            ? String.format(Locale.ROOT, "%+.1f", percent)
            : new BigDecimal(percent).round(new MathContext(1)).toPlainString();
  }

  /** How far a row is off what it is held against, in the row's unit. */
  private static double off(Row row) {
    if (row.measured() == null) {
      return Double.NaN;
    }
    double expected = row.rule() == Row.Rule.WITHIN ? row.paper() : row.bound();
    return Math.abs(row.measured() - expected);
  }
}
