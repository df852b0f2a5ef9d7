package net.sluice.northbound.usage;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Sums of the rates of subscribers: of trees and ports of a switch, and of policies. */
final class Groups {
  private final Columns rates;
  private final Map<String, long[]> sums = new TreeMap<>();

  /** The last names are most often the next ones: their sums are not looked for again. */
  private final Map<Integer, long[]> trees = new HashMap<>();

  private final Map<String, long[]> policies = new HashMap<>();
  private String switchName = "";

  Groups(Columns rates) {
    this.rates = rates;
  }

  /** The next subscribers are of that switch. */
  void of(String name) {
    switchName = name;
    trees.clear();
  }

  /** Adds a subscriber. */
  void add(int slot, int port, int tree, String downPolicy, String upPolicy) {
    long[] ofTree =
        trees.computeIfAbsent(
            port << Byte.SIZE | tree,
            number -> sum(SubjectNames.of(new Measured.OfTree(switchName, port, tree))));
    long[] down =
        policies.computeIfAbsent(downPolicy, id -> sum(SubjectNames.of(new Measured.OfPolicy(id))));
    long[] up =
        policies.computeIfAbsent(upPolicy, id -> sum(SubjectNames.of(new Measured.OfPolicy(id))));
    for (int column = 0; column < Measure.COLUMNS; column++) {
      long rate = Compact.value(rates.code(column, slot));
      if (rate != 0 && !Measure.isJudged(column)) {
        ofTree[column] += rate;
        (column < Measure.COUNT ? down : up)[column] += rate;
      }
    }
  }

  private long[] sum(String name) {
    return sums.computeIfAbsent(name, any -> new long[Measure.COLUMNS]);
  }

  /** Passes on all groups, those of ports too, by their names. */
  void all(Group to) throws IOException {
    Map<String, long[]> ports = new TreeMap<>();
    for (Map.Entry<String, long[]> each : sums.entrySet()) {
      to.group(each.getKey(), each.getValue());
      SubjectNames.portOfTree(each.getKey())
          .ifPresent(
              port -> {
                long[] sum = ports.computeIfAbsent(port, any -> new long[Measure.COLUMNS]);
                for (int i = 0; i < sum.length; i++) {
                  sum[i] += each.getValue()[i];
                }
              });
    }
    for (Map.Entry<String, long[]> each : ports.entrySet()) {
      to.group(each.getKey(), each.getValue());
    }
  }

  /** Takes groups. */
  @FunctionalInterface
  interface Group {
    /** A group, with its rates by column. */
    void group(String name, long[] sums) throws IOException;
  }
}
