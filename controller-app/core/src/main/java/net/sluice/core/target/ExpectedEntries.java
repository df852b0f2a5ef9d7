package net.sluice.core.target;

import java.util.List;
import net.sluice.intents.plan.Table;

/**
 * The entries that a target should hold, table by table, for a target that cannot list a large
 * table but can be asked for entries by their key. Declarations may change between two calls.
 *
 * @param <E> what the target holds
 */
public interface ExpectedEntries<E> {
  /** Walks through the entries of a table. */
  interface Cursor<E> {
    /**
     * The next entries, about {@code max}; empty if that was all. Not to be called while holding a
     * lock that declaring something needs.
     */
    List<E> next(int max);
  }

  /** How many entries {@code table} should hold now. */
  long count(Table table);

  /** The entries that {@code table} should hold, each once, in no particular order. */
  Cursor<E> entries(Table table);

  /** Of a target whose content is not known, or has no tables. */
  static <E> ExpectedEntries<E> none() {
    return new ExpectedEntries<>() {
      @Override
      public long count(Table table) {
        return 0;
      }

      @Override
      public Cursor<E> entries(Table table) {
        return max -> List.of();
      }
    };
  }
}
