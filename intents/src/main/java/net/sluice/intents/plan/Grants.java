package net.sluice.intents.plan;

import java.util.ArrayList;
import java.util.List;

/** Collects grants and notes; lists that stay empty cost nothing. */
public final class Grants {
  private List<Grant> grants = List.of();
  private List<String> notes = List.of();

  /** Adds a grant, with a note if it is not what was asked for. */
  public void grant(Grant grant) {
    grants = plus(grants, grant);
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
