package net.sluice.emulator.netsim.host.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.sluice.emulator.netsim.Prng;
import org.junit.jupiter.api.Test;

class ReassemblyTest {

  private static List<String> blocks(Reassembly reassembly, int most) {
    long[] left = new long[8];
    long[] right = new long[8];
    int count = reassembly.blocks(left, right, most);
    List<String> blocks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      blocks.add(left[i] + "-" + right[i]);
    }
    return blocks;
  }

  /** RFC 2018 section 4: the newest first, then the most recently reported. */
  @Test
  void theNewestBlockComesFirst() {
    Reassembly reassembly = new Reassembly(1);
    reassembly.addRange(10, 20);
    reassembly.addRange(40, 50);
    reassembly.addRange(30, 35);
    reassembly.addRange(60, 70);
    assertThat(blocks(reassembly, 3)).containsExactly("60-70", "30-35", "40-50");
    reassembly.addRange(20, 25);
    assertThat(blocks(reassembly, 4)).containsExactly("10-25", "60-70", "30-35", "40-50");
    reassembly.addRange(33, 41);
    assertThat(blocks(reassembly, 4)).containsExactly("30-50", "10-25", "60-70");
    assertThat(reassembly.advance(10)).isEqualTo(25);
    assertThat(blocks(reassembly, 4)).containsExactly("30-50", "60-70");
    assertThat(reassembly.advance(29)).isEqualTo(29);
    assertThat(reassembly.advance(65)).isEqualTo(70);
    assertThat(reassembly.hasRanges()).isFalse();
  }

  /** Against a bit per byte and a plain array, with a stream that the reader takes in bits. */
  @Property(tries = 60, seed = "1")
  void keepsBytesAndRangesOfAnyArrivalOrder(@ForAll long seed) {
    Prng random = new Prng(seed);
    int size = 60_000;
    long start = 1 + random.nextLong(1L << 40);
    Reassembly reassembly = new Reassembly(start);
    BitSet arrived = new BitSet();
    byte[] buffer = new byte[9_000];
    long next = start;
    for (int step = 0; step < 80; step++) {
      int from = (int) (next - start) + (int) random.nextLong(20_000);
      int length = 1 + (int) random.nextLong(random.nextLong(3) == 0 ? 9_000 : 500);
      if (random.nextLong(4) == 0) {
        from = (int) (next - start);
      }
      length = Math.min(length, size - from);
      if (length > 0) {
        TcpPair.PATTERN.fill(start + from, buffer, 0, length);
        reassembly.write(start + from, buffer, 0, length);
        arrived.set(from, from + length);
        if (start + from == next) {
          next = reassembly.advance(next + length);
        } else {
          reassembly.addRange(start + from, start + from + length);
          // Once in order, the first block is the one just written to.
          int clear = arrived.previousClearBit(from);
          assertThat(blocks(reassembly, 1))
              .containsExactly((start + clear + 1) + "-" + (start + arrived.nextClearBit(from)));
        }
      }
      assertThat(next - start).isEqualTo(arrived.nextClearBit(0));
      int count = 0;
      int bit = arrived.nextSetBit((int) (next - start));
      while (bit >= 0) {
        count++;
        bit = arrived.nextSetBit(arrived.nextClearBit(bit));
      }
      assertThat(reassembly.blocks(new long[100], new long[100], 100)).isEqualTo(count);
      assertThat(reassembly.hasRanges()).isEqualTo(count > 0);
      long take = random.nextLong(next - reassembly.readPosition() + 1);
      while (take > 0) {
        int piece = reassembly.contiguous(take);
        TcpPair.PATTERN.fill(reassembly.readPosition(), buffer, 0, Math.min(piece, 9_000));
        int at = reassembly.readIndex();
        piece = Math.min(piece, 9_000);
        assertThat(Arrays.mismatch(reassembly.ring(), at, at + piece, buffer, 0, piece))
            .isEqualTo(-1);
        reassembly.skipTo(reassembly.readPosition() + piece);
        take -= piece;
      }
    }
  }
}
