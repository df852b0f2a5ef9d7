package net.sluice.core.session;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.sluice.core.target.Target;
import net.sluice.core.target.WriteResults;
import net.sluice.core.trace.Trace;

/** The answer to a batch, of which the requests are told that are followed. */
final class TracedWrites implements Target.WriteHandler {
  private final Target.WriteHandler answer;
  private final List<Trace.Writing> traced;

  private TracedWrites(Target.WriteHandler answer, List<Trace.Writing> traced) {
    this.answer = answer;
    this.traced = traced;
  }

  /** Tells the requests of writes that these are sent to {@code target}, and then its answer. */
  static Target.WriteHandler following(
      Target.WriteHandler answer, String target, List<? extends PendingWrite<?>> writes) {
    Map<Trace, Integer> entries = Map.of();
    for (PendingWrite<?> write : writes) {
      if (write.trace() != null) {
        entries = entries.isEmpty() ? new LinkedHashMap<>() : entries;
        entries.merge(write.trace(), 1, Integer::sum);
      }
    }
    return entries.isEmpty()
        ? answer
        : new TracedWrites(
            answer,
            entries.entrySet().stream()
                .map(each -> each.getKey().writing(target, each.getValue()))
                .toList());
  }

  @Override
  public void done(WriteResults results) {
    traced.forEach(each -> each.ended(results.unavailable().isEmpty()));
    answer.done(results);
  }

  @Override
  public void lost(String reason) {
    traced.forEach(each -> each.ended(false));
    answer.lost(reason);
  }
}
