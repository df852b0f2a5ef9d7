package net.sluice.core.engine;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.IpPrefix.Family;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.plan.Change;

/**
 * Ids and prefixes that some switch may have: whatever is not seen here need not be looked for at
 * the switches. It forgets nothing, so what is seen may be gone, and may never have been: it is a
 * Bloom filter, of 2 bytes a name and more layers as more is added. Not thread-safe.
 */
final class SeenNames {
  private static final int BITS_OF_NAME = 16;

  /** Bits that a name sets: 3 of 16 take one name in 200 for a seen one when the layer is full. */
  private static final int PROBES = 3;

  private static final long FIRST_LAYER = 1 << 15;
  private static final long LARGEST_LAYER = 1L << 26;

  private final List<long[]> layers = new ArrayList<>();
  private final BitSet lengthsV4 = new BitSet();
  private final BitSet lengthsV6 = new BitSet();
  private long size;
  private long room;

  SeenNames() {
    grow();
  }

  /** Number of names. */
  long size() {
    return size;
  }

  /** Whether another layer is due. */
  boolean isFull() {
    return room == 0;
  }

  /** Makes room for as many names as there are. */
  private void grow() {
    long names = Math.min(Math.max(FIRST_LAYER, Long.highestOneBit(size)), LARGEST_LAYER);
    layers.add(new long[(int) (names * BITS_OF_NAME / Long.SIZE)]);
    room = names;
  }

  /** Whether a switch may have the change's declaration, or a prefix that overlaps one of its. */
  boolean maySee(Change change) {
    if (contains(hash(change.kind(), change.id()))) {
      return true;
    }
    if (change instanceof Change.Put put && put.declaration() instanceof Subscriber subscriber) {
      List<IpPrefix> prefixes = subscriber.prefixes();
      for (int i = 0; i < prefixes.size(); i++) {
        if (mayOverlap(prefixes.get(i))) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean mayOverlap(IpPrefix prefix) {
    BitSet lengths = lengths(prefix.family());
    int longest = lengths.length() - 1;
    if (longest > prefix.length()) {
      // What is inside of it cannot be told by a hash.
      return true;
    }
    for (int length = lengths.nextSetBit(0); length >= 0; length = lengths.nextSetBit(length + 1)) {
      if (contains(hash(prefix, length))) {
        return true;
      }
    }
    return false;
  }

  /** Adds what comes to be by a change. */
  void add(Change change) {
    if (change instanceof Change.Put put) {
      add(put.kind(), put.id());
      if (put.declaration() instanceof Subscriber subscriber) {
        subscriber.prefixes().forEach(this::add);
      }
    }
  }

  /** Adds an id. */
  void add(Kind kind, String id) {
    add(hash(kind, id));
  }

  /** Adds a prefix. */
  void add(IpPrefix prefix) {
    lengths(prefix.family()).set(prefix.length());
    add(hash(prefix, prefix.length()));
  }

  private BitSet lengths(Family family) {
    return family == Family.V4 ? lengthsV4 : lengthsV6;
  }

  private void add(long hash) {
    if (contains(hash)) {
      return;
    }
    if (isFull()) {
      grow();
    }
    long[] layer = layers.get(layers.size() - 1);
    for (int i = 0; i < PROBES; i++) {
      long bit = bit(layer, hash, i);
      layer[(int) (bit >>> 6)] |= 1L << bit;
    }
    size++;
    room--;
  }

  private boolean contains(long hash) {
    for (int i = layers.size() - 1; i >= 0; i--) {
      if (contains(layers.get(i), hash)) {
        return true;
      }
    }
    return false;
  }

  private static boolean contains(long[] layer, long hash) {
    for (int i = 0; i < PROBES; i++) {
      long bit = bit(layer, hash, i);
      if ((layer[(int) (bit >>> 6)] & 1L << bit) == 0) {
        return false;
      }
    }
    return true;
  }

  private static long bit(long[] layer, long hash, int probe) {
    return hash + probe * (hash >>> 32 | 1) & (long) layer.length * Long.SIZE - 1;
  }

  private static long hash(Kind kind, String id) {
    return mixed((long) kind.ordinal() << 32 | id.hashCode() & 0xffff_ffffL);
  }

  /** Of the first bits of a prefix, so many of them. */
  private static long hash(IpPrefix prefix, int length) {
    boolean v4 = prefix.family() == Family.V4;
    int shift = (v4 ? Integer.SIZE : IpPrefix.Family.V6.bits()) - length;
    long hi = shift >= Long.SIZE ? shifted(prefix.hi(), shift - Long.SIZE) : prefix.hi();
    long lo = shift >= Long.SIZE ? 0 : shifted(prefix.lo(), shift);
    return mixed(mixed(hi) + lo) + mixed(length << 1 | (v4 ? 1 : 0));
  }

  /** Without its last bits, of which there may be 64. */
  private static long shifted(long bits, int last) {
    return last >= Long.SIZE ? 0 : bits >>> last << last;
  }

  /** Spreads the bits of {@code h} (finalizer of SplitMix64). */
  private static long mixed(long h) {
    long z = h + 0x9e3779b97f4a7c15L;
    z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
    return z ^ z >>> 31;
  }
}
