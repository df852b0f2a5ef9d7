package net.sluice.emulator.server.p4runtime.variant;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import p4.config.v1.P4InfoOuterClass.Action;
import p4.config.v1.P4InfoOuterClass.P4Info;

/**
 * p4c leaves out of a program of P4_14 what parameters an action does not use, while P4Info has
 * them. Controllers give them all, and want them back: this puts them into the program again, where
 * P4Info has them.
 */
public final class UnusedParameters {

  /** Width of a parameter whose width P4Info does not tell, because a string stands for it. */
  private static final int UNTOLD_BITS = 32;

  private static final ObjectMapper MAPPER = new ObjectMapper();

  /**
   * Where the parameters went that a program has.
   *
   * @param of their places among all, in their order
   * @param all how many there are now
   */
  private record Places(int[] of, int all) {}

  private UnusedParameters() {}

  /**
   * A program with all parameters that P4Info has, in P4Info's order.
   *
   * @param json a program; what is malformed is left for its loader to refuse
   * @return the same if there is nothing to put in
   */
  public static byte[] restored(byte[] json, P4Info info) {
    Map<String, Action> declared = new HashMap<>();
    for (Action action : info.getActionsList()) {
      declared.put(action.getPreamble().getName(), action);
    }
    try {
      JsonNode root = MAPPER.readTree(json);
      Map<Integer, Places> restored = new HashMap<>();
      for (JsonNode action : root.path("actions")) {
        Action known = declared.get(action.path("name").asText());
        Places moved = known == null ? null : restore(action, known);
        if (moved != null) {
          restored.put(action.path("id").asInt(), moved);
        }
      }
      if (restored.isEmpty()) {
        return json;
      }
      for (JsonNode pipeline : root.path("pipelines")) {
        for (JsonNode table : pipeline.path("tables")) {
          fill(table.path("default_entry"), restored);
          for (JsonNode entry : table.path("entries")) {
            fill(entry.path("action_entry"), restored);
          }
        }
      }
      return MAPPER.writeValueAsBytes(root);
    } catch (IOException e) {
      return json;
    }
  }

  /** Puts missing parameters in; null if none are. */
  private static Places restore(JsonNode action, Action declared) {
    JsonNode parameters = action.path("runtime_data");
    if (!parameters.isArray() || parameters.size() >= declared.getParamsCount()) {
      return null;
    }
    Map<String, Integer> places = new HashMap<>();
    for (JsonNode parameter : parameters) {
      places.put(parameter.path("name").asText(), places.size());
    }
    int[] moved = new int[parameters.size()];
    int found = 0;
    ArrayNode all = MAPPER.createArrayNode();
    for (Action.Param param : declared.getParamsList()) {
      Integer place = places.get(param.getName());
      if (place == null) {
        int bits = param.getBitwidth() < 1 ? UNTOLD_BITS : param.getBitwidth();
        all.addObject().put("name", param.getName()).put("bitwidth", bits);
      } else {
        moved[place] = all.size();
        all.add(parameters.get(place));
        found++;
      }
    }
    if (found != moved.length) {
      return null; // The program has one that P4Info has not.
    }
    ((ObjectNode) action).set("runtime_data", all);
    move(action.path("primitives"), moved);
    return new Places(moved, all.size());
  }

  /** Gives the parameters that were put in a value where the program calls the action. */
  private static void fill(JsonNode call, Map<Integer, Places> restored) {
    Places places = restored.get(call.path("action_id").asInt(-1));
    JsonNode data = call.path("action_data");
    if (places == null || data.size() != places.of().length) {
      return;
    }
    ArrayNode all = ((ObjectNode) call).putArray("action_data");
    for (int i = 0; i < places.all(); i++) {
      all.add("0x0");
    }
    for (int i = 0; i < places.of().length; i++) {
      all.set(places.of()[i], data.get(i));
    }
  }

  /** Has references to parameters by their numbers follow them. */
  private static void move(JsonNode part, int[] moved) {
    String type = part.path("type").asText();
    if ((type.equals("runtime_data") || type.equals("local")) && part.path("value").isInt()) {
      int from = part.get("value").asInt();
      if (from >= 0 && from < moved.length) {
        ((ObjectNode) part).put("value", moved[from]);
      }
      return;
    }
    for (JsonNode child : part) {
      move(child, moved);
    }
  }
}
