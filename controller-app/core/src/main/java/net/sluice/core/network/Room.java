package net.sluice.core.network;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import net.sluice.core.UnavailableException;
import net.sluice.core.change.ShardChanges;
import net.sluice.core.shard.SwitchShard;

/**
 * The room of a change at the targets of its switches. A change learns which switches it is for
 * with locks held that others need. So it asks there whether they have room, and if not, gives its
 * locks up, waits, and begins anew. What was waited for once is not waited for again: a queue may
 * have a change of each thread more than it has room for.
 */
final class Room {
  private final Predicate<ShardChanges> has;
  private final Consumer<ShardChanges> wait;
  private final Set<SwitchShard> found = new HashSet<>();
  private final Set<SwitchShard> lacking = new LinkedHashSet<>();

  private Room(Predicate<ShardChanges> has, Consumer<ShardChanges> wait) {
    this.has = has;
    this.wait = wait;
  }

  /** Room for a single change, or for some that come together. */
  static Room forChange() {
    return new Room(ShardChanges::hasSpace, ShardChanges::awaitSpace);
  }

  /** Room for changes of a bulk. */
  static Room forBulk() {
    return new Room(ShardChanges::hasSpaceForBulk, ShardChanges::awaitSpaceForBulk);
  }

  /** Whether there is room at each of the switches; {@link #await()} waits where there is none. */
  boolean isAt(Collection<SwitchShard> shards) {
    lacking.clear();
    for (SwitchShard shard : shards) {
      if (!found.contains(shard) && !has.test(shard.changes())) {
        lacking.add(shard);
      }
    }
    return lacking.isEmpty();
  }

  /**
   * Waits where there was no room; for a thread that holds no lock.
   *
   * @throws UnavailableException if one of the targets has had none for as long as that is waited
   *     for
   */
  void await() {
    for (SwitchShard shard : lacking) {
      wait.accept(shard.changes());
      found.add(shard);
    }
    lacking.clear();
  }

  /** The switches that had no room when that was last asked. */
  Set<SwitchShard> lacking() {
    return Set.copyOf(lacking);
  }

  /** Tries {@code attempt}, which is empty while there is no room, until there is. */
  <T> T await(Supplier<Optional<T>> attempt) {
    Optional<T> made = attempt.get();
    while (made.isEmpty()) {
      await();
      made = attempt.get();
    }
    return made.get();
  }
}
