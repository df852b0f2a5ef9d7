package net.sluice.it.p4;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.sluice.intents.model.Direction;
import net.sluice.pipeconf.CounterCodec;
import net.sluice.pipeconf.CounterCodec.Point;
import net.sluice.pipeconf.CounterCodec.Reading;
import p4.v1.P4RuntimeOuterClass.CounterData;
import p4.v1.P4RuntimeOuterClass.CounterEntry;
import p4.v1.P4RuntimeOuterClass.Entity;

/** The drop counters and those of some subscribers, at one time. */
final class CounterSnapshot {
  private final CounterCodec codec;
  private final Map<CounterEntry, CounterData> cells = new LinkedHashMap<>();

  private CounterSnapshot(CounterCodec codec) {
    this.codec = codec;
  }

  /** Reads the counters of a switch. */
  static CounterSnapshot of(ControlClient control, Iterable<Integer> subscriberIndices) {
    CounterSnapshot snapshot = new CounterSnapshot(control.program().counters());
    List<Entity> wanted = new ArrayList<>();
    wanted.add(snapshot.codec.readDrops());
    for (int index : subscriberIndices) {
      for (Direction direction : Direction.values()) {
        wanted.add(snapshot.codec.read(Point.IN, index, direction));
        wanted.add(snapshot.codec.read(Point.OUT, index, direction));
      }
    }
    for (Entity entity : control.read(wanted)) {
      CounterEntry cell = entity.getCounterEntry();
      snapshot.cells.put(cell.toBuilder().clearData().build(), cell.getData());
    }
    return snapshot;
  }

  /** The counters that differ from an earlier snapshot of the same ones, by how much. */
  Set<Reading> since(CounterSnapshot earlier) {
    if (!cells.keySet().equals(earlier.cells.keySet())) {
      throw new IllegalArgumentException("snapshots of different counters");
    }
    Set<Reading> changes = new HashSet<>();
    cells.forEach(
        (cell, data) -> {
          CounterData old = earlier.cells.get(cell);
          if (!data.equals(old)) {
            changes.add(
                codec.decode(
                    cell.toBuilder()
                        .setData(
                            CounterData.newBuilder()
                                .setPacketCount(data.getPacketCount() - old.getPacketCount())
                                .setByteCount(data.getByteCount() - old.getByteCount()))
                        .build()));
          }
        });
    return changes;
  }
}
