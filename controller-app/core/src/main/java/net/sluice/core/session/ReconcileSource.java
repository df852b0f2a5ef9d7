package net.sluice.core.session;

import java.util.List;
import net.sluice.core.target.ExpectedEntries;

/**
 * Knows what a target should hold. Everything but {@link #exclusively} and {@link #expected} is
 * called within it.
 *
 * @param <E> {@code SwitchEntry} or {@code FpgaSetting}
 */
public interface ReconcileSource<E> {
  /** Runs {@code action} while no declaration changes. */
  void exclusively(Runnable action);

  /** A reading begins: forgets the one before. */
  void begin();

  /** A declaration changed after {@link #begin}, so what was read of the owner is out of date. */
  void touched(int owner);

  /**
   * What the target should hold, for one that is asked by key; called outside {@link #exclusively}.
   */
  default ExpectedEntries<E> expected() {
    return ExpectedEntries.none();
  }

  /** Compares a part of what the target holds, and corrects it. */
  void compare(List<E> read, CorrectionSink<E> corrections);

  /**
   * After all was read: writes what is missing or out of date, a part at each call.
   *
   * @return true if that was all
   */
  boolean rewrite(CorrectionSink<E> corrections);

  /** Writes everything of an owner anew, whatever the target holds. */
  void rewriteOwner(int owner, CorrectionSink<E> corrections);

  /** What was found since {@link #begin}. */
  Findings findings();

  /**
   * What a reading found.
   *
   * @param read entries read
   * @param wrong of those, with other data than they should have
   * @param unknown of those, not expected
   * @param rewritten written because missing or out of date
   */
  record Findings(long read, long wrong, long unknown, long rewritten) {}
}
