package net.sluice.lab.report;

/**
 * One line of a {@link RunReport}: a quantity with its published, reference and measured values.
 *
 * @param name what is measured, dotted, e.g. {@code a.gold.goodput}
 * @param unit unit of every number of the row, e.g. {@code bit/s}; {@code 1} for ratios and shares
 * @param paper the published value, null where there is none
 * @param baseline the value of another implementation, null where there is none
 * @param measured the value of this run, null if it could not be measured
 * @param bound the number that {@code rule} is about; null where nothing is required
 * @param rule what {@code bound} bounds
 * @param fitted whether inputs of the run were derived from {@code paper}, so that a row within its
 *     bound shows that they are used as meant, and reproduces nothing
 * @param ok whether the bound is kept; true where there is none and the value was measured
 */
public record Row(
    String name,
    String unit,
    Double paper,
    Double baseline,
    Double measured,
    Double bound,
    Rule rule,
    boolean fitted,
    boolean ok) {
  /** The quantity that a row's bound limits. */
  public enum Rule {
    /** Nothing: the row is shown. */
    NONE,
    /** The absolute difference of the measured from the published value. */
    WITHIN,
    /** The measured value, from above. */
    AT_MOST,
    /** The measured value, from below. */
    AT_LEAST
  }

  public Row {
    paper = finite(paper);
    baseline = finite(baseline);
    measured = finite(measured);
    bound = finite(bound);
    if (measured == null && ok) {
      throw new IllegalArgumentException(name + ": a row without a measured value cannot be ok");
    }
    if ((rule == Rule.NONE) != (bound == null)) {
      throw new IllegalArgumentException(name + ": bound " + bound + " with the rule " + rule);
    }
    if (fitted && paper == null) {
      throw new IllegalArgumentException(name + ": fitted to a paper's value, and there is none");
    }
  }

  /** A row that reproduces a published value to within {@code tolerance} of it, e.g. 0.05. */
  public static Row reproduces(
      String name, String unit, double paper, double measured, double tolerance) {
    double bound = Math.abs(paper) * tolerance;
    return within(name, unit, paper, measured, bound);
  }

  /** A row that reproduces a published value to within {@code bound}, in the row's unit. */
  public static Row within(String name, String unit, double paper, double measured, double bound) {
    return new Row(
        name,
        unit,
        paper,
        null,
        measured,
        bound,
        Rule.WITHIN,
        false,
        Double.isFinite(measured) && Math.abs(measured - paper) <= bound);
  }

  /** The row with the mark that inputs of the run were derived from its published value. */
  public Row asFitted() {
    return new Row(name, unit, paper, baseline, measured, bound, rule, true, ok);
  }

  /** The row with the published value beside it, which its bound does not depend on. */
  public Row besidePaper(double published) {
    return new Row(name, unit, published, baseline, measured, bound, rule, fitted, ok);
  }

  /** True if the row comes near a published value that no input was derived from. */
  public boolean reproduced() {
    return comparesWithPaper() && ok && !fitted;
  }

  /** Whether the row has to come near a published value. */
  boolean comparesWithPaper() {
    return rule == Rule.WITHIN;
  }

  /** A row that must not exceed {@code bound}. */
  public static Row atMost(
      String name, String unit, Double baseline, double measured, double bound) {
    return new Row(
        name, unit, null, baseline, measured, bound, Rule.AT_MOST, false, measured <= bound);
  }

  /** A row that must reach {@code bound}. */
  public static Row atLeast(
      String name, String unit, Double baseline, double measured, double bound) {
    return new Row(
        name, unit, null, baseline, measured, bound, Rule.AT_LEAST, false, measured >= bound);
  }

  /** A row without a bound. */
  public static Row plain(String name, String unit, Double baseline, double measured) {
    return new Row(
        name, unit, null, baseline, measured, null, Rule.NONE, false, Double.isFinite(measured));
  }

  private static Double finite(Double value) {
    return value == null || !Double.isFinite(value) ? null : value;
  }
}
