package net.sluice.emulator.server.gnmi;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.Predicate;
import net.sluice.emulator.server.gnmi.TreeNode.Branch;
import net.sluice.emulator.server.gnmi.TreeNode.EntryList;
import net.sluice.emulator.server.gnmi.TreeNode.Leaf;
import net.sluice.emulator.v1model.load.JsonErrors;
import net.sluice.gnmi.GnmiValues;
import net.sluice.gnmi.wire.Encoding;
import net.sluice.gnmi.wire.TypedValue;

/** Subtrees as JSON: with plain names and numbers, or by RFC 7951. */
final class JsonEncoding {

  private static final ObjectMapper MAPPER =
      new ObjectMapper(
              JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private JsonEncoding() {}

  /** A node as a JSON value, or null if nothing wanted is in it. */
  static TypedValue value(TreeNode node, Predicate<Leaf> wanted, boolean ietf) {
    JsonNode json = json(node, wanted, ietf, "");
    return json == null ? null : GnmiValues.of(new GnmiValues.Json(json.toString(), ietf));
  }

  /**
   * A leaf's value. Asked for as JSON, the encoding of requests that name none, it is of its own
   * type: so Stratum and bmv2 answer, and what their clients read.
   */
  static TypedValue value(Leaf leaf, Object value, Encoding encoding) {
    return encoding == Encoding.JSON_IETF
        ? GnmiValues.of(new GnmiValues.Json(leaf.type().json(value, true).toString(), true))
        : leaf.type().encode(value);
  }

  private static JsonNode json(
      TreeNode node, Predicate<Leaf> wanted, boolean ietf, String aboveModule) {
    if (node instanceof Leaf leaf) {
      Object value = wanted.test(leaf) ? leaf.value() : null;
      return value == null ? null : leaf.type().json(value, ietf);
    }
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    boolean more = false;
    for (TreeNode child : ((Branch) node).children()) {
      JsonNode json =
          child instanceof EntryList entryList
              ? entries(entryList, wanted, ietf)
              : json(child, wanted, ietf, child.module());
      if (json != null) {
        boolean qualified = ietf && !child.module().equals(aboveModule);
        object.set(qualified ? child.module() + ":" + child.name() : child.name(), json);
        more |= !(child instanceof Leaf) || ((Leaf) child).kind() != TreeNode.Kind.KEY;
      }
    }
    return more ? object : null;
  }

  /** An entry without anything but its key is left out. */
  private static JsonNode entries(EntryList list, Predicate<Leaf> wanted, boolean ietf) {
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    Predicate<Leaf> withKey = leaf -> leaf.kind() == TreeNode.Kind.KEY || wanted.test(leaf);
    for (String key : list.existing()) {
      JsonNode entry = json(list.entry(key), withKey, ietf, list.module());
      if (entry != null) {
        array.add(entry);
      }
    }
    return array.isEmpty() ? null : array;
  }

  /**
   * Reads JSON.
   *
   * @throws IllegalArgumentException if it is none
   */
  static JsonNode parse(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("malformed JSON: " + JsonErrors.text(e), e);
    }
  }
}
