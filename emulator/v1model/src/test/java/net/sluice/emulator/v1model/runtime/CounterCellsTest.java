package net.sluice.emulator.v1model.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Arrays of counters, whose memory is taken by pages. */
class CounterCellsTest {
  private static final int SIZE = 5_000;

  private final CounterCells cells = new CounterCells(SIZE);

  /** Few indexes, so that some are counted and set several times, over all pages. */
  @Test
  void eachIndexKeepsWhatWasLastCountedAndSetThere() {
    long[] packets = new long[SIZE];
    long[] bytes = new long[SIZE];
    Random random = new Random(1);
    for (int i = 0; i < 20_000; i++) {
      int index = random.nextInt(SIZE / 50) * 50 + 49;
      if (random.nextInt(10) == 0) {
        packets[index] = random.nextInt(3);
        bytes[index] = 1_000 * packets[index];
        cells.set(index, packets[index], bytes[index]);
      } else {
        int length = 64 + random.nextInt(1_451);
        packets[index]++;
        bytes[index] += length;
        cells.count(index, length);
      }
    }
    for (int i = 0; i < SIZE; i++) {
      assertThat(cells.packets(i)).as("packets at %s", i).isEqualTo(packets[i]);
      assertThat(cells.bytes(i)).as("bytes at %s", i).isEqualTo(bytes[i]);
    }
  }

  /** Pages on which nothing is counted are one and the same. */
  @Test
  void whatIsCountedInOneArrayIsInNoOther() {
    CounterCells other = new CounterCells(SIZE);
    cells.set(0, 0, 0);
    cells.count(SIZE - 1, 100);
    cells.set(1, 2, 300);
    assertThat(other.packets(1)).isZero();
    assertThat(other.packets(SIZE - 1)).isZero();
    assertThat(cells.packets(0)).isZero();
    assertThat(cells.packets(2_049)).isZero();
  }

  @Test
  void theHashIsThatOfWhatIsCountedAndNotOfThePages() {
    CounterCells other = new CounterCells(SIZE);
    int nothing = other.contentHash();
    cells.count(7, 64);
    assertThat(cells.contentHash()).isNotEqualTo(nothing);
    other.count(7, 65);
    assertThat(other.contentHash()).isNotEqualTo(cells.contentHash());
    other.set(7, 1, 64);
    assertThat(other.contentHash()).isEqualTo(cells.contentHash());
    other.set(7, 0, 0);
    assertThat(other.contentHash()).isEqualTo(nothing);
    other.set(2_055, 1, 64);
    assertThat(other.contentHash()).as("on another page").isNotEqualTo(cells.contentHash());
  }

  /** With memory for all of their cells these would take 25 GiB. */
  @Test
  void largeArraysTakeMemoryOnlyForWhatIsCounted() {
    int size = 1 << 24;
    List<CounterCells> large = Stream.generate(() -> new CounterCells(size)).limit(100).toList();
    large.forEach(each -> each.count(size - 1, 64));
    assertThat(large).extracting(CounterCells::size).containsOnly(size);
    assertThat(large).extracting(each -> each.bytes(size - 1)).containsOnly(64L);
  }
}
