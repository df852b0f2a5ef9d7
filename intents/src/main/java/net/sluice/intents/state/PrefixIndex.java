package net.sluice.intents.state;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.function.ObjIntConsumer;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.IpPrefix.Family;

/**
 * Disjoint prefixes of one address family, each with an owner (a number of 0 or more), as a
 * Patricia trie in arrays of primitives: 20 bytes per IPv4 and 32 per IPv6 prefix, plus room to
 * grow.
 *
 * <p>Because the prefixes are disjoint, each is a leaf, and any two differ in a bit that both have;
 * inner nodes need to hold only the number of that bit. Not thread-safe, not even for looks.
 */
public final class PrefixIndex {
  /** Returned where no owner is found. */
  public static final int NONE = -1;

  private static final int INITIAL_CAPACITY = 16;
  private static final int NOWHERE = Integer.MAX_VALUE;

  private final Family family;

  // A node reference is ~leaf for a leaf and the node's number for an inner node. Free leaves and
  // nodes are chained through their owner and first child.
  private long[] leafHi;
  private long[] leafLo;
  private int[] leafAddress4;
  private byte[] leafLength;
  private int[] leafOwner;
  private int leafTop;
  private int freeLeaf = NONE;

  private byte[] nodeBit;
  private int[] nodeChild;
  private int nodeTop;
  private int freeNode = NONE;

  private int root;
  private int size;

  /** The nodes from the root to the leaf on a prefix's way: at most one for each bit. */
  private final int[] path = new int[128];

  /** Whose way that is; null if nodes have changed since. */
  private IpPrefix walked;

  private int walkedDepth;
  private int walkedLeaf;

  /** An empty index of prefixes of {@code family}. */
  public PrefixIndex(Family family) {
    this.family = family;
    boolean v4 = family == Family.V4;
    leafAddress4 = new int[v4 ? INITIAL_CAPACITY : 0];
    leafHi = new long[v4 ? 0 : INITIAL_CAPACITY];
    leafLo = new long[v4 ? 0 : INITIAL_CAPACITY];
    leafLength = new byte[INITIAL_CAPACITY];
    leafOwner = new int[INITIAL_CAPACITY];
    nodeBit = new byte[INITIAL_CAPACITY];
    nodeChild = new int[2 * INITIAL_CAPACITY];
  }

  /** Number of prefixes. */
  public int size() {
    return size;
  }

  /** Bytes of the arrays. */
  public long bytes() {
    return 8L * (leafHi.length + leafLo.length)
        + 4L * (leafAddress4.length + leafOwner.length + nodeChild.length)
        + leafLength.length
        + nodeBit.length;
  }

  /**
   * The owner of some prefix that contains {@code prefix} or is contained in it, or {@link #NONE}.
   */
  public int overlapping(IpPrefix prefix) {
    return overlapping(prefix, NONE);
  }

  /** Like {@link #overlapping(IpPrefix)}, passing over prefixes of {@code exceptOwner}. */
  public int overlapping(IpPrefix prefix, int exceptOwner) {
    requireFamily(prefix);
    int at = firstOverlapping(prefix);
    return at == NOWHERE ? NONE : ownerBelow(at, exceptOwner);
  }

  /** The first prefix that overlaps, by address, of those whose owner {@code matches}. */
  public Optional<IpPrefix> firstOverlapping(IpPrefix prefix, IntPredicate matches) {
    requireFamily(prefix);
    int at = firstOverlapping(prefix);
    int leaf = at == NOWHERE ? NONE : firstBelow(at, matches);
    return leaf == NONE ? Optional.empty() : Optional.of(prefixOf(leaf));
  }

  /** The first leaf below a node whose owner {@code matches}, or {@link #NONE}. */
  private int firstBelow(int at, IntPredicate matches) {
    if (at < 0) {
      return matches.test(leafOwner[~at]) ? ~at : NONE;
    }
    int leaf = firstBelow(nodeChild[2 * at], matches);
    return leaf == NONE ? firstBelow(nodeChild[2 * at + 1], matches) : leaf;
  }

  /** The leaf, or the node above all leaves, that overlaps; {@link #NOWHERE} if none does. */
  private int firstOverlapping(IpPrefix prefix) {
    if (size == 0) {
      return NOWHERE;
    }
    walk(prefix);
    // Below a bit beyond the prefix's end all leaves agree in the prefix's bits, so that either
    // all of them are inside the prefix or none is.
    int leaf = ~walkedLeaf;
    int at = walkedLeaf;
    for (int i = walkedDepth - 1; i >= 0 && bitOf(path[i]) >= prefix.length(); i--) {
      at = path[i];
    }
    return commonBits(prefix, leaf) < Math.min(prefix.length(), length(leaf)) ? NOWHERE : at;
  }

  /**
   * Goes the prefix's way to a leaf, along the first children beyond its bits. A prefix is looked
   * at before it is put in, so that it has often been gone already.
   */
  private void walk(IpPrefix prefix) {
    if (walked != null
        && walked.lo() == prefix.lo()
        && walked.hi() == prefix.hi()
        && walked.length() == prefix.length()) {
      return;
    }
    byte[] bits = nodeBit;
    int[] children = nodeChild;
    int length = prefix.length();
    long hi = firstBits(prefix);
    long lo = prefix.lo();
    int depth = 0;
    int at = root;
    while (at >= 0) {
      path[depth++] = at;
      int bit = bits[at] & 0xff;
      at = children[2 * at + (bit < length ? bit(hi, lo, bit) : 0)];
    }
    walkedDepth = depth;
    walkedLeaf = at;
    walked = prefix;
  }

  private int ownerBelow(int at, int exceptOwner) {
    if (at < 0) {
      return leafOwner[~at] == exceptOwner ? NONE : leafOwner[~at];
    }
    int owner = ownerBelow(nodeChild[2 * at], exceptOwner);
    return owner == NONE ? ownerBelow(nodeChild[2 * at + 1], exceptOwner) : owner;
  }

  /**
   * Adds a prefix.
   *
   * @throws IllegalArgumentException if it overlaps one that is there, or the owner is negative
   */
  public void insert(IpPrefix prefix, int owner) {
    requireFamily(prefix);
    if (owner < 0) {
      throw new IllegalArgumentException("owner is " + owner + "; allowed: 0 or more");
    }
    if (size == 0) {
      root = ~newLeaf(prefix, owner);
      size = 1;
      walked = null;
      return;
    }
    walk(prefix);
    int depth = walkedDepth;
    int nearest = walkedLeaf;
    int split = commonBits(prefix, ~nearest);
    if (split >= Math.min(prefix.length(), length(~nearest))) {
      throw new IllegalArgumentException(
          prefix + " overlaps a prefix of owner " + leafOwner[~nearest]);
    }
    int at = nearest;
    while (depth > 0 && bitOf(path[depth - 1]) >= split) {
      at = path[--depth];
    }
    int parent = depth == 0 ? NONE : path[depth - 1];
    int side = depth == 0 ? 0 : bit(prefix, bitOf(parent));
    walked = null;
    int leaf = newLeaf(prefix, owner);
    int node = newNode(split);
    int leafSide = bit(prefix, split);
    nodeChild[2 * node + leafSide] = ~leaf;
    nodeChild[2 * node + 1 - leafSide] = at;
    link(parent, side, node);
    size++;
  }

  /** Removes exactly that prefix; returns its owner, or {@link #NONE} if it is not there. */
  public int delete(IpPrefix prefix) {
    requireFamily(prefix);
    if (size == 0) {
      return NONE;
    }
    int grandparent = NONE;
    int grandSide = 0;
    int parent = NONE;
    int side = 0;
    int at = root;
    while (at >= 0) {
      int bit = bitOf(at);
      if (bit >= prefix.length()) {
        return NONE;
      }
      grandparent = parent;
      grandSide = side;
      parent = at;
      side = bit(prefix, bit);
      at = nodeChild[2 * at + side];
    }
    int leaf = ~at;
    if (length(leaf) != prefix.length() || commonBits(prefix, leaf) < prefix.length()) {
      return NONE;
    }
    walked = null;
    int owner = leafOwner[leaf];
    if (parent != NONE) {
      link(grandparent, grandSide, nodeChild[2 * parent + 1 - side]);
      nodeChild[2 * parent] = freeNode;
      freeNode = parent;
    }
    leafOwner[leaf] = freeLeaf;
    freeLeaf = leaf;
    size--;
    return owner;
  }

  /** The owner of exactly that prefix, or {@link #NONE}. */
  public int exact(IpPrefix prefix) {
    requireFamily(prefix);
    if (size == 0) {
      return NONE;
    }
    walk(prefix);
    int at = walkedLeaf;
    if (walkedDepth > 0 && bitOf(path[walkedDepth - 1]) >= prefix.length()) {
      return NONE;
    }
    int leaf = ~at;
    return length(leaf) == prefix.length() && commonBits(prefix, leaf) >= prefix.length()
        ? leafOwner[leaf]
        : NONE;
  }

  /** The same prefixes but those of owners that {@code leaves}. */
  public PrefixIndex without(IntPredicate leaves) {
    PrefixIndex others = new PrefixIndex(family);
    forEach(
        (prefix, owner) -> {
          if (!leaves.test(owner)) {
            others.insert(prefix, owner);
          }
        });
    return others;
  }

  /** Passes on every prefix with its owner, in the order of their addresses. */
  public void forEach(ObjIntConsumer<IpPrefix> out) {
    if (size > 0) {
      forEachBelow(root, out);
    }
  }

  /** As deep as a prefix has bits. */
  private void forEachBelow(int at, ObjIntConsumer<IpPrefix> out) {
    if (at < 0) {
      out.accept(prefixOf(~at), leafOwner[~at]);
    } else {
      forEachBelow(nodeChild[2 * at], out);
      forEachBelow(nodeChild[2 * at + 1], out);
    }
  }

  private IpPrefix prefixOf(int leaf) {
    return family == Family.V4
        ? IpPrefix.v4(leafAddress4[leaf], length(leaf))
        : IpPrefix.v6(leafHi[leaf], leafLo[leaf], length(leaf));
  }

  private void link(int parent, int side, int child) {
    if (parent == NONE) {
      root = child;
    } else {
      nodeChild[2 * parent + side] = child;
    }
  }

  private int newLeaf(IpPrefix prefix, int owner) {
    int leaf = freeLeaf;
    if (leaf != NONE) {
      freeLeaf = leafOwner[leaf];
    } else {
      leaf = leafTop++;
      if (leaf == leafOwner.length) {
        int capacity = grown(leaf);
        leafOwner = Arrays.copyOf(leafOwner, capacity);
        leafLength = Arrays.copyOf(leafLength, capacity);
        if (family == Family.V4) {
          leafAddress4 = Arrays.copyOf(leafAddress4, capacity);
        } else {
          leafHi = Arrays.copyOf(leafHi, capacity);
          leafLo = Arrays.copyOf(leafLo, capacity);
        }
      }
    }
    leafOwner[leaf] = owner;
    leafLength[leaf] = (byte) prefix.length();
    if (family == Family.V4) {
      leafAddress4[leaf] = (int) prefix.lo();
    } else {
      leafHi[leaf] = prefix.hi();
      leafLo[leaf] = prefix.lo();
    }
    return leaf;
  }

  private int newNode(int bit) {
    int node = freeNode;
    if (node != NONE) {
      freeNode = nodeChild[2 * node];
    } else {
      node = nodeTop++;
      if (node == nodeBit.length) {
        int capacity = grown(node);
        nodeBit = Arrays.copyOf(nodeBit, capacity);
        nodeChild = Arrays.copyOf(nodeChild, 2 * capacity);
      }
    }
    nodeBit[node] = (byte) bit;
    return node;
  }

  private static int grown(int capacity) {
    return capacity + (capacity >> 1);
  }

  private int bitOf(int node) {
    return nodeBit[node] & 0xff;
  }

  private int length(int leaf) {
    return leafLength[leaf] & 0xff;
  }

  /** Bit {@code i} of the address, counted from its first. */
  private int bit(IpPrefix prefix, int i) {
    return bit(firstBits(prefix), prefix.lo(), i);
  }

  private static int bit(long firstBits, long otherBits, int i) {
    return (int) ((i < Long.SIZE ? firstBits : otherBits) >>> (~i & 63)) & 1;
  }

  /** The first 64 bits of the address, of which IPv4 has 32. */
  private long firstBits(IpPrefix prefix) {
    return family == Family.V4 ? prefix.lo() << 32 : prefix.hi();
  }

  /** Number of leading address bits in which the two agree, whatever their lengths. */
  private int commonBits(IpPrefix prefix, int leaf) {
    if (family == Family.V4) {
      return Integer.numberOfLeadingZeros((int) prefix.lo() ^ leafAddress4[leaf]);
    }
    int common = Long.numberOfLeadingZeros(prefix.hi() ^ leafHi[leaf]);
    return common < 64 ? common : 64 + Long.numberOfLeadingZeros(prefix.lo() ^ leafLo[leaf]);
  }

  private void requireFamily(IpPrefix prefix) {
    if (prefix.family() != family) {
      throw new IllegalArgumentException(prefix + " is not " + family);
    }
  }
}
