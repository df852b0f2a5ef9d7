package net.sluice.core.session;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import net.sluice.intents.plan.StoreIdentity;

/**
 * What a comparison may delete without being asked about it. A store that is empty, out of date or
 * another one's would otherwise take from subscribers what they were sold, and do so in seconds.
 *
 * @param percent the part of what a target holds that may be deleted, 0 to 100
 * @param deletions as many may be deleted whatever part that is
 */
public record DeletionGuard(int percent, long deletions) {
  /**
   * Why a comparison must not be corrected; empty if it may.
   *
   * @param malformed parts of what the target holds that are to be deleted for their form
   * @param owed deletions that changes have asked for and the target has not made yet
   */
  Optional<String> refusal(
      String target, ReconcileSource.Comparison found, long malformed, long owed) {
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
    if (deleted > deletions && deleted * 100 > held * percent) {
      return Optional.of(
          "refuses to delete "
              + deleted
              + " of the "
              + held
              + " entries that the target holds, because the store does not have them; without"
              + " being told to, "
              + percent
              + " % and "
              + deletions
              + " entries may be deleted"
              + remedy(target));
    }
    return Optional.empty();
  }

  private static String remedy(String target) {
    return ". Nothing is written. If this is the right store, adopt the target: POST"
        + " /sluice/v1/targets/"
        + target
        + "/adopt, or start the controller with --adopt; if not, stop this controller and start it"
        + " with the right one";
  }
}
