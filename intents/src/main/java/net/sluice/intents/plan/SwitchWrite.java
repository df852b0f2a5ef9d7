package net.sluice.intents.plan;

import java.util.Optional;

/**
 * A write to the switch.
 *
 * @param op relative to what the switch holds before the plan
 * @param entry the entry afterwards; for a delete the entry as it was
 * @param grant requested and granted; empty if the entry represents the declaration exactly, and
 *     for a delete
 */
public record SwitchWrite(Op op, SwitchEntry entry, Optional<Grant> grant) {
  /** A write that represents its declaration exactly. */
  public SwitchWrite(Op op, SwitchEntry entry) {
    this(op, entry, Optional.empty());
  }
}
