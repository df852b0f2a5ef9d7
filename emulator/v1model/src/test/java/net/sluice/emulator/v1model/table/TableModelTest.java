package net.sluice.emulator.v1model.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/**
 * Tables against a list that is searched from end to end, through random inserts, modifications,
 * removals and lookups.
 */
class TableModelTest {

  /** An entry of the reference: per field a value and a mask, prefix length or high end. */
  private record Entry(
      BigInteger[] values, BigInteger[] seconds, int priority, int slot, long data) {}

  private static final List<List<WordLayout.FieldSpec>> KEYS =
      List.of(
          fields(MatchKind.EXACT, 9, MatchKind.EXACT, 12),
          fields(MatchKind.EXACT, 128),
          fields(MatchKind.EXACT, 60, MatchKind.EXACT, 70, MatchKind.EXACT, 3),
          fields(MatchKind.LPM, 32),
          fields(MatchKind.LPM, 128),
          fields(MatchKind.EXACT, 4, MatchKind.LPM, 20),
          fields(MatchKind.LPM, 140, MatchKind.EXACT, 5),
          fields(MatchKind.TERNARY, 16),
          fields(MatchKind.TERNARY, 40, MatchKind.OPTIONAL, 40),
          fields(MatchKind.TERNARY, 130, MatchKind.LPM, 10, MatchKind.EXACT, 2),
          fields(MatchKind.RANGE, 16),
          fields(MatchKind.RANGE, 64),
          fields(MatchKind.RANGE, 10, MatchKind.EXACT, 2),
          fields(MatchKind.RANGE, 8, MatchKind.TERNARY, 70, MatchKind.RANGE, 8));

  private static List<WordLayout.FieldSpec> fields(Object... kindsAndWidths) {
    List<WordLayout.FieldSpec> specs = new ArrayList<>();
    for (int i = 0; i < kindsAndWidths.length; i += 2) {
      specs.add(
          new WordLayout.FieldSpec(
              "k" + i / 2, (MatchKind) kindsAndWidths[i], (Integer) kindsAndWidths[i + 1]));
    }
    return specs;
  }

  @Property(tries = 150, seed = "1")
  void answersAsALinearSearchWould(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (List<WordLayout.FieldSpec> key : KEYS) {
      new Model(key, random).run(300);
    }
  }

  /** One table and its reference. */
  private static final class Model {
    private final SplittableRandom random;
    private final WordLayout layout;
    private final MatchKind kind;
    private final MatchTable table;
    private final List<Entry> entries = new ArrayList<>();
    private final boolean disjointRanges;

    Model(List<WordLayout.FieldSpec> key, SplittableRandom random) {
      this.random = random;
      layout = WordLayout.of(key);
      kind = strongest(key);
      table = MatchTable.create("t", kind, layout, 2, 1000, true);
      disjointRanges = random.nextBoolean();
    }

    private static MatchKind strongest(List<WordLayout.FieldSpec> key) {
      for (MatchKind kind :
          List.of(MatchKind.RANGE, MatchKind.TERNARY, MatchKind.OPTIONAL, MatchKind.LPM)) {
        if (key.stream().anyMatch(f -> f.kind() == kind)) {
          return kind;
        }
      }
      return MatchKind.EXACT;
    }

    void run(int steps) {
      for (int i = 0; i < steps; i++) {
        int what = random.nextInt(10);
        if (what < 4) {
          insert();
        } else if (what < 6 && !entries.isEmpty()) {
          remove(random.nextInt(entries.size()));
        } else if (what == 6 && !entries.isEmpty()) {
          modify(random.nextInt(entries.size()));
        }
        lookUp();
        assertThat(table.size()).isEqualTo(entries.size());
      }
      for (Entry entry : entries) {
        assertReadBack(entry);
      }
    }

    private BigInteger bits(int width) {
      // Few different values, so that entries collide.
      BigInteger low = BigInteger.valueOf(random.nextInt(8));
      BigInteger high = BigInteger.valueOf(random.nextInt(4)).shiftLeft(Math.max(0, width - 2));
      return low.or(high).and(ones(width));
    }

    private static BigInteger ones(int width) {
      return BigInteger.ONE.shiftLeft(width).subtract(BigInteger.ONE);
    }

    private void insert() {
      int n = layout.fields().size();
      BigInteger[] values = new BigInteger[n];
      BigInteger[] seconds = new BigInteger[n];
      for (int i = 0; i < n; i++) {
        WordLayout.Field field = layout.fields().get(i);
        int width = field.widthBits();
        values[i] = bits(width);
        seconds[i] = ones(width);
        switch (field.kind()) {
          case LPM:
            int length = random.nextInt(3) == 0 ? width : random.nextInt(width + 1);
            seconds[i] = BigInteger.valueOf(length);
            values[i] = values[i].and(ones(width).xor(ones(width - length)));
            break;
          case TERNARY:
            seconds[i] =
                random.nextInt(3) == 0
                    ? BigInteger.ZERO
                    : bits(width).or(BigInteger.TWO).and(ones(width));
            values[i] = values[i].and(seconds[i]);
            break;
          case OPTIONAL:
            seconds[i] = random.nextBoolean() ? BigInteger.ZERO : ones(width);
            values[i] = values[i].and(seconds[i]);
            break;
          case RANGE:
            BigInteger other = disjointRanges ? values[i] : bits(width);
            seconds[i] = values[i].max(other);
            values[i] = values[i].min(other);
            break;
          default:
        }
      }
      int priority = kind == MatchKind.EXACT || kind == MatchKind.LPM ? 0 : 1 + random.nextInt(5);
      MatchKey key = key(values, seconds, priority);
      boolean there = entries.stream().anyMatch(e -> same(e, values, seconds, priority));
      assertThat(table.locate(key) != 0).isEqualTo(there);
      if (!there) {
        long data = random.nextLong();
        int slot = table.insert(key, 3, new long[] {data, ~data}, false);
        assertThat(table.locate(key)).isEqualTo(slot);
        entries.add(new Entry(values, seconds, priority, slot, data));
      }
    }

    private static boolean same(Entry e, BigInteger[] values, BigInteger[] seconds, int priority) {
      return e.priority == priority
          && List.of(e.values).equals(List.of(values))
          && List.of(e.seconds).equals(List.of(seconds));
    }

    private void remove(int index) {
      Entry entry = entries.remove(index);
      table.remove(entry.slot);
      assertThat(table.locate(key(entry.values, entry.seconds, entry.priority))).isZero();
      assertThat(table.isUsed(entry.slot)).isFalse();
    }

    private void modify(int index) {
      Entry old = entries.get(index);
      long data = random.nextLong();
      table.modify(old.slot, 4, new long[] {data, ~data});
      entries.set(index, new Entry(old.values, old.seconds, old.priority, old.slot, data));
      assertThat(table.action(old.slot)).isEqualTo(4);
    }

    private MatchKey key(BigInteger[] values, BigInteger[] seconds, int priority) {
      MatchKey key = new MatchKey(layout);
      for (int i = 0; i < values.length; i++) {
        WordLayout.Field field = layout.fields().get(i);
        place(field, values[i], key.value);
        if (field.kind() == MatchKind.LPM) {
          key.prefixLength = seconds[i].intValueExact();
          WordLayout.prefixMask(field, key.prefixLength, key.mask);
        } else {
          place(field, seconds[i], key.mask);
        }
      }
      key.priority = priority;
      return key;
    }

    private static void place(WordLayout.Field field, BigInteger value, long[] words) {
      for (int limb = 0; limb < field.words(); limb++) {
        words[field.word() + limb] |= value.shiftRight(64 * limb).longValue() << field.shift();
      }
    }

    private void lookUp() {
      BigInteger[] packet = new BigInteger[layout.fields().size()];
      long[] words = new long[layout.words()];
      for (int i = 0; i < packet.length; i++) {
        packet[i] = bits(layout.fields().get(i).widthBits());
        place(layout.fields().get(i), packet[i], words);
      }
      Entry best = null;
      for (Entry entry : entries) {
        if (matches(entry, packet) && (best == null || beats(entry, best))) {
          best = entry;
        }
      }
      int slot = find(words);
      assertThat(slot).isEqualTo(best == null ? 0 : best.slot);
      if (best != null) {
        assertThat(table.data(slot, 0)).isEqualTo(best.data);
        assertThat(table.data(slot, 1)).isEqualTo(~best.data);
      }
    }

    private int find(long[] words) {
      switch (kind) {
        case EXACT:
          ExactTable exact = (ExactTable) table;
          return words.length == 1
              ? exact.find(words[0])
              : words.length == 2 ? exact.find(words[0], words[1]) : exact.find(words);
        case LPM:
          LpmTable lpm = (LpmTable) table;
          return words.length == 1
              ? lpm.find(words[0])
              : words.length == 2 ? lpm.find(words[0], words[1]) : lpm.find(words);
        case RANGE:
          RangeTable range = (RangeTable) table;
          return words.length == 1
              ? range.find(words[0])
              : words.length == 2 ? range.find(words[0], words[1]) : range.find(words);
        default:
          TernaryTable ternary = (TernaryTable) table;
          return words.length == 1
              ? ternary.find(words[0])
              : words.length == 2 ? ternary.find(words[0], words[1]) : ternary.find(words);
      }
    }

    private boolean matches(Entry entry, BigInteger[] packet) {
      for (int i = 0; i < packet.length; i++) {
        WordLayout.Field field = layout.fields().get(i);
        BigInteger value = entry.values[i];
        BigInteger second = entry.seconds[i];
        boolean hit;
        switch (field.kind()) {
          case RANGE -> hit = value.compareTo(packet[i]) <= 0 && packet[i].compareTo(second) <= 0;
          case LPM -> {
            int rest = field.widthBits() - second.intValueExact();
            hit = packet[i].shiftRight(rest).equals(value.shiftRight(rest));
          }
          default -> hit = packet[i].and(second).equals(value);
        }
        if (!hit) {
          return false;
        }
      }
      return true;
    }

    private boolean beats(Entry a, Entry b) {
      if (kind == MatchKind.LPM) {
        for (int i = 0; i < layout.fields().size(); i++) {
          if (layout.fields().get(i).kind() == MatchKind.LPM) {
            return a.seconds[i].compareTo(b.seconds[i]) > 0;
          }
        }
      }
      return a.priority != b.priority ? a.priority > b.priority : a.slot < b.slot;
    }

    private void assertReadBack(Entry entry) {
      MatchKey read = new MatchKey(layout);
      table.readKey(entry.slot, read);
      MatchKey written = key(entry.values, entry.seconds, entry.priority);
      assertThat(read.value).isEqualTo(written.value);
      assertThat(read.mask).isEqualTo(written.mask);
      if (kind == MatchKind.LPM) {
        assertThat(read.prefixLength).isEqualTo(written.prefixLength);
      }
      assertThat(read.priority).isEqualTo(written.priority);
    }
  }

  @Test
  void aMillionPrefixesTakeUnder64BytesEach() {
    int n = 1 << 20;
    LpmTable table = new LpmTable("big", WordLayout.of(fields(MatchKind.LPM, 32)), 1, n, false);
    MatchKey key = new MatchKey(table.layout());
    key.prefixLength = 32;
    for (int i = 0; i < n; i++) {
      key.value[0] = 0x0a000000L + i;
      table.insert(key, 0, new long[] {i}, false);
    }
    assertThat(table.size()).isEqualTo(n);
    assertThat(table.memoryBytes() / n).isLessThan(64);
    for (int i = 0; i < n; i += 997) {
      assertThat(table.data(table.find(0x0a000000L + i), 0)).isEqualTo(i);
    }
    assertThat(table.find(0x0a000000L + n)).isZero();
  }

  @Test
  void whatTheControllerNotesGoesWithTheEntry() {
    MatchTable table =
        MatchTable.create(
            "t", MatchKind.EXACT, WordLayout.of(fields(MatchKind.EXACT, 32)), 1, 100, true);
    MatchKey key = new MatchKey(table.layout());
    int first = table.insert(key, 0, new long[] {1}, false);
    table.setControllerMetadata(first, 77);
    table.setMetadata(first, new byte[] {1, 2});
    table.setCounter(first, 5, 500);
    for (int i = 1; i < 100; i++) {
      key.value[0] = i;
      table.insert(key, 0, new long[] {1}, false);
    }
    assertThat(table.controllerMetadata(first)).isEqualTo(77);
    assertThat(table.metadata(first)).containsExactly(1, 2);
    assertThat(table.counters[2 * first + 1]).isEqualTo(500);
    assertThat(table.controllerMetadata(50)).isZero();
    assertThat(table.metadata(50)).isNull();
    table.remove(first);
    key.value[0] = 1000;
    int reused = table.insert(key, 0, new long[] {1}, false);
    assertThat(reused).isEqualTo(first);
    assertThat(table.controllerMetadata(reused)).isZero();
    assertThat(table.metadata(reused)).isNull();
    assertThat(table.counters[2 * reused]).isZero();
  }
}
