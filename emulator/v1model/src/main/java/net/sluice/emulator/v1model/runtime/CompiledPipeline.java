package net.sluice.emulator.v1model.runtime;

import java.util.ArrayDeque;
import net.sluice.emulator.switching.CloneSession;
import net.sluice.emulator.switching.PacketPipeline;
import net.sluice.emulator.switching.ReplicationEngine;
import net.sluice.emulator.switching.SwitchPacket;

/**
 * What every generated pipeline has: a pool of packets, scratch space, and a count of what programs
 * did wrong.
 */
public abstract class CompiledPipeline implements PacketPipeline {

  /** More packets than this are not kept for reuse. */
  private static final int POOL_LIMIT = 1 << 16;

  /**
   * How often a packet goes back in a control or an action before that counts as going on for ever:
   * more than any program has a use for, and a fraction of a second.
   */
  public static final int MAX_ROUNDS = 1 << 20;

  /** What {@link ParsedPacket#reenterAs} is for a resubmitted packet. */
  private static final int RESUBMITTED = 6;

  private final ArrayDeque<ParsedPacket> pool = new ArrayDeque<>();
  private long outOfRange;
  private long foreignPackets;
  private PacketTap tap;
  private Prefetch prefetch = (bytes, offsets, lengths, count) -> 0;

  /** Whose packets this pipeline makes copies of: its own, but those of another if it is traced. */
  private CompiledPipeline home = this;

  /** Source of the program's random numbers. */
  protected final RandomSource random;

  /** Scratch space for checksums and hashes. */
  protected final BitBuffer scratch = new BitBuffer();

  /** Where the program's messages go. */
  protected final MessageLog log = new MessageLog();

  /** How often the packet has gone back in the action that it is in, if that is a long one. */
  protected int rounds;

  /** Where copies go. */
  protected final ReplicationEngine replication;

  /** Sum of cells that are loaded before they are needed: without a use they would not be. */
  protected long touched;

  /** For the generated subclass. */
  protected CompiledPipeline(PipelineState state) {
    random = state.random();
    replication = state.replication();
  }

  /** A new packet of the generated class. */
  protected abstract ParsedPacket create();

  @Override
  public final SwitchPacket acquire() {
    ParsedPacket packet = pool.pollLast();
    return packet == null ? create() : packet;
  }

  @Override
  public final void release(SwitchPacket packet) {
    if (packet instanceof ParsedPacket && ((ParsedPacket) packet).trace != null) {
      ((ParsedPacket) packet).trace.released((ParsedPacket) packet);
      ((ParsedPacket) packet).trace = null;
    }
    if (packet instanceof ParsedPacket
        && ((ParsedPacket) packet).owner == this
        && pool.size() < POOL_LIMIT) {
      pool.addLast((ParsedPacket) packet);
    }
  }

  @Override
  public final void ingress(SwitchPacket packet, int port, long nowMicros) {
    if (isOwn(packet)) {
      if (tap == null) {
        runIngress((ParsedPacket) packet, port, nowMicros);
      } else {
        watchedIngress((ParsedPacket) packet, port, nowMicros);
      }
    }
  }

  @Override
  public final void egress(SwitchPacket packet, long nowMicros) {
    if (isOwn(packet)) {
      if (((ParsedPacket) packet).trace == null) {
        runEgress((ParsedPacket) packet, nowMicros);
      } else {
        tracedEgress((ParsedPacket) packet, nowMicros);
      }
    }
  }

  /** Says who loads what coming packets need. */
  public final void prefetchBy(Prefetch loader) {
    prefetch = loader;
  }

  @Override
  public final void expect(byte[] bytes, int[] offsets, int[] lengths, int count) {
    touched += prefetch.load(bytes, offsets, lengths, count);
  }

  private void watchedIngress(ParsedPacket packet, int port, long nowMicros) {
    PacketTrace trace = tap.begin(packet, port, nowMicros);
    packet.trace = trace;
    if (trace == null) {
      runIngress(packet, port, nowMicros);
    } else {
      packet.tracedIn = tap.traced();
      try {
        packet.tracedIn.runIngress(packet, port, nowMicros);
      } catch (ProgramFailure e) {
        trace.failed(e.getMessage());
        throw e;
      }
      trace.ingressEnded(packet);
    }
  }

  private static void tracedEgress(ParsedPacket packet, long nowMicros) {
    packet.trace.egressBegins(packet);
    try {
      packet.tracedIn.runEgress(packet, nowMicros);
    } catch (ProgramFailure e) {
      packet.trace.failed(e.getMessage());
      throw e;
    }
    packet.trace.egressEnded(packet);
  }

  /** Has a tap decide from the next packet on which ones are traced; null for none. */
  public final void setTap(PacketTap tap) {
    outOfRange = outOfRangeAccesses();
    if (this.tap != null) {
      this.tap.traced().outOfRange = 0;
    }
    this.tap = tap;
    if (tap != null) {
      tap.traced().log.listener(log::message);
      tap.traced().home = this;
    }
  }

  @Override
  public final void reenter(SwitchPacket packet, long nowMicros) {
    if (isOwn(packet)) {
      packet.requests = 0;
      if (((ParsedPacket) packet).trace == null) {
        runReenter((ParsedPacket) packet, nowMicros);
      } else {
        tracedReenter((ParsedPacket) packet, nowMicros);
      }
    }
  }

  private static void tracedReenter(ParsedPacket packet, long nowMicros) {
    packet.trace.reentered(packet.reenterAs == RESUBMITTED ? "resubmitted" : "recirculated");
    try {
      packet.tracedIn.runReenter(packet, nowMicros);
    } catch (ProgramFailure e) {
      packet.trace.failed(e.getMessage());
      throw e;
    }
    packet.trace.ingressEnded(packet);
  }

  private static void traceCopy(ParsedPacket copy, ParsedPacket packet, String kind) {
    if (packet.trace != null) {
      copy.trace = packet.trace.copied(copy, kind);
      copy.tracedIn = packet.tracedIn;
    }
  }

  @Override
  public final SwitchPacket replica(SwitchPacket packet, int instance) {
    ParsedPacket copy = (ParsedPacket) acquire();
    copy.copyParsed((ParsedPacket) packet);
    copyFields(copy, (ParsedPacket) packet);
    setInstance(copy, instance);
    traceCopy(copy, (ParsedPacket) packet, "replica");
    return copy;
  }

  @Override
  public final void becomeReplica(SwitchPacket packet, int instance) {
    ((ParsedPacket) packet).forgetRequests();
    setInstance((ParsedPacket) packet, instance);
  }

  @Override
  public final ReplicationEngine replication() {
    return replication;
  }

  /** A copy of a packet as it was received, for its parser. */
  protected final ParsedPacket received(ParsedPacket packet, int count) {
    ParsedPacket copy = (ParsedPacket) home.acquire();
    copy.copyReceived(packet, count);
    traceCopy(copy, packet, "clone at ingress");
    return copy;
  }

  /** A copy of a parsed packet. */
  protected final ParsedPacket parsed(ParsedPacket packet) {
    ParsedPacket copy = (ParsedPacket) home.acquire();
    copy.copyParsed(packet);
    copyFields(copy, packet);
    traceCopy(copy, packet, "clone at egress");
    return copy;
  }

  /** Hands a clone over to the traffic manager. */
  protected static void handOver(ParsedPacket packet, ParsedPacket clone, CloneSession session) {
    if (session.classOfService() != 0) {
      clone.priority = session.classOfService();
    }
    packet.clone = clone;
    packet.cloneSession = session;
    packet.requests |= SwitchPacket.CLONE;
  }

  /** Ingress for a packet that comes back; of programs that have such packets. */
  protected void runReenter(ParsedPacket packet, long nowMicros) {
    throw new IllegalStateException("this program lets no packet come back");
  }

  /** Copies all headers and metadata; of programs that make copies. */
  protected void copyFields(ParsedPacket to, ParsedPacket from) {
    throw new IllegalStateException("this program makes no copies");
  }

  /** Tells a copy its instance number; of programs that make copies. */
  protected void setInstance(ParsedPacket packet, int instance) {
    throw new IllegalStateException("this program makes no copies");
  }

  /** Ingress of the program; {@code packet} is one that {@link #create} made. */
  protected abstract void runIngress(ParsedPacket packet, int port, long nowMicros);

  /** Egress of the program; {@code packet} is one that {@link #create} made. */
  protected abstract void runEgress(ParsedPacket packet, long nowMicros);

  /** A packet queued under another program cannot go on in this one: it is dropped and counted. */
  private boolean isOwn(SwitchPacket packet) {
    if (packet instanceof ParsedPacket && ((ParsedPacket) packet).owner == this) {
      return true;
    }
    packet.dropped = true;
    foreignPackets++;
    return false;
  }

  /** Packets dropped because another pipeline had made them. */
  public final long foreignPackets() {
    return foreignPackets;
  }

  /** Where the program's messages go. */
  public final MessageLog log() {
    return log;
  }

  /** What to throw where bmv2 would end. */
  protected static ProgramFailure failure(String what, ParsedPacket packet) {
    return new ProgramFailure(what + ", for a packet that came in on port " + packet.ingressPort);
  }

  /** What to throw where a packet went back {@link #MAX_ROUNDS} times. */
  protected static ProgramFailure endless(String what, ParsedPacket packet) {
    return failure(
        what + ", taken " + MAX_ROUNDS + " times for one packet, which counts as never ending",
        packet);
  }

  /**
   * Notes an access to a counter or register beyond its array, which has no other effect, as in
   * bmv2.
   */
  protected final void outOfRange() {
    outOfRange++;
  }

  /** Accesses to counters and registers beyond their arrays so far. */
  public final long outOfRangeAccesses() {
    return outOfRange + (tap == null ? 0 : tap.traced().outOfRange);
  }
}
