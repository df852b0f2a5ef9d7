package net.sluice.emulator.v1model.trace;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import net.sluice.emulator.trace.v1.Source;

/**
 * Positions in the P4 source, from {@code source_info} in p4c's BMv2 JSON.
 *
 * <p>The JSON has been loaded as a program before, so its structure is known to be valid.
 */
final class SourceMap {

  private static final String[] CONTROLS = {"ingress", "egress"};

  private final Map<String, Source> places = new HashMap<>();

  private SourceMap() {}

  /** Reads the positions from the JSON of a valid program. */
  static SourceMap read(byte[] json) {
    JsonNode root;
    try {
      root = new ObjectMapper().readTree(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    SourceMap map = new SourceMap();
    for (JsonNode parser : root.path("parsers")) {
      for (JsonNode state : parser.path("parse_states")) {
        map.add("state " + state.path("name").asText(), state);
      }
    }
    for (JsonNode action : root.path("actions")) {
      String id = "action " + action.path("id").asInt();
      map.add(id, action);
      int step = 0;
      for (JsonNode primitive : action.path("primitives")) {
        map.add(id + " step " + step++, primitive);
      }
    }
    for (JsonNode checksum : root.path("checksums")) {
      map.add("checksum " + checksum.path("name").asText(), checksum);
    }
    for (JsonNode deparser : root.path("deparsers")) {
      map.add("deparser", deparser);
    }
    for (JsonNode pipeline : root.path("pipelines")) {
      for (String kind : new String[] {"tables", "conditionals", "action_calls"}) {
        for (JsonNode node : pipeline.path(kind)) {
          map.add(pipeline.path("name").asText() + " " + node.path("name").asText(), node);
        }
      }
    }
    return map;
  }

  private void add(String key, JsonNode node) {
    JsonNode info = node.path("source_info");
    if (info.isObject()) {
      places.put(
          key,
          Source.newBuilder()
              .setFile(file(info.path("filename").asText()))
              .setLine(info.path("line").asInt())
              .setText(info.path("source_fragment").asText().replaceAll("\\s+", " ").strip())
              .build());
    }
  }

  /** The file name as given to the compiler, normalized. */
  private static String file(String name) {
    try {
      return Path.of(name).normalize().toString();
    } catch (InvalidPathException e) {
      return name;
    }
  }

  /** The position of a parser state, or null if the JSON has none; so of the others. */
  Source state(String name) {
    return places.get("state " + name);
  }

  Source action(int id) {
    return places.get("action " + id);
  }

  Source step(int actionId, int step) {
    return places.get("action " + actionId + " step " + step);
  }

  Source checksum(String name) {
    return places.get("checksum " + name);
  }

  Source deparser() {
    return places.get("deparser");
  }

  /** A table or condition of a control: 0 ingress, 1 egress. */
  Source node(int control, String name) {
    return places.get(CONTROLS[control] + " " + name);
  }
}
