package net.sluice.core.engine;

import java.util.List;
import java.util.function.Function;
import net.sluice.core.Declared;
import net.sluice.core.Page;
import net.sluice.intents.model.InvalidValueException;

/** What part of a list may be asked for. */
final class Paging {
  private Paging() {}

  static <S, T> Page<T> page(
      long total, long offset, int limit, List<S> found, Function<S, Declared<T>> declared) {
    return new Page<>(total, offset, limit, found.stream().map(declared).toList());
  }

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
