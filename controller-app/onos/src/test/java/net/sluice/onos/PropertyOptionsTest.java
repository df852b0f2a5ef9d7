package net.sluice.onos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.sluice.cli.ManPages;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.rest.host.AllowedCallers;
import net.sluice.rest.host.Closable;
import net.sluice.rest.settings.ComparingOptions;
import net.sluice.rest.settings.EdgeOptions;
import net.sluice.rest.settings.EdgeSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

class PropertyOptionsTest {
  private static AllowedCallers callers(EdgeSettings settings) {
    return AllowedCallers.ofShared(settings.hosts(), settings.origins());
  }

  @Test
  void withoutPropertiesOnlyWhatIsOfThisMachineIsAllowed() throws Exception {
    EdgeSettings none = SluiceSettings.EDGE_DEFAULT;
    assertThat(none.webhooks().allowed()).isEqualTo("127.0.0.0/8, ::1; others with webhookAllow");
    assertThat(none.needsConditions()).isFalse();
    assertThat(none.traces()).isEmpty();
    assertThat(callers(none).refusal("any.example:8181", null, "http")).isEmpty();
    assertThat(callers(none).refusal("a.example:8181", "http://a.example:8181", "http")).isEmpty();
    assertThat(callers(none).refusal("a.example:8181", "http://a.example", "http")).isPresent();
  }

  @Test
  void listsAreSeparatedByCommas() throws Exception {
    EdgeSettings some =
        SluiceSettings.edge(
            Map.of(
                "webhookAllow",
                "oss.example:443, 192.0.2.0/24",
                "allowedHost",
                "sluice.example,[2001:db8::7]",
                "allowedOrigin",
                "https://portal.example",
                "otlpTraces",
                "http://192.0.2.9:4318/v1/traces",
                "tracePercent",
                "5",
                "closed",
                "adopt, switches"));
    assertThat(some.closed()).containsExactlyInAnyOrder(Closable.ADOPT, Closable.SWITCHES);
    InetSocketAddress at = new InetSocketAddress(InetAddress.getByName("192.0.2.7"), 80);
    assertThat(some.webhooks().allows("x", at)).isTrue();
    assertThat(some.webhooks().allowsDeclared("127.0.0.1", 80)).isFalse();
    assertThat(callers(some).refusal("other.example", null, "http")).isPresent();
    assertThat(callers(some).refusal("sluice.example", "https://portal.example", "http")).isEmpty();
    assertThat(some.traces().orElseThrow().percent()).isEqualTo(5);
  }

  @ParameterizedTest
  @CsvSource({
    "webhookAllow, http://oss",
    "requireIfMatch, yes",
    "allowedHost, sluice.example:8181",
    "allowedOrigin, portal.example",
    "otlpTraces, 192.0.2.9:4318",
    "tracePercent, 101",
    "tracePercent, 5",
    "closed, drift"
  })
  void whatIsNotAllowedIsNamed(String name, String value) {
    assertThatThrownBy(() -> SluiceSettings.edge(Map.of(name, value)))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageStartingWith(name + " is ")
        .hasMessageContaining("; allowed: ");
  }

  /** ONOS takes names, defaults and sentences of properties from the text of the source only. */
  @Test
  void thePropertiesOfOptionsAreDeclaredAsTheOptionsAre() throws Exception {
    Map<String, String> catalogue = new TreeMap<>();
    try (InputStream in = SluiceManager.class.getResourceAsStream("SluiceManager.cfgdef")) {
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
        String[] parts = line.split("\\|", 4);
        if (parts.length == 4 && SluiceSettings.SHARED.contains(parts[0])) {
          catalogue.put(parts[0], parts[2] + "|" + parts[3]);
        }
      }
    }
    Map<String, String> options = new TreeMap<>();
    for (Object each : List.of(new EdgeOptions(), new ComparingOptions())) {
      for (OptionSpec option : new CommandLine(each).getCommandSpec().options()) {
        String value = option.arity().max() == 0 ? "false" : option.defaultValue();
        options.put(
            PropertyOptions.property(option.longestName()),
            (value == null ? "" : value)
                + "|"
                + ManPages.words(option).replace("${DEFAULT-VALUE}", String.valueOf(value)));
      }
    }
    assertThat(catalogue).isEqualTo(options);
    String page = Files.readString(Path.of("../../docs/onos.md"));
    options.forEach(
        (name, text) -> {
          String words = text.substring(text.indexOf('|') + 1);
          assertThat(page)
              .contains("| `" + name + "` | " + words + (words.endsWith(".") ? " |" : ". |"));
        });
  }
}
