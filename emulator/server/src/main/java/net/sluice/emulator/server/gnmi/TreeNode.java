package net.sluice.emulator.server.gnmi;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A node of the tree that is served. The tree is its own schema: the entries of a list are made on
 * demand, and {@link EntryList#template} has no readable values.
 */
abstract class TreeNode {

  private final String name;
  private final String module;

  private TreeNode(String name, String module) {
    this.name = name;
    this.module = module;
  }

  final String name() {
    return name;
  }

  /** YANG module that the node belongs to. */
  final String module() {
    return module;
  }

  /** Kinds of leaves. */
  enum Kind {
    /** Key of the entry it is in. */
    KEY,
    /** Can be set. */
    CONFIG,
    /** The value in force of a setting. */
    STATE,
    /** State that nothing set stands behind. */
    OPERATIONAL
  }

  /** Value or values of one name. */
  static final class Leaf extends TreeNode {
    private final LeafType type;
    private final Kind kind;
    private final boolean onChange;
    private final Supplier<?> value;
    private boolean fixed;

    private Leaf(
        String name, String module, LeafType type, Kind kind, boolean onChange, Supplier<?> value) {
      super(name, module);
      this.type = type;
      this.kind = kind;
      this.onChange = onChange;
      this.value = value;
    }

    LeafType type() {
      return type;
    }

    Kind kind() {
      return kind;
    }

    /** Whether its changes are events; counters are only sampled. */
    boolean onChange() {
      return onChange;
    }

    /** The value now, or null if there is none. */
    Object value() {
      return value.get();
    }

    /** Whether it can be set only to the value that it has, as the copy of a key can. */
    boolean fixed() {
      return fixed;
    }
  }

  /** A container. */
  static final class Branch extends TreeNode {
    private final Map<String, TreeNode> children = new LinkedHashMap<>();

    Branch(String name, String module) {
      super(name, module);
    }

    Collection<TreeNode> children() {
      return children.values();
    }

    TreeNode child(String childName) {
      return children.get(childName);
    }

    Branch add(TreeNode child) {
      children.put(child.name(), child);
      return this;
    }

    /** Adds a container of the same module and answers it. */
    Branch branch(String childName) {
      return branch(childName, module());
    }

    Branch branch(String childName, String childModule) {
      Branch child = new Branch(childName, childModule);
      add(child);
      return child;
    }

    Branch leaf(String leafName, LeafType type, Kind kind, Supplier<?> value) {
      return add(new Leaf(leafName, module(), type, kind, true, value));
    }

    /** A leaf that another module has put here. */
    Branch leaf(String leafModule, String leafName, LeafType type, Kind kind, Supplier<?> value) {
      return add(new Leaf(leafName, leafModule, type, kind, true, value));
    }

    /** A configuration leaf that has one value. */
    Branch fixed(String leafModule, String leafName, LeafType type, Supplier<?> value) {
      Leaf leaf = new Leaf(leafName, leafModule, type, Kind.CONFIG, true, value);
      leaf.fixed = true;
      return add(leaf);
    }

    Branch counter(String leafName, Supplier<Long> value) {
      return add(
          new Leaf(leafName, module(), LeafType.LONG_NUMBER, Kind.OPERATIONAL, false, value));
    }
  }

  /** A list whose entries one key tells apart. */
  static final class EntryList extends TreeNode {
    private final List<String> keys;
    private final LeafType keyType;
    private final boolean creatable;
    private final Supplier<? extends Collection<String>> existing;
    private final Function<String, Branch> entry;

    /**
     * @param keys names of the key: the first is used in answers, unless the client used another
     * @param creatable whether a client may make entries
     * @param existing values of the key that there are
     * @param entry makes the node of an entry
     */
    EntryList(
        String name,
        String module,
        List<String> keys,
        LeafType keyType,
        boolean creatable,
        Supplier<? extends Collection<String>> existing,
        Function<String, Branch> entry) {
      super(name, module);
      this.keys = keys;
      this.keyType = keyType;
      this.creatable = creatable;
      this.existing = existing;
      this.entry = entry;
    }

    List<String> keyNames() {
      return keys;
    }

    LeafType keyType() {
      return keyType;
    }

    boolean creatable() {
      return creatable;
    }

    Collection<String> existing() {
      return existing.get();
    }

    Branch entry(String key) {
      return entry.apply(key);
    }

    Branch template() {
      return entry.apply("");
    }
  }
}
