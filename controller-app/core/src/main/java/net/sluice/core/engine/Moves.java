package net.sluice.core.engine;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import net.sluice.core.session.WriteBarrier;
import net.sluice.intents.model.Kind;

/**
 * Moves between switches that are not over: the old switch keeps what it has of a declaration until
 * the new one has all of it, or the declaration is not there any more. No thread waits.
 */
final class Moves {
  private final Queue<Move> under = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean checkIsDue = new AtomicBoolean();

  /** One move; sessions ask it with their locks held, so that it takes none. */
  private static final class Move implements WriteBarrier {
    private final Kind kind;
    private final String id;
    private final int index;
    private final SwitchShard from;
    private final SwitchShard to;
    private volatile boolean lifted;

    Move(Kind kind, String id, int index, SwitchShard from, SwitchShard to) {
      this.kind = kind;
      this.id = id;
      this.index = index;
      this.from = from;
      this.to = to;
    }

    @Override
    public boolean isLifted() {
      return lifted;
    }

    boolean isOver() {
      return !to.has(kind, id) || to.isInstalled(kind, id);
    }
  }

  /**
   * A move that is about to be committed; what is deleted at {@code from} waits behind it.
   *
   * @param index the index that {@code from} keeps until then; 0 for none
   */
  WriteBarrier begin(Kind kind, String id, int index, SwitchShard from, SwitchShard to) {
    Move move = new Move(kind, id, index, from, to);
    under.add(move);
    return move;
  }

  /** A target has answered: whether {@link #check} has to be called, and is not yet to be. */
  boolean wantCheck() {
    return !under.isEmpty() && checkIsDue.compareAndSet(false, true);
  }

  /** Lets go on what may; called without locks. */
  void check() {
    checkIsDue.set(false);
    under.removeIf(
        move -> {
          if (!move.isOver()) {
            return false;
          }
          move.lifted = true;
          move.from.release(move.index);
          move.from.barriersChanged();
          return true;
        });
  }
}
