package net.sluice.core.target;

import java.util.List;
import java.util.Map;
import net.sluice.core.QueueCounters;
import net.sluice.intents.model.PortQueue;
import net.sluice.pipeconf.CounterCodec;
import net.sluice.pipeconf.CounterCodec.QueueEvent;
import net.sluice.pipeconf.CounterCodec.Reading.OfQueue;
import p4.v1.P4RuntimeOuterClass.CounterEntry;

/** Counter cells of queues, as read from a switch, to what they say; absent cells count as 0. */
public final class QueueReadings {
  private QueueReadings() {}

  /** The counters of {@code queues}, in that order. */
  public static List<QueueCounters> of(
      CounterCodec codec, Iterable<CounterEntry> cells, List<PortQueue> queues) {
    Map<PortQueue, Map<QueueEvent, OfQueue>> read = codec.byQueue(cells);
    return queues.stream().map(queue -> counters(read.getOrDefault(queue, Map.of()))).toList();
  }

  private static QueueCounters counters(Map<QueueEvent, OfQueue> events) {
    return new QueueCounters(
        packets(events, QueueEvent.DROPPED),
        bytes(events, QueueEvent.DROPPED),
        packets(events, QueueEvent.MARKED),
        bytes(events, QueueEvent.MARKED),
        packets(events, QueueEvent.CYCLE),
        packets(events, QueueEvent.SYNCHRONISED));
  }

  private static long packets(Map<QueueEvent, OfQueue> events, QueueEvent event) {
    return events.containsKey(event) ? events.get(event).packets() : 0;
  }

  private static long bytes(Map<QueueEvent, OfQueue> events, QueueEvent event) {
    return events.containsKey(event) ? events.get(event).bytes() : 0;
  }
}
