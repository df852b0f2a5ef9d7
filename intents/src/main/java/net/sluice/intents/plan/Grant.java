package net.sluice.intents.plan;

import java.util.Optional;
import net.sluice.intents.model.Direction;

/**
 * A requested number and the nearest that the target can represent.
 *
 * @param field the declared field, e.g. {@code downBps}
 * @param direction the FPGA it concerns, empty for the switch
 * @param requested in {@code unit}
 * @param granted in {@code unit}
 * @param unit {@code bit/s}, {@code byte} or {@code value}
 * @param note why they differ, for people; empty if they do not
 */
public record Grant(
    String field,
    Optional<Direction> direction,
    double requested,
    double granted,
    String unit,
    String note) {
  /** True if exactly what was asked for is granted. */
  public boolean isExact() {
    return requested == granted;
  }
}
