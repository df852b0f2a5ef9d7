package net.sluice.core.state;

import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.plan.FpgaLevel;

/**
 * The rate limits in force, as objects: there are at most as many as the FPGA has buckets. Each has
 * a number by which its status is kept. Not thread-safe.
 */
final class RateLimits {
  private record Numbered(RateLimit limit, int number) {}

  private final Map<String, Numbered> byId = new HashMap<>();
  private final Map<Scope, Numbered> byScope = new HashMap<>();
  private final Map<Integer, String> idOfNumber = new HashMap<>();
  private final BitSet numbers = new BitSet();

  /** How often each burst is asked for, by level and direction. */
  private final NavigableMap<Integer, Integer>[] bursts = newMaps();

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static NavigableMap<Integer, Integer>[] newMaps() {
    NavigableMap[] maps = new NavigableMap[FpgaLevel.values().length * Direction.values().length];
    for (int i = 0; i < maps.length; i++) {
      maps[i] = new TreeMap<Integer, Integer>();
    }
    return maps;
  }

  void put(RateLimit limit) {
    Numbered old = byId.get(limit.id());
    int number = old == null ? numbers.nextClearBit(0) : old.number;
    remove(limit.id());
    Numbered numbered = new Numbered(limit, number);
    numbers.set(number);
    idOfNumber.put(number, limit.id());
    byId.put(limit.id(), numbered);
    byScope.put(limit.scope(), numbered);
    countBurst(limit, 1);
  }

  void remove(String id) {
    Numbered old = byId.remove(id);
    if (old != null) {
      numbers.clear(old.number);
      idOfNumber.remove(old.number);
      byScope.remove(old.limit.scope());
      countBurst(old.limit, -1);
    }
  }

  Optional<RateLimit> get(String id) {
    Numbered numbered = byId.get(id);
    return numbered == null ? Optional.empty() : Optional.of(numbered.limit);
  }

  Optional<RateLimit> of(Scope scope) {
    if (byScope.isEmpty()) {
      return Optional.empty();
    }
    Numbered numbered = byScope.get(scope);
    return numbered == null ? Optional.empty() : Optional.of(numbered.limit);
  }

  /** The number of the limit of that scope, or -1. */
  int numberOf(Scope scope) {
    Numbered numbered = byScope.get(scope);
    return numbered == null ? -1 : numbered.number;
  }

  /** The number of that limit, or -1. */
  int numberOf(String id) {
    Numbered numbered = byId.get(id);
    return numbered == null ? -1 : numbered.number;
  }

  /** The limit with that number, or null. */
  String idOf(int number) {
    return idOfNumber.get(number);
  }

  int size() {
    return byId.size();
  }

  Collection<String> ids() {
    return byId.keySet();
  }

  OptionalInt largestBurstBytes(FpgaLevel level, Direction direction, String exceptId) {
    NavigableMap<Integer, Integer> asked = bursts[burstsOf(level, direction)];
    if (asked.isEmpty()) {
      return OptionalInt.empty();
    }
    Map.Entry<Integer, Integer> largest = asked.lastEntry();
    Numbered except = byId.get(exceptId);
    if (except != null
        && level(except.limit.scope()) == level
        && except.limit.rateBps(direction).isPresent()
        && except.limit.burstBytes().equals(OptionalInt.of(largest.getKey()))
        && largest.getValue() == 1) {
      largest = asked.lowerEntry(largest.getKey());
    }
    return largest == null ? OptionalInt.empty() : OptionalInt.of(largest.getKey());
  }

  private void countBurst(RateLimit limit, int by) {
    if (limit.burstBytes().isEmpty()) {
      return;
    }
    for (Direction direction : Direction.values()) {
      if (limit.rateBps(direction).isPresent()) {
        bursts[burstsOf(level(limit.scope()), direction)].merge(
            limit.burstBytes().getAsInt(), by, (a, b) -> a + b == 0 ? null : a + b);
      }
    }
  }

  private static int burstsOf(FpgaLevel level, Direction direction) {
    return level.ordinal() * Direction.values().length + direction.ordinal();
  }

  /** The FPGA level at which a scope is limited. */
  static FpgaLevel level(Scope scope) {
    if (scope instanceof Scope.OfSubscriber) {
      return FpgaLevel.CUSTOMER;
    }
    return scope instanceof Scope.OfTree ? FpgaLevel.TREE : FpgaLevel.PORT;
  }
}
