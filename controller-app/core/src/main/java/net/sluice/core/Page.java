package net.sluice.core;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A part of a list that is ordered by identifier (by ASCII code).
 *
 * @param items declarations in force
 * @param next the identifier after which the list goes on; empty at its end
 * @param total number of all declarations of the kind in force; empty if only some were asked for
 */
public record Page(List<Declared> items, Optional<String> next, OptionalLong total) {
  /** Most items of one page. */
  public static final int MAX_LIMIT = 1000;

  public Page {
    items = List.copyOf(items);
  }
}
