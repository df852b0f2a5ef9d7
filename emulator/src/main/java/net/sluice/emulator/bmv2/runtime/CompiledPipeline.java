package net.sluice.emulator.bmv2.runtime;

import java.util.ArrayDeque;
import net.sluice.emulator.switching.PacketPipeline;
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

  /** For the generated subclass. */
  protected CompiledPipeline(PipelineState state) {
    random = state.random();
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
