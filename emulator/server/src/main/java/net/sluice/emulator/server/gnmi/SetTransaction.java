package net.sluice.emulator.server.gnmi;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import net.sluice.emulator.server.gnmi.TreeNode.Branch;
import net.sluice.emulator.server.gnmi.TreeNode.EntryList;
import net.sluice.emulator.server.gnmi.TreeNode.Kind;
import net.sluice.emulator.server.gnmi.TreeNode.Leaf;
import net.sluice.gnmi.GnmiPaths;
import net.sluice.gnmi.GnmiValues;
import net.sluice.gnmi.wire.Path;
import net.sluice.gnmi.wire.PathElem;
import net.sluice.gnmi.wire.TypedValue;

/** The edits of one Set, on a draft of the configuration that the tree shows. */
record SetTransaction(SwitchTree tree, ConfigStore draft) {

  /** Takes out whatever a path names; what has a default has that again. */
  void delete(Path path) throws GnmiException {
    for (Map.Entry<Path, TreeNode> match : tree.walk().resolve(path).entrySet()) {
      TreeNode node = match.getValue();
      if (!settable(node)) {
        throw readOnly(match.getKey());
      }
      draft.remove(ConfigStore.place(match.getKey().getElemList()));
    }
  }

  /** Makes what a path names be the value and nothing else. */
  void replace(Path path, TypedValue value) throws GnmiException {
    TreeNode node = locate(path);
    if (!(node instanceof Leaf)) {
      draft.remove(ConfigStore.place(path.getElemList()));
    }
    merge(path, node, value);
  }

  /** Puts the value into what a path names. */
  void update(Path path, TypedValue value) throws GnmiException {
    merge(path, locate(path), value);
  }

  private void merge(Path path, TreeNode node, TypedValue value) throws GnmiException {
    List<String> place = ConfigStore.place(path.getElemList());
    String where = GnmiPaths.print(path);
    touchEntries(path);
    switch (value.getValueCase()) {
      case JSON_VAL:
      case JSON_IETF_VAL:
        GnmiValues.Json json = (GnmiValues.Json) GnmiValues.toJava(value);
        try {
          merge(where, place, node, JsonEncoding.parse(json.text()));
        } catch (IllegalArgumentException e) {
          throw GnmiException.invalid("path '" + where + "': " + e.getMessage());
        }
        return;
      case VALUE_NOT_SET:
        throw GnmiException.invalid(
            "path '" + where + "': the value is missing, or of an obsolete type");
      default:
        if (!(node instanceof Leaf)) {
          throw GnmiException.invalid(
              "path '" + where + "': the value of a container must be JSON or JSON_IETF");
        }
        Leaf leaf = writable(where, (Leaf) node);
        Object decoded;
        try {
          decoded = leaf.type().decode(value);
        } catch (IllegalArgumentException e) {
          throw GnmiException.invalid("path '" + where + "': " + e.getMessage());
        }
        put(where, place, leaf, decoded);
    }
  }

  private void merge(String where, List<String> place, TreeNode node, JsonNode json)
      throws GnmiException {
    if (node instanceof Leaf leaf) {
      if (leaf.kind() != Kind.KEY) {
        writable(where, leaf);
      }
      Object decoded;
      try {
        decoded = leaf.type().decode(json);
      } catch (IllegalArgumentException e) {
        throw GnmiException.invalid("path '" + where + "': " + e.getMessage());
      }
      put(where, place, leaf, decoded);
      return;
    }
    if (!json.isObject()) {
      throw GnmiException.invalid("path '" + where + "': the value must be a JSON object");
    }
    for (Iterator<Map.Entry<String, JsonNode>> members = json.fields(); members.hasNext(); ) {
      Map.Entry<String, JsonNode> member = members.next();
      String name = member.getKey().substring(member.getKey().indexOf(':') + 1);
      TreeNode child = ((Branch) node).child(name);
      String below = (where.equals("/") ? "" : where) + "/" + name;
      if (child == null) {
        throw GnmiException.invalid("path '" + below + "': is unknown");
      }
      if (child instanceof EntryList entryList) {
        entries(below, QosModel.below(place, name), entryList, member.getValue());
      } else {
        merge(below, QosModel.below(place, name), child, member.getValue());
      }
    }
  }

  private void entries(String where, List<String> place, EntryList list, JsonNode json)
      throws GnmiException {
    if (!json.isArray()) {
      throw GnmiException.invalid("path '" + where + "': the value must be a JSON array");
    }
    for (JsonNode entry : json) {
      String key = null;
      for (Iterator<String> names = entry.fieldNames(); names.hasNext(); ) {
        String member = names.next();
        if (list.keyNames().contains(member.substring(member.indexOf(':') + 1))) {
          key = entry.get(member).asText();
        }
      }
      if (key == null) {
        throw GnmiException.invalid(
            "path '" + where + "': an entry must have its key, " + list.keyNames().get(0));
      }
      String below = where + "[" + list.keyNames().get(0) + "=" + key + "]";
      checkEntry(below, list, key);
      List<String> entryPlace = QosModel.below(place, key);
      if (list.creatable()) {
        draft.touch(entryPlace);
      }
      merge(below, entryPlace, list.entry(key), entry);
    }
  }

  private void put(String where, List<String> place, Leaf leaf, Object value) throws GnmiException {
    if (leaf.kind() == Kind.KEY || leaf.fixed()) {
      if (!String.valueOf(leaf.value()).equals(String.valueOf(value))) {
        throw GnmiException.invalid(
            "path '" + where + "': value '" + value + "': must be " + leaf.value());
      }
    } else {
      draft.put(place, value);
    }
  }

  /** The node at a path without wildcards, whose list entries exist or can be made. */
  private TreeNode locate(Path path) throws GnmiException {
    if (GnmiPaths.hasWildcard(path)) {
      throw GnmiException.invalid(
          "path '" + GnmiPaths.print(path) + "': a path to replace or update must name one node");
    }
    tree.walk().checkSchema(path);
    TreeNode node = tree.root();
    List<PathElem> passed = new ArrayList<>();
    for (PathElem elem : path.getElemList()) {
      passed.add(elem);
      TreeNode child = ((Branch) node).child(elem.getName());
      if (child instanceof EntryList list) {
        String where = GnmiPaths.print(Path.newBuilder().addAllElem(passed).build());
        if (elem.getKeyCount() == 0) {
          throw GnmiException.invalid(
              "path '" + where + "': must name an entry by its key, " + list.keyNames().get(0));
        }
        String key = elem.getKeyMap().values().iterator().next();
        checkEntry(where, list, key);
        child = list.entry(key);
      }
      node = child;
    }
    return node;
  }

  private static void checkEntry(String where, EntryList list, String key) throws GnmiException {
    if (!list.creatable() && !list.existing().contains(key)) {
      throw GnmiException.notFound(
          "path '" + where + "': does not exist; there are " + String.join(", ", list.existing()));
    }
    try {
      if (key.isEmpty()) {
        throw new IllegalArgumentException("value '': must not be empty");
      }
      list.keyType().decodeKey(key);
    } catch (IllegalArgumentException e) {
      throw GnmiException.invalid("path '" + where + "': key: " + e.getMessage());
    }
  }

  /** Makes the entries that a path goes through. */
  private void touchEntries(Path path) {
    TreeNode node = tree.root();
    List<String> place = new ArrayList<>();
    for (PathElem elem : path.getElemList()) {
      TreeNode child = ((Branch) node).child(elem.getName());
      place.add(elem.getName());
      if (child instanceof EntryList) {
        String key = elem.getKeyMap().values().iterator().next();
        place.add(key);
        if (((EntryList) child).creatable()) {
          draft.touch(place);
        }
        child = ((EntryList) child).entry(key);
      }
      node = child;
    }
  }

  private static Leaf writable(String where, Leaf leaf) throws GnmiException {
    if (leaf.kind() != Kind.CONFIG) {
      throw GnmiException.invalid("path '" + where + "': is read-only");
    }
    return leaf;
  }

  private static GnmiException readOnly(Path path) {
    return GnmiException.invalid("path '" + GnmiPaths.print(path) + "': is read-only");
  }

  /** Whether anything at or below a node can be set. */
  private static boolean settable(TreeNode node) {
    if (node instanceof Leaf leaf) {
      return leaf.kind() == Kind.CONFIG && !leaf.fixed();
    }
    Branch branch = node instanceof EntryList entryList ? entryList.template() : (Branch) node;
    return branch.children().stream()
        .anyMatch(
            child ->
                child instanceof Leaf ? ((Leaf) child).kind() == Kind.CONFIG : settable(child));
  }
}
