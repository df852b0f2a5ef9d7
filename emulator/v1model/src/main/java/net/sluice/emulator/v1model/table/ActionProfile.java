package net.sluice.emulator.v1model.table;

import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;

/**
 * An action profile (P4Runtime specification, "ActionProfileMember and ActionProfileGroup"):
 * members, which are actions with their data, and groups, of which a selector picks a member for
 * each packet by hash or at random.
 *
 * <p>Members and groups are numbered as bmv2 numbers them: a new one gets the lowest free number,
 * and a group picks among its members in the order of their numbers. So the same writes and the
 * same hash select the same member.
 *
 * <p>Generated code reads {@link #rows} directly. Not thread-safe.
 */
public final class ActionProfile {

  /** Result of {@link #choose} for a group without members. */
  public static final int NONE = -1;

  private static final int FIRST_ROWS = 16;
  private static final int[] EMPTY = {};

  /** Rows of members: the action's index in the program, then the words of its data. */
  public long[] rows;

  /** Words of a row. */
  public final int stride;

  private final String name;
  private final int dataWords;
  private final BitSet members = new BitSet();
  private final BitSet groups = new BitSet();
  private Group[] groupsByNumber = new Group[FIRST_ROWS];

  /** By group: the members whose ports are up, from which {@link #choose} picks. */
  private int[][] choices = new int[FIRST_ROWS][];

  private final BitSet downPorts = new BitSet();

  /** Groups that pick at random. */
  private final BitSet randomGroups = new BitSet();

  private final SplittableRandom random;

  /**
   * A group.
   *
   * @param members in the order of their numbers
   * @param ports by member, the port that must be up, or -1 if none need be
   */
  private record Group(int[] members, int[] ports) {}

  /**
   * An empty profile.
   *
   * @param dataWords words of action data that a member has at most
   * @param seed of random picks
   */
  public ActionProfile(String name, int dataWords, long seed) {
    this.name = name;
    this.random = new SplittableRandom(seed);
    this.dataWords = dataWords;
    this.stride = 1 + dataWords;
    this.rows = new long[FIRST_ROWS * stride];
  }

  /** P4 name. */
  public String name() {
    return name;
  }

  /** Words of action data that a member has at most. */
  public int dataWords() {
    return dataWords;
  }

  /**
   * Adds a member.
   *
   * @param action index of its action in the program
   * @return its number
   */
  public int addMember(int action, long[] data) {
    int member = members.nextClearBit(0);
    if ((member + 1) * stride > rows.length) {
      rows = Arrays.copyOf(rows, 2 * rows.length);
    }
    members.set(member);
    setMember(member, action, data);
    return member;
  }

  /** Replaces a member's action and data. */
  public void setMember(int member, int action, long[] data) {
    rows[member * stride] = action;
    System.arraycopy(data, 0, rows, member * stride + 1, dataWords);
  }

  /** Removes a member, which must be in no group. */
  public void removeMember(int member) {
    members.clear(member);
  }

  /** Index in the program of a member's action. */
  public int action(int member) {
    return (int) rows[member * stride];
  }

  /** A word of a member's action data. */
  public long data(int member, int word) {
    return rows[member * stride + 1 + word];
  }

  /** Adds an empty group and returns its number. */
  public int addGroup() {
    int group = groups.nextClearBit(0);
    if (group == choices.length) {
      choices = Arrays.copyOf(choices, 2 * group);
      groupsByNumber = Arrays.copyOf(groupsByNumber, 2 * group);
    }
    groups.set(group);
    setGroup(group, EMPTY, EMPTY);
    return group;
  }

  /**
   * Sets the members that a group picks from.
   *
   * @param groupMembers each once
   * @param ports by member, the port that must be up for it to be picked, or -1 if none need be
   */
  public void setGroup(int group, int[] groupMembers, int[] ports) {
    groupsByNumber[group] = new Group(groupMembers.clone(), ports.clone());
    choices[group] = choicesOf(groupsByNumber[group]);
  }

  /**
   * Sets whether a group picks at random instead of by the selector's hash, which is the default.
   */
  public void setRandom(int group, boolean byChance) {
    randomGroups.set(group, byChance);
  }

  private int[] choicesOf(Group group) {
    int[] up = new int[group.members.length];
    int n = 0;
    for (int i = 0; i < up.length; i++) {
      if (group.ports[i] < 0 || !downPorts.get(group.ports[i])) {
        up[n++] = group.members[i];
      }
    }
    int[] sorted = Arrays.copyOf(up, n);
    Arrays.sort(sorted);
    return sorted;
  }

  /** Removes a group. */
  public void removeGroup(int group) {
    groups.clear(group);
    randomGroups.clear(group);
    groupsByNumber[group] = null;
    choices[group] = EMPTY;
  }

  /** Sets whether a port is up; all are at first. */
  public void portUp(int port, boolean up) {
    if (downPorts.get(port) != up) {
      return;
    }
    downPorts.set(port, !up);
    for (int g = groups.nextSetBit(0); g >= 0; g = groups.nextSetBit(g + 1)) {
      Group group = groupsByNumber[g];
      if (Arrays.stream(group.ports).anyMatch(p -> p == port)) {
        choices[g] = choicesOf(group);
      }
    }
  }

  /** The members that a group currently picks from, in order. */
  public int[] group(int group) {
    return choices[group].clone();
  }

  /** Restores the current members and groups when run. */
  public Runnable snapshot() {
    long[] savedRows = rows.clone();
    BitSet savedMembers = (BitSet) members.clone();
    BitSet savedGroups = (BitSet) groups.clone();
    BitSet savedRandom = (BitSet) randomGroups.clone();
    Group[] savedByNumber = groupsByNumber.clone();
    return () -> {
      rows = savedRows;
      members.clear();
      members.or(savedMembers);
      groups.clear();
      groups.or(savedGroups);
      randomGroups.clear();
      randomGroups.or(savedRandom);
      groupsByNumber = savedByNumber;
      choices = new int[savedByNumber.length][];
      for (int g = 0; g < choices.length; g++) {
        choices[g] = savedByNumber[g] == null ? EMPTY : choicesOf(savedByNumber[g]);
      }
    };
  }

  /**
   * The member that a group picks for a hash, of which the lowest 32 bits count, or at random;
   * {@link #NONE} if it has none.
   */
  public int choose(int group, long hash) {
    int[] among = choices[group];
    if (among.length == 0) {
      return NONE;
    }
    return among[
        randomGroups.get(group)
            ? random.nextInt(among.length)
            : Integer.remainderUnsigned((int) hash, among.length)];
  }

  /** Memory that members and groups take, bytes. */
  public long memoryBytes() {
    long bytes = 8L * rows.length + 4L * choices.length;
    for (int[] group : choices) {
      bytes += group == null ? 0 : 16 + 4L * group.length;
    }
    return bytes;
  }
}
