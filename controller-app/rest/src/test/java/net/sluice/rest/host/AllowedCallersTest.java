package net.sluice.rest.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AllowedCallersTest {
  @Test
  void elsewhereThanOnTheLoopbackInterfaceAnyNameIsItsUntilOneIsGiven() {
    InetSocketAddress everywhere = new InetSocketAddress("0.0.0.0", 8181);
    AllowedCallers any = AllowedCallers.of(everywhere);
    assertThat(any.refusal("controller:8181", null)).isEmpty();
    assertThat(any.refusal("controller:8181", "http://controller:8181")).isPresent();
    AllowedCallers named = AllowedCallers.of(everywhere, List.of("controller"), List.of());
    assertThat(named.refusal("controller:8181", null)).isEmpty();
    assertThat(named.refusal("127.0.0.1:8181", null)).isEmpty();
    assertThat(named.refusal("other:8181", null)).isPresent();
    assertThat(named.refusal(null, null)).as("HTTP/1.0").isEmpty();
  }
}
