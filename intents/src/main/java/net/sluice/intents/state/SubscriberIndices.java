package net.sluice.intents.state;

import java.util.Arrays;
import java.util.stream.IntStream;
import net.sluice.intents.model.IpPrefix.Family;
import net.sluice.intents.profile.MarkerLayout;

/**
 * The subscriber indices in use, and how full each instance of the marker is with them. Every call
 * but {@link #stream} and {@link #end} takes a few steps, however many are in use. Not thread-safe.
 */
public final class SubscriberIndices {
  /** Levels of 64 to the next: enough for 2^24 indices. */
  private static final int LEVELS = 4;

  /**
   * Sets of bits: of level 0 one for each index in use, of a higher level one for each word of the
   * level below that is full. Index 0, which stands for no subscriber, is in use.
   */
  private final long[][] levels = new long[LEVELS][1];

  private final MarkerLayout markers;
  private final int[] subscribers;
  private final int[] v4Prefixes;
  private final int[] v6Prefixes;

  /** None is in use. */
  public SubscriberIndices(MarkerLayout markers) {
    this.markers = markers;
    this.subscribers = new int[markers.allInstances()];
    this.v4Prefixes = new int[markers.allInstances()];
    this.v6Prefixes = new int[markers.allInstances()];
    levels[0][0] = 1;
  }

  /** As another one is by now. */
  public SubscriberIndices(SubscriberIndices other) {
    markers = other.markers;
    for (int level = 0; level < LEVELS; level++) {
      levels[level] = other.levels[level].clone();
    }
    subscribers = other.subscribers.clone();
    v4Prefixes = other.v4Prefixes.clone();
    v6Prefixes = other.v6Prefixes.clone();
  }

  /** Takes a free index into use, for a subscriber with that many prefixes. */
  public void add(int index, int v4, int v6) {
    int at = index;
    for (int level = 0; level < LEVELS; level++) {
      int word = at >>> 6;
      if (word >= levels[level].length) {
        levels[level] = Arrays.copyOf(levels[level], word + 1 + (word >> 1));
      }
      levels[level][word] |= 1L << at;
      if (levels[level][word] != -1L) {
        break;
      }
      at = word;
    }
    count(index, 1, v4, v6);
  }

  /** Gives back an index in use. */
  public void remove(int index, int v4, int v6) {
    int at = index;
    for (int level = 0; level < LEVELS; level++) {
      int word = at >>> 6;
      boolean wasFull = levels[level][word] == -1L;
      levels[level][word] &= ~(1L << at);
      if (!wasFull) {
        break;
      }
      at = word;
    }
    count(index, -1, -v4, -v6);
  }

  /** A stored index may lie beyond the layout, until it is refused for that. */
  private void count(int index, int by, int v4, int v6) {
    int instance = markers.instanceOf(index);
    if (instance < subscribers.length) {
      subscribers[instance] += by;
      v4Prefixes[instance] += v4;
      v6Prefixes[instance] += v6;
    }
  }

  /** True if the index is in use. */
  public boolean contains(int index) {
    return (word(0, index >>> 6) >>> index & 1) != 0;
  }

  /** The lowest free index from {@code from} on. */
  public int lowestFree(int from) {
    int at = from;
    int level = 0;
    long free = ~word(0, at >>> 6) & -1L << at;
    while (free == 0) {
      at = (at >>> 6) + 1;
      level++;
      free = ~word(level, at >>> 6) & -1L << at;
    }
    at = at & -64 | Long.numberOfTrailingZeros(free);
    for (; level > 0; level--) {
      at = at << 6 | Long.numberOfTrailingZeros(~word(level - 1, at));
    }
    return at;
  }

  private long word(int level, int word) {
    long[] words = levels[level];
    return word < words.length ? words[word] : 0;
  }

  /** Number of subscribers in the instance with that number. */
  public int subscribersIn(int instance) {
    return subscribers[instance];
  }

  /** Number of their prefixes of a family. */
  public int prefixesIn(Family family, int instance) {
    return (family == Family.V4 ? v4Prefixes : v6Prefixes)[instance];
  }

  /** Higher than every index in use. */
  public int end() {
    long[] words = levels[0];
    int last = words.length - 1;
    while (words[last] == 0) {
      last--;
    }
    return (last << 6) + Long.SIZE - Long.numberOfLeadingZeros(words[last]);
  }

  /** The indices in use, rising. */
  public IntStream stream() {
    return IntStream.range(1, end()).filter(this::contains);
  }

  /** Bytes of its arrays. */
  public long bytes() {
    return Arrays.stream(levels).mapToLong(words -> 8L * words.length).sum();
  }
}
