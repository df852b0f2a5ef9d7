package net.sluice.rest.switches;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class HostPortTest {
  @Test
  void namesAndAddressesOfBothFamiliesAreReadAndShown() {
    // A name is not looked up: it may become known later.
    HostPort name = HostPort.of("leaf1.nowhere.invalid:9559").orElseThrow();
    assertThat(name).isEqualTo(new HostPort("leaf1.nowhere.invalid", 9559));
    assertThat(name).hasToString("leaf1.nowhere.invalid:9559");
    HostPort v6 = HostPort.of("[2001:db8::7]:50001").orElseThrow();
    assertThat(v6).isEqualTo(new HostPort("2001:db8::7", 50_001));
    assertThat(v6).hasToString("[2001:db8::7]:50001");
    for (String other :
        new String[] {"leaf1", "leaf1:0", "leaf1:65536", "[leaf1]:9", "a/b:1", ":9"}) {
      assertThat(HostPort.of(other)).as(other).isEmpty();
    }
  }
}
