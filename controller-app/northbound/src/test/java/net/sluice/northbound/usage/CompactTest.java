package net.sluice.northbound.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class CompactTest {
  private static final long MOST = 4_095L << 30;

  @Property
  void aNumberIsKeptToATwoThousandth(@ForAll @LongRange(max = MOST) long value) {
    assertThat(Compact.value(Compact.code(value))).isCloseTo(value, within(value / 4_000));
  }

  @Test
  void codesHaveTheOrderOfTheirNumbersAndGreaterOnesAreTheGreatest() {
    long before = -1;
    for (int code = 0; code <= 0xffff; code++) {
      long value = Compact.value((short) code);
      assertThat(value).isGreaterThan(before);
      assertThat(Compact.code(value)).isEqualTo((short) code);
      before = value;
    }
    assertThat(before).isEqualTo(MOST);
    assertThat(Compact.value(Compact.code(Long.MAX_VALUE / 2))).isEqualTo(MOST);
  }
}
