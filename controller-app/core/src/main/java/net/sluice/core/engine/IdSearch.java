package net.sluice.core.engine;

import java.util.ArrayList;
import java.util.List;
import net.sluice.core.Kind;
import net.sluice.core.store.IntentStore;

/** Finds identifiers by how they begin, without looking at the others. */
final class IdSearch {
  private IdSearch() {}

  /** The first {@code limit} ids of a kind that begin with {@code prefix}, in order. */
  static List<String> find(IntentStore store, Kind kind, String prefix, int limit) {
    List<String> ids = new ArrayList<>();
    if (isThere(store, kind, prefix)) {
      ids.add(prefix);
    }
    // What else begins with the prefix is greater, and nothing that does not is in between.
    int left = limit - ids.size();
    if (left == 0) {
      return ids;
    }
    switch (kind) {
      case POLICY -> store.scanPolicies(prefix, 0, left, p -> ids.add(p.policy().id()));
      case SUBSCRIBER -> store.scanSubscribers(prefix, 0, left, s -> ids.add(s.subscriber().id()));
      case RATE_LIMIT -> store.scanRateLimits(prefix, 0, left, l -> ids.add(l.id()));
    }
    ids.removeIf(id -> !id.startsWith(prefix));
    return ids;
  }

  private static boolean isThere(IntentStore store, Kind kind, String id) {
    return switch (kind) {
      case POLICY -> store.policy(id).isPresent();
      case SUBSCRIBER -> store.subscriber(id).isPresent();
      case RATE_LIMIT -> store.rateLimit(id).isPresent();
    };
  }
}
