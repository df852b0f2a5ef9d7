package net.sluice.onos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import net.sluice.intents.model.InvalidValueException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EdgeSettingsTest {
  @Test
  void withoutPropertiesOnlyWhatIsOfThisMachineIsAllowed() throws Exception {
    EdgeSettings none = EdgeSettings.DEFAULT;
    assertThat(none.webhooks().allowed()).isEqualTo("127.0.0.0/8, ::1; others with webhookAllow");
    assertThat(none.needsConditions()).isFalse();
    assertThat(none.traces()).isEmpty();
    assertThat(none.allowed().refusal("any.example:8181", null)).isEmpty();
    assertThat(none.allowed().refusal("a.example:8181", "http://a.example:8181")).isEmpty();
    assertThat(none.allowed().refusal("a.example:8181", "http://a.example")).isPresent();
  }

  @Test
  void listsAreSeparatedByCommas() throws Exception {
    EdgeSettings some =
        EdgeSettings.of(
            Map.of(
                "webhookAllow",
                "oss.example:443, 192.0.2.0/24",
                "allowedHosts",
                "sluice.example,[2001:db8::7]",
                "allowedOrigins",
                "https://portal.example",
                "otlpTraces",
                "http://192.0.2.9:4318/v1/traces",
                "tracePercent",
                "5"));
    InetSocketAddress at = new InetSocketAddress(InetAddress.getByName("192.0.2.7"), 80);
    assertThat(some.webhooks().allows("x", at)).isTrue();
    assertThat(some.webhooks().allowsDeclared("127.0.0.1", 80)).isFalse();
    assertThat(some.allowed().refusal("other.example", null)).isPresent();
    assertThat(some.allowed().refusal("sluice.example", "https://portal.example")).isEmpty();
    assertThat(some.traces().orElseThrow().percent()).isEqualTo(5);
  }

  @ParameterizedTest
  @CsvSource({
    "webhookAllow, http://oss",
    "webhookAllow, 'oss.example,'",
    "requireIfMatch, yes",
    "allowedHosts, sluice.example:8181",
    "allowedOrigins, portal.example",
    "otlpTraces, 192.0.2.9:4318",
    "tracePercent, 101"
  })
  void whatIsNotAllowedIsNamed(String name, String value) {
    assertThatThrownBy(() -> EdgeSettings.of(Map.of(name, value)))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageStartingWith(name + " is ")
        .hasMessageContaining("; allowed: ");
  }
}
