package net.sluice.northbound.webhooks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.sluice.northbound.events.EventFilter;
import net.sluice.northbound.events.EventId;
import net.sluice.northbound.webhooks.Webhooks.DeadLetter;

/**
 * A webhook and how far it is, as a document has it.
 *
 * @param declared with its secret
 * @param by name of the caller that has declared it last; empty if an earlier version stored it
 * @param done the last event that needs no attempt any more
 * @param deadLetters the events that were given up, the oldest first
 */
record StoredWebhook(
    Webhook declared, Optional<String> by, EventId done, List<DeadLetter> deadLetters) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  StoredWebhook {
    deadLetters = List.copyOf(deadLetters);
  }

  /** As JSON in UTF-8. */
  byte[] bytes() throws IOException {
    ObjectNode json = MAPPER.createObjectNode();
    json.put("url", declared.url().toString());
    json.put("secret", declared.secret().orElseThrow());
    ArrayNode types = json.putArray("types");
    declared.filter().types().forEach(types::add);
    json.put("subject", declared.filter().subject());
    json.put("maxEvents", declared.maxEvents());
    by.ifPresent(name -> json.put("by", name));
    json.put("done", done.toString());
    ArrayNode dead = json.putArray("deadLetters");
    for (DeadLetter each : deadLetters) {
      dead.addObject()
          .put("first", each.first())
          .put("last", each.last())
          .put("events", each.events())
          .put("at", each.at().toString())
          .put("reason", each.reason());
    }
    return MAPPER.writeValueAsBytes(json);
  }

  /**
   * The webhook in a document.
   *
   * @throws IOException if it is none
   */
  static StoredWebhook of(String id, byte[] bytes) throws IOException {
    JsonNode json = MAPPER.readTree(bytes);
    try {
      List<String> types = new ArrayList<>();
      json.get("types").forEach(each -> types.add(each.asText()));
      List<DeadLetter> dead = new ArrayList<>();
      for (JsonNode each : json.get("deadLetters")) {
        dead.add(
            new DeadLetter(
                each.get("first").asText(),
                each.get("last").asText(),
                each.get("events").asInt(),
                Instant.parse(each.get("at").asText()),
                each.get("reason").asText()));
      }
      return new StoredWebhook(
          new Webhook(
              id,
              URI.create(json.get("url").asText()),
              Optional.of(json.get("secret").asText()),
              new EventFilter(types, json.get("subject").asText()),
              json.get("maxEvents").asInt()),
          Optional.ofNullable(json.get("by")).map(JsonNode::asText),
          EventId.parse(json.get("done").asText()).orElseThrow(),
          dead);
    } catch (RuntimeException e) {
      if (e instanceof NullPointerException
          || e instanceof IllegalArgumentException
          || e instanceof DateTimeException
          || e instanceof java.util.NoSuchElementException) {
        throw new IOException("it is no webhook", e);
      }
      throw e;
    }
  }
}
