package net.sluice.emulator.v1model.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The home slots of packets' entries in the hash index, and prefetching from them. */
class HomeSlotTest {

  private static HashedTable table(MatchKind... kinds) {
    List<WordLayout.FieldSpec> key =
        Arrays.stream(kinds).map(kind -> new WordLayout.FieldSpec(kind.name(), kind, 40)).toList();
    return (HashedTable)
        MatchTable.create("t", kinds[0], WordLayout.of(key), 1, 1_000, kinds.length == 1);
  }

  private static int insert(HashedTable table, long value, long mask, int prefix, int priority) {
    MatchKey key = new MatchKey(table.layout());
    key.value[0] = value;
    key.mask[0] = mask;
    if (key.mask.length > 1) {
      key.value[1] = 9;
      key.mask[1] = table.layout().fullMask(1);
    }
    key.prefixLength = prefix;
    key.priority = priority;
    int slot = table.insert(key, 3, new long[] {100 + value}, false);
    if (table.counters != null) {
      table.setCounter(slot, 1_000_000, 0);
    }
    return slot;
  }

  /** The slot at a key's home place. */
  private static int slot(HashedTable table, long... key) {
    int[] slots = new int[1];
    table.load(new int[] {table.place(key)}, 1, slots);
    return slots[0];
  }

  @Test
  void exactKeysLeadToTheirEntry() {
    HashedTable one = table(MatchKind.EXACT);
    int slot = insert(one, 5, -1, 0, 0);
    assertThat(slot(one, 5)).isEqualTo(slot);
    HashedTable two = table(MatchKind.EXACT, MatchKind.EXACT);
    slot = insert(two, 5, -1, 0, 0);
    assertThat(slot(two, 5, 9)).isEqualTo(slot);
  }

  @Test
  void prefixesLeadToTheEntryWithTheLongestThereIs() {
    HashedTable table = table(MatchKind.LPM);
    insert(table, 0x1200000000L, 0, 8, 0);
    int longest = insert(table, 0x1234560000L, 0, 24, 0);
    assertThat(slot(table, 0x123456789aL)).isEqualTo(longest);
    HashedTable beside = table(MatchKind.LPM, MatchKind.EXACT);
    int slot = insert(beside, 0x1234560000L, 0, 24, 0);
    assertThat(slot(beside, 0x123456789aL, 9)).isEqualTo(slot);
  }

  @Test
  void masksLeadToTheEntryWithTheOneThatIsTriedFirst() {
    HashedTable table = table(MatchKind.TERNARY);
    insert(table, 0x10, 0xf0, 0, 1);
    int first = insert(table, 0x02, 0x0f, 0, 2);
    assertThat(slot(table, 0x12)).isEqualTo(first);
    HashedTable beside = table(MatchKind.TERNARY, MatchKind.EXACT);
    int slot = insert(beside, 0x02, 0x0f, 0, 2);
    assertThat(slot(beside, 0x12, 9)).isEqualTo(slot);
  }

  @Test
  void entriesAreLoadedFromTheirFirstWordToTheirLastWithTheirCounters() {
    HashedTable table = table(MatchKind.EXACT);
    int slot = insert(table, 5, -1, 0, 0);
    int place = table.place(new long[] {5});
    int empty = place == 0 ? 1 : 0;
    int[] slots = new int[3];
    long header = table.rows[slot * table.stride];
    long none = table.rows[0] + table.rows[table.stride - 1];
    assertThat(table.load(new int[] {place, empty, place}, 3, slots))
        .isEqualTo(2 * (header + 105 + 1_000_000) + none);
    assertThat(slots).containsExactly(slot, MatchTable.DEFAULT_SLOT, slot);
    assertThat(table.load(new int[] {place, empty}, 2, slots))
        .isEqualTo(header + 105 + 1_000_000 + none);
  }
}
