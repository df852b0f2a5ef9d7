package net.sluice.core.status;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import net.sluice.core.TargetState;
import net.sluice.core.TargetStatus;
import net.sluice.core.session.TargetSession;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.OwnerIds;
import net.sluice.intents.plan.Plan;

/**
 * Declarations that were deleted, each until no target holds anything of it. The status boards know
 * how far each target is: a deletion is an owner there, and done where it is {@code INSTALLED}. The
 * memory is held, except where something else is said.
 */
public final class Deletions {
  /** Beyond that many under way, which only targets that are away can lead to, none is followed. */
  static final int MOST = 1 << 16;

  private record Key(Kind kind, String id) {}

  /** One deletion and the targets that have to follow it. */
  private record Deletion(Key key, int owner, List<TargetSession<?>> targets) {
    boolean hasEnded() {
      return targets.stream().allMatch(target -> isDone(target, owner));
    }
  }

  private final Sessions sessions;

  /** The deletions that are followed; that of a declaration that is there again is not. */
  private final Map<Key, Deletion> followed = new HashMap<>();

  private final Map<Integer, Deletion> byOwner = new HashMap<>();
  private final Deque<Integer> freeOwners = new ArrayDeque<>();

  /** Owners that some target is done with. */
  private final Queue<Integer> done = new ConcurrentLinkedQueue<>();

  public Deletions(Sessions sessions) {
    this.sessions = sessions;
  }

  /**
   * Begins to follow a deletion, or ends it for what is put; called before the plan is submitted.
   *
   * @return the owner of the deletion; {@link OwnerIds#NONE} if there is nothing to follow
   */
  public int changed(Change change, Plan plan) {
    Key key = new Key(change.kind(), change.id());
    followed.remove(key);
    List<TargetSession<?>> targets =
        change instanceof Change.Delete ? sessions.writtenBy(plan) : List.of();
    if (targets.isEmpty() || byOwner.size() == MOST) {
      return OwnerIds.NONE;
    }
    int owner = freeOwners.isEmpty() ? OwnerIds.deletion(byOwner.size()) : freeOwners.removeLast();
    Deletion deletion = new Deletion(key, owner, targets);
    followed.put(key, deletion);
    byOwner.put(owner, deletion);
    targets.forEach(target -> target.board().track(owner, false));
    return owner;
  }

  /** How far each target is that still holds something. */
  public List<TargetStatus> remaining(Kind kind, String id) {
    Deletion deletion = followed.get(new Key(kind, id));
    if (deletion == null) {
      return List.of();
    }
    return deletion.targets.stream()
        .filter(target -> !isDone(target, deletion.owner))
        .map(target -> DeclarationStatuses.at(target, deletion.owner))
        .toList();
  }

  private static boolean isDone(TargetSession<?> target, int owner) {
    return target.board().state(owner) == TargetState.INSTALLED;
  }

  /** A target has got on with a deletion. Called without the memory, with the board locked. */
  public void changed(int owner, TargetState state) {
    if (state == TargetState.INSTALLED) {
      done.add(owner);
    }
  }

  /** True if {@link #forgetEnded} may find something; may be called without the memory. */
  public boolean haveEnded() {
    return !done.isEmpty();
  }

  /** Forgets what no target holds anything of any more. */
  public Void forgetEnded() {
    for (Integer owner = done.poll(); owner != null; owner = done.poll()) {
      Deletion deletion = byOwner.get(owner);
      if (deletion != null && deletion.hasEnded()) {
        byOwner.remove(owner);
        followed.remove(deletion.key, deletion);
        for (TargetSession<?> target : deletion.targets) {
          target.board().untrack(deletion.owner);
        }
        freeOwners.add(owner);
      }
    }
    return null;
  }
}
