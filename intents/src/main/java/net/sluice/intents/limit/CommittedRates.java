package net.sluice.intents.limit;

import java.util.Arrays;
import java.util.Optional;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.plan.QueueId;
import net.sluice.intents.state.Ledger;
import net.sluice.intents.state.SubscriberState;
import net.sluice.intents.value.Direction;

/**
 * The sums of the rates that subscribers have limits of, by direction and tree, in bit/s. Of a
 * limit that is not always the same, the highest rate counts: no change of it by the clock is
 * refused for the sum.
 */
public final class CommittedRates implements Ledger {
  private static final Direction[] DIRECTIONS = Direction.values();
  private static final int TREES_PER_PORT = Attachment.MAX_TREE + 1;

  private final long[][] bps;

  /** Of no limits. */
  public CommittedRates() {
    this(new long[DIRECTIONS.length][Attachment.TREES]);
  }

  private CommittedRates(long[][] bps) {
    this.bps = bps;
  }

  @Override
  public CommittedRates copy() {
    return new CommittedRates(Arrays.stream(bps).map(long[]::clone).toArray(long[][]::new));
  }

  @Override
  public void attach(SubscriberState subscriber, Optional<RateLimit> own) {
    if (own.isPresent()) {
      add(own.get(), subscriber.subscriber().attachment().treeIndex(), 1);
    }
  }

  @Override
  public void detach(SubscriberState subscriber, Optional<RateLimit> own) {
    if (own.isPresent()) {
      add(own.get(), subscriber.subscriber().attachment().treeIndex(), -1);
    }
  }

  @Override
  public void put(RateLimit limit, int tree) {
    change(limit, tree, 1);
  }

  @Override
  public void remove(RateLimit limit, int tree) {
    change(limit, tree, -1);
  }

  private void change(RateLimit limit, int tree, int by) {
    if (limit.scope() instanceof Scope.OfSubscriber && tree != NO_TREE) {
      add(limit, tree, by);
    }
  }

  private void add(RateLimit limit, int tree, int by) {
    for (Direction direction : DIRECTIONS) {
      bps[direction.ordinal()][tree] += by * limit.mostBps(direction);
    }
  }

  /** The sum below a tree or port. */
  long bps(Scope scope, Direction direction) {
    if (scope instanceof Scope.OfTree of) {
      return bps[direction.ordinal()][QueueId.treeIndex(of.port(), of.tree())];
    }
    int first = QueueId.treeIndex(((Scope.OfPort) scope).port(), 0);
    long sum = 0;
    for (int tree = first; tree < first + TREES_PER_PORT; tree++) {
      sum += bps[direction.ordinal()][tree];
    }
    return sum;
  }
}
