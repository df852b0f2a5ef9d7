package net.sluice.emulator.switching;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class InternetChecksumTest {

  /** The example of RFC 1071 section 3. */
  @Test
  void addsTheExampleOfTheRfc() {
    byte[] bytes = {
      0x00, 0x01, (byte) 0xf2, 0x03, (byte) 0xf4, (byte) 0xf5, (byte) 0xf6, (byte) 0xf7
    };
    assertThat(InternetChecksum.finish(InternetChecksum.sum(bytes, 0, 8)))
        .isEqualTo(0xffff - 0xddf2);
  }

  @Property(seed = "1")
  void isTheOnesComplementSumOfSixteenBitWords(
      @ForAll @Size(max = 3_000) byte[] bytes, @ForAll @IntRange(max = 9) int from) {
    int start = Math.min(from, bytes.length);
    int length = bytes.length - start;
    int sum = 0;
    for (int i = 0; i < length; i++) {
      int value = bytes[start + i] & 0xff;
      sum += i % 2 == 0 ? value << 8 : value;
      sum = sum > 0xffff ? sum - 0xffff : sum;
    }
    int checksum = InternetChecksum.finish(InternetChecksum.sum(bytes, start, length));
    // One's complement has two zeros.
    assertThat(checksum % 0xffff).isEqualTo((0xffff - sum) % 0xffff);
  }
}
