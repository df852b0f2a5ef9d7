package net.sluice.emulator.switching;

import java.util.Arrays;

/**
 * The packet replication engine (P4Runtime specification, "PacketReplicationEngineEntry"):
 * multicast groups and clone sessions by number. Callers hold the lock of the {@link SwitchDevice}.
 * Lookups allocate nothing.
 */
public final class ReplicationEngine {

  /** Highest number of a multicast group: {@code mcast_grp} has 16 bits. */
  public static final int MAX_GROUP = 65_535;

  /** Highest number of a clone session, as bmv2 has it. */
  public static final int MAX_SESSION = 32_767;

  /** Highest instance number of a replica: {@code egress_rid} has 16 bits. */
  public static final int MAX_INSTANCE = 65_535;

  private Replicas[] groups = {};
  private CloneSession[] sessions = {};

  /** The copies a group makes, or null if there is no such group. */
  public Replicas group(int id) {
    return id < groups.length ? groups[id] : null;
  }

  /**
   * Sets a group's copies.
   *
   * @param id 1..{@value #MAX_GROUP}
   * @param replicas null to remove the group
   */
  public void setGroup(int id, Replicas replicas) {
    check("multicast group", id, 1, MAX_GROUP);
    if (id >= groups.length) {
      groups = Arrays.copyOf(groups, Math.min(MAX_GROUP + 1, Math.max(id + 1, 2 * groups.length)));
    }
    groups[id] = replicas;
  }

  /** A clone session, or null if there is no such session. */
  public CloneSession session(int id) {
    return id < sessions.length ? sessions[id] : null;
  }

  /**
   * Sets a clone session.
   *
   * @param id 0..{@value #MAX_SESSION}
   * @param session null to remove it
   */
  public void setSession(int id, CloneSession session) {
    check("clone session", id, 0, MAX_SESSION);
    if (id >= sessions.length) {
      sessions =
          Arrays.copyOf(sessions, Math.min(MAX_SESSION + 1, Math.max(id + 1, 2 * sessions.length)));
    }
    sessions[id] = session;
  }

  private static void check(String what, int id, int least, int most) {
    if (id < least || id > most) {
      throw new IllegalArgumentException(
          what + " " + id + ": must be from " + least + " to " + most);
    }
  }
}
