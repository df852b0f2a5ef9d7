package net.sluice.it.p4;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import net.sluice.pipeconf.CounterCodec.Reading;
import p4.v1.P4RuntimeOuterClass.CounterData;
import p4.v1.P4RuntimeOuterClass.CounterEntry;
import p4.v1.P4RuntimeOuterClass.Entity;

/** The drop counters and those of some subscribers, at one time. */
final class CounterSnapshot {
  private final ProgramUnderTest program;
  private final Map<CounterEntry, CounterData> cells = new LinkedHashMap<>();

  private CounterSnapshot(ProgramUnderTest program) {
    this.program = program;
  }

  /** Reads the counters of a switch. */
  static CounterSnapshot of(ControlClient control, Iterable<Integer> subscriberIndices) {
    CounterSnapshot snapshot = new CounterSnapshot(control.program());
    for (Entity entity : control.read(control.program().readCounters(subscriberIndices))) {
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
                program.decode(
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
