package net.sluice.northbound.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.sluice.intents.value.InvalidValueException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AllowedTargetsTest {
  private static AllowedTargets allowed(String... rules) {
    return AllowedTargets.of(
        "--allow-target", Arrays.stream(rules).map(AllowedTargets::parse).toList(), List.of());
  }

  private static InetSocketAddress at(String address, int port) throws Exception {
    return new InetSocketAddress(InetAddress.getByName(address), port);
  }

  private static boolean declared(AllowedTargets allowed, String address) {
    Matcher at = Pattern.compile("(.*):(\\d+)").matcher(address);
    assertThat(at.matches()).isTrue();
    return allowed.allowsDeclared(
        at.group(1).replaceAll("[\\[\\]]", ""), Integer.parseInt(at.group(2)));
  }

  @Test
  void unlessSomethingIsAllowedOnlyTheLoopbackInterfaceIs() throws Exception {
    AllowedTargets loopback = allowed();
    assertThat(loopback.allows("x", at("127.0.0.1", 1))).isTrue();
    assertThat(loopback.allows("x", at("127.255.0.9", 65_535))).isTrue();
    assertThat(loopback.allows("x", at("::1", 9559))).isTrue();
    assertThat(loopback.allows("x", at("::ffff:127.0.0.1", 9559))).as("mapped").isTrue();
    for (String other :
        new String[] {"0.0.0.0", "::", "192.0.2.7", "::ffff:192.0.2.7", "::127.0.0.1", "fe80::1"}) {
      assertThat(loopback.allows("x", at(other, 9559))).as(other).isFalse();
    }
    assertThat(loopback.allows("x", InetSocketAddress.createUnresolved("localhost", 1))).isFalse();
    assertThat(loopback.allowed()).isEqualTo("127.0.0.0/8, ::1; others with --allow-target");
    assertThat(allowed("192.0.2.7").allows("x", at("127.0.0.1", 1))).isFalse();
  }

  @Test
  void whatTheNetworkFileNamesIsAllowedAtItsPortOnly() throws Exception {
    AllowedTargets named =
        AllowedTargets.of(
            "--allow-target",
            List.of(),
            List.of(
                AllowedTargets.Rule.exactly("192.0.2.1", 9559),
                AllowedTargets.Rule.exactly("2001:db8::7", 9559),
                AllowedTargets.Rule.exactly("Leaf1.example", 9339)));
    assertThat(named.allows("192.0.2.1", at("192.0.2.1", 9559))).isTrue();
    assertThat(named.allows("192.0.2.1", at("192.0.2.1", 22))).isFalse();
    assertThat(named.allows("x", at("2001:db8::7", 9559))).isTrue();
    assertThat(named.allows("leaf1.example.", at("203.0.113.9", 9339))).isTrue();
    assertThat(named.allows("leaf1.example", at("203.0.113.9", 9340))).isFalse();
    assertThat(named.allows("leaf2.example", at("203.0.113.9", 9339))).isFalse();
  }

  @Test
  void networksPortsAndNamesAreAllowedAsWritten() throws Exception {
    AllowedTargets some =
        allowed("192.0.2.0/24:9559-9600", "[2001:db8::]/32:9559", "2001:db8:1::/48", "leaf1:9559");
    assertThat(some.allows("x", at("192.0.2.255", 9600))).isTrue();
    assertThat(some.allows("x", at("::ffff:192.0.2.255", 9559))).isTrue();
    assertThat(some.allows("x", at("192.0.2.255", 9601))).isFalse();
    assertThat(some.allows("x", at("192.0.3.0", 9600))).isFalse();
    assertThat(some.allows("x", at("2001:db8:ffff::1", 9559))).isTrue();
    assertThat(some.allows("x", at("2001:db8:ffff::1", 9560))).isFalse();
    assertThat(some.allows("x", at("2001:db8:1::1", 22))).isTrue();
    assertThat(some.allows("LEAF1", at("203.0.113.9", 9559))).isTrue();
    assertThat(allowed("0.0.0.0/0").allows("x", at("2001:db8::1", 1))).isFalse();
    assertThat(allowed("::ffff:192.0.2.0/120").allows("x", at("192.0.2.9", 1))).isTrue();
  }

  @Test
  void aDeclarationMayHaveWhateverCanLeadToWhatIsAllowed() {
    AllowedTargets some = allowed("192.0.2.0/24:9559", "leaf1:1");
    assertThat(declared(some, "192.0.2.7:9559")).isTrue();
    assertThat(declared(some, "192.0.2.7:22")).isFalse();
    assertThat(declared(some, "[::ffff:192.0.2.7]:9559")).isTrue();
    assertThat(declared(some, "203.0.113.9:9559")).isFalse();
    // Where a name leads shows when it is connected to.
    assertThat(declared(some, "leaf2.example:9559")).isTrue();
    assertThat(declared(some, "leaf1:1")).isTrue();
    assertThat(declared(some, "leaf2:1")).isFalse();
    assertThat(declared(some, "leaf1:2")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "leaf1:",
        "leaf1:0",
        "leaf1:65536",
        "leaf1:9-8",
        "192.0.2.256",
        "192.0.2.7/24",
        "192.0.2.0/33",
        "10.1",
        "[2001:db8::1",
        "2001:db8::1/32",
        "unix:/run/x",
        "http://leaf1",
        "*"
      })
  void whatIsNoTargetIsRefused(String text) {
    assertThatThrownBy(() -> AllowedTargets.parse(text)).isInstanceOf(InvalidValueException.class);
  }
}
