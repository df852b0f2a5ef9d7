package net.sluice.emulator.v1model.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.Map;

/**
 * Converts older versions of the BMv2 JSON format, which simple_switch still accepts, to the one
 * p4c writes today, so that the loaders know only that. Malformed input is left as it is for the
 * loaders to refuse.
 */
final class LegacyJson {

  /** bmv2 has no limit for these; over P4Runtime, P4Info has. */
  private static final int ANY_SIZE = Integer.MAX_VALUE;

  private LegacyJson() {}

  /** Changes a program in place. */
  static void bringUpToDate(JsonNode root) {
    for (JsonNode header : root.path("headers")) {
      setIfMissing(header, "metadata", BooleanNode.FALSE);
    }
    for (JsonNode set : root.path("parse_vsets")) {
      setIfMissing(set, "max_size", IntNode.valueOf(ANY_SIZE));
    }
    for (JsonNode parser : root.path("parsers")) {
      for (JsonNode state : parser.path("parse_states")) {
        for (JsonNode op : state.path("parser_ops")) {
          verify(op);
        }
      }
    }
    Map<String, JsonNode> actions = byName(root.path("actions"));
    for (JsonNode pipeline : root.path("pipelines")) {
      for (JsonNode table : pipeline.path("tables")) {
        actionIds(table, actions);
        actionProfile(table, pipeline);
        size(table);
      }
      for (JsonNode conditional : pipeline.path("conditionals")) {
        if (conditional.has("true_next") || conditional.has("false_next")) {
          setIfMissing(conditional, "true_next", NullNode.instance);
          setIfMissing(conditional, "false_next", NullNode.instance);
        }
      }
    }
  }

  /** The elements by name; of duplicates the first. */
  private static Map<String, JsonNode> byName(JsonNode list) {
    Map<String, JsonNode> byName = new HashMap<>();
    for (JsonNode element : list) {
      byName.putIfAbsent(element.path("name").asText(), element);
    }
    return byName;
  }

  /** {@code verify} had its error as a number, today as an expression. */
  private static void verify(JsonNode op) {
    JsonNode parameters = op.path("parameters");
    if (op.path("op").asText().equals("verify") && parameters.path(1).isInt()) {
      ObjectNode error = ((ArrayNode) parameters).objectNode();
      error
          .put("type", "hexstr")
          .put("value", "0x" + Integer.toHexString(parameters.get(1).asInt()));
      ((ArrayNode) parameters).set(1, error);
    }
  }

  /** Tables had {@code actions} but no {@code action_ids}. */
  private static void actionIds(JsonNode table, Map<String, JsonNode> actions) {
    if (!table.isObject() || table.has("action_ids") || !table.path("actions").isArray()) {
      return;
    }
    ArrayNode ids = ((ObjectNode) table).arrayNode();
    for (JsonNode name : table.get("actions")) {
      if (!actions.containsKey(name.asText())) {
        return;
      }
      ids.add(actions.get(name.asText()).path("id"));
    }
    ((ObjectNode) table).set("action_ids", ids);
  }

  /**
   * Tables had {@code act_prof_name} and {@code selector} instead of an action profile of the
   * pipeline.
   */
  private static void actionProfile(JsonNode table, JsonNode pipeline) {
    JsonNode profiles = pipeline.path("action_profiles");
    boolean hasOther = !profiles.isArray() && !profiles.isMissingNode();
    if (hasOther || table.has("action_profile") || !table.path("act_prof_name").isTextual()) {
      return;
    }
    ObjectNode profile = ((ObjectNode) table).objectNode();
    profile.set("name", table.get("act_prof_name"));
    profile.set("id", table.path("id"));
    profile.put("max_size", ANY_SIZE);
    if (table.has("selector")) {
      profile.set("selector", table.get("selector"));
    }
    ((ObjectNode) pipeline).withArray("action_profiles").add(profile);
    ((ObjectNode) table).set("action_profile", table.get("act_prof_name"));
  }

  /** Tables with constant entries had no {@code max_size}. */
  private static void size(JsonNode table) {
    if (table.path("entries").isArray()) {
      setIfMissing(table, "max_size", IntNode.valueOf(table.get("entries").size()));
    }
  }

  private static void setIfMissing(JsonNode object, String member, JsonNode value) {
    if (object.isObject() && !object.has(member)) {
      ((ObjectNode) object).set(member, value);
    }
  }
}
