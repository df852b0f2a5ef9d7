package net.sluice.emulator.netsim.host.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class SeqTest {

  private static final long CIRCLE = 1L << 32;
  private static final long HALF = 1L << 31;

  @Test
  void comparesAcrossTheWrap() {
    assertThat(Seq.before(0xFFFF_FFFF, 0)).isTrue();
    assertThat(Seq.before(0, 0xFFFF_FFFF)).isFalse();
    assertThat(Seq.before(5, 5)).isFalse();
    assertThat(Seq.distance(0xFFFF_FFF0, 0x10)).isEqualTo(0x20);
    assertThat(Seq.distance(0x10, 0xFFFF_FFF0)).isEqualTo(-0x20);
  }

  /** Against modular arithmetic in 64 bits. */
  @Property(seed = "1")
  void comparesAsOnACircle(@ForAll int a, @ForAll int b) {
    long ahead = Math.floorMod((b & 0xFFFF_FFFFL) - (a & 0xFFFF_FFFFL), CIRCLE);
    // Half-way round, each is before the other; RFC 9293 does not define that case.
    assertThat(Seq.before(a, b)).isEqualTo(ahead > 0 && ahead <= HALF);
    if (ahead != HALF && ahead != 0) {
      assertThat(Seq.before(b, a)).isNotEqualTo(Seq.before(a, b));
    }
    assertThat((long) Seq.distance(a, b)).isEqualTo(ahead >= HALF ? ahead - CIRCLE : ahead);
  }

  @Property(seed = "1")
  void positionsSurviveTheWire(
      @ForAll int initial,
      @ForAll @LongRange(min = 0, max = 1L << 50) long position,
      @ForAll @LongRange(min = -(HALF - 1), max = HALF) long away) {
    long near = position + away;
    assertThat(Seq.position(initial, Seq.wire(initial, position), near)).isEqualTo(position);
    assertThat(Seq.wire(initial, position) & 0xFFFF_FFFFL)
        .isEqualTo(Math.floorMod(initial + position, CIRCLE));
  }
}
