package net.sluice.rest.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import net.sluice.core.UnavailableException;
import net.sluice.core.declaration.TariffProgress;
import net.sluice.core.store.Documents;
import net.sluice.core.store.InMemoryNetworkStore;
import net.sluice.rest.problem.Incidents;
import org.junit.jupiter.api.Test;

/** Operations over the end of the controller. */
final class OperationsTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Instant THEN = Instant.parse("2026-01-02T03:04:05.600Z");

  private InMemoryNetworkStore store = new InMemoryNetworkStore();
  private Operations operations = open(THEN);

  private Documents documents() {
    return store.documents("operations");
  }

  private Operations open(Instant now) {
    return new Operations(documents(), new Incidents("test"), Clock.fixed(now, ZoneOffset.UTC));
  }

  /** Another start finds what the store had at the moment. */
  private void kill() {
    store = store.copy();
    operations = open(THEN.plusSeconds(60));
  }

  private JsonNode told(String id) throws Exception {
    return MAPPER.readTree(operations.find(id).orElseThrow().told());
  }

  @Test
  void oneThatGoesOnIsKeptBeforeItIsKnownToAnybody() throws Exception {
    Operation begun = operations.begin("PUT /sluice/v1/policies/gold").orElseThrow();
    kill();
    JsonNode told = told(begun.id());
    assertThat(told.get("request").asText()).isEqualTo("PUT /sluice/v1/policies/gold");
    assertThat(told.get("state").asText()).isEqualTo("failed");
    assertThat(told.get("startedAt").asText()).isEqualTo(THEN.toString());
    assertThat(told.get("endedAt").asText()).isEqualTo(THEN.plusSeconds(60).toString());
    assertThat(told.get("status").asInt()).isEqualTo(503);
    assertThat(told.at("/problem/type").asText()).isEqualTo("urn:sluice:problem:interrupted");
    assertThat(operations.find(begun.id()).orElseThrow().isInterrupted()).isTrue();
    kill();
    assertThat(told(begun.id())).isEqualTo(told);
    assertThat(operations.find(begun.id()).orElseThrow().isInterrupted()).isTrue();
  }

  @Test
  void oneThatHasEndedIsToldAsItWas() throws Exception {
    Operation done = operations.begin("POST /sluice/v1/bulk").orElseThrow();
    done.progress(3);
    done.done(200, json -> json.writeRaw("{\"lines\":3,\"made\":[1.50]}"));
    JsonNode before = told(done.id());
    operations.close();
    kill();
    assertThat(told(done.id())).isEqualTo(before);
    assertThat(operations.find(done.id()).orElseThrow().isInterrupted()).isFalse();
  }

  @Test
  void oneOfATariffTellsHowFarItIsWhileItGoesOn() throws Exception {
    Operation goesOn = operations.begin("PUT /sluice/v1/tariffs/home").orElseThrow();
    goesOn.progress(Optional::empty);
    assertThat(told(goesOn.id()).has("progress")).isFalse();
    goesOn.progress(() -> Optional.of(new TariffProgress("home", 31_200, 100_000)));
    assertThat(told(goesOn.id()).get("progress").toString())
        .isEqualTo("{\"lines\":31200,\"of\":100000}");
    goesOn.done(200, json -> json.writeRaw("{}"));
    assertThat(told(goesOn.id()).has("progress")).isFalse();
  }

  @Test
  void whatCannotBeKeptIsNotBegun() {
    store.full(true);
    assertThatThrownBy(() -> operations.begin("PUT /sluice/v1/policies/gold"))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("operations cannot be kept")
        .hasMessageContaining("no space left");
    assertThat(operations.list()).isEmpty();
    store.full(false);
    assertThat(operations.begin("PUT /sluice/v1/policies/gold")).isPresent();
  }

  @Test
  void whatIsToldNoMoreIsKeptNoMore() {
    for (int i = 0; i < Operations.MOST_KEPT + 10; i++) {
      operations.begin("PUT /sluice/v1/policies/gold").orElseThrow().done(200, json -> {});
    }
    assertThat(operations.list()).hasSize(Operations.MOST_KEPT);
    operations.close();
    assertThat(documents().names()).hasSize(Operations.MOST_KEPT);
  }

  @Test
  void whatIsNoOperationIsLeftOut() {
    documents().put("x", new byte[] {'{'});
    documents().put("y", new byte[0]);
    kill();
    assertThat(operations.list()).isEmpty();
  }
}
