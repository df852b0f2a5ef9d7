package net.sluice.core.lock;

import java.util.ArrayList;
import java.util.List;

/**
 * The places of the controller's locks, in the order in which a thread takes them; what each guards
 * is in docs/architecture.md, "Locks".
 *
 * <p>The methods are for assertions: where these are enabled, as in every test, a lock taken out of
 * order is an {@link AssertionError}; elsewhere nothing is recorded.
 */
public enum LockOrder {
  /** Which switches there are. */
  NETWORK,
  /** Ids and prefixes of changes under way. */
  CLAIMS,
  /** The right to collect the next commit. */
  TURN,
  /** Planning at a switch; of several switches by name. */
  PLANNING,
  /** Committing at a switch; of several switches by name. */
  COMMITTING,
  /** The state of a switch in memory; of several switches by name. */
  MEMORY,
  /** One target's session. */
  SESSION,
  /** Status by owner. */
  BOARD;

  private record Taken(LockOrder place, Object lock, String owner) {
    @Override
    public String toString() {
      return owner.isEmpty() ? place.toString() : place + " of " + owner;
    }
  }

  private static final ThreadLocal<List<Taken>> TAKEN = ThreadLocal.withInitial(ArrayList::new);

  /**
   * Records that the thread takes a lock at this place.
   *
   * @param owner name of the switch where a thread may take the locks of several, else empty
   * @return true
   * @throws AssertionError if the thread holds another lock that comes after this one
   */
  public boolean take(Object lock, String owner) {
    Taken taking = new Taken(this, lock, owner);
    List<Taken> held = TAKEN.get();
    if (held.stream().noneMatch(each -> each.lock == lock)) {
      for (Taken each : held) {
        int after = compareTo(each.place);
        if (after < 0 || after == 0 && owner.compareTo(each.owner) <= 0) {
          throw new AssertionError(taking + " is taken by a thread that holds " + held);
        }
      }
    }
    held.add(taking);
    return true;
  }

  /**
   * Whether the thread may wait for a target: others wait for the locks that it holds.
   *
   * @return true
   * @throws AssertionError if the thread holds a lock
   */
  public static boolean holdsNone() {
    if (!TAKEN.get().isEmpty()) {
      throw new AssertionError("a thread waits for a target that holds " + TAKEN.get());
    }
    return true;
  }

  /**
   * Records that the thread gives up a lock, once for each time it took it.
   *
   * @return true
   */
  public static boolean giveUp(Object lock) {
    List<Taken> held = TAKEN.get();
    for (int i = held.size() - 1; i >= 0; i--) {
      if (held.get(i).lock == lock) {
        held.remove(i);
        return true;
      }
    }
    throw new AssertionError("a lock is given up that the thread does not hold: " + lock);
  }
}
