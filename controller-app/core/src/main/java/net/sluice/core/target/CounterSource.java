package net.sluice.core.target;

import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import net.sluice.core.ControllerException;
import net.sluice.core.traffic.DropStatus;
import net.sluice.core.traffic.QueueCounters;
import net.sluice.core.traffic.SubscriberCounters;
import net.sluice.core.traffic.SubscriberCounters.Count;
import net.sluice.core.traffic.SubscriberCounters.Marked;
import net.sluice.intents.model.PortQueue;
import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.CounterCodec.Point;
import net.sluice.pipeconf.CounterSink;

/** A switch whose counters can be read. */
public interface CounterSource {
  /**
   * Reads a subscriber's counters.
   *
   * @param subscriberIndex 1 or more
   * @return completed exceptionally if the switch cannot be read
   */
  CompletableFuture<SubscriberCounters> readCounters(int subscriberIndex);

  /**
   * The subscribers to read at once, and of them what.
   *
   * @param indices theirs, 1 and more; not changed any more
   * @param points the places that tell something now; others may be left out
   */
  record Wanted(BitSet indices, Set<Point> points) {}

  /**
   * Reads the counters of many subscribers, which come in no order, others among them. What is not
   * passed on counts 0 or is none of the program's.
   *
   * @param sink called by one thread at a time, and quick
   * @return completed when all is read; exceptionally if the switch cannot be read, or not to the
   *     end
   */
  default CompletableFuture<Void> readAll(Wanted wanted, CounterSink sink) {
    CompletableFuture<Void> all = CompletableFuture.completedFuture(null);
    for (int next : wanted.indices().stream().toArray()) {
      all =
          all.thenCompose(done -> readCounters(next))
              .thenAccept(counters -> SubscriberReadings.pass(next, counters, sink));
    }
    return all;
  }

  /**
   * Reads what of aggregates was marked.
   *
   * @param numbers by direction, see {@code AggregateMarking.number}
   * @return completed exceptionally if the switch cannot be read, or marks none
   */
  default CompletableFuture<Map<Direction, Marked>> readAggregates(
      Map<Direction, Integer> numbers) {
    return CompletableFuture.failedFuture(
        new ControllerException("the switch's program does not mark aggregates"));
  }

  /**
   * Reads the counters of managed queues.
   *
   * @return as many, in the order of {@code queues}; completed exceptionally if the switch cannot
   *     be read
   */
  CompletableFuture<List<QueueCounters>> readQueues(List<PortQueue> queues);

  /**
   * Reads what the switch has dropped.
   *
   * @return one for each reason, without a switch; completed exceptionally if the switch cannot be
   *     read
   */
  CompletableFuture<List<DropStatus>> readDrops();

  /**
   * Reads what was to go to next hops by some ports and was dropped, since they did not answer.
   *
   * @return by port; completed exceptionally if the switch cannot be read
   */
  default CompletableFuture<Map<Integer, Count>> readNextHopDrops(List<Integer> ports) {
    return CompletableFuture.failedFuture(
        new ControllerException("the switch's program asks for no next hops"));
  }

  /** Whether the switch can hand over copies of packets of addresses that no subscriber has. */
  default boolean tellsUnknown() {
    return false;
  }

  /**
   * Has the switch hand over copies of some packets of addresses that no subscriber has, while its
   * session stands. Returns at once; a refusal of the switch is logged.
   */
  default void copyUnknown() {}

  /**
   * Reads what entered ports and is of addresses that no subscriber has.
   *
   * @return by port; completed exceptionally if the switch cannot be read
   */
  default CompletableFuture<Map<Integer, Count>> readUnknown(List<Integer> ports) {
    return CompletableFuture.failedFuture(
        new ControllerException("the switch's program does not count unknown traffic"));
  }

  /** Counters that cannot be read; {@code reason} is for people. */
  static CounterSource none(String reason) {
    return new CounterSource() {
      @Override
      public CompletableFuture<SubscriberCounters> readCounters(int subscriberIndex) {
        return CompletableFuture.failedFuture(new ControllerException(reason));
      }

      @Override
      public CompletableFuture<List<QueueCounters>> readQueues(List<PortQueue> queues) {
        return CompletableFuture.failedFuture(new ControllerException(reason));
      }

      @Override
      public CompletableFuture<List<DropStatus>> readDrops() {
        return CompletableFuture.failedFuture(new ControllerException(reason));
      }
    };
  }
}
