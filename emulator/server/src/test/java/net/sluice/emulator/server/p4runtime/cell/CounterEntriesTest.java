package net.sluice.emulator.server.p4runtime.cell;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.sluice.emulator.server.p4runtime.entity.EncodedEntities;
import net.sluice.emulator.v1model.runtime.CounterCells;
import p4.v1.P4RuntimeOuterClass.ReadResponse;

class CounterEntriesTest {
  private static final int SIZE = 3_000;

  @Property(tries = 50)
  void aCellIsEncodedAsTheMessageIs(
      @ForAll int id, @ForAll long packets, @ForAll long bytes, @ForAll short place) {
    CounterCells cells = new CounterCells(SIZE);
    int at = Math.floorMod(place, SIZE);
    cells.set(at, packets, bytes);
    CounterEntries.Counter counter = new CounterEntries.Counter(id, "c", cells);
    EncodedEntities encoded = new EncodedEntities();
    ReadResponse.Builder messages = ReadResponse.newBuilder();
    // Enough of them that the room for them has to grow.
    for (int i = 0; i < SIZE; i++) {
      encoded.addCounter(id, i, cells.packets(i), cells.bytes(i));
      messages.addEntities(counter.cell(i));
    }
    assertThat(encoded.message()).isEqualTo(messages.build());
  }
}
