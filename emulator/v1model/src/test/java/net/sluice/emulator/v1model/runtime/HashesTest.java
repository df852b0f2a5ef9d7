package net.sluice.emulator.v1model.runtime;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Check values from the algorithms' specifications, and CRCs against long division. */
class HashesTest {

  private static final byte[] DIGITS = "123456789".getBytes(US_ASCII);

  @Test
  void checkValuesOfCrcs() {
    assertThat(Hashes.crc8(DIGITS, 9)).isEqualTo(0xf4);
    assertThat(Hashes.crc16(DIGITS, 9)).isEqualTo(0xbb3d);
    assertThat(Hashes.crcCcitt(DIGITS, 9)).isEqualTo(0x29b1);
    assertThat(Hashes.crc32(DIGITS, 9)).isEqualTo(0xcbf43926L);
    assertThat(Hashes.crc64(DIGITS, 9)).isEqualTo(0x46a5a9388a5beffeL);
  }

  @Test
  void checkValuesOfXxHash() {
    assertThat(xxh64("")).isEqualTo(0xef46db3751d8e999L);
    assertThat(xxh64("a")).isEqualTo(0xd24ec4f1a98c6e5bL);
    assertThat(xxh64("abc")).isEqualTo(0x44bc2cf5ad770999L);
    assertThat(xxh64("Nobody inspects the spammish repetition")).isEqualTo(0xfbcea83c8a378bf1L);
  }

  private static long xxh64(String text) {
    return Hashes.xxh64(text.getBytes(US_ASCII), text.length());
  }

  @Test
  void toeplitzStartsWithAKeyOfZeros() {
    assertThat(Hashes.toeplitz(DIGITS, 9)).isZero();
  }

  @Property(tries = 200, seed = "1")
  void crcsAreRemaindersOfPolynomials(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    byte[] bytes = new byte[random.nextInt(70)];
    random.nextBytes(bytes);
    assertThat(Hashes.crc8(bytes, bytes.length)).isEqualTo(divided(bytes, 8, 0x07, false));
    assertThat(Hashes.crc64(bytes, bytes.length)).isEqualTo(divided(bytes, 64, 0x1b, true));
  }

  /** The remainder of the message, as a polynomial, times x^width; from 0. */
  private static long divided(byte[] bytes, int width, long polynomial, boolean reflected) {
    BigInteger message = BigInteger.ZERO;
    for (byte b : bytes) {
      int in = reflected ? Integer.reverse(b & 0xff) >>> 24 : b & 0xff;
      message = message.shiftLeft(8).or(BigInteger.valueOf(in));
    }
    message = message.shiftLeft(width);
    BigInteger divisor = BigInteger.ONE.shiftLeft(width).or(BigInteger.valueOf(polynomial));
    while (message.bitLength() > width) {
      message = message.xor(divisor.shiftLeft(message.bitLength() - 1 - width));
    }
    return reflected ? Long.reverse(message.longValue()) >>> (64 - width) : message.longValue();
  }

  @Test
  void roundRobinCountsCalls() {
    RoundRobin calls = new RoundRobin();
    assertThat(calls.next(DIGITS, 9)).isEqualTo(0);
    assertThat(calls.next(DIGITS, 9)).isEqualTo(1);
    RoundRobin inputs = new RoundRobin();
    assertThat(inputs.same(DIGITS, 9)).isEqualTo(0);
    assertThat(inputs.same(DIGITS, 8)).isEqualTo(1);
    assertThat(inputs.same(DIGITS.clone(), 9)).isEqualTo(0);
    assertThat(inputs.same(DIGITS, 7)).isEqualTo(2);
  }
}
