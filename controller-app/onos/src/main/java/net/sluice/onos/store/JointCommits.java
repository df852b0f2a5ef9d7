package net.sluice.onos.store;

/**
 * Decides commits of several switches. Each switch has its part in its own commit record by then;
 * the first value written for the commit, which is never replaced, says for all of them whether the
 * parts count. Whoever finds a part and no decision decides against it.
 */
final class JointCommits {
  private static final byte[] COUNTS = {1};
  private static final byte[] DOES_NOT_COUNT = {0};

  private final ClusterMap decisions;

  /** Decisions that are kept in {@code decisions} by the commits' names. */
  JointCommits(ClusterMap decisions) {
    this.decisions = decisions;
  }

  /**
   * Decides about a commit, if that has not been done yet.
   *
   * @param counts what to decide
   * @return what is decided
   */
  boolean decide(String commit, boolean counts) {
    byte[] wanted = counts ? COUNTS : DOES_NOT_COUNT;
    if (decisions.putIfAbsent(commit, wanted)) {
      return counts;
    }
    return decisions.get(commit).value()[0] == COUNTS[0];
  }

  /** Forgets a decision that no commit record refers to any more; whether it is done, is open. */
  void forget(String commit) {
    // Not waited for: what stays is removed with the next takeover.
    var unused = decisions.remove(commit);
  }
}
