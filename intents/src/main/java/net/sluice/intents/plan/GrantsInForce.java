package net.sluice.intents.plan;

import java.util.List;

/**
 * The grants of a declaration in force under the others in force.
 *
 * @param grants requested and granted, one per declared number the targets represent
 * @param notes for people: what differs from what was asked; if the targets could no longer take
 *     the declaration, why
 */
public record GrantsInForce(List<Grant> grants, List<String> notes) {
  public GrantsInForce {
    grants = List.copyOf(grants);
    notes = List.copyOf(notes);
  }
}
