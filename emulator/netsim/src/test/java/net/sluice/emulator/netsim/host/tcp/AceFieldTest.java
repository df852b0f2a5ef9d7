package net.sluice.emulator.netsim.host.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.sluice.emulator.netsim.traffic.Ecn;
import org.junit.jupiter.api.Test;

class AceFieldTest {

  private static int value(long flags) {
    TcpSegment segment = new TcpSegment();
    segment.flags = (int) flags | TcpSegment.ACK;
    return AceField.value(segment);
  }

  @Test
  void theFieldIsTheThreeLowestBits() {
    for (long count = 0; count < 20; count++) {
      assertThat(value(AceField.flags(count))).isEqualTo((int) (count % 8));
    }
    assertThat(AceField.flags(4)).isEqualTo(TcpSegment.AE);
    assertThat(AceField.flags(2)).isEqualTo(TcpSegment.CWR);
    assertThat(AceField.flags(1)).isEqualTo(TcpSegment.ECE);
  }

  /** Tables 3 and 4 of RFC 9768. */
  @Test
  void theHandshakeReportsACodepoint() {
    int[] values = {0b010, 0b011, 0b100, 0b110};
    long[] counts = {5, 5, 5, 6};
    for (Ecn codepoint : Ecn.values()) {
      int bits = codepoint.bits();
      assertThat(value(AceField.handshakeFlags(bits))).isEqualTo(values[bits]);
      assertThat(AceField.firstCount(values[bits])).isEqualTo(counts[bits]);
    }
  }

  /**
   * Acknowledgements of at most seven packets are counted exactly, however many marks there are.
   */
  @Property(tries = 200, seed = "1")
  void countsExactlyWhileTheFieldCannotGoRound(
      @ForAll @IntRange(min = 1, max = 7) int most, @ForAll long seed) {
    Random random = new Random(seed);
    long received = AceField.FIRST_COUNT;
    long counted = AceField.FIRST_COUNT;
    for (int i = 0; i < 200; i++) {
      int arrived = 1 + random.nextInt(most);
      int marked = random.nextInt(arrived + 1);
      received += marked;
      counted += AceField.growth(value(AceField.flags(received)), counted, arrived);
      assertThat(counted).isEqualTo(received);
    }
  }

  /** Where it may have gone round: what the field allows, no more than arrived, never too few. */
  @Property(tries = 500, seed = "1")
  void countsTheMostThatIsPossibleWhenItMayHaveGoneRound(
      @ForAll @IntRange(min = 8, max = 100) int arrived,
      @ForAll @IntRange(min = 0, max = 99) int m) {
    int marked = Math.min(m, arrived);
    long counted = AceField.growth((5 + marked) % 8, 5, arrived);
    assertThat((counted - marked) % 8).isZero();
    assertThat(counted).isBetween((long) marked, (long) arrived);
    assertThat(counted + 8).isGreaterThan(arrived);
  }
}
