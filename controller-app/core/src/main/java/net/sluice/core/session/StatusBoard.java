package net.sluice.core.session;

import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;
import net.sluice.core.BrokenBatch;
import net.sluice.core.TargetState;
import net.sluice.core.lock.LockOrder;
import net.sluice.intents.plan.OwnerIds;

/**
 * How far one target has got with each owner (see {@link OwnerIds}): 8 bytes an owner, and the
 * target's words only where it refused something. Thread-safe.
 *
 * <p>Declarations that are written come to rest, installed or failed, and then are news once, for
 * whoever takes them. What loses its status with its session and has it again with the next one was
 * not written in between, and is no news.
 */
public final class StatusBoard {
  /** Told with the board locked. */
  public interface Listener {
    /** A deletion has another state. */
    void changed(int deletion, TargetState state);

    /** There is news to take, see {@link #takeNews}; told again after all was taken. */
    void news();
  }

  // Flags of an owner: the number of its unanswered writes, and these bits. WRITTEN is set until it
  // was told that it has come to rest, NEWS while it waits to be taken, BROKEN from the end of a
  // session that it had unanswered writes in to its next write.
  private static final int BROKEN = 1 << 25;
  private static final int WRITTEN = 1 << 26;
  private static final int NEWS = 1 << 27;
  private static final int TRACKED = 1 << 28;
  private static final int FAILED = 1 << 29;
  private static final int STALE = 1 << 30;
  private static final int OUTSTANDING = BROKEN - 1;

  private final Clock clock;
  private final Instant base;
  private final Column subscribers = new Column();
  private final Column others = new Column();
  private final Column deletions = new Column();
  private final Map<Integer, String> errors = new HashMap<>();
  private final long[] counts = new long[TargetState.values().length];
  private String unownedError = "";
  private int[] news = new int[0];
  private int newsCount;
  private Listener listener;

  /** Flags and times of a range of owners. */
  private static final class Column {
    private int[] flags = new int[0];
    private int[] since = new int[0];

    void reserve(int index) {
      if (index >= flags.length) {
        int capacity = Math.max(64, index + 1 + (index >> 2));
        flags = Arrays.copyOf(flags, capacity);
        since = Arrays.copyOf(since, capacity);
      }
    }
  }

  /** An empty board; times are taken from {@code clock}. */
  public StatusBoard(Clock clock) {
    this.clock = clock;
    this.base = clock.instant();
  }

  /** Sets the listener to changes; null for none. */
  public synchronized void listener(Listener changed) {
    listener = changed;
  }

  /** The owner exists from now on; nothing is known of it if {@code stale}. */
  public synchronized void track(int owner, boolean stale) {
    int flags = flags(owner);
    set(owner, flags | TRACKED | (stale ? STALE : 0));
  }

  /** The owner is gone; answers that are still to come are counted, but for no owner. */
  public synchronized void untrack(int owner) {
    set(owner, flags(owner) & (OUTSTANDING | NEWS));
  }

  /** Every declaration is gone, as with {@link #untrack}; deletions go on. */
  public synchronized void untrackDeclared() {
    forEachTracked(
        owner -> {
          if (!OwnerIds.isDeletion(owner)) {
            untrack(owner);
          }
        });
    unownedError = "";
  }

  /** A write is on its way; whatever failed before is being tried again. */
  public synchronized void enqueued(int owner) {
    if (owner != OwnerIds.NONE) {
      int flags = flags(owner);
      // What is written while the target's content is not known resumes what broke.
      int ended = (flags & (STALE | OUTSTANDING)) == 0 ? BROKEN : 0;
      set(owner, (flags & ~FAILED & ~ended | WRITTEN) + 1);
    }
  }

  /** A write is done. */
  public synchronized void settled(int owner) {
    if (owner != OwnerIds.NONE) {
      set(owner, flags(owner) - 1);
    }
  }

  /** A write was refused with these words. */
  public synchronized void failed(int owner, String error) {
    if (owner == OwnerIds.NONE) {
      unownedError = error;
      return;
    }
    int flags = flags(owner) - 1;
    if ((flags & TRACKED) != 0) {
      errors.put(owner, error);
      flags = flags & ~BROKEN | FAILED;
    } else {
      unownedError = error;
    }
    set(owner, flags);
  }

  /** A write was not even queued because there is no session. */
  public synchronized void stale(int owner) {
    // What is gone has no status; its number may be another's soon.
    if (owner != OwnerIds.NONE && (flags(owner) & TRACKED) != 0) {
      set(owner, flags(owner) & ~FAILED | STALE | WRITTEN);
    }
  }

  /** The session ends, which breaks off what is unanswered or to be tried again. */
  public synchronized void sessionEnds() {
    forEachTracked(
        owner -> {
          int flags = flags(owner);
          if ((flags & (OUTSTANDING | FAILED)) != 0) {
            set(owner, flags | BROKEN);
          }
        });
  }

  /** Nothing is known of what the target holds, and no answer is to come. */
  public synchronized void allStale() {
    forget(subscribers);
    forget(others);
    forget(deletions);
    forEachTracked(owner -> set(owner, flags(owner) & ~(FAILED | OUTSTANDING) | STALE));
    unownedError = "";
  }

  private static void forget(Column untracked) {
    for (int i = 0; i < untracked.flags.length; i++) {
      if ((untracked.flags[i] & TRACKED) == 0) {
        untracked.flags[i] &= NEWS;
      }
    }
  }

  /** Refused writes are about to be tried again. */
  public synchronized void failedStale() {
    forEachTracked(
        owner -> {
          int flags = flags(owner);
          if ((flags & FAILED) != 0) {
            set(owner, flags & ~FAILED | STALE);
          }
        });
    unownedError = "";
  }

  /** Something was refused that is done for no declaration. */
  public synchronized void refusedUnowned(String error) {
    unownedError = error;
  }

  /**
   * The target's content is known again, save for writes on their way, which may be the rest of
   * deletions: see {@link #deletionsFresh}.
   */
  public synchronized void allFresh() {
    forEachTracked(
        owner -> {
          if (!OwnerIds.isDeletion(owner)) {
            set(owner, flags(owner) & ~STALE);
          }
        });
  }

  /**
   * Entries that no declaration asks for are gone from the target, unless some removals were
   * refused: nobody knows then whose they were.
   */
  public synchronized void deletionsFresh() {
    if (unownedError.isEmpty()) {
      forEachTracked(deletions, OwnerIds.deletion(0), owner -> set(owner, flags(owner) & ~STALE));
    }
  }

  /** True if a write for the owner was refused and has not been tried again. */
  public synchronized boolean isFailed(int owner) {
    return owner != OwnerIds.NONE && (flags(owner) & FAILED) != 0;
  }

  /** How far the target has got with an owner. */
  public synchronized TargetState state(int owner) {
    return stateOf(flags(owner));
  }

  /** Since when. */
  public synchronized Instant since(int owner) {
    Column column = column(owner);
    return base.plusMillis(100L * column.since[position(owner)]);
  }

  /** The outcome of its last writes if a session ended meanwhile. */
  public synchronized Optional<BrokenBatch> brokenBatch(int owner) {
    if ((flags(owner) & BROKEN) == 0) {
      return Optional.empty();
    }
    return Optional.of(
        state(owner) == TargetState.INSTALLED ? BrokenBatch.RESUMED : BrokenBatch.UNKNOWN);
  }

  /** The target's words if it failed. */
  public synchronized Optional<String> error(int owner) {
    return Optional.ofNullable(errors.get(owner));
  }

  /**
   * Takes declarations that may have come to rest, to ask {@link #told} about each.
   *
   * @param max most of them
   * @return their owners; empty if there are no more
   */
  public synchronized int[] takeNews(int max) {
    int taken = Math.min(max, newsCount);
    newsCount -= taken;
    int[] owners = Arrays.copyOfRange(news, newsCount, newsCount + taken);
    for (int owner : owners) {
      column(owner).flags[position(owner)] &= ~NEWS;
    }
    if (newsCount == 0) {
      news = new int[0];
    }
    return owners;
  }

  /**
   * The state to tell of a declaration, which is not news any more.
   *
   * @return empty if it is told already, or is news again when it comes to rest
   */
  public synchronized Optional<TargetState> told(int owner) {
    int flags = flags(owner);
    TargetState state = stateOf(flags);
    if ((flags & (TRACKED | WRITTEN)) != (TRACKED | WRITTEN) || state == TargetState.PENDING) {
      return Optional.empty();
    }
    column(owner).flags[position(owner)] = flags & ~WRITTEN;
    return Optional.of(state);
  }

  /** The last refusal on behalf of no declaration; "" if there was none. */
  public synchronized String unownedError() {
    return unownedError;
  }

  /** Number of owners in a state, deletions among them until they are done. */
  public synchronized long count(TargetState state) {
    return counts[state.ordinal()];
  }

  private void forEachTracked(IntConsumer action) {
    forEachTracked(subscribers, OwnerIds.subscriber(0), action);
    forEachTracked(others, OwnerIds.policy(0), action);
    forEachTracked(deletions, OwnerIds.deletion(0), action);
  }

  private static void forEachTracked(Column column, int first, IntConsumer action) {
    for (int i = 0; i < column.flags.length; i++) {
      if ((column.flags[i] & TRACKED) != 0) {
        action.accept(first + i);
      }
    }
  }

  private static int position(int owner) {
    if (OwnerIds.isSubscriber(owner)) {
      return owner;
    }
    return OwnerIds.isDeletion(owner) ? OwnerIds.number(owner) : owner - OwnerIds.policy(0);
  }

  private Column column(int owner) {
    Column column =
        OwnerIds.isSubscriber(owner)
            ? subscribers
            : OwnerIds.isDeletion(owner) ? deletions : others;
    column.reserve(position(owner));
    return column;
  }

  private int flags(int owner) {
    return column(owner).flags[position(owner)];
  }

  private void set(int owner, int flags) {
    Column column = column(owner);
    int at = position(owner);
    int old = column.flags[at];
    column.flags[at] = flags;
    boolean was = (old & TRACKED) != 0;
    boolean is = (flags & TRACKED) != 0;
    if ((flags & FAILED) == 0 && (old & FAILED) != 0) {
      errors.remove(owner);
    }
    TargetState before = stateOf(old);
    TargetState after = stateOf(flags);
    if ((flags & (TRACKED | WRITTEN | NEWS)) == (TRACKED | WRITTEN)
        && after != TargetState.PENDING
        && !OwnerIds.isDeletion(owner)
        && listener != null) {
      column.flags[at] |= NEWS;
      addNews(owner);
    }
    if (was == is && before == after) {
      return;
    }
    if (was) {
      counts[before.ordinal()]--;
    }
    if (is) {
      counts[after.ordinal()]++;
      column.since[at] = (int) ((clock.millis() - base.toEpochMilli()) / 100);
      // Of what has just been deleted there is nothing to tell until it needs a write.
      if (listener != null
          && OwnerIds.isDeletion(owner)
          && (was || after != TargetState.INSTALLED)) {
        tell(() -> listener.changed(owner, after));
      }
    }
  }

  private void addNews(int owner) {
    if (newsCount == news.length) {
      news = Arrays.copyOf(news, Math.max(64, 2 * newsCount));
    }
    news[newsCount++] = owner;
    if (newsCount == 1) {
      tell(listener::news);
    }
  }

  private void tell(Runnable call) {
    assert LockOrder.BOARD.take(this, "");
    try {
      call.run();
    } finally {
      assert LockOrder.giveUp(this);
    }
  }

  private static TargetState stateOf(int flags) {
    if ((flags & FAILED) != 0) {
      return TargetState.FAILED;
    }
    return (flags & (STALE | OUTSTANDING)) != 0 ? TargetState.PENDING : TargetState.INSTALLED;
  }
}
