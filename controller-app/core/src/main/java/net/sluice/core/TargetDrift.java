package net.sluice.core;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How a target differed from the declarations when it was last compared with them, and what has
 * become of the repairs.
 *
 * @param target name of the target
 * @param compared what was found, before anything was repaired
 * @param repairs writes that the comparison led to; 0 while it is refused
 * @param repaired of those, acknowledged by the target
 * @param failed of those, refused by the target
 * @param isOver whether all that differed has been repaired
 * @param foundSoFar differences that all comparisons have found by now, but those of a target that
 *     held nothing and was filled
 */
public record TargetDrift(
    String target,
    Comparison compared,
    long repairs,
    long repaired,
    long failed,
    boolean isOver,
    Map<Difference, Long> foundSoFar) {
  public TargetDrift {
    foundSoFar = Map.copyOf(foundSoFar);
  }

  /**
   * A comparison.
   *
   * @param at when everything was read; empty if there was no comparison yet
   * @param took from the beginning of the reading to its end
   * @param read entries or settings that the target held
   * @param malformed of those, what has no form that Sluice would write; to be deleted
   * @param revisionKept number of the store's commit up to which the target was written, as it
   *     keeps it; empty if it keeps none
   * @param revision number of the last commit that the store had then; 0 for none
   * @param tables what differs, by table; a table without a difference is left out
   */
  public record Comparison(
      Optional<Instant> at,
      Duration took,
      long read,
      long malformed,
      OptionalLong revisionKept,
      long revision,
      List<TableDrift> tables) {
    /** There was none yet. */
    public static final Comparison NONE =
        new Comparison(Optional.empty(), Duration.ZERO, 0, 0, OptionalLong.empty(), 0, List.of());

    public Comparison {
      tables = List.copyOf(tables);
    }
  }

  /**
   * Differences in one table, or in one kind of an FPGA's settings.
   *
   * @param table its name
   * @param foreign held and not declared
   * @param missing declared and not held
   * @param changed held with other data than declared
   * @param samples some of each
   */
  public record TableDrift(
      String table, long foreign, long missing, long changed, List<Sample> samples) {
    public TableDrift {
      samples = List.copyOf(samples);
    }

    /** The number of differences of a kind. */
    public long count(Difference difference) {
      return switch (difference) {
        case FOREIGN -> foreign;
        case MISSING -> missing;
        case CHANGED -> changed;
      };
    }
  }

  /** How an entry differs. */
  public enum Difference {
    /** Held and not declared. */
    FOREIGN,
    /** Declared and not held. */
    MISSING,
    /** Held with other data than declared. */
    CHANGED
  }

  /**
   * One difference, in words for people.
   *
   * @param difference how it differs
   * @param held what the target holds; empty if it holds nothing
   * @param declared what it should hold; empty if nothing
   */
  public record Sample(Difference difference, Optional<String> held, Optional<String> declared) {}
}
