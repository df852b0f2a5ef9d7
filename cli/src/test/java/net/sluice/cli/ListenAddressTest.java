package net.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

final class ListenAddressTest {
  @Test
  void addressesOfBothFamiliesAreReadAndShown() {
    InetSocketAddress v4 = ListenAddress.parse("127.0.0.1:8181");
    assertThat(ListenAddress.text(v4)).isEqualTo("127.0.0.1:8181");
    InetSocketAddress v6 = ListenAddress.parse("[::1]:0");
    assertThat(ListenAddress.text(v6, 9)).isEqualTo("[0:0:0:0:0:0:0:1]:9");
    assertThat(ListenAddress.uri("http", v6, 9, "/x").getHost()).isEqualTo("[0:0:0:0:0:0:0:1]");
  }

  @Test
  void theInnermostReasonIsTold() {
    Exception failure = new IOException("outer", new IOException("Address already in use"));
    assertThat(ListenAddress.reason(failure)).isEqualTo("Address already in use");
    assertThat(ListenAddress.reason(new IOException())).isEqualTo("IOException");
  }
}
