package net.sluice.core.session;

import java.util.List;
import net.sluice.core.TargetDrift.TableDrift;
import net.sluice.core.store.IntentStore;
import net.sluice.core.store.Revision;
import net.sluice.core.target.ExpectedEntries;
import net.sluice.intents.plan.Op;

/**
 * Knows what a target should hold. Everything down to {@link #findings} is called within {@link
 * #exclusively}, but that itself and {@link #expected}.
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
   * True if a change's write need not be sent once its owner is {@link #touched}: {@link #rewrite}
   * then writes the owner anew as a whole.
   */
  default boolean rewritesAll(Op op, E entity, int owner) {
    return false;
  }

  /**
   * The entries that the target should hold, for one that is asked by key; called outside {@link
   * #exclusively}.
   */
  default ExpectedEntries<E> expected() {
    return ExpectedEntries.none();
  }

  /** Compares a part of what the target holds, and corrects it. */
  void compare(List<E> read, CorrectionSink<E> corrections);

  /** After all was read: what differs. */
  Comparison compared();

  /** True if a write takes away from the target what was declared before. */
  boolean deletes(Op op, E entity);

  /**
   * After {@link #compared}: writes what is missing or out of date, a part at each call.
   *
   * @return true if that was all
   */
  boolean rewrite(CorrectionSink<E> corrections);

  /** Writes everything of an owner anew, whatever the target holds. */
  void rewriteOwner(int owner, CorrectionSink<E> corrections);

  /** The findings since {@link #begin}. */
  Findings findings();

  /** The store of the declarations. */
  IntentStore store();

  /**
   * Passes on the writes by which the target keeps {@code now} and no other, in an order in which
   * it never keeps what the store did not have; none if it has no place for it.
   *
   * @param kept what it keeps
   * @param now {@link Revision#NONE} for nothing
   */
  void keep(List<Revision> kept, Revision now, CorrectionSink<E> out);

  /**
   * The result of a comparison before anything is corrected.
   *
   * @param read entries or settings read
   * @param held of those, what stands for declarations and topology: not what every target of the
   *     kind holds
   * @param deletions of those, what correcting would delete
   * @param store identity of the store that the declarations are from
   * @param otherStores identities of other stores that the target keeps
   * @param revisions how far the store had got as the target keeps it, usually one
   * @param tables what differs, by table
   */
  record Comparison(
      long read,
      long held,
      long deletions,
      long store,
      List<Long> otherStores,
      List<Revision> revisions,
      List<TableDrift> tables) {
    public Comparison {
      otherStores = List.copyOf(otherStores);
      revisions = List.copyOf(revisions);
    }
  }

  /**
   * The result of a reading.
   *
   * @param read entries read
   * @param wrong of those, with other data than they should have
   * @param unknown of those, not expected
   * @param rewritten written because missing or out of date
   */
  record Findings(long read, long wrong, long unknown, long rewritten) {}
}
