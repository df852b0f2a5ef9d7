package net.sluice.rest.json;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Problem.Code;

/**
 * The problems of a document, and the way to the value that is read. A problem has the place of its
 * field among those of the object that is read, by which that object has them in order at its end.
 * Not thread-safe.
 */
final class Findings {
  private static final int NO_ITEM = -1;
  private static final int USUAL_DEPTH = 4;

  private final String root;
  private final List<Problem> problems;
  private int[] places = {};
  private String[] path = new String[USUAL_DEPTH];

  /** The item at each step of the path, or {@link #NO_ITEM}. */
  private int[] items = new int[USUAL_DEPTH];

  private int depth;

  /**
   * None so far, but for those that are there.
   *
   * @param root where the value is in its document, "" for the document itself
   * @param problems receives problems
   */
  Findings(String root, List<Problem> problems) {
    this.root = root;
    this.problems = problems;
  }

  /** Goes to the value of a field. */
  void enter(String field) {
    if (depth == path.length) {
      path = Arrays.copyOf(path, 2 * depth);
      items = Arrays.copyOf(items, 2 * depth);
    }
    items[depth] = NO_ITEM;
    path[depth++] = field;
  }

  /** Goes to an item of the list that is read. */
  void item(int number) {
    items[depth - 1] = number;
  }

  /** Goes back from the items to the list. */
  void noItem() {
    items[depth - 1] = NO_ITEM;
  }

  /** Goes back from the value of a field. */
  void leave() {
    depth--;
  }

  /** Where a field of the value that is read is in the document; "" for the value itself. */
  String at(String field) {
    StringBuilder whole = new StringBuilder(root);
    for (int i = 0; i < depth; i++) {
      whole.append(whole.length() == 0 ? "" : ".").append(path[i]);
      if (items[i] != NO_ITEM) {
        whole.append('[').append(items[i]).append(']');
      }
    }
    if (!field.isEmpty()) {
      whole.append(whole.length() == 0 ? "" : ".").append(field);
    }
    return whole.length() == 0 ? ObjectReader.DOCUMENT : whole.toString();
  }

  /** Number of problems. */
  int count() {
    return problems.size();
  }

  /** Adds a problem of the value that is read; null, for that value. */
  Object add(Code code, Object value, String allowed) {
    return add(Problem.of(code, at(""), value, allowed));
  }

  /** Adds a problem; null, for the value that it is of. */
  Object add(Problem problem) {
    problems.add(problem);
    return null;
  }

  /** Adds a problem of a field of the object that is read. */
  void add(int place, Problem problem) {
    problems.add(problem);
    place(problems.size() - 1, place);
  }

  /** Adds problems before those from {@code first} on. */
  void insert(int first, List<Problem> more) {
    problems.addAll(first, more);
  }

  /** Takes back all from {@code first} on. */
  void drop(int first) {
    problems.subList(first, problems.size()).clear();
  }

  /** Those from {@code first} on are of that field. */
  void place(int first, int place) {
    for (int i = first; i < problems.size(); i++) {
      if (i >= places.length) {
        places = Arrays.copyOf(places, 2 * i + 8);
      }
      places[i] = place;
    }
  }

  /** Of those from {@code first} on, takes back the ones of some fields. */
  void drop(int first, int firstPlace, int lastPlace) {
    int kept = first;
    for (int i = first; i < problems.size(); i++) {
      if (places[i] < firstPlace || places[i] > lastPlace) {
        problems.set(kept, problems.get(i));
        places[kept] = places[i];
        kept++;
      }
    }
    drop(kept);
  }

  /** Has those from {@code first} on in the order of their fields. */
  void sort(int first) {
    Integer[] order = new Integer[problems.size() - first];
    Arrays.setAll(order, i -> first + i);
    Arrays.sort(order, (one, other) -> Integer.compare(places[one], places[other]));
    List<Problem> sorted = new ArrayList<>(order.length);
    for (int i : order) {
      sorted.add(problems.get(i));
    }
    for (int i = 0; i < order.length; i++) {
      problems.set(first + i, sorted.get(i));
    }
  }
}
