package net.sluice.emulator.netsim.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.sluice.emulator.switching.InternetChecksum;
import org.junit.jupiter.api.Test;

class IpAddressTest {

  @Test
  void readsLiterals() {
    assertThat(IpAddress.of("10.1.2.200")).isEqualTo(new IpAddress(false, 0, 0x0A0102C8L));
    assertThat(IpAddress.of("2001:db8::1")).isEqualTo(new IpAddress(true, 0x20010db8_00000000L, 1));
    assertThat(IpAddress.of("10.1.2.200")).hasToString("10.1.2.200");
    assertThat(IpAddress.of("2001:db8::1")).hasToString("2001:db8:0:0:0:0:0:1");
  }

  @Property(seed = "1")
  void bytesAndBack(@ForAll boolean ipv6, @ForAll long high, @ForAll long low) {
    IpAddress address =
        ipv6 ? new IpAddress(true, high, low) : new IpAddress(false, 0, low & 0xFFFF_FFFFL);
    assertThat(IpAddress.of(address.toBytes())).isEqualTo(address);
    assertThat(IpAddress.of(address.toString())).isEqualTo(address);
  }

  @Test
  void refusesWhatIsNone() {
    for (String text :
        new String[] {"localhost", "10.0.0", "10.0.0.256", "1:2", "", "::ffff:1.2.3.4"}) {
      assertThatThrownBy(() -> IpAddress.of(text))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("address \"" + text + "\": must be an IPv4 or IPv6 literal");
    }
    assertThatThrownBy(() -> IpAddress.of(new byte[5]))
        .hasMessage("address of 5 bytes: must have 4 or 16");
    assertThatThrownBy(() -> new IpAddress(false, 0, 1L << 32))
        .hasMessage("IPv4 address 0:4294967296: must be 0..4294967295");
  }

  @Test
  void addsAddressesAsTheyAreOnTheWire() {
    for (String literal : new String[] {"192.0.2.200", "2001:db8:ffff:1::abcd"}) {
      IpAddress address = IpAddress.of(literal);
      byte[] bytes = address.toBytes();
      assertThat(InternetChecksum.finish(address.checksumWords()))
          .isEqualTo(InternetChecksum.finish(InternetChecksum.sum(bytes, 0, bytes.length)));
    }
  }
}
