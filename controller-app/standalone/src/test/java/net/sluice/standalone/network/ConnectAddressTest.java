package net.sluice.standalone.network;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ConnectAddressTest {
  @Test
  void namesAndAddressesOfBothFamiliesAreReadAndShown() {
    // A name is not looked up: it may become known later.
    ConnectAddress name = ConnectAddress.parse("leaf1.nowhere.invalid:9559");
    assertThat(name).isEqualTo(new ConnectAddress("leaf1.nowhere.invalid", 9559));
    assertThat(name).hasToString("leaf1.nowhere.invalid:9559");
    ConnectAddress v6 = ConnectAddress.parse("[2001:db8::7]:50001");
    assertThat(v6).isEqualTo(new ConnectAddress("2001:db8::7", 50_001));
    assertThat(v6).hasToString("[2001:db8::7]:50001");
  }
}
