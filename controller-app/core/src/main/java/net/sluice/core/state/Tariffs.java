package net.sluice.core.state;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import net.sluice.intents.model.Tariff;

/**
 * The tariffs in force, as objects, with their numbers of users. Each has a number, by which
 * subscribers refer to it, for as long as this is in memory. Not thread-safe.
 */
final class Tariffs {
  private final Map<String, Tariff> byId = new TreeMap<>();
  private final Map<String, Short> numbers = new HashMap<>();
  private final Map<Integer, Integer> users = new HashMap<>();

  /** The same, which know nothing of later changes. */
  Tariffs copy() {
    Tariffs copy = new Tariffs();
    copy.byId.putAll(byId);
    copy.numbers.putAll(numbers);
    copy.users.putAll(users);
    return copy;
  }

  void put(Tariff tariff) {
    byId.put(tariff.id(), tariff);
  }

  void remove(String id) {
    byId.remove(id);
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

  /** The number of a tariff, 1 or more, the same also after it was deleted and put again. */
  int numberOf(String id) {
    Short number = numbers.get(id);
    if (number == null) {
      if (numbers.size() == Short.MAX_VALUE) {
        throw new IllegalStateException("there were more than " + Short.MAX_VALUE + " tariffs");
      }
      number = (short) (numbers.size() + 1);
      numbers.put(id, number);
    }
    return number;
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
