package net.sluice.core;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.plan.Grant;

/**
 * A declaration in force.
 *
 * @param declared as declared
 * @param grants requested and granted, one per declared number that the targets represent
 * @param notes for people: what differs from what was asked
 * @param targets status at each target that has to hold something for it
 * @param switchName the switch it is at; empty if there is only one, or it is at all of them
 * @param leaving the switches that a subscriber leaves, see {@link LeavingAt}
 */
public record Declared(
    Declaration declared,
    List<Grant> grants,
    List<String> notes,
    List<TargetStatus> targets,
    Optional<String> switchName,
    List<LeavingAt> leaving) {
  /**
   * A switch that the subscriber has left and that serves it as it was declared there, until the
   * new switch does.
   *
   * @param switchName the switch it leaves
   * @param since when it was moved
   * @param waitsFor the switch that has to hold it first
   */
  public record LeavingAt(String switchName, Instant since, String waitsFor) {}

  public Declared {
    leaving = List.copyOf(leaving);
    grants = List.copyOf(grants);
    notes = List.copyOf(notes);
    targets = List.copyOf(targets);
  }

  /** The same with one more note. */
  public Declared noting(String note) {
    List<String> more = new ArrayList<>(notes);
    more.add(note);
    return new Declared(declared, grants, more, targets, switchName, leaving);
  }

  /** The same of a switch that is one of several. */
  public Declared at(String name) {
    return new Declared(declared, grants, notes, targets, Optional.of(name), leaving);
  }

  /** The same of a subscriber that other switches serve, too. */
  public Declared leaving(List<LeavingAt> others) {
    return new Declared(declared, grants, notes, targets, switchName, others);
  }

  /** Identifier of the declaration. */
  public String id() {
    return declared.id();
  }
}
