package net.sluice.emulator.v1model.runtime;

import net.sluice.emulator.switching.SwitchPacket;

/**
 * A packet in a compiled pipeline. The generated subclass adds a member for every field and header
 * of the program.
 */
public abstract class ParsedPacket extends SwitchPacket {

  /** End of the parsed headers, as an index into the buffer; the payload follows. */
  public int position;

  /** End of the packet in the buffer. */
  public int end;

  /** Length of the packet as received, bytes; what counters count. */
  public int receivedBytes;

  /**
   * Length of the packet as headers are added and removed, bytes; egress finds it in its metadata.
   */
  public int currentBytes;

  /** Virtual time of the current control, microseconds; only kept if there are meters. */
  public long nowMicros;

  /** Number of the parser's error. */
  public int parserError;

  /** Flag in {@link #cloneRequest}, beside the session's number. */
  public static final int CLONE_ASKED = 0x8000;

  /** Clone session that an action requested, with {@link #CLONE_ASKED}; or 0. */
  public int cloneRequest;

  /** Number of the field list that the clone keeps. */
  public int cloneList;

  /** Number of the field list to resubmit the packet with, or 0. */
  public int resubmitList;

  /** Number of the field list to recirculate the packet with, or 0. */
  public int recirculateList;

  /** Number of the digest that an action requested, or 0. */
  public int digestRequest;

  /** {@code instance_type} with which the packet reenters the parser. */
  public int reenterAs;

  /** Number of the field list that it then keeps. */
  public int reenterList;

  /** Most bytes of the packet to send. */
  public int truncateTo;

  /** Whether an action executed {@code exit}. */
  public boolean exited;

  /** The packet's trace, or null. */
  public PacketTrace trace;

  /** The traced pipeline that the packet goes through if it has a trace. */
  CompiledPipeline tracedIn;

  /** The pipeline that the packet belongs to. */
  final Object owner;

  /** For the generated subclass. */
  protected ParsedPacket(Object owner) {
    this.owner = owner;
  }

  /** Readies the packet for its parser. */
  public final void begin() {
    position = offset;
    end = offset + length;
    receivedBytes = length;
    currentBytes = length;
    parserError = 0;
    exited = false;
    dropped = false;
  }

  /** Clears the requests of actions. */
  public final void forgetRequests() {
    cloneRequest = 0;
    cloneList = 0;
    resubmitList = 0;
    recirculateList = 0;
    digestRequest = 0;
    truncateTo = Integer.MAX_VALUE;
  }

  /**
   * Copies the bytes of another packet as they were received or last sent, {@code count} of them at
   * most, and its ingress port.
   */
  final void copyReceived(ParsedPacket from, int count) {
    setBytes(from.bytes, from.offset, Math.min(count, from.length));
    copyOrigin(from);
    begin();
    receivedBytes = from.receivedBytes;
  }

  /**
   * Copies the bytes and parser state of a parsed packet; the headers' fields are left to the
   * caller.
   */
  final void copyParsed(ParsedPacket from) {
    setBytes(from.bytes, from.offset, from.end - from.offset);
    copyOrigin(from);
    position = offset + from.position - from.offset;
    end = offset + length;
    receivedBytes = from.receivedBytes;
    currentBytes = from.currentBytes;
    parserError = from.parserError;
    exited = false;
  }

  private void copyOrigin(ParsedPacket from) {
    ingressPort = from.ingressPort;
    ingressMicros = from.ingressMicros;
    priority = from.priority;
    tag = from.tag;
    turns = from.turns;
    forgetRequests();
  }

  /**
   * Cuts the payload so that the packet has {@code bytes}, or just its headers if they are more.
   */
  public final void cut(int bytes, int headerBytes) {
    int payload = Math.max(0, Math.min(end - position, bytes - headerBytes));
    end = position + payload;
    length = end - offset;
    currentBytes = headerBytes + payload;
  }

  /** Cuts what is sent to what {@link #truncateTo} allows. */
  public final void truncate() {
    length = Math.min(length, truncateTo);
  }

  /** Makes the packet start {@code headerBytes} in front of the payload. Returns its index. */
  public final int reserve(int headerBytes) {
    int start = position - headerBytes;
    if (start < 0) {
      int more = HEADROOM_BYTES - start;
      byte[] bigger = new byte[bytes.length + more];
      System.arraycopy(bytes, position, bigger, position + more, end - position);
      bytes = bigger;
      headroom += more;
      position += more;
      end += more;
      start += more;
    }
    offset = start;
    length = end - start;
    return start;
  }
}
