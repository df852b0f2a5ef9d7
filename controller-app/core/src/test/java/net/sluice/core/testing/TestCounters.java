package net.sluice.core.testing;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import net.sluice.core.target.CounterSource;
import net.sluice.core.traffic.DropStatus;
import net.sluice.core.traffic.QueueCounters;
import net.sluice.core.traffic.SubscriberCounters;
import net.sluice.core.traffic.SubscriberCounters.Count;
import net.sluice.core.traffic.SubscriberCounters.Traffic;
import net.sluice.intents.model.PortQueue;
import net.sluice.pipeconf.DropReason;

/** Counters that tell whose they are, or that never answer. */
public final class TestCounters implements CounterSource {
  private final boolean answers;

  private TestCounters(boolean answers) {
    this.answers = answers;
  }

  /** Counters whose first number is the subscriber's index or the queue's port. */
  public static CounterSource telling() {
    return new TestCounters(true);
  }

  /** Counters of a switch that does not answer. */
  public static CounterSource silent() {
    return new TestCounters(false);
  }

  @Override
  public CompletableFuture<SubscriberCounters> readCounters(int index) {
    return answer(new SubscriberCounters(new Traffic(index, 2, 3, 4), new Traffic(5, 6, 7, 8)));
  }

  @Override
  public CompletableFuture<List<QueueCounters>> readQueues(List<PortQueue> queues) {
    return answer(
        queues.stream().map(q -> new QueueCounters(q.port(), q.queue(), 3, 4, 5, 6)).toList());
  }

  @Override
  public CompletableFuture<List<DropStatus>> readDrops() {
    return answer(List.of(new DropStatus(Optional.empty(), DropReason.SUSPENDED, 7, 700)));
  }

  @Override
  public boolean tellsUnknown() {
    return answers;
  }

  @Override
  public CompletableFuture<Map<Integer, Count>> readUnknown(List<Integer> ports) {
    return answer(Map.of());
  }

  private <T> CompletableFuture<T> answer(T counters) {
    return answers ? CompletableFuture.completedFuture(counters) : new CompletableFuture<>();
  }
}
