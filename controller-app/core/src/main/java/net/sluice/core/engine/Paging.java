package net.sluice.core.engine;

import net.sluice.core.Page;
import net.sluice.intents.model.InvalidValueException;

/** What part of a list may be asked for. */
final class Paging {
  private Paging() {}

  static long requireOffset(long offset) {
    if (offset < 0) {
      throw new InvalidValueException("offset", offset, "0 or more");
    }
    return offset;
  }

  static int requireLimit(int limit) {
    if (limit < 1 || limit > Page.MAX_LIMIT) {
      throw new InvalidValueException("limit", limit, "1 to " + Page.MAX_LIMIT);
    }
    return limit;
  }
}
