package net.sluice.northbound.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import net.sluice.core.UnavailableException;
import net.sluice.core.store.InMemoryNetworkStore;
import net.sluice.core.testing.VirtualTime;
import net.sluice.northbound.json.JsonContent;
import org.junit.jupiter.api.Test;

/** The log of changes in a store that fails, and its long lines. */
final class AuditLogTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-01-02T03:04:05.600Z"), ZoneOffset.UTC);

  private final VirtualTime time = new VirtualTime();
  private final List<String> failures = new ArrayList<>();
  private InMemoryNetworkStore store = new InMemoryNetworkStore(CLOCK);
  private AuditLog log = open(1 << 20);

  private AuditLog open(long bytes) {
    return new AuditLog(
        store.journal("audit"),
        bytes,
        time.scheduler(),
        failures::add,
        (json, asked) -> json.writeStringField("inForce", asked.get("who").asText()));
  }

  private static JsonContent line(String who) {
    return json -> json.writeStringField("who", who);
  }

  private JsonNode told(long since) throws IOException {
    return MAPPER.readTree(JsonContent.bytes(json -> log.write(json, since, 1000)));
  }

  @Test
  void aStoreThatTakesNothingIsToldToHaveFailed() throws Exception {
    log.asked(line("a")).awaitDurable();
    store.full(true);
    assertThatThrownBy(() -> log.asked(line("b")))
        .isInstanceOf(UnavailableException.class)
        .hasMessage("the audit log cannot be written: cannot write: no space left");
    assertThat(failures).containsExactly("cannot write: no space left");
    store.full(false);
    log.asked(line("c")).awaitDurable();
    assertThat(told(0).get("items").findValuesAsText("who")).containsExactly("a", "c");
  }

  @Test
  void anOutcomeThatCouldNotBeNotedIsNotedLater() throws Exception {
    AuditLog.Entry entry = log.asked(line("a"));
    store.full(true);
    assertThatThrownBy(() -> entry.ended(line("done"))).isInstanceOf(UnavailableException.class);
    time.pass(Duration.ofSeconds(2));
    store.full(false);
    time.pass(Duration.ofSeconds(2));
    JsonNode items = told(0).get("items");
    assertThat(items).hasSize(2);
    assertThat(items.get(1).get("of").asLong()).isEqualTo(1);
    assertThat(items.get(1).get("who").asText()).isEqualTo("done");
  }

  @Test
  void longLinesAreToldWholeAndAreOneLineEach() throws Exception {
    String text = "x".repeat(700_000);
    log.asked(json -> json.writeStringField("who", text)).ended(line("outcome"));
    log.asked(line("b"));
    JsonNode items = told(0).get("items");
    assertThat(items.findValuesAsText("who")).containsExactly(text, "outcome", "b");
    assertThat(items.get(1).get("of").asLong()).isEqualTo(items.get(0).get("seq").asLong());
    // In the midst of a long line.
    assertThat(told(2).get("items").findValuesAsText("who")).containsExactly("outcome", "b");
  }

  @Test
  void aListEndsBeforeItIsTooLong() throws Exception {
    for (int i = 0; i < 8; i++) {
      String text = i + "x".repeat(1 << 20);
      log.asked(json -> json.writeStringField("who", text));
    }
    JsonNode first = told(0).get("items");
    assertThat(first).hasSize(4);
    assertThat(told(first.get(3).get("seq").asLong()).get("items")).hasSize(4);
  }

  @Test
  void whatHadNoOutcomeWhenTheProcessEndedGetsOneOnce() throws Exception {
    log.asked(line("a")).ended(line("done"));
    log.asked(line("b"));
    for (int start = 0; start < 2; start++) {
      store = store.copy();
      log = open(1 << 20);
      JsonNode items = told(2).get("items");
      assertThat(items).hasSize(2);
      assertThat(items.get(1).get("of").asLong()).isEqualTo(3);
      assertThat(items.get(1).get("outcome").asText()).isEqualTo("interrupted");
      assertThat(items.get(1).get("inForce").asText()).isEqualTo("b");
    }
  }
}
