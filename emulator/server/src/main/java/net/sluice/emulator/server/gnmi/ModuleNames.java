package net.sluice.emulator.server.gnmi;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Predicate;
import net.sluice.emulator.server.gnmi.TreeNode.Branch;
import net.sluice.emulator.server.gnmi.TreeNode.EntryList;
import net.sluice.gnmi.GnmiPaths;
import net.sluice.gnmi.wire.Path;
import net.sluice.gnmi.wire.PathElem;

/**
 * Names of YANG modules in paths. Clients may put one in front of an element, as in {@code
 * openconfig-interfaces:interfaces}, or say the one of a path's first element as its origin;
 * neither says anything that the path does not say without it.
 */
record ModuleNames(Branch root) {

  private static final String ORIGIN = "openconfig";

  /** The path below a prefix, without modules' names; those of other modules are left in. */
  Path join(Path prefix, Path path) {
    Path.Builder whole = GnmiPaths.join(prefix, path).toBuilder();
    Set<TreeNode> nodes = Set.of(root);
    for (PathElem.Builder elem : whole.getElemBuilderList()) {
      Set<TreeNode> next = new LinkedHashSet<>();
      boolean anyDepth = elem.getName().equals(GnmiPaths.ANY_DEPTH);
      for (TreeNode node : nodes) {
        if (anyDepth) {
          next.add(node);
        }
        collect(node, elem.getName(), anyDepth, next);
      }
      for (TreeNode node : next) {
        if (elem.getName().equals(qualified(node))) {
          elem.setName(node.name());
        }
      }
      if (nodes.contains(root) && next.stream().anyMatch(isOf(whole.getOrigin()))) {
        whole.setOrigin(ORIGIN);
      }
      nodes = next;
    }
    return whole.build();
  }

  private static Predicate<TreeNode> isOf(String module) {
    return node -> node.module().equals(module);
  }

  private static void collect(TreeNode node, String name, boolean anyDepth, Set<TreeNode> found) {
    if (!(node instanceof Branch) && !(node instanceof EntryList)) {
      return;
    }
    Branch branch = node instanceof EntryList entryList ? entryList.template() : (Branch) node;
    for (TreeNode child : branch.children()) {
      if (anyDepth
          || name.equals(GnmiPaths.ANY)
          || name.equals(child.name())
          || name.equals(qualified(child))) {
        found.add(child);
      }
      if (anyDepth) {
        collect(child, name, true, found);
      }
    }
  }

  private static String qualified(TreeNode node) {
    return node.module() + ":" + node.name();
  }
}
