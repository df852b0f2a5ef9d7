package net.sluice.core.state;

import java.util.BitSet;
import java.util.Optional;
import java.util.stream.Stream;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;

/**
 * The rate limits in force, as objects: there are at most as many as the FPGA has buckets. Each has
 * a number by which its status is kept. Not thread-safe.
 */
final class RateLimits {
  private record Numbered(RateLimit limit, int number) {}

  private final Layered<String, Numbered> byId;
  private final Layered<Scope, Numbered> byScope;
  private final Layered<Integer, String> idOfNumber;
  private final BitSet numbers;
  private int size;

  RateLimits() {
    byId = new Layered<>();
    byScope = new Layered<>();
    idOfNumber = new Layered<>();
    numbers = new BitSet();
  }

  /** Those of another one, which does not change meanwhile; nothing is changed there. */
  RateLimits(RateLimits below) {
    byId = new Layered<>(below.byId);
    byScope = new Layered<>(below.byScope);
    idOfNumber = new Layered<>(below.idOfNumber);
    numbers = (BitSet) below.numbers.clone();
    size = below.size;
  }

  /** Puts one that is not there; {@code wanted}: its number, or, if negative, the lowest free. */
  void put(RateLimit limit, int wanted) {
    int number = wanted < 0 ? freeNumber() : wanted;
    Numbered numbered = new Numbered(limit, number);
    numbers.set(number);
    size++;
    idOfNumber.put(number, limit.id());
    byId.put(limit.id(), numbered);
    byScope.put(limit.scope(), numbered);
  }

  void remove(String id) {
    Numbered old = byId.remove(id);
    if (old != null) {
      numbers.clear(old.number);
      size--;
      idOfNumber.remove(old.number);
      byScope.remove(old.limit.scope());
    }
  }

  Optional<RateLimit> get(String id) {
    Numbered numbered = byId.get(id);
    return numbered == null ? Optional.empty() : Optional.of(numbered.limit);
  }

  Optional<RateLimit> of(Scope scope) {
    if (size == 0) {
      return Optional.empty();
    }
    Numbered numbered = byScope.get(scope);
    return numbered == null ? Optional.empty() : Optional.of(numbered.limit);
  }

  /** The number that the next limit gets. */
  int freeNumber() {
    return numbers.nextClearBit(0);
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
    return size;
  }

  Stream<String> ids() {
    return numbers.stream().mapToObj(idOfNumber::get);
  }
}
