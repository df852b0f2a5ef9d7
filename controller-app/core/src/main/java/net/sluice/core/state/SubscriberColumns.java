package net.sluice.core.state;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.OptionalParts;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.state.SubscriberState;

/**
 * The data of every subscriber in memory, in columns by subscriber index: 12 bytes each, and what
 * only some have in a map.
 */
final class SubscriberColumns {
  private byte[] policySlot = new byte[0];
  private short[] tree = new short[0];
  private int[] allotment = new int[0];
  private int[] tags = new int[0];
  private byte[] prefixes = new byte[0];

  /** Of the subscribers that have one. */
  private final Map<Integer, OptionalParts> parts = new HashMap<>();

  private final Map<Integer, Integer> contracts = new HashMap<>();

  /** Policies of upstream traffic, where it has another one; none until needed. */
  private byte[] upstreamSlot = new byte[0];

  /** When something else may come into force, as milliseconds of the epoch; none until needed. */
  private long[] dueMillis = new long[0];

  /** Those with terms. */
  private final BitSet timed = new BitSet();

  void reserve(int index) {
    int have = policySlot.length;
    if (index >= have) {
      int capacity = Math.max(64, index + 1 + (index >> 2));
      policySlot = Arrays.copyOf(policySlot, capacity);
      tree = Arrays.copyOf(tree, capacity);
      allotment = Arrays.copyOf(allotment, capacity);
      tags = Arrays.copyOf(tags, capacity);
      prefixes = Arrays.copyOf(prefixes, capacity);
      Arrays.fill(allotment, have, capacity, SubscriberState.NONE);
    }
  }

  void set(int index, int slot, Attachment attachment, Optional<VlanTags> vlans, int prefixCount) {
    reserve(index);
    policySlot[index] = (byte) slot;
    tree[index] = (short) attachment.treeIndex();
    tags[index] = vlans.isPresent() ? pack(vlans.get()) : 0;
    prefixes[index] = (byte) prefixCount;
  }

  void clear(int index) {
    policySlot[index] = 0;
    tree[index] = 0;
    allotment[index] = SubscriberState.NONE;
    tags[index] = 0;
    prefixes[index] = 0;
    if (!parts.isEmpty()) {
      parts.remove(index);
    }
    if (!contracts.isEmpty()) {
      contracts.remove(index);
    }
    upstreamSlot(index, 0);
    timed.clear(index);
    if (index < dueMillis.length) {
      dueMillis[index] = Due.NEVER;
    }
  }

  void timed(int index, long due) {
    timed.set(index);
    if (due != Due.NEVER && index >= dueMillis.length) {
      int have = dueMillis.length;
      dueMillis = Arrays.copyOf(dueMillis, policySlot.length);
      Arrays.fill(dueMillis, have, dueMillis.length, Due.NEVER);
    }
    if (index < dueMillis.length) {
      dueMillis[index] = due;
    }
  }

  BitSet timed() {
    return timed;
  }

  /** As {@link Due}. */
  long dueMillis(int index) {
    return index < dueMillis.length ? dueMillis[index] : Due.NEVER;
  }

  int policySlot(int index) {
    return policySlot[index] & 0xff;
  }

  /** The slot of upstream traffic; 0 if that has the policy of downstream traffic. */
  int upstreamSlot(int index) {
    return index < upstreamSlot.length ? upstreamSlot[index] & 0xff : 0;
  }

  void upstreamSlot(int index, int slot) {
    if (slot != 0 && index >= upstreamSlot.length) {
      upstreamSlot = Arrays.copyOf(upstreamSlot, policySlot.length);
    }
    if (index < upstreamSlot.length) {
      upstreamSlot[index] = (byte) slot;
    }
  }

  /** As {@link Attachment#treeIndex}. */
  int treeIndex(int index) {
    return tree[index];
  }

  Attachment attachment(int index) {
    return Attachment.ofTreeIndex(tree[index]);
  }

  int allotment(int index) {
    return allotment[index];
  }

  void allotment(int index, int value) {
    allotment[index] = value;
  }

  /** The tags packed into a number; 0 for none. */
  int packedTags(int index) {
    return tags[index];
  }

  Optional<VlanTags> vlans(int index) {
    return tags[index] == 0
        ? Optional.empty()
        : Optional.of(new VlanTags(tags[index] >>> 12, tags[index] & 0xfff));
  }

  int prefixes(int index) {
    return prefixes[index];
  }

  OptionalParts parts(int index) {
    return parts.isEmpty() ? OptionalParts.NONE : parts.getOrDefault(index, OptionalParts.NONE);
  }

  /** Keeps those of which something on a target depends and that have no column. */
  void parts(int index, OptionalParts value) {
    OptionalParts kept = value.onTargets();
    if (kept != OptionalParts.NONE) {
      kept = kept.withUpstreamPolicy(Optional.empty());
      if (!kept.isNone()) {
        parts.put(index, kept);
      }
    }
  }

  int contract(int index) {
    return contracts.isEmpty()
        ? SubscriberState.NONE
        : contracts.getOrDefault(index, SubscriberState.NONE);
  }

  void contract(int index, int number) {
    if (number != SubscriberState.NONE) {
      contracts.put(index, number);
    }
  }

  static int pack(VlanTags vlans) {
    return vlans.sVlan() << 12 | vlans.cVlan();
  }

  long bytes() {
    return 12L * policySlot.length + upstreamSlot.length + 8L * dueMillis.length;
  }
}
