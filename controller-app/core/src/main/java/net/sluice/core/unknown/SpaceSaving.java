package net.sluice.core.unknown;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The greatest of very many subjects by weight, in memory for a few: the algorithm SpaceSaving
 * (Metwally, Agrawal, El Abbadi: "Efficient Computation of Frequent and Top-k Elements in Data
 * Streams", ICDT 2005). A subject for which there is no room takes the place of the least one, and
 * with it that one's weight, which is its error. Not thread-safe.
 *
 * @param <K> what is weighed
 */
final class SpaceSaving<K> {
  private final int room;
  private final Map<K, Cell> cells = new HashMap<>();

  private static final class Cell {
    private long weight;
    private long error;
    private long times;
  }

  /**
   * A subject.
   *
   * @param weight no less than its own
   * @param error how much of the weight may be others', at most
   * @param times how often it came while it had a place
   */
  record Weighed<K>(K subject, long weight, long error, long times) {}

  /**
   * Without subjects.
   *
   * @param room for how many there is memory, 1 or more
   */
  SpaceSaving(int room) {
    this.room = room;
  }

  /** A subject comes. */
  void add(K subject, long weight) {
    Cell cell = cells.get(subject);
    if (cell == null) {
      cell = new Cell();
      if (cells.size() == room) {
        Map.Entry<K, Cell> least = null;
        for (Map.Entry<K, Cell> each : cells.entrySet()) {
          if (least == null || each.getValue().weight < least.getValue().weight) {
            least = each;
          }
        }
        cell.weight = least.getValue().weight;
        cell.error = cell.weight;
        cells.remove(least.getKey());
      }
      cells.put(subject, cell);
    }
    cell.weight += weight;
    cell.times++;
  }

  /** Those that have a place, the greatest first. */
  List<Weighed<K>> all() {
    return cells.entrySet().stream()
        .map(
            each ->
                new Weighed<>(
                    each.getKey(),
                    each.getValue().weight,
                    each.getValue().error,
                    each.getValue().times))
        .sorted(Comparator.comparingLong((Weighed<K> each) -> each.weight).reversed())
        .toList();
  }
}
