package net.sluice.core.target;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.sluice.core.traffic.QueueCounters;
import net.sluice.intents.model.PortQueue;
import net.sluice.pipeconf.CounterCodec;
import net.sluice.pipeconf.CounterCodec.QueueEvent;
import net.sluice.pipeconf.CounterCodec.Reading.OfQueue;
import net.sluice.pipeconf.CounterCodec.Reading.OfRio;
import p4.v1.P4RuntimeOuterClass.CounterEntry;

/** Counter cells of queues, as read from a switch, to what they say; absent cells count as 0. */
public final class QueueReadings {
  private QueueReadings() {}

  /** The counters of {@code queues}, in that order. */
  public static List<QueueCounters> of(
      CounterCodec codec, Iterable<CounterEntry> cells, List<PortQueue> queues) {
    Map<PortQueue, Map<QueueEvent, OfQueue>> read = codec.byQueue(cells);
    Map<PortQueue, List<OfRio>> rio = new HashMap<>();
    for (CounterEntry cell : cells) {
      if (codec.decode(cell) instanceof OfRio of) {
        rio.computeIfAbsent(new PortQueue(of.port(), of.queue()), q -> new ArrayList<>()).add(of);
      }
    }
    return queues.stream()
        .map(
            queue ->
                with(
                    counters(read.getOrDefault(queue, Map.of())),
                    rio.getOrDefault(queue, List.of())))
        .toList();
  }

  private static QueueCounters with(QueueCounters aqm, List<OfRio> rio) {
    if (rio.isEmpty()) {
      return aqm;
    }
    long[] packets = new long[4];
    long bytes = 0;
    for (OfRio of : rio) {
      packets[(of.inProfile() ? 0 : 2) + (of.dropped() ? 1 : 0)] = of.packets();
      bytes += of.dropped() ? of.bytes() : 0;
    }
    return new QueueCounters(
        aqm.droppedPackets() + packets[1] + packets[3],
        aqm.droppedBytes() + bytes,
        aqm.markedPackets(),
        aqm.markedBytes(),
        aqm.cycles(),
        aqm.mirroredPackets(),
        Optional.of(new QueueCounters.Rio(packets[0], packets[1], packets[2], packets[3])));
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
