package net.sluice.emulator.v1model.runtime;

import java.util.ArrayDeque;
import net.sluice.emulator.switching.CloneSession;
import net.sluice.emulator.switching.PacketPipeline;
import net.sluice.emulator.switching.ReplicationEngine;
import net.sluice.emulator.switching.SwitchPacket;

/**
 * The superclass of generated pipelines: a pool of packets, scratch space, and counts of program
 * errors.
 */
public abstract class CompiledPipeline implements PacketPipeline {

  /** Capacity of the pool, packets. */
  private static final int POOL_LIMIT = 1 << 16;

  /**
   * Backward jumps in a control or an action after which it counts as an endless loop: more than
   * any program needs, and a fraction of a second.
   */
  public static final int MAX_ROUNDS = 1 << 20;

  /** {@link ParsedPacket#reenterAs} of a resubmitted packet. */
  private static final int RESUBMITTED = 6;

  private final ArrayDeque<ParsedPacket> pool = new ArrayDeque<>();
  private long outOfRange;
  private long foreignPackets;
  private PacketTap tap;
  private Prefetch prefetch = (bytes, offsets, lengths, count) -> 0;

  /** The pipeline that makes this one's packets: itself, or the untraced one if this is traced. */
  private CompiledPipeline home = this;

  /** Source of the program's random numbers. */
  protected final RandomSource random;

  /** Scratch space for checksums and hashes. */
  protected final BitBuffer scratch = new BitBuffer();

  /** Destination of the program's messages. */
  protected final MessageLog log = new MessageLog();

  /** Backward jumps so far in the current action, if it is split. */
  protected int rounds;

  /** Destinations of copies. */
  protected final ReplicationEngine replication;

  /** Sum of prefetched cells: without a use the loads would be optimized away. */
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
    if (packet instanceof ParsedPacket parsedPacket && parsedPacket.trace != null) {
      parsedPacket.trace.released(parsedPacket);
      parsedPacket.trace = null;
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

  /** Sets the prefetcher. */
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

  /** Sets the tap that decides which packets are traced, from the next one on; null for none. */
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

  /** Ingress for a resubmitted or recirculated packet; in programs that have those. */
  protected void runReenter(ParsedPacket packet, long nowMicros) {
    throw new IllegalStateException("this program lets no packet come back");
  }

  /** Copies all headers and metadata; in programs that make copies. */
  protected void copyFields(ParsedPacket to, ParsedPacket from) {
    throw new IllegalStateException("this program makes no copies");
  }

  /** Sets a copy's instance number; in programs that make copies. */
  protected void setInstance(ParsedPacket packet, int instance) {
    throw new IllegalStateException("this program makes no copies");
  }

  /** Ingress of the program; {@code packet} is one that {@link #create} made. */
  protected abstract void runIngress(ParsedPacket packet, int port, long nowMicros);

  /** Egress of the program; {@code packet} is one that {@link #create} made. */
  protected abstract void runEgress(ParsedPacket packet, long nowMicros);

  /** A packet queued under another program cannot go on in this one: it is dropped and counted. */
  private boolean isOwn(SwitchPacket packet) {
    if (packet instanceof ParsedPacket parsedPacket && parsedPacket.owner == this) {
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

  /** Destination of the program's messages. */
  public final MessageLog log() {
    return log;
  }

  /** The exception for a point where bmv2 would abort. */
  protected static ProgramFailure failure(String what, ParsedPacket packet) {
    return new ProgramFailure(what + ", for a packet that came in on port " + packet.ingressPort);
  }

  /** The exception for {@link #MAX_ROUNDS} backward jumps. */
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
