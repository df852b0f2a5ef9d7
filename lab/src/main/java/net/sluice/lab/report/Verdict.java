package net.sluice.lab.report;

import java.util.Locale;

/** A row's judgement. A figure of a paper is reproduced, has its direction, or is missed. */
public enum Verdict {
  /** The paper's value or claim holds within the bound that stands beside it. */
  REPRODUCED,
  /**
   * The value is outside the bound, or the bound is the baseline, and on the paper's side of it.
   */
  DIRECTION,
  /** Neither. */
  MISSED,
  /** Within the bound, and inputs of the run were derived from the paper's value. */
  FITTED,
  /** Within a bound of Sluice's own; a row that is not is missed. */
  KEPT,
  /** No bound. */
  NONE;

  /** The only place that decides. */
  static Verdict of(Row row) {
    if (row.measured() == null) {
      return MISSED;
    }
    if (row.rule() == Row.Rule.NONE) {
      return NONE;
    }
    if (!row.claimed()) {
      return row.kept() ? KEPT : MISSED;
    }
    if (row.kept()) {
      return row.fitted() ? FITTED : row.bound().equals(row.baseline()) ? DIRECTION : REPRODUCED;
    }
    return !row.fitted() && onThePapersSide(row) ? DIRECTION : MISSED;
  }

  private static boolean onThePapersSide(Row row) {
    if (row.baseline() == null) {
      return false;
    }
    int measured = Double.compare(row.measured(), row.baseline());
    int claimed =
        switch (row.rule()) {
          case WITHIN -> Double.compare(row.paper(), row.baseline());
          case AT_MOST -> -1;
          case AT_LEAST -> 1;
          case NONE -> 0;
        };
    return claimed != 0 && measured == claimed;
  }

  /** The word for people; a dash where there is nothing to judge. */
  public String word() {
    return this == NONE ? "-" : name().toLowerCase(Locale.ROOT);
  }
}
