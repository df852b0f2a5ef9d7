package net.sluice.emulator.bmv2.runtime;

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

  private final ArrayDeque<ParsedPacket> pool = new ArrayDeque<>();
  private long outOfRange;
  private long foreignPackets;

  /** Source of the program's random numbers. */
  protected final RandomSource random;

  /** Scratch space for checksums and hashes. */
  protected final BitBuffer scratch = new BitBuffer();

  /** Where the program's messages go. */
  protected final MessageLog log = new MessageLog();

  /** Where copies go. */
  protected final ReplicationEngine replication;

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
    if (packet instanceof ParsedPacket
        && ((ParsedPacket) packet).owner == this
        && pool.size() < POOL_LIMIT) {
      pool.addLast((ParsedPacket) packet);
    }
  }

  @Override
  public final void ingress(SwitchPacket packet, int port, long nowMicros) {
    if (isOwn(packet)) {
      runIngress((ParsedPacket) packet, port, nowMicros);
    }
  }

  @Override
  public final void egress(SwitchPacket packet, long nowMicros) {
    if (isOwn(packet)) {
      runEgress((ParsedPacket) packet, nowMicros);
    }
  }

  @Override
  public final void reenter(SwitchPacket packet, long nowMicros) {
    if (isOwn(packet)) {
      packet.requests = 0;
      runReenter((ParsedPacket) packet, nowMicros);
    }
  }

  @Override
  public final SwitchPacket replica(SwitchPacket packet, int instance) {
    ParsedPacket copy = (ParsedPacket) acquire();
    copy.copyParsed((ParsedPacket) packet);
    copyFields(copy, (ParsedPacket) packet);
    setInstance(copy, instance);
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
    ParsedPacket copy = (ParsedPacket) acquire();
    copy.copyReceived(packet, count);
    return copy;
  }

  /** A copy of a parsed packet. */
  protected final ParsedPacket parsed(ParsedPacket packet) {
    ParsedPacket copy = (ParsedPacket) acquire();
    copy.copyParsed(packet);
    copyFields(copy, packet);
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

  /**
   * Notes an access to a counter or register beyond its array, which has no other effect, as in
   * bmv2.
   */
  protected final void outOfRange() {
    outOfRange++;
  }

  /** Accesses to counters and registers beyond their arrays so far. */
  public final long outOfRangeAccesses() {
    return outOfRange;
  }
}
