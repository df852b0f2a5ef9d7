package net.sluice.emulator.netsim;

import java.util.function.IntPredicate;
import net.sluice.emulator.switching.CloneSession;
import net.sluice.emulator.switching.PacketPipeline;
import net.sluice.emulator.switching.Replicas;
import net.sluice.emulator.switching.ReplicationEngine;
import net.sluice.emulator.switching.SwitchPacket;

/**
 * Clones, multicast copies, and resubmitted and recirculated packets. Copies requested by ingress
 * are queued at once. Egress clones are queued, and packets reenter ingress, {@value
 * #TURNAROUND_NANOS} ns later, so that a loop in the program takes virtual time; at most {@value
 * #MAX_TURNING} packets may be waiting for that.
 */
final class CopyDispatcher implements EventHandler {

  /** From the end of ingress or egress to the next time through the switch. */
  static final long TURNAROUND_NANOS = 1_000;

  /** Packets that may be on their way back; more are lost. */
  static final int MAX_TURNING = 16_384;

  private static final long NANOS_PER_MICRO = 1_000L;

  private final SwitchNode node;

  /** Whether a copy to a port can leave. */
  private final IntPredicate isUp;

  // A ring; its size is a power of two. Each event lets out the first, whichever it was made for.
  private SwitchPacket[] turning = new SwitchPacket[16];
  private boolean[] restarts = new boolean[16];
  private int head;
  private int count;
  private long generation;

  private long lost;
  private long unknownGroups;

  // Never reached unless they are set.
  private int maxTurns = -1;
  private long maxTurnsTogether = -1;
  private long turnsTogether;

  CopyDispatcher(SwitchNode node) {
    this.node = node;
    this.isUp = node::isUp;
  }

  /** Packets lost because too many were on their way back. */
  long lost() {
    return lost;
  }

  /** Packets lost because their multicast group does not exist. */
  long unknownGroups() {
    return unknownGroups;
  }

  /**
   * Carries out the requests of ingress.
   *
   * @return whether the packet itself has been consumed
   */
  boolean afterIngress(SwitchPacket packet, long nowNanos) {
    int requests = packet.requests;
    packet.requests = 0;
    if ((requests & SwitchPacket.CLONE) != 0) {
      copies(takeClone(packet), nowNanos, false);
    }
    if ((requests & SwitchPacket.REENTER) != 0) {
      turn(packet, true, nowNanos);
      return true;
    }
    if ((requests & SwitchPacket.MULTICAST) != 0) {
      PacketPipeline pipeline = node.pipeline();
      Replicas replicas = pipeline.replication().group(packet.multicastGroup);
      if (replicas == null) {
        unknownGroups++;
        packet.loss = SwitchPacket.Loss.NO_SUCH_GROUP;
      } else if (replicas.size() > 0) {
        int last = replicas.size() - 1;
        for (int i = 0; i < last; i++) {
          int place = replicas.place(i, isUp);
          SwitchPacket copy = pipeline.replica(packet, replicas.instance(place));
          copy.egressPort = replicas.port(place);
          node.forward(copy, nowNanos);
        }
        int place = replicas.place(last, isUp);
        pipeline.becomeReplica(packet, replicas.instance(place));
        packet.egressPort = replicas.port(place);
        node.forward(packet, nowNanos);
        return true;
      } else {
        packet.loss = SwitchPacket.Loss.NO_COPIES;
      }
      pipeline.release(packet);
      return true;
    }
    return false;
  }

  /**
   * Carries out the requests of egress.
   *
   * @return whether the packet itself has been consumed
   */
  boolean afterEgress(SwitchPacket packet, long nowNanos) {
    int requests = packet.requests;
    packet.requests = 0;
    if ((requests & SwitchPacket.CLONE) != 0) {
      copies(takeClone(packet), nowNanos, true);
    }
    if ((requests & SwitchPacket.REENTER) != 0) {
      turn(packet, true, nowNanos);
      return true;
    }
    return false;
  }

  private static SwitchPacket takeClone(SwitchPacket packet) {
    SwitchPacket clone = packet.clone;
    clone.cloneSession = packet.cloneSession;
    packet.clone = null;
    packet.cloneSession = null;
    return clone;
  }

  private void copies(SwitchPacket clone, long nowNanos, boolean later) {
    PacketPipeline pipeline = node.pipeline();
    CloneSession session = clone.cloneSession;
    clone.cloneSession = null;
    ReplicationEngine engine = pipeline.replication();
    Replicas group =
        session.multicastGroup() == 0 ? Replicas.NONE : engine.group(session.multicastGroup());
    int first = group == null ? 0 : group.size();
    int all = first + session.replicas().size();
    if (all == 0) {
      clone.loss = SwitchPacket.Loss.NO_COPIES;
      pipeline.release(clone);
      return;
    }
    for (int i = 0; i < all; i++) {
      Replicas from = i < first ? group : session.replicas();
      int place = from.place(i < first ? i : i - first, isUp);
      SwitchPacket copy = clone;
      if (i < all - 1) {
        copy = pipeline.replica(clone, from.instance(place));
      } else {
        pipeline.becomeReplica(clone, from.instance(place));
      }
      copy.egressPort = from.port(place);
      if (later) {
        turn(copy, false, nowNanos);
      } else {
        node.forward(copy, nowNanos);
      }
    }
  }

  private void turn(SwitchPacket packet, boolean restart, long nowNanos) {
    if (count == MAX_TURNING) {
      lost++;
      packet.loss = SwitchPacket.Loss.TOO_MANY_RETURN;
      node.pipeline().release(packet);
      return;
    }
    if (count == turning.length) {
      grow();
    }
    checkTurns(packet, restart);
    int tail = (head + count) & (turning.length - 1);
    turning[tail] = packet;
    restarts[tail] = restart;
    count++;
    long at = nowNanos + TURNAROUND_NANOS;
    if (count <= MAX_TURNING / 2) {
      at = Math.max(at, node.earliestTurnNanos());
    }
    node.simulation().schedule(at, this, generation);
  }

  /** Sets the limits of {@link SwitchNode#limitTurns}. */
  void limitTurns(int perPacket, long together) {
    maxTurns = perPacket;
    maxTurnsTogether = together;
  }

  /** Begins to count the turns of all packets together from 0. */
  void forgetTurns() {
    turnsTogether = 0;
  }

  private void checkTurns(SwitchPacket packet, boolean restart) {
    if (++packet.turns == maxTurns) {
      throw new EndlessProgramException(
          "a packet that came in on port %s has been %s for the %sth time and has not ended"
              .formatted(packet.ingressPort, kind(restart), maxTurns));
    }
    if (++turnsTogether == maxTurnsTogether) {
      throw new EndlessProgramException(
          ("packets have been resubmitted, recirculated or cloned in egress %s times since the last"
                  + " one came in, and %s still are; the last came in on port %s and was %s")
              .formatted(maxTurnsTogether, count + 1, packet.ingressPort, kind(restart)));
    }
  }

  private static String kind(boolean restart) {
    return restart ? "resubmitted or recirculated" : "cloned in egress";
  }

  /** The first waiting packet reenters ingress. */
  @Override
  public void onEvent(long nowNanos, long argument) {
    if (argument != generation) {
      // The packet was lost when the program was replaced.
      return;
    }
    SwitchPacket packet = turning[head];
    boolean restart = restarts[head];
    turning[head] = null;
    head = (head + 1) & (turning.length - 1);
    count--;
    if (restart) {
      node.pipeline().reenter(packet, nowNanos / NANOS_PER_MICRO);
      node.afterIngress(packet, nowNanos);
    } else {
      node.forward(packet, nowNanos);
    }
  }

  /** Drops the waiting packets: they carry the parsed state of a replaced program. */
  int flush(PacketPipeline owner) {
    int flushed = count;
    generation++;
    while (count > 0) {
      turning[head].loss = SwitchPacket.Loss.PROGRAM_REPLACED;
      owner.release(turning[head]);
      turning[head] = null;
      head = (head + 1) & (turning.length - 1);
      count--;
    }
    return flushed;
  }

  private void grow() {
    int size = turning.length;
    SwitchPacket[] packets = new SwitchPacket[2 * size];
    boolean[] flags = new boolean[2 * size];
    for (int i = 0; i < size; i++) {
      int from = (head + i) & (size - 1);
      packets[i] = turning[from];
      flags[i] = restarts[from];
    }
    turning = packets;
    restarts = flags;
    head = 0;
  }
}
