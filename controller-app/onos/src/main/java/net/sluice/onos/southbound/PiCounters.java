package net.sluice.onos.southbound;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import net.sluice.core.QueueCounters;
import net.sluice.core.SubscriberCounters;
import net.sluice.core.target.QueueReadings;
import net.sluice.core.target.SubscriberReadings;
import net.sluice.intents.model.PortQueue;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.pipeconf.CounterCodec;
import net.sluice.pipeconf.SwitchPipeline;
import org.onosproject.net.DeviceId;
import org.onosproject.net.pi.runtime.PiCounterCell;
import org.onosproject.net.pi.runtime.PiCounterCellHandle;
import org.onosproject.net.pi.runtime.PiCounterCellId;
import p4.v1.P4RuntimeOuterClass.CounterData;
import p4.v1.P4RuntimeOuterClass.CounterEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Index;

/** A subscriber's counter cells as ONOS names them. */
final class PiCounters {
  private final CounterCodec codec;
  private final PiNames names;

  PiCounters(SwitchPipeline pipeline, PiNames names) {
    this.codec = pipeline.counters();
    this.names = names;
  }

  private List<PiCounterCellId> cells(int subscriberIndex) {
    List<PiCounterCellId> cells = new ArrayList<>(SubscriberReadings.PLACES);
    for (Entity each : codec.read(subscriberIndex)) {
      cells.add(cell(each.getCounterEntry()));
    }
    return cells;
  }

  /** The cells to read of queues. */
  List<PiCounterCellHandle> handles(DeviceId deviceId, List<PortQueue> queues) {
    return queues.stream()
        .flatMap(queue -> codec.readQueue(queue.port(), queue.queue()).stream())
        .map(entity -> PiCounterCellHandle.of(deviceId, cell(entity.getCounterEntry())))
        .toList();
  }

  private PiCounterCellId cell(CounterEntry entry) {
    return PiCounterCellId.ofIndirect(
        names.counter(entry.getCounterId()), entry.getIndex().getIndex());
  }

  /** The counters of queues from cells that were read, in the order of {@code queues}. */
  List<QueueCounters> ofQueues(Collection<PiCounterCell> cells, List<PortQueue> queues) {
    return QueueReadings.of(codec, cells.stream().map(this::entry).toList(), queues);
  }

  /** The cells to read of a subscriber. */
  List<PiCounterCellHandle> handles(DeviceId deviceId, int subscriberIndex) {
    return cells(subscriberIndex).stream()
        .map(cell -> PiCounterCellHandle.of(deviceId, cell))
        .toList();
  }

  /** The cells of the entry's subscriber index, all zero. */
  List<PiCounterCell> cleared(SwitchEntry entry) {
    if (entry.subscriberIndex() == 0) {
      return List.of();
    }
    return cells(entry.subscriberIndex()).stream()
        .map(cell -> new PiCounterCell(cell, 0, 0))
        .toList();
  }

  /** The counters of the subscriber whose cells were read. */
  SubscriberCounters sum(Collection<PiCounterCell> cells) {
    return SubscriberReadings.of(codec, cells.stream().map(this::entry).toList());
  }

  private CounterEntry entry(PiCounterCell cell) {
    return CounterEntry.newBuilder()
        .setCounterId(names.counter(cell.cellId().counterId()))
        .setIndex(Index.newBuilder().setIndex(cell.cellId().index()))
        .setData(
            CounterData.newBuilder()
                .setPacketCount(cell.data().packets())
                .setByteCount(cell.data().bytes()))
        .build();
  }
}
