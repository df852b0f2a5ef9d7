package net.sluice.core.state;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import net.sluice.intents.model.Tariff;

/**
 * The tariffs in force, as objects, with their numbers of users. Each has a number, by which
 * subscribers refer to it while it is in force. Not thread-safe.
 */
final class Tariffs {
  private final Map<String, Tariff> byId = new TreeMap<>();
  private final Map<String, Integer> numbers = new HashMap<>();
  private final BitSet taken = new BitSet();
  private final Map<Integer, Integer> users = new HashMap<>();

  /** The same, which know nothing of later changes. */
  Tariffs copy() {
    Tariffs copy = new Tariffs();
    copy.byId.putAll(byId);
    copy.numbers.putAll(numbers);
    copy.taken.or(taken);
    copy.users.putAll(users);
    return copy;
  }

  /** Puts a tariff, of which there are {@link Tariff#MOST} at most. */
  void put(Tariff tariff) {
    byId.put(tariff.id(), tariff);
    if (!numbers.containsKey(tariff.id())) {
      int number = taken.nextClearBit(1);
      taken.set(number);
      numbers.put(tariff.id(), number);
    }
  }

  /** Removes a tariff that no subscriber has; another one may get its number. */
  void remove(String id) {
    byId.remove(id);
    taken.clear(numbers.remove(id));
  }

  Optional<Tariff> get(String id) {
    return Optional.ofNullable(byId.get(id));
  }

  /** By id. */
  Stream<Tariff> all() {
    return byId.values().stream();
  }

  int size() {
    return byId.size();
  }

  /** The number of a tariff, 1 to {@link Tariff#MOST}; 0 if there is none. */
  int numberOf(String id) {
    return numbers.getOrDefault(id, 0);
  }

  /** One subscriber more, or fewer, has the tariff with that number. */
  void use(int number, int by) {
    users.merge(number, by, Integer::sum);
  }

  /** Number of subscribers that have a tariff. */
  int users(String id) {
    return users.getOrDefault(numberOf(id), 0);
  }
}
