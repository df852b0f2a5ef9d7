package net.sluice.intents.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.testing.Golden;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IpPrefixTest {

  @ParameterizedTest
  @CsvSource({
    "10.0.0.1/32, 10.0.0.1/32",
    "0.0.0.0/0, 0.0.0.0/0",
    "255.255.255.255/32, 255.255.255.255/32",
    "128.0.0.0/1, 128.0.0.0/1",
    "::/0, ::/0",
    "::1/128, ::1/128",
    "1::/16, 1::/16",
    "2001:DB8::/56, 2001:db8::/56",
    "2001:0db8:0000:0000:0001:0000:0000:0001/128, 2001:db8::1:0:0:1/128",
    "1:0:0:2:0:0:0:3/128, 1:0:0:2::3/128",
    "1:0:2:3:4:5:6:7/128, 1:0:2:3:4:5:6:7/128",
    "1:2:3:4:5:6:7::/112, 1:2:3:4:5:6:7:0/112",
    "::2:3:4:5:6:7:8/128, 0:2:3:4:5:6:7:8/128",
    "::ffff:192.0.2.1/128, ::ffff:c000:201/128",
    "1:2:3:4:5:6:192.0.2.1/128, 1:2:3:4:5:6:c000:201/128",
  })
  void readsAndWritesCanonicalText(String text, String canonical) {
    assertThat(IpPrefix.parse(text)).hasToString(canonical);
    assertThat(IpPrefix.parse(canonical)).isEqualTo(IpPrefix.parse(text));
  }

  @Test
  void refusalsNameValueAndWhatIsAllowed() {
    String[] refused = {
      "",
      "/",
      "10.0.0.1",
      "10.0.0.1/",
      "10.0.0.1/33",
      "10.0.0.1/032",
      "10.0.0.1/-1",
      "10.0.0/24",
      "10.0.0.0.0/24",
      "10.0.0.256/32",
      "010.0.0.1/32",
      "10.0.0.1/24",
      " 10.0.0.1/32",
      "a.b.c.d/8",
      "10.0.0.1/99999999999",
      "10..0.1/32",
      "2001:db8::/129",
      "2001:db8::1/56",
      "2001:db8/32",
      ":::/0",
      "1:::2/128",
      "1::2::3/128",
      ":1:2:3:4:5:6:7/128",
      "1:2:3:4:5:6:7:/128",
      "1:2:3:4:5:6:7:8:9/128",
      "::1:2:3:4:5:6:7:8/128",
      "1:2:3:4::5:6:7:8/128",
      "12345::/16",
      "g::/16",
      "fe80::1%eth0/128",
      "1:2:3:4:5:6:7:192.0.2.1/128",
      "::192.0.2/128",
      "192.0.2.1::/128",
      "::192.0.2.1:0/128",
      ":/0"
    };
    StringBuilder texts = new StringBuilder();
    for (String text : refused) {
      assertThatThrownBy(() -> IpPrefix.parse(text))
          .isInstanceOfSatisfying(
              InvalidValueException.class,
              e -> {
                assertThat(e.field()).isIn("prefix", "prefix length");
                texts.append(e.getMessage()).append('\n');
              });
    }
    Golden.check("prefix-refusals.txt", texts.toString());
  }

  @Property(seed = "1")
  void textOfAnyPrefixReadsBackAndAgreesWithThePlatform(
      @ForAll long hi, @ForAll long lo, @ForAll boolean v6, @ForAll @IntRange(max = 128) int length)
      throws UnknownHostException {
    IpPrefix prefix = masked(hi, lo, v6, v6 ? length : length % 33);
    String text = prefix.toString();
    assertThat(IpPrefix.parse(text)).isEqualTo(prefix);
    byte[] address = InetAddress.getByName(text.substring(0, text.indexOf('/'))).getAddress();
    if (address.length == prefix.addressBytes().length) {
      assertThat(prefix.addressBytes()).isEqualTo(address);
    } else {
      // The platform folds IPv4-mapped addresses into IPv4.
      assertThat(prefix.hi()).isZero();
      assertThat(prefix.lo() >>> 32).isEqualTo(0xffffL);
    }
  }

  @Property(seed = "1")
  void overlapMeansSharedAddresses(
      @ForAll long a,
      @ForAll @IntRange(max = 128) int aLength,
      @ForAll @IntRange(max = 128) int bLength,
      @ForAll @IntRange(max = 127) int flip,
      @ForAll boolean v6) {
    int bits = v6 ? 128 : 32;
    IpPrefix one = masked(a, ~a, v6, aLength % (bits + 1));
    BigInteger flipped = address(masked(a, ~a, v6, bits)).flipBit(flip % bits);
    IpPrefix other =
        masked(flipped.shiftRight(64).longValue(), flipped.longValue(), v6, bLength % (bits + 1));
    BigInteger oneLast = last(one);
    BigInteger otherLast = last(other);
    boolean shared =
        address(one).compareTo(otherLast) <= 0 && address(other).compareTo(oneLast) <= 0;
    assertThat(one.overlaps(other)).isEqualTo(shared);
    assertThat(other.overlaps(one)).isEqualTo(shared);
    assertThat(one.contains(other)).isEqualTo(shared && one.length() <= other.length());
  }

  @Test
  void familiesNeverOverlap() {
    assertThat(IpPrefix.parse("0.0.0.0/0").overlaps(IpPrefix.parse("::/0"))).isFalse();
  }

  @Test
  void ordersByFamilyAddressAndLength() {
    assertThat(
            java.util.stream.Stream.of(
                    "ff00::/8", "::/0", "192.0.2.0/24", "192.0.2.0/25", "10.0.0.0/8", "8000::/1")
                .map(IpPrefix::parse)
                .sorted()
                .map(IpPrefix::toString))
        .containsExactly(
            "10.0.0.0/8", "192.0.2.0/24", "192.0.2.0/25", "::/0", "8000::/1", "ff00::/8");
  }

  private static IpPrefix masked(long hi, long lo, boolean v6, int length) {
    BigInteger ones = BigInteger.ONE.shiftLeft(v6 ? 128 : 32).subtract(BigInteger.ONE);
    int rest = (v6 ? 128 : 32) - length;
    BigInteger mask = ones.shiftRight(rest).shiftLeft(rest);
    BigInteger address = unsigned(v6 ? hi : 0).shiftLeft(64).or(unsigned(lo)).and(mask);
    return v6
        ? IpPrefix.v6(address.shiftRight(64).longValue(), address.longValue(), length)
        : IpPrefix.v4(address.intValue(), length);
  }

  private static BigInteger address(IpPrefix prefix) {
    return unsigned(prefix.hi()).shiftLeft(64).or(unsigned(prefix.lo()));
  }

  private static BigInteger last(IpPrefix prefix) {
    int rest = prefix.family().bits() - prefix.length();
    return address(prefix).or(BigInteger.ONE.shiftLeft(rest).subtract(BigInteger.ONE));
  }

  private static BigInteger unsigned(long word) {
    return new BigInteger(Long.toUnsignedString(word));
  }
}
