package net.sluice.emulator.server.p4runtime.table;

import net.sluice.emulator.v1model.table.MatchTable;

/** Contents of a table's slot besides its key, put back when a batch is undone. */
final class SavedEntry {

  private final MatchTable table;
  private final int action;
  private final long[] data;
  private final long controllerMetadata;
  private final byte[] metadata;
  private final long packets;
  private final long bytes;
  private final long[] meter;
  private final long timeoutNanos;
  private final long lastHitMicros;

  private SavedEntry(MatchTable table, int slot) {
    this.table = table;
    action = table.action(slot);
    data = new long[table.dataWords()];
    for (int word = 0; word < data.length; word++) {
      data[word] = table.data(slot, word);
    }
    controllerMetadata = table.controllerMetadata(slot);
    metadata = table.metadata(slot);
    packets = table.counters == null ? 0 : table.counters[2 * slot];
    bytes = table.counters == null ? 0 : table.counters[2 * slot + 1];
    meter =
        table.meters == null || slot == MatchTable.DEFAULT_SLOT ? null : table.meters.save(slot);
    timeoutNanos = table.timeouts == null ? 0 : table.timeouts.timeoutNanos(slot);
    lastHitMicros = table.timeouts == null ? 0 : table.timeouts.lastHitMicros[slot];
  }

  static SavedEntry of(MatchTable table, int slot) {
    return new SavedEntry(table, slot);
  }

  int action() {
    return action;
  }

  long[] data() {
    return data;
  }

  /** Puts everything back but the counter, which packets may have moved on. */
  void restore(int slot) {
    table.modify(slot, action, data);
    table.setControllerMetadata(slot, controllerMetadata);
    table.setMetadata(slot, metadata);
    if (meter != null) {
      table.meters.restore(slot, meter);
    }
    if (table.timeouts != null && slot != MatchTable.DEFAULT_SLOT) {
      table.timeouts.set(slot, timeoutNanos, lastHitMicros);
    }
  }

  /** Puts the counter back, too. */
  void restoreCounter(int slot) {
    if (table.counters != null) {
      table.setCounter(slot, packets, bytes);
    }
  }
}
