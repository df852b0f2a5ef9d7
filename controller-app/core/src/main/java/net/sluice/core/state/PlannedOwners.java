package net.sluice.core.state;

import java.time.Clock;
import java.time.Instant;
import java.util.BitSet;
import java.util.Optional;
import net.sluice.intents.plan.OwnerIds;

/**
 * The owners (see {@link OwnerIds}) of what is planned and not yet handed to the targets. Whatever
 * the targets hold for them is not what is in memory. There are two groups of changes at most: one
 * that is being planned and one that is being made durable. Guarded by the memory.
 */
public final class PlannedOwners {
  private final Clock clock;
  private Group planning = new Group();
  private Group committing = new Group();

  private static final class Group {
    private final BitSet owners = new BitSet();
    private Instant since = Instant.EPOCH;
  }

  PlannedOwners(Clock clock) {
    this.clock = clock;
  }

  /** A change of the group that is being planned has a write for that owner. */
  public void add(int owner) {
    if (owner == OwnerIds.NONE) {
      return;
    }
    if (planning.owners.isEmpty()) {
      planning.since = clock.instant();
    }
    planning.owners.set(owner);
  }

  /** The group is planned; the one before it has left. */
  public void seal() {
    Group left = committing;
    committing = planning;
    planning = left;
  }

  /** The group that was made durable is at the targets' queues. */
  public void submitted() {
    committing.owners.clear();
  }

  /** Forgets the plan that is being made. */
  public void clearPlanning() {
    planning.owners.clear();
  }

  /** Forgets all plans. */
  void clear() {
    planning.owners.clear();
    committing.owners.clear();
  }

  /** Since when something is planned for an owner; empty if nothing is. */
  public Optional<Instant> since(int owner) {
    if (owner == OwnerIds.NONE) {
      return Optional.empty();
    } else if (committing.owners.get(owner)) {
      return Optional.of(committing.since);
    }
    return planning.owners.get(owner) ? Optional.of(planning.since) : Optional.empty();
  }
}
