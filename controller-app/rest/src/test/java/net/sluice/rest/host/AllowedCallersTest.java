package net.sluice.rest.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AllowedCallersTest {
  private static final InetSocketAddress EVERYWHERE = new InetSocketAddress("0.0.0.0", 8181);

  private static boolean isRefused(AllowedCallers callers, String host, String origin) {
    return callers.refusal(host, origin, "https").isPresent();
  }

  @Test
  void elsewhereThanOnTheLoopbackInterfaceAnyNameIsItsUntilOneIsGiven() {
    AllowedCallers any = AllowedCallers.of(EVERYWHERE);
    assertThat(isRefused(any, "controller:8181", null)).isFalse();
    AllowedCallers named = AllowedCallers.of(EVERYWHERE, List.of("controller"), List.of());
    assertThat(isRefused(named, "controller:8181", null)).isFalse();
    assertThat(isRefused(named, "127.0.0.1:8181", null)).isFalse();
    assertThat(isRefused(named, "other:8181", null)).isTrue();
    assertThat(isRefused(named, null, null)).as("HTTP/1.0").isFalse();
  }

  @Test
  void itsOwnPageMayCallItAndNoOther() {
    AllowedCallers callers = AllowedCallers.of(EVERYWHERE);
    assertThat(isRefused(callers, "controller:8181", "https://Controller:8181")).isFalse();
    assertThat(isRefused(callers, "controller:8181", "https://controller:8182")).isTrue();
    assertThat(isRefused(callers, "controller", "http://controller"))
        .as("another server, at port 80")
        .isTrue();
    assertThat(isRefused(callers, "controller:8181", "null")).isTrue();
    assertThat(isRefused(callers, null, "https://controller:8181")).isTrue();
  }

  @Test
  void aNameThatSomebodyElseMakesLeadHereIsNoneOfTheLoopbackInterface() {
    AllowedCallers local =
        AllowedCallers.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 8181));
    assertThat(isRefused(local, "localhost:8181", "https://localhost:8181")).isFalse();
    assertThat(isRefused(local, "evil.example:8181", "https://evil.example:8181")).isTrue();
  }
}
