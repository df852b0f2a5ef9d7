package net.sluice.emulator.bmv2.runtime;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A parser value set: what the control plane lets a transition match. A member is as many 64-bit
 * limbs as the parts of the key have together, the least significant limb of a part first.
 */
public final class ValueSet {

  private final String name;
  private final List<Integer> widthsBits;
  private final int size;
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
      if (Arrays.equals(member, key)) {
        return true;
      }
    }
    return false;
  }
}
