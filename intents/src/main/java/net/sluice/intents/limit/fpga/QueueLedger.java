package net.sluice.intents.limit.fpga;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.plan.QueueId;
import net.sluice.intents.state.Ledger;
import net.sluice.intents.state.SubscriberState;

/** The FPGA's queues with their owners, and what is asked of its bucket sizes. */
public final class QueueLedger implements Ledger {
  private final Function<RateLimit, Optional<RateLimit>> part;
  private final BucketDemand demand;
  private final long[] customersInUse;
  private final int[] owners;

  /** {@code part}: of a limit what the FPGA enforces. */
  public QueueLedger(Function<RateLimit, Optional<RateLimit>> part) {
    this.part = part;
    demand = new BucketDemand();
    customersInUse = new long[Attachment.TREES];
    owners = new int[Attachment.TREES * QueueId.CUSTOMERS];
  }

  private QueueLedger(QueueLedger other) {
    part = other.part;
    demand = new BucketDemand(other.demand);
    customersInUse = other.customersInUse.clone();
    owners = other.owners.clone();
  }

  @Override
  public QueueLedger copy() {
    return new QueueLedger(this);
  }

  @Override
  public void attach(SubscriberState subscriber, Optional<RateLimit> own) {
    demand.attach(subscriber.subscriber().attachment().treeIndex(), own.flatMap(part));
  }

  @Override
  public void detach(SubscriberState subscriber, Optional<RateLimit> own) {
    demand.detach(subscriber.subscriber().attachment().treeIndex(), own.flatMap(part));
  }

  @Override
  public void put(RateLimit limit, int tree) {
    part.apply(limit).ifPresent(of -> demand.add(of, tree));
  }

  @Override
  public void remove(RateLimit limit, int tree) {
    part.apply(limit).ifPresent(of -> demand.remove(of, tree));
  }

  @Override
  public void allot(int subscriberIndex, int before, int after) {
    if (before != SubscriberState.NONE
        && owners[QueueId.customerIndex(before)] == subscriberIndex) {
      customersInUse[QueueId.treeIndex(before)] &= ~(1L << QueueId.customer(before));
      owners[QueueId.customerIndex(before)] = 0;
    }
    if (after != SubscriberState.NONE) {
      customersInUse[QueueId.treeIndex(after)] |= 1L << QueueId.customer(after);
      owners[QueueId.customerIndex(after)] = subscriberIndex;
    }
  }

  /** Customers in use of a tree: bit {@code c} is set if customer {@code c} has an owner. */
  public long customersInUse(int treeIndex) {
    return customersInUse[treeIndex];
  }

  /** The index of the subscriber that has a customer's queue, or 0. */
  public int ownerOf(int customerIndex) {
    return owners[customerIndex];
  }

  /** The indices of the subscribers with queues in some trees, from the tree of that index on. */
  IntStream withQueues(int firstTree, int trees) {
    return Arrays.stream(
            owners, firstTree * QueueId.CUSTOMERS, (firstTree + trees) * QueueId.CUSTOMERS)
        .filter(owner -> owner != 0);
  }

  BucketDemand demand() {
    return demand;
  }
}
