package net.sluice.lab.report;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * One line of a {@link RunReport}: a quantity with its published, reference and measured values.
 *
 * @param name what is measured, dotted, e.g. {@code a.gold.goodput}
 * @param unit unit of every number of the row, e.g. {@code bit/s}; {@code 1} for ratios and shares
 * @param paper the published value, null where there is none
 * @param baseline the value of another implementation, null where there is none
 * @param measured the value of this run, null if it could not be measured
 * @param bound the number that {@code rule} is about; null where nothing is required
 * @param rule the quantity that {@code bound} bounds
 * @param claimed whether the bound is about the paper's number or claim; if not it is Sluice's own
 * @param fitted whether inputs of the run were derived from {@code paper}, so that a row within its
 *     bound shows that they are used as meant, and reproduces nothing
 */
@JsonIgnoreProperties(value = "verdict", allowGetters = true)
public record Row(
    String name,
    String unit,
    Double paper,
    Double baseline,
    Double measured,
    Double bound,
    Rule rule,
    boolean claimed,
    boolean fitted) {
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
    if ((rule == Rule.NONE) != (bound == null)) {
      throw new IllegalArgumentException(name + ": bound " + bound + " with the rule " + rule);
    }
    if (claimed && bound == null) {
      throw new IllegalArgumentException(name + ": a claim of the paper without a bound");
    }
    if (rule == Rule.WITHIN && !(claimed && paper != null)) {
      throw new IllegalArgumentException(name + ": within a bound of no value of the paper");
    }
    if (fitted && paper == null) {
      throw new IllegalArgumentException(name + ": fitted to a paper's value, and there is none");
    }
  }

  /** A row that reproduces a published value to within {@code tolerance} of it, e.g. 0.05. */
  public static Row reproduces(
      String name, String unit, double paper, double measured, double tolerance) {
    return within(name, unit, paper, measured, Math.abs(paper) * tolerance);
  }

  /** A row that reproduces a published value to within {@code bound}, in the row's unit. */
  public static Row within(String name, String unit, double paper, double measured, double bound) {
    return new Row(name, unit, paper, null, measured, bound, Rule.WITHIN, true, false);
  }

  /** The row with the value that the published one is above or below. */
  public Row besideBaseline(double value) {
    return new Row(name, unit, paper, value, measured, bound, rule, claimed, fitted);
  }

  /** The row with the mark that inputs of the run were derived from its published value. */
  public Row asFitted() {
    return new Row(name, unit, paper, baseline, measured, bound, rule, claimed, true);
  }

  /** The row with the mark that its bound is a claim of the paper. */
  public Row asClaimed() {
    return new Row(name, unit, paper, baseline, measured, bound, rule, true, fitted);
  }

  /** The row with the published value beside it, which its bound does not depend on. */
  public Row besidePaper(double published) {
    return new Row(name, unit, published, baseline, measured, bound, rule, claimed, fitted);
  }

  /** A row that must not exceed {@code bound}. */
  public static Row atMost(
      String name, String unit, Double baseline, double measured, double bound) {
    return new Row(name, unit, null, baseline, measured, bound, Rule.AT_MOST, false, false);
  }

  /** A row that must reach {@code bound}. */
  public static Row atLeast(
      String name, String unit, Double baseline, double measured, double bound) {
    return new Row(name, unit, null, baseline, measured, bound, Rule.AT_LEAST, false, false);
  }

  /** A row of which the paper claims that it is not above the baseline. */
  public static Row notAbove(String name, String unit, double baseline, double measured) {
    return atMost(name, unit, baseline, measured, baseline).asClaimed();
  }

  /** A row of which the paper claims that it is not below the baseline. */
  public static Row notBelow(String name, String unit, double baseline, double measured) {
    return atLeast(name, unit, baseline, measured, baseline).asClaimed();
  }

  /** A row without a bound. */
  public static Row plain(String name, String unit, Double baseline, double measured) {
    return new Row(name, unit, null, baseline, measured, null, Rule.NONE, false, false);
  }

  /** The row's judgement. */
  @JsonProperty
  public Verdict verdict() {
    return Verdict.of(this);
  }

  /** Whether the row is not missed. */
  public boolean ok() {
    return verdict() != Verdict.MISSED;
  }

  /** Whether the measured value is within the bound. */
  boolean kept() {
    return measured != null
        && switch (rule) {
          case NONE -> true;
          case WITHIN -> Math.abs(measured - paper) <= bound;
          case AT_MOST -> measured <= bound;
          case AT_LEAST -> measured >= bound;
        };
  }

  /** Whether the row has that verdict and is off its bound. */
  boolean outside(Verdict which) {
    return verdict() == which && !kept();
  }

  private static Double finite(Double value) {
    return value == null || !Double.isFinite(value) ? null : value;
  }
}
