package net.sluice.emulator.server.gnmi;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import net.sluice.emulator.server.gnmi.TreeNode.Branch;
import net.sluice.emulator.server.gnmi.TreeNode.EntryList;
import net.sluice.emulator.server.gnmi.TreeNode.Leaf;
import net.sluice.gnmi.GnmiPaths;
import net.sluice.gnmi.wire.Path;
import net.sluice.gnmi.wire.PathElem;

/** Finds what paths name. */
final class TreeWalk {

  private final Branch root;
  private Path last;

  TreeWalk(Branch root) {
    this.root = root;
  }

  /**
   * The nodes that a path names now, those below another one left out, in the order of the tree.
   *
   * @throws GnmiException if no node of the schema can ever have this path
   */
  Map<Path, TreeNode> resolve(Path path) throws GnmiException {
    checkSchema(path);
    Map<Path, TreeNode> found = new LinkedHashMap<>();
    descend(root, path.getElemList(), 0, new ArrayList<>(), found);
    return found;
  }

  /** Leaves at and below what a path names, with their paths. */
  Map<Path, Leaf> leaves(Path path, Predicate<Leaf> wanted) throws GnmiException {
    Map<Path, Leaf> leaves = new LinkedHashMap<>();
    for (Map.Entry<Path, TreeNode> node : resolve(path).entrySet()) {
      forEachLeaf(
          node.getKey(),
          node.getValue(),
          (where, leaf) -> {
            if (wanted.test(leaf)) {
              leaves.put(where, leaf);
            }
          });
    }
    return leaves;
  }

  /** Calls back for every leaf at and below a node. */
  static void forEachLeaf(Path path, TreeNode node, BiConsumer<Path, Leaf> visitor) {
    if (node instanceof Leaf leaf) {
      visitor.accept(path, leaf);
    } else if (node instanceof Branch branch) {
      for (TreeNode child : branch.children()) {
        if (child instanceof EntryList list) {
          for (String key : list.existing()) {
            forEachLeaf(
                below(path, elem(list, list.keyNames().get(0), key)), list.entry(key), visitor);
          }
        } else {
          forEachLeaf(below(path, name(child)), child, visitor);
        }
      }
    }
  }

  /** Whether the path covers leaves of the schema whose changes are no events. */
  boolean hasLeavesWithoutEvents(Path path) {
    boolean[] found = {false};
    inSchema(root, path.getElemList(), 0, "", (where, node) -> found[0] |= hasWithoutEvents(node));
    return found[0];
  }

  private static boolean hasWithoutEvents(TreeNode node) {
    if (node instanceof Leaf leaf) {
      return !leaf.onChange();
    }
    Branch branch = node instanceof EntryList entryList ? entryList.template() : (Branch) node;
    return branch.children().stream().anyMatch(TreeWalk::hasWithoutEvents);
  }

  private void descend(
      TreeNode node,
      List<PathElem> elems,
      int at,
      List<PathElem> passed,
      Map<Path, TreeNode> found) {
    if (at == elems.size()) {
      Path path = Path.newBuilder().addAllElem(passed).build();
      // Whatever lies below a node is met before anything else after it.
      if (last == null || found.isEmpty() || !isAbove(last, path)) {
        found.putIfAbsent(path, node);
        last = path;
      }
      return;
    }
    if (node instanceof Leaf && !elems.get(at).getName().equals(GnmiPaths.ANY_DEPTH)) {
      return;
    }
    PathElem wanted = elems.get(at);
    if (wanted.getName().equals(GnmiPaths.ANY_DEPTH)) {
      descend(node, elems, at + 1, passed, found);
      if (node instanceof Branch branch) {
        for (TreeNode child : branch.children()) {
          step(
              child, PathElem.newBuilder().setName(child.name()).build(), elems, at, passed, found);
        }
      }
      return;
    }
    for (TreeNode child : ((Branch) node).children()) {
      if (wanted.getName().equals(GnmiPaths.ANY) || wanted.getName().equals(child.name())) {
        step(child, wanted, elems, at + 1, passed, found);
      }
    }
  }

  /** Goes on in a child: in each wanted entry of it, if it is a list. */
  private void step(
      TreeNode child,
      PathElem wanted,
      List<PathElem> elems,
      int next,
      List<PathElem> passed,
      Map<Path, TreeNode> found) {
    if (!(child instanceof EntryList list)) {
      if (wanted.getKeyCount() == 0) {
        passed.add(name(child));
        descend(child, elems, next, passed, found);
        passed.remove(passed.size() - 1);
      }
      return;
    }
    String keyName = list.keyNames().get(0);
    String value = GnmiPaths.ANY;
    for (Map.Entry<String, String> key : wanted.getKeyMap().entrySet()) {
      if (!list.keyNames().contains(key.getKey())) {
        return;
      }
      keyName = key.getKey();
      value = key.getValue();
    }
    for (String key : list.existing()) {
      if (value.equals(GnmiPaths.ANY) || value.equals(key)) {
        passed.add(elem(list, keyName, key));
        descend(list.entry(key), elems, next, passed, found);
        passed.remove(passed.size() - 1);
      }
    }
  }

  private static boolean isAbove(Path above, Path path) {
    return above.getElemCount() <= path.getElemCount()
        && above.getElemList().equals(path.getElemList().subList(0, above.getElemCount()));
  }

  /** Refuses a path that the schema does not know, naming the place. */
  @SuppressWarnings("deprecation")
  void checkSchema(Path path) throws GnmiException {
    // Clients that serve old targets, too, send both; the newer field says more.
    if (path.getElementCount() > 0 && path.getElemCount() == 0) {
      throw GnmiException.invalid(
          "path with field 'element': must have its elements in field 'elem'");
    }
    if (!path.getOrigin().isEmpty() && !path.getOrigin().equals("openconfig")) {
      throw GnmiException.invalid(
          "origin '%s': must be 'openconfig', the first element's module or left out",
          path.getOrigin());
    }
    boolean[] known = {false};
    inSchema(root, path.getElemList(), 0, "", (where, node) -> known[0] = true);
    if (!known[0]) {
      throw GnmiException.invalid("path '" + GnmiPaths.print(path) + "': " + unknownPart(path));
    }
  }

  private static void inSchema(
      TreeNode node,
      List<PathElem> elems,
      int at,
      String where,
      BiConsumer<String, TreeNode> known) {
    if (at == elems.size()) {
      known.accept(where, node);
      return;
    }
    PathElem wanted = elems.get(at);
    boolean anyDepth = wanted.getName().equals(GnmiPaths.ANY_DEPTH);
    if (anyDepth) {
      inSchema(node, elems, at + 1, where, known);
    }
    if (node instanceof Leaf) {
      return;
    }
    Branch branch = node instanceof EntryList entryList ? entryList.template() : (Branch) node;
    for (TreeNode child : branch.children()) {
      if (anyDepth) {
        inSchema(child, elems, at, where + "/" + child.name(), known);
      } else if (matches(wanted, child)) {
        inSchema(child, elems, at + 1, where + "/" + child.name(), known);
      }
    }
  }

  private static boolean matches(PathElem wanted, TreeNode child) {
    if (!wanted.getName().equals(GnmiPaths.ANY) && !wanted.getName().equals(child.name())) {
      return false;
    }
    return wanted.getKeyCount() == 0
        || child instanceof EntryList entryList
            && wanted.getKeyCount() == 1
            && entryList.keyNames().containsAll(wanted.getKeyMap().keySet());
  }

  private String unknownPart(Path path) {
    TreeNode node = root;
    for (PathElem elem : path.getElemList()) {
      if (elem.getName().equals(GnmiPaths.ANY) || elem.getName().equals(GnmiPaths.ANY_DEPTH)) {
        break;
      }
      if (node instanceof Leaf) {
        return "'" + node.name() + "' is a leaf, nothing is below it";
      }
      Branch branch = node instanceof EntryList entryList ? entryList.template() : (Branch) node;
      TreeNode child = branch.child(elem.getName());
      if (child == null) {
        TreeSet<String> names = new TreeSet<>();
        branch.children().forEach(other -> names.add(other.name()));
        return "'" + elem.getName() + "' is unknown, must be one of " + String.join(", ", names);
      }
      if (!matches(elem, child)) {
        return child instanceof EntryList
            ? "the key of '%s' must be %s alone"
                .formatted(child.name(), String.join(" or ", ((EntryList) child).keyNames()))
            : "'" + child.name() + "' is no list, it has no key";
      }
      node = child;
    }
    return "nothing in the schema can have it";
  }

  static PathElem name(TreeNode node) {
    return PathElem.newBuilder().setName(node.name()).build();
  }

  static PathElem elem(EntryList list, String keyName, String key) {
    return PathElem.newBuilder().setName(list.name()).putKey(keyName, key).build();
  }

  static Path below(Path path, PathElem elem) {
    return path.toBuilder().addElem(elem).build();
  }
}
