package net.sluice.emulator.v1model.program;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.Map;

/**
 * What older compilers wrote otherwise than p4c does today, and simple_switch still takes: brings a
 * program into today's form, so that nothing else has to know. What is malformed is left as it is
 * for the loaders to refuse.
 */
final class LegacyJson {

  /** bmv2 knows no size of these; P4Info says it over P4Runtime. */
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

  /** The first of each name. */
  private static Map<String, JsonNode> byName(JsonNode list) {
    Map<String, JsonNode> byName = new HashMap<>();
    for (JsonNode element : list) {
      byName.putIfAbsent(element.path("name").asText(), element);
    }
    return byName;
  }

  /** The error was a number where an expression is now. */
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

  /** A table's actions were known by their names only. */
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

  /** A table had an action profile of its own, and the selector was the table's. */
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

  /** A table with entries of its own needs no room for others. */
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
