package net.sluice.intents.limit.fpga;

import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.plan.FpgaLevel;
import net.sluice.intents.plan.QueueId;
import net.sluice.intents.state.Ledger;
import net.sluice.intents.value.Direction;

/**
 * The demand of the declarations on the bucket sizes of an FPGA's levels, counted as they come and
 * go: bursts and rates as multisets, subscribers per tree. A subscriber or an own limit costs a few
 * counters, the limit of a port its 64 trees, whatever the number of subscribers. A limit must be
 * taken out just as it was put in. Not thread-safe.
 *
 * <p>A tree is given by its index, {@code port<<6 | tree}.
 */
final class BucketDemand {
  private static final Direction[] DIRECTIONS = Direction.values();
  private static final int TREES_PER_PORT = Attachment.MAX_TREE + 1;
  private static final int PORTS = Attachment.MAX_PORT + 1;
  private static final int TREES = PORTS * TREES_PER_PORT;

  private final NavigableMap<Long, Integer>[] bursts = newMaps();
  private final NavigableMap<Long, Integer>[] rates = newMaps();
  // By direction, then tree or port.
  private final int[][] attached;
  private final int[][] ownRates;
  private final boolean[][] treeLimited;
  private final boolean[][] portLimited;
  private final int[] open;

  /** Of nothing. */
  BucketDemand() {
    attached = new int[DIRECTIONS.length][TREES];
    ownRates = new int[DIRECTIONS.length][TREES];
    treeLimited = new boolean[DIRECTIONS.length][TREES];
    portLimited = new boolean[DIRECTIONS.length][PORTS];
    open = new int[DIRECTIONS.length];
  }

  /** Of what another one has counted by now. */
  BucketDemand(BucketDemand other) {
    for (int key = 0; key < rates.length; key++) {
      bursts[key].putAll(other.bursts[key]);
      rates[key].putAll(other.rates[key]);
    }
    attached = Arrays.stream(other.attached).map(int[]::clone).toArray(int[][]::new);
    ownRates = Arrays.stream(other.ownRates).map(int[]::clone).toArray(int[][]::new);
    treeLimited = Arrays.stream(other.treeLimited).map(boolean[]::clone).toArray(boolean[][]::new);
    portLimited = Arrays.stream(other.portLimited).map(boolean[]::clone).toArray(boolean[][]::new);
    open = other.open.clone();
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static NavigableMap<Long, Integer>[] newMaps() {
    NavigableMap[] maps = new NavigableMap[FpgaLevel.values().length * DIRECTIONS.length];
    for (int i = 0; i < maps.length; i++) {
      maps[i] = new TreeMap<Long, Integer>();
    }
    return maps;
  }

  /**
   * A subscriber is attached to a tree.
   *
   * @param own its own rate limit, already put in
   */
  void attach(int tree, Optional<RateLimit> own) {
    attach(tree, own, 1);
  }

  /** A subscriber with that rate limit of its own is no longer attached to a tree. */
  void detach(int tree, Optional<RateLimit> own) {
    attach(tree, own, -1);
  }

  private void attach(int tree, Optional<RateLimit> own, int by) {
    for (int d = 0; d < DIRECTIONS.length; d++) {
      Direction direction = DIRECTIONS[d];
      int ownRate = own.isPresent() && own.get().rateBps(direction).isPresent() ? by : 0;
      ownRates[d][tree] += ownRate;
      attached[d][tree] += by;
      open[d] += isLimited(d, tree) ? by - ownRate : 0;
    }
  }

  /**
   * A rate limit is put in.
   *
   * @param ownTree of an own limit: the tree of its subscriber, or {@link Ledger#NO_TREE}; of
   *     others ignored
   */
  void add(RateLimit limit, int ownTree) {
    count(limit, ownTree, 1);
  }

  /** A rate limit is taken out; parameters as {@link #add}. */
  void remove(RateLimit limit, int ownTree) {
    count(limit, ownTree, -1);
  }

  private void count(RateLimit limit, int ownTree, int by) {
    FpgaLevel level = FpgaLevel.of(limit.scope());
    for (Direction direction : DIRECTIONS) {
      OptionalLong rateBps = limit.rateBps(direction);
      if (rateBps.isEmpty()) {
        continue;
      }
      int key = key(level, direction);
      merge(rates[key], rateBps.getAsLong(), by);
      if (limit.burstBytes().isPresent()) {
        merge(bursts[key], limit.burstBytes().getAsInt(), by);
      }
      int d = direction.ordinal();
      if (limit.scope() instanceof Scope.OfPort of) {
        int firstTree = QueueId.treeIndex(of.port(), 0);
        int before = openIn(d, firstTree, TREES_PER_PORT);
        portLimited[d][of.port()] = by > 0;
        open[d] += openIn(d, firstTree, TREES_PER_PORT) - before;
      } else if (limit.scope() instanceof Scope.OfTree of) {
        int tree = QueueId.treeIndex(of.port(), of.tree());
        int before = openIn(d, tree);
        treeLimited[d][tree] = by > 0;
        open[d] += openIn(d, tree) - before;
      } else if (ownTree != Ledger.NO_TREE) {
        int before = openIn(d, ownTree);
        ownRates[d][ownTree] += by;
        open[d] += openIn(d, ownTree) - before;
      }
    }
  }

  private static void merge(NavigableMap<Long, Integer> multiset, long key, int by) {
    multiset.merge(key, by, (a, b) -> a + b == 0 ? null : a + b);
  }

  private int openIn(int direction, int firstTree, int trees) {
    int sum = 0;
    for (int tree = firstTree; tree < firstTree + trees; tree++) {
      sum += openIn(direction, tree);
    }
    return sum;
  }

  private int openIn(int direction, int tree) {
    return isLimited(direction, tree) ? attached[direction][tree] - ownRates[direction][tree] : 0;
  }

  private boolean isLimited(int direction, int tree) {
    return treeLimited[direction][tree] || portLimited[direction][tree / TREES_PER_PORT];
  }

  /**
   * The largest burst in bytes asked for by limits of a level which limit that direction, leaving
   * out one that was put in.
   */
  OptionalInt largestBurstBytes(FpgaLevel level, Direction direction, Optional<RateLimit> except) {
    OptionalLong left =
        asks(except, level, direction) && except.get().burstBytes().isPresent()
            ? OptionalLong.of(except.get().burstBytes().getAsInt())
            : OptionalLong.empty();
    OptionalLong largest = largest(bursts[key(level, direction)], left);
    return largest.isEmpty() ? OptionalInt.empty() : OptionalInt.of((int) largest.getAsLong());
  }

  /**
   * The highest rate in bit/s of limits of a level in that direction, leaving out one that was put
   * in.
   */
  OptionalLong highestRateBps(FpgaLevel level, Direction direction, Optional<RateLimit> except) {
    return largest(
        rates[key(level, direction)],
        asks(except, level, direction) ? except.get().rateBps(direction) : OptionalLong.empty());
  }

  private static boolean asks(Optional<RateLimit> limit, FpgaLevel level, Direction direction) {
    return limit.isPresent()
        && FpgaLevel.of(limit.get().scope()) == level
        && limit.get().rateBps(direction).isPresent();
  }

  private static OptionalLong largest(NavigableMap<Long, Integer> multiset, OptionalLong except) {
    if (multiset.isEmpty()) {
      return OptionalLong.empty();
    }
    Map.Entry<Long, Integer> largest = multiset.lastEntry();
    if (except.isPresent() && except.getAsLong() == largest.getKey() && largest.getValue() == 1) {
      largest = multiset.lowerEntry(largest.getKey());
    }
    return largest == null ? OptionalLong.empty() : OptionalLong.of(largest.getKey());
  }

  /**
   * Number of subscribers that are shaped in that direction by the limit of their tree or port
   * alone: their own bucket has no limit.
   */
  int openCustomers(Direction direction) {
    return open[direction.ordinal()];
  }

  private static int key(FpgaLevel level, Direction direction) {
    return level.ordinal() * DIRECTIONS.length + direction.ordinal();
  }
}
