package net.sluice.core;

import java.util.List;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.plan.Grant;

/**
 * A declaration in force.
 *
 * @param declared as declared
 * @param grants requested and granted, one per declared number that the targets represent
 * @param notes for people: what differs from what was asked
 * @param targets status at each target that has to hold something for it
 */
public record Declared(
    Declaration declared, List<Grant> grants, List<String> notes, List<TargetStatus> targets) {
  public Declared {
    grants = List.copyOf(grants);
    notes = List.copyOf(notes);
    targets = List.copyOf(targets);
  }

  /** Identifier of the declaration. */
  public String id() {
    return declared.id();
  }
}
