package net.sluice.rest.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The switches that the pages show in JSON, as documents with an address: each host has to take
 * them.
 */
public final class PageSwitches {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Path ROOT = Path.of("..", "..");
  private static final Pattern JSON = Pattern.compile("(?s)```json\\n(.*?)```");

  private PageSwitches() {}

  /**
   * A switch of a page.
   *
   * @param where the page, and what the switch is called there
   * @param document the switch without an id
   */
  public record Shown(String where, String document) {}

  /** All of them. */
  public static List<Shown> all() throws IOException {
    List<Shown> all = new ArrayList<>();
    for (String page : List.of("operators-guide.md", "onos.md", "quickstart.md")) {
      Matcher block = JSON.matcher(Files.readString(ROOT.resolve("docs").resolve(page)));
      while (block.find()) {
        add(all, page, MAPPER.readTree(block.group(1)));
      }
    }
    add(all, "topology.json", MAPPER.readTree(ROOT.resolve("docker/topology.json").toFile()));
    return all;
  }

  private static void add(List<Shown> all, String page, JsonNode json) {
    if (json.has("ports")) {
      all.add(shown(page, MAPPER.createObjectNode().set("topology", json), true));
    }
    json.path("switches").forEach(each -> all.add(shown(page, each.deepCopy(), false)));
    json.path("devices")
        .forEach(each -> all.add(shown(page, each.path("sluice").deepCopy(), false)));
  }

  private static Shown shown(String page, ObjectNode document, boolean isTopology) {
    JsonNode id = document.remove("id");
    // Of a whole network file.
    if (document.remove("emulated") != null) {
      ((ObjectNode) document.get("topology")).remove("trunks");
      document.put("profile", "emulator");
    }
    if (!document.has("p4runtime")) {
      document.put("p4runtime", "192.0.2.9:9559");
    }
    if (isTopology) {
      document.put("profile", "emulator");
      for (JsonNode port : document.at("/topology/ports")) {
        if (port.path("role").asText().equals("sidecar")) {
          boolean down = port.path("direction").asText().equals("down");
          document.put(down ? "fpgaDown" : "fpgaUp", "192.0.2.9:9560");
        }
      }
    }
    return new Shown(page + (id == null ? "" : " " + id.asText()), document.toString());
  }
}
