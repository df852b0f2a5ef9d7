package net.sluice.it.corpus;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;

/**
 * Takes out of a program what two switches cannot have in common: a random number becomes the
 * lowest it can be, and timestamps and depths of queues stay 0, because nothing says any more which
 * fields are to have them.
 */
final class DeterministicProgram {

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String RANDOM = "modify_field_rng_uniform";

  private static final Set<String> TIMES =
      Set.of(
          "intrinsic_metadata.ingress_global_timestamp",
          "intrinsic_metadata.egress_global_timestamp",
          "queueing_metadata.enq_timestamp",
          "queueing_metadata.enq_qdepth",
          "queueing_metadata.deq_timedelta",
          "queueing_metadata.deq_qdepth",
          "queueing_metadata.qid");

  private DeterministicProgram() {}

  /** A program without time and chance; it is the same if it had none. */
  static byte[] program(byte[] json) {
    try {
      ObjectNode root = (ObjectNode) MAPPER.readTree(json);
      ArrayNode aliases = MAPPER.createArrayNode();
      for (JsonNode alias : root.withArray("field_aliases")) {
        if (!TIMES.contains(alias.get(0).asText())) {
          aliases.add(alias);
        }
      }
      root.set("field_aliases", aliases);
      for (JsonNode action : root.get("actions")) {
        for (JsonNode primitive : action.get("primitives")) {
          if (primitive.get("op").asText().equals(RANDOM)) {
            ((ObjectNode) primitive).put("op", "assign");
            ((ArrayNode) primitive.get("parameters")).remove(2);
          }
        }
      }
      return MAPPER.writeValueAsBytes(root);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not a program", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
