package net.sluice.emulator.server.gnmi;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.sluice.gnmi.wire.PathElem;

/**
 * The configuration as a tree of texts: containers and list entries are maps, a list is a map by
 * key, leaves are values. Only what a client has set is in it.
 */
final class ConfigStore {

  private final Map<String, Object> root;

  ConfigStore() {
    this(new TreeMap<>());
  }

  private ConfigStore(Map<String, Object> root) {
    this.root = root;
  }

  /** A copy that can be changed without changing this one. */
  ConfigStore copy() {
    return new ConfigStore(copy(root));
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> copy(Map<String, Object> map) {
    Map<String, Object> copied = new TreeMap<>();
    map.forEach(
        (name, value) ->
            copied.put(name, value instanceof Map ? copy((Map<String, Object>) value) : value));
    return copied;
  }

  /** The value at a place, or null. Places name list keys as if they were containers. */
  Object get(List<String> place) {
    Object node = root;
    for (String name : place) {
      if (!(node instanceof Map)) {
        return null;
      }
      node = ((Map<?, ?>) node).get(name);
    }
    return node instanceof Map ? null : node;
  }

  /** Keys of a list, or names in a container; none if nothing is there. */
  Collection<String> names(List<String> place) {
    Object node = root;
    for (String name : place) {
      node = node instanceof Map ? ((Map<?, ?>) node).get(name) : null;
    }
    List<String> names = new ArrayList<>();
    if (node instanceof Map) {
      ((Map<?, ?>) node).keySet().forEach(key -> names.add((String) key));
    }
    return names;
  }

  @SuppressWarnings("unchecked")
  void put(List<String> place, Object value) {
    Map<String, Object> node = root;
    for (String name : place.subList(0, place.size() - 1)) {
      node = (Map<String, Object>) node.computeIfAbsent(name, n -> new TreeMap<String, Object>());
    }
    node.put(place.get(place.size() - 1), value);
  }

  /** Makes sure that a list has an entry, be it empty. */
  @SuppressWarnings("unchecked")
  void touch(List<String> place) {
    Map<String, Object> node = root;
    for (String name : place) {
      node = (Map<String, Object>) node.computeIfAbsent(name, n -> new TreeMap<String, Object>());
    }
  }

  /** Takes out a leaf or everything below a place. */
  void remove(List<String> place) {
    if (place.isEmpty()) {
      root.clear();
      return;
    }
    Object node = root;
    for (String name : place.subList(0, place.size() - 1)) {
      node = node instanceof Map ? ((Map<?, ?>) node).get(name) : null;
    }
    if (node instanceof Map) {
      ((Map<?, ?>) node).remove(place.get(place.size() - 1));
    }
  }

  /** The place of a path without wildcards. */
  static List<String> place(List<PathElem> elems) {
    List<String> place = new ArrayList<>();
    for (PathElem elem : elems) {
      place.add(elem.getName());
      place.addAll(elem.getKeyMap().values());
    }
    return place;
  }
}
