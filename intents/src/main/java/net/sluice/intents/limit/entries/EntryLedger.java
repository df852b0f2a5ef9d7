package net.sluice.intents.limit.entries;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.plan.QueueId;
import net.sluice.intents.state.Ledger;
import net.sluice.intents.state.SubscriberState;
import net.sluice.intents.value.Direction;

/**
 * The trees and ports that one limiter limits, and the number of subscribers that it does, known
 * without looking at each. Each limiter has a ledger of a class of its own.
 */
public abstract class EntryLedger implements Ledger {
  private static final Direction[] DIRECTIONS = Direction.values();
  private static final int TREES_PER_PORT = Attachment.MAX_TREE + 1;

  private final Function<RateLimit, Optional<RateLimit>> part;
  // By tree, or by direction and then tree or port.
  private final int[] attached;
  private final int[][] ownLimits;
  private final boolean[][] trees;
  private final boolean[][] ports;

  private long limited;

  /** Limits of trees and ports, by direction. */
  private int shared;

  /** By subscriber: one more than its tree, or 0. */
  private short[] treeOf;

  /** {@code part}: of a limit what the limiter enforces. */
  protected EntryLedger(Function<RateLimit, Optional<RateLimit>> part) {
    this.part = part;
    attached = new int[Attachment.TREES];
    ownLimits = new int[DIRECTIONS.length][Attachment.TREES];
    trees = new boolean[DIRECTIONS.length][Attachment.TREES];
    ports = new boolean[DIRECTIONS.length][Attachment.MAX_PORT + 1];
    treeOf = new short[16];
  }

  /** As {@link #copy}. */
  protected EntryLedger(EntryLedger other) {
    part = other.part;
    attached = other.attached.clone();
    ownLimits = Arrays.stream(other.ownLimits).map(int[]::clone).toArray(int[][]::new);
    trees = Arrays.stream(other.trees).map(boolean[]::clone).toArray(boolean[][]::new);
    ports = Arrays.stream(other.ports).map(boolean[]::clone).toArray(boolean[][]::new);
    limited = other.limited;
    shared = other.shared;
    treeOf = other.treeOf.clone();
  }

  @Override
  public void attach(SubscriberState subscriber, Optional<RateLimit> own) {
    int index = subscriber.index();
    if (index >= treeOf.length) {
      treeOf = Arrays.copyOf(treeOf, Math.max(index + 1, 2 * treeOf.length));
    }
    int tree = subscriber.subscriber().attachment().treeIndex();
    treeOf[index] = (short) (tree + 1);
    attach(tree, own.flatMap(part), 1);
  }

  @Override
  public void detach(SubscriberState subscriber, Optional<RateLimit> own) {
    treeOf[subscriber.index()] = 0;
    attach(subscriber.subscriber().attachment().treeIndex(), own.flatMap(part), -1);
  }

  private void attach(int tree, Optional<RateLimit> own, int by) {
    attached[tree] += by;
    if (own.isEmpty() && shared == 0) {
      return;
    }
    for (Direction direction : DIRECTIONS) {
      int ownRate = own.isPresent() && own.get().rateBps(direction).isPresent() ? by : 0;
      ownLimits[direction.ordinal()][tree] += ownRate;
      limited += isLimited(tree, direction) ? by : ownRate;
    }
  }

  @Override
  public void put(RateLimit limit, int tree) {
    part.apply(limit).ifPresent(of -> count(of, tree, 1));
  }

  @Override
  public void remove(RateLimit limit, int tree) {
    part.apply(limit).ifPresent(of -> count(of, tree, -1));
  }

  private void count(RateLimit limit, int ownTree, int by) {
    if (limit.scope() instanceof Scope.OfTree of) {
      int tree = QueueId.treeIndex(of.port(), of.tree());
      changeTrees(tree, 1, () -> mark(limit, trees, tree, by > 0));
    } else if (limit.scope() instanceof Scope.OfPort of) {
      int first = QueueId.treeIndex(of.port(), 0);
      changeTrees(first, TREES_PER_PORT, () -> mark(limit, ports, of.port(), by > 0));
    } else if (ownTree != NO_TREE) {
      changeTrees(ownTree, 1, () -> countOwn(limit, ownTree, by));
    }
  }

  private void mark(RateLimit limit, boolean[][] limited, int place, boolean is) {
    for (Direction direction : DIRECTIONS) {
      if (limit.rateBps(direction).isPresent()) {
        shared += is ? 1 : -1;
        limited[direction.ordinal()][place] = is;
      }
    }
  }

  private void countOwn(RateLimit limit, int tree, int by) {
    for (Direction direction : DIRECTIONS) {
      if (limit.rateBps(direction).isPresent()) {
        ownLimits[direction.ordinal()][tree] += by;
      }
    }
  }

  /** Does something that changes how many are limited in some trees. */
  private void changeTrees(int first, int count, Runnable change) {
    limited -= limitedIn(first, count);
    change.run();
    limited += limitedIn(first, count);
  }

  private long limitedIn(int first, int count) {
    long sum = 0;
    for (Direction direction : DIRECTIONS) {
      for (int tree = first; tree < first + count; tree++) {
        sum += isLimited(tree, direction) ? attached[tree] : ownLimits[direction.ordinal()][tree];
      }
    }
    return sum;
  }

  /** True if the limit of a tree is the limiter's. */
  boolean isTreeLimited(int tree, Direction direction) {
    return trees[direction.ordinal()][tree];
  }

  /** True if the limit of a port is the limiter's. */
  boolean isPortLimited(int port, Direction direction) {
    return ports[direction.ordinal()][port];
  }

  /** True if the limits of tree or port limit whoever is in that tree. */
  private boolean isLimited(int tree, Direction direction) {
    return isTreeLimited(tree, direction) || isPortLimited(tree / TREES_PER_PORT, direction);
  }

  /** Directions of subscribers that are limited. */
  long limited() {
    return limited;
  }

  /** True if that subscriber is limited by the limits of its tree or port. */
  boolean isLimitedWithTree(int subscriberIndex, Direction direction) {
    return subscriberIndex < treeOf.length
        && treeOf[subscriberIndex] != 0
        && isLimited(treeOf[subscriberIndex] - 1, direction);
  }

  /** True if a subscriber of that one's tree has a limit of its own that is the limiter's. */
  boolean areOthersLimited(int subscriberIndex, Direction direction) {
    return subscriberIndex < treeOf.length
        && treeOf[subscriberIndex] != 0
        && ownLimits[direction.ordinal()][treeOf[subscriberIndex] - 1] > 0;
  }

  /** The indices of the subscribers in some trees, from the tree of that index on. */
  IntStream attachedTo(int firstTree, int count) {
    return IntStream.range(1, treeOf.length)
        .filter(index -> treeOf[index] > firstTree && treeOf[index] <= firstTree + count);
  }
}
