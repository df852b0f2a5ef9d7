package net.sluice.lab.experiment.dragonking;

import java.util.Map;
import net.sluice.lab.report.PaperValues;

/** The numbers in paper 004's text and tables, by row. */
final class DragonkingPaper {
  /** The abstract, and section V-C. */
  static final double ACCURACY = 0.99;

  /** Part of a number of the paper's that the measured one may be off. */
  static final double TOLERANCE = 0.05;

  /** Section V-G: the most that redistribution takes away. */
  static final double EVENED = 0.988;

  /** Section V-G: the most that the VST-aware window takes away. */
  static final double SOONER = 0.876;

  /** Section V-A. */
  static final double LIMITS = 2e6;

  /** Section V-F: 0.5 to 2 million. */
  static final double LEAST_UPDATES_PER_SECOND = 500_000;

  /** By how the rows' names begin. */
  static final PaperValues VALUES =
      new PaperValues(
          Map.ofEntries(
              Map.entry("accuracy.aggregate.", ACCURACY),
              Map.entry("accuracy.worst.", ACCURACY),
              // Section V-C: RegMeter reaches 57 Gbit/s of a line of 100.
              Map.entry("accuracy.regmeter.100G", 0.57),
              Map.entry("capacity.limits", LIMITS),
              Map.entry("updates.perSecond", LEAST_UPDATES_PER_SECOND)));

  private DragonkingPaper() {}

  /** Section V-B: goodput over that of a baseline. */
  static double goodputOver(Baseline baseline) {
    return switch (baseline) {
      case METER -> 1.157;
      case REG_METER -> 1.445;
      case SWRL -> 1.141;
    };
  }
}
