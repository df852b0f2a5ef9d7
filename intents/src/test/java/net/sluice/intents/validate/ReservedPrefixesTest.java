package net.sluice.intents.validate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.sluice.intents.model.IpPrefix;
import org.junit.jupiter.api.Test;

class ReservedPrefixesTest {
  @Test
  void reservedPrefixesAreNamed() {
    assertThat(ReservedPrefixes.reason(IpPrefix.parse("10.0.0.0/8"))).isEmpty();
    assertThat(ReservedPrefixes.reason(IpPrefix.parse("100.64.0.0/10"))).isEmpty();
    assertThat(ReservedPrefixes.reason(IpPrefix.parse("fd00::/8"))).isEmpty();
    assertThat(ReservedPrefixes.reason(IpPrefix.parse("::2/128"))).isEmpty();
    assertThat(ReservedPrefixes.reason(IpPrefix.parse("64.0.0.0/3"))).isEmpty();
    assertThat(ReservedPrefixes.reason(IpPrefix.parse("fe00::/9"))).isEmpty();
    for (String text :
        List.of(
            "0.0.0.0/32",
            "127.1.2.3/32",
            "169.254.9.0/24",
            "239.1.1.1/32",
            "255.255.255.255/32",
            "64.0.0.0/2",
            "126.0.0.0/7",
            "128.0.0.0/1",
            "::/128",
            "::1/128",
            "::ffff:a00:1/128",
            "fe80::1/128",
            "fe80::/9",
            "ff02::/16",
            "::/0")) {
      assertThat(ReservedPrefixes.reason(IpPrefix.parse(text))).as(text).isPresent();
    }
  }
}
