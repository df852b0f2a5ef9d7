package net.sluice.core.session;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import net.sluice.core.ControllerConfig.DeletionLimit;
import net.sluice.core.store.Revision;
import net.sluice.core.store.StoreHistory;
import net.sluice.intents.state.StoreIdentity;

/**
 * Refuses a comparison that would delete more than the limit unasked. A store that is empty, has
 * gone back to an older copy of itself or is another one would otherwise take from subscribers what
 * they were sold, and do so in seconds.
 */
record DeletionGuard(DeletionLimit limit) {
  /**
   * Why a comparison must not be corrected; empty if it may.
   *
   * @param malformed parts of what the target holds that are to be deleted for their form
   * @param owed deletions that changes have asked for and the target has not made yet
   * @param history the commits that the store has
   * @param lost the last commit that the store is known to have had, if it is not one of them
   */
  Optional<String> refusal(
      String target,
      ReconcileSource.Comparison found,
      long malformed,
      long owed,
      StoreHistory history,
      Optional<Revision> lost) {
    long held = found.held() + malformed;
    long deleted = Math.max(0, found.deletions() + malformed - owed);
    List<Long> others = found.otherStores();
    if (!others.isEmpty() && held > 0) {
      String whose = others.stream().map(StoreIdentity::text).collect(Collectors.joining(" and "));
      return Optional.of(
          "refuses to take the target over: it holds "
              + held
              + " entries of another store, "
              + whose
              + ", of which "
              + deleted
              + " would be deleted; this store is "
              + StoreIdentity.text(found.store())
              + remedy(target));
    }
    if (lost.isPresent() && held > 0) {
      return Optional.of(
          goneBack(lost.get(), history, found.store())
              + ". The target holds "
              + held
              + " entries, of which "
              + deleted
              + " would be deleted. Nothing is written. If the store was put back on purpose, as"
              + " from a backup, adopt the target: "
              + adopt(target)
              + "; if not, stop this controller and start it with the store as it was");
    }
    if (deleted > limit.entries() && deleted * 100 > held * limit.percent()) {
      return Optional.of(
          "refuses to delete "
              + deleted
              + " of the "
              + held
              + " entries that the target holds, because the store does not have them; without"
              + " being told to, "
              + limit.percent()
              + " % and "
              + limit.entries()
              + " entries may be deleted"
              + remedy(target));
    }
    return Optional.empty();
  }

  /** From where to where the store has gone back. */
  private static String goneBack(Revision lost, StoreHistory history, long store) {
    long now = history.revision().number();
    OptionalLong has = history.upTo(lost);
    String of;
    if (has.isPresent()) {
      long end = has.getAsLong();
      of = "of which it has those up to " + end + (now == end ? "" : "; it has gone on to " + now);
    } else {
      of = "which it does not have; its own last is " + (now == 0 ? "none" : String.valueOf(now));
    }
    return "refuses to correct the target: the store has gone back. It was known to have commits"
        + " up to revision "
        + lost.number()
        + ", "
        + of
        + ". It is store "
        + StoreIdentity.text(store);
  }

  private static String remedy(String target) {
    return ". Nothing is written. If this is the right store, adopt the target: "
        + adopt(target)
        + "; if not, stop this controller and start it with the right one";
  }

  private static String adopt(String target) {
    return "POST /sluice/v1/targets/" + target + "/adopt, or start the controller with --adopt";
  }
}
