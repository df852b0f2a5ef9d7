package net.sluice.intents.plan;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.value.Direction;

/** Collects grants and notes; lists that stay empty cost nothing. */
public final class Grants {
  private List<Grant> grants = List.of();
  private List<String> notes = List.of();
  private Map<Direction, Map<Enforcement, Long>> others = Map.of();

  /** The rates in bit/s that other limiters would grant in a direction, told before its grant. */
  public void others(Direction direction, Map<Enforcement, Long> grantedBps) {
    others = others.isEmpty() ? new EnumMap<>(Direction.class) : others;
    others.put(direction, grantedBps);
  }

  /** Adds a grant, with a note if it is not what was asked for. */
  public void grant(Grant grant) {
    Map<Enforcement, Long> beside =
        grant.limiter().isPresent() ? others.get(grant.direction().orElseThrow()) : null;
    grants = plus(grants, beside == null ? grant : grant.beside(beside));
    if (!grant.note().isEmpty()) {
      note(grant.field() + ": " + grant.note());
    }
  }

  /** Adds a note. */
  public void note(String note) {
    notes = plus(notes, note);
  }

  List<Grant> grants() {
    return grants;
  }

  List<String> notes() {
    return notes;
  }

  /** The collected grants, of a declaration in force. */
  public GrantsInForce inForce() {
    return new GrantsInForce(grants, notes);
  }

  static <T> List<T> plus(List<T> list, T item) {
    List<T> grown = list.isEmpty() ? new ArrayList<>(4) : list;
    grown.add(item);
    return grown;
  }
}
