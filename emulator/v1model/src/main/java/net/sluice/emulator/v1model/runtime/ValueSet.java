package net.sluice.emulator.v1model.runtime;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import net.sluice.emulator.v1model.table.WordLayout;

/**
 * A parser value set: members set by the control plane, one of which a transition's key must match.
 * A key is the 64-bit limbs of its parts, the least significant limb of a part first. A member is
 * as many limbs of values, zero outside the mask, and then as many of masks; range parts have their
 * high ends there.
 */
public final class ValueSet {

  private final String name;
  private final List<Integer> widthsBits;
  private final int size;
  private final BitSet ranges = new BitSet();
  private List<long[]> members = List.of();

  /**
   * An empty set.
   *
   * @param widthsBits widths of the parts of the key
   * @param size most members
   */
  public ValueSet(String name, List<Integer> widthsBits, int size) {
    this.name = name;
    this.widthsBits = List.copyOf(widthsBits);
    this.size = size;
  }

  /** P4 name. */
  public String name() {
    return name;
  }

  /** Widths of the parts of the key, bits. */
  public List<Integer> widthsBits() {
    return widthsBits;
  }

  /** Most members. */
  public int size() {
    return size;
  }

  /** Makes a part of the key match by range; before members are added. */
  public void setRange(int part) {
    ranges.set(part);
  }

  /** The members. */
  public List<long[]> members() {
    return members;
  }

  /** Replaces all members. */
  public void replace(List<long[]> replacement) {
    members = new ArrayList<>(replacement);
  }

  /** Whether a key is a member. */
  public boolean contains(long[] key) {
    for (long[] member : members) {
      if (matches(member, key)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether a key, masked, equals a masked member.
   *
   * @param mask as many limbs as the key has
   */
  public boolean contains(long[] key, long[] mask) {
    for (long[] member : members) {
      if (matches(member, key, mask)) {
        return true;
      }
    }
    return false;
  }

  private boolean matches(long[] member, long[] key, long[] mask) {
    int n = key.length;
    int at = 0;
    for (int part = 0; part < widthsBits.size(); part++) {
      int limbs = (widthsBits.get(part) + 63) / 64;
      if (ranges.get(part)) {
        if (compare(member, at, key, at, mask, at, limbs) > 0
            || compare(key, at, member, n + at, mask, at, limbs) > 0) {
          return false;
        }
      } else {
        for (int i = at; i < at + limbs; i++) {
          if (((key[i] ^ member[i]) & member[n + i] & mask[i]) != 0) {
            return false;
          }
        }
      }
      at += limbs;
    }
    return true;
  }

  private static int compare(
      long[] a, int aAt, long[] b, int bAt, long[] mask, int maskAt, int limbs) {
    int order = 0;
    for (int i = limbs - 1; i >= 0 && order == 0; i--) {
      order = Long.compareUnsigned(a[aAt + i] & mask[maskAt + i], b[bAt + i] & mask[maskAt + i]);
    }
    return order;
  }

  private boolean matches(long[] member, long[] key) {
    int n = key.length;
    int at = 0;
    for (int part = 0; part < widthsBits.size(); part++) {
      int limbs = (widthsBits.get(part) + 63) / 64;
      if (ranges.get(part)) {
        if (WordLayout.compare(member, at, key, at, limbs) > 0
            || WordLayout.compare(key, at, member, n + at, limbs) > 0) {
          return false;
        }
      } else {
        for (int i = at; i < at + limbs; i++) {
          if ((key[i] & member[n + i]) != member[i]) {
            return false;
          }
        }
      }
      at += limbs;
    }
    return true;
  }
}
