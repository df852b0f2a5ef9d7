package net.sluice.core;

import java.util.List;

/**
 * A part of a list that is ordered by identifier (by ASCII code).
 *
 * @param total number of declarations of the kind
 * @param offset number of those left out before the first item
 * @param limit most items asked for
 * @param items the items, at most {@code limit}
 */
public record Page(long total, long offset, int limit, List<Declared> items) {
  /** Most items of one page. */
  public static final int MAX_LIMIT = 1000;

  public Page {
    items = List.copyOf(items);
  }
}
