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

  /** Numbers of tariffs, where it has one; none until needed. */
  private short[] tariff = new short[0];

  /** When something else may come into force, as milliseconds of the epoch; none until needed. */
  private long[] dueMillis = new long[0];

  /** Those with terms. */
  private final BitSet timed = new BitSet();

  /** The columns that have what is not here; null where all is here. */
  private final SubscriberColumns below;

  /** The rows here by index, where others are below. */
  private final Map<Integer, Integer> rows = new HashMap<>();

  SubscriberColumns() {
    below = null;
  }

  /** Those of others, which do not change meanwhile; nothing is changed there. */
  SubscriberColumns(SubscriberColumns below) {
    this.below = below;
    timed.or(below.timed);
  }

  /** The columns that have the data of an index. */
  private SubscriberColumns of(int index) {
    return below == null || rows.containsKey(index) ? this : below.of(index);
  }

  /** Where an index is here, if it is. */
  private int row(int index) {
    return below == null ? index : rows.get(index);
  }

  /** A row here of an index, with what is below to begin with. */
  private int ownRow(int index) {
    if (below == null) {
      reserve(index);
      return index;
    }
    Integer own = rows.get(index);
    if (own != null) {
      return own;
    }
    int row = rows.size();
    SubscriberColumns from = below.of(index);
    int other = from.row(index);
    reserve(row);
    rows.put(index, row);
    if (other < from.policySlot.length) {
      policySlot[row] = from.policySlot[other];
      tree[row] = from.tree[other];
      allotment[row] = from.allotment[other];
      tags[row] = from.tags[other];
      prefixes[row] = from.prefixes[other];
      upstreamSlot(index, from.upstreamSlot(index));
      tariff(index, from.tariff(index));
      parts(index, from.parts(index));
      contract(index, from.contract(index));
      if (from.timed.get(index)) {
        timed(index, from.dueMillis(index));
      }
    }
    return row;
  }

  private void reserve(int row) {
    int have = policySlot.length;
    if (row >= have) {
      int capacity = Math.max(64, row + 1 + (row >> 2));
      policySlot = Arrays.copyOf(policySlot, capacity);
      tree = Arrays.copyOf(tree, capacity);
      allotment = Arrays.copyOf(allotment, capacity);
      tags = Arrays.copyOf(tags, capacity);
      prefixes = Arrays.copyOf(prefixes, capacity);
      Arrays.fill(allotment, have, capacity, SubscriberState.NONE);
    }
  }

  void set(int index, int slot, Attachment attachment, Optional<VlanTags> vlans, int prefixCount) {
    int row = ownRow(index);
    policySlot[row] = (byte) slot;
    tree[row] = (short) attachment.treeIndex();
    tags[row] = vlans.isPresent() ? pack(vlans.get()) : 0;
    prefixes[row] = (byte) prefixCount;
  }

  void clear(int index) {
    int row = ownRow(index);
    policySlot[row] = 0;
    tree[row] = 0;
    allotment[row] = SubscriberState.NONE;
    tags[row] = 0;
    prefixes[row] = 0;
    if (!parts.isEmpty()) {
      parts.remove(index);
    }
    if (!contracts.isEmpty()) {
      contracts.remove(index);
    }
    upstreamSlot(index, 0);
    tariff(index, 0);
    timed.clear(index);
    if (row < dueMillis.length) {
      dueMillis[row] = Due.NEVER;
    }
  }

  void timed(int index, long due) {
    timed.set(index);
    int row = ownRow(index);
    if (due != Due.NEVER && row >= dueMillis.length) {
      int have = dueMillis.length;
      dueMillis = Arrays.copyOf(dueMillis, policySlot.length);
      Arrays.fill(dueMillis, have, dueMillis.length, Due.NEVER);
    }
    if (row < dueMillis.length) {
      dueMillis[row] = due;
    }
  }

  BitSet timed() {
    return timed;
  }

  /** As {@link Due}. */
  long dueMillis(int index) {
    SubscriberColumns of = of(index);
    int row = of.row(index);
    return row < of.dueMillis.length ? of.dueMillis[row] : Due.NEVER;
  }

  int policySlot(int index) {
    SubscriberColumns of = of(index);
    return of.policySlot[of.row(index)] & 0xff;
  }

  /** The slot of upstream traffic; 0 if that has the policy of downstream traffic. */
  int upstreamSlot(int index) {
    SubscriberColumns of = of(index);
    int row = of.row(index);
    return row < of.upstreamSlot.length ? of.upstreamSlot[row] & 0xff : 0;
  }

  void upstreamSlot(int index, int slot) {
    int row = ownRow(index);
    if (slot != 0 && row >= upstreamSlot.length) {
      upstreamSlot = Arrays.copyOf(upstreamSlot, policySlot.length);
    }
    if (row < upstreamSlot.length) {
      upstreamSlot[row] = (byte) slot;
    }
  }

  /** The number of its tariff; 0 if it has none. */
  int tariff(int index) {
    SubscriberColumns of = of(index);
    int row = of.row(index);
    return row < of.tariff.length ? of.tariff[row] : 0;
  }

  void tariff(int index, int number) {
    int row = ownRow(index);
    if (number != 0 && row >= tariff.length) {
      tariff = Arrays.copyOf(tariff, policySlot.length);
    }
    if (row < tariff.length) {
      tariff[row] = (short) number;
    }
  }

  /** As {@link Attachment#treeIndex}. */
  int treeIndex(int index) {
    SubscriberColumns of = of(index);
    return of.tree[of.row(index)];
  }

  Attachment attachment(int index) {
    return Attachment.ofTreeIndex(treeIndex(index));
  }

  int allotment(int index) {
    SubscriberColumns of = of(index);
    return of.allotment[of.row(index)];
  }

  void allotment(int index, int value) {
    int row = ownRow(index);
    allotment[row] = value;
  }

  /** The tags packed into a number; 0 for none. */
  int packedTags(int index) {
    SubscriberColumns of = of(index);
    return of.tags[of.row(index)];
  }

  Optional<VlanTags> vlans(int index) {
    int packed = packedTags(index);
    return packed == 0
        ? Optional.empty()
        : Optional.of(new VlanTags(packed >>> 12, packed & 0xfff));
  }

  int prefixes(int index) {
    SubscriberColumns of = of(index);
    return of.prefixes[of.row(index)];
  }

  OptionalParts parts(int index) {
    Map<Integer, OptionalParts> of = of(index).parts;
    return of.isEmpty() ? OptionalParts.NONE : of.getOrDefault(index, OptionalParts.NONE);
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
    Map<Integer, Integer> of = of(index).contracts;
    return of.isEmpty() ? SubscriberState.NONE : of.getOrDefault(index, SubscriberState.NONE);
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
    return 12L * policySlot.length
        + upstreamSlot.length
        + 2L * tariff.length
        + 8L * dueMillis.length;
  }
}
