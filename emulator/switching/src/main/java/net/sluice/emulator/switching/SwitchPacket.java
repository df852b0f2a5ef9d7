package net.sluice.emulator.switching;

/**
 * A packet inside a switch: its bytes, with headroom in front so that a deparser can grow it
 * without copying the payload, and the metadata that pipeline and traffic manager exchange.
 *
 * <p>A pipeline makes its own subclass, which carries the parsed state next to the bytes from
 * ingress to egress. Packets are pooled: take one with {@link PacketPipeline#acquire()}, give it
 * back with {@link PacketPipeline#release(SwitchPacket)}, never use it afterwards. One thread at a
 * time.
 *
 * <p>The metadata are public members on purpose: they are read and written several times per packet
 * by code that has no invariant to keep about them.
 */
public abstract class SwitchPacket {

  /**
   * Room in front of a received packet for headers that the pipeline adds, bytes; a packet that has
   * once needed more keeps more.
   */
  public static final int HEADROOM_BYTES = 128;

  /**
   * Room behind the longest packet the buffer takes, so that a header's last field can be read with
   * a word-sized load, bytes.
   */
  protected static final int TAILROOM_BYTES = 8;

  /** Capacity of a new packet's buffer behind the headroom, bytes; a longer packet grows it. */
  private static final int INITIAL_CAPACITY_BYTES = 2048;

  /** In {@link #requests}: {@link #clone} waits for its copies to be queued. */
  public static final int CLONE = 1;

  /** In {@link #requests}: copies for {@link #multicastGroup} are wanted instead of the packet. */
  public static final int MULTICAST = 2;

  /**
   * In {@link #requests}: the packet is to go through {@link PacketPipeline#reenter} instead of
   * going on.
   */
  public static final int REENTER = 4;

  /** Port the packet came in on; set by {@link PacketPipeline#ingress}. */
  public int ingressPort;

  /**
   * Port the packet goes out of; set by ingress processing, may be set by a traffic manager before
   * egress.
   */
  public int egressPort;

  /** Virtual time the packet entered ingress, microseconds. */
  public long ingressMicros;

  /**
   * Virtual time the packet entered its egress queue, microseconds; set by the traffic manager
   * before egress.
   */
  public long enqMicros;

  /**
   * Packets in the egress queue when this one entered it; set by the traffic manager before egress.
   */
  public int enqQdepth;

  /** Time spent in the egress queue, microseconds; set by the traffic manager before egress. */
  public int deqTimedelta;

  /**
   * Packets left in the egress queue when this one left it; set by the traffic manager before
   * egress.
   */
  public int deqQdepth;

  /** Queue priority that ingress asked for, 0..7, 0 by default. */
  public int priority;

  /** Reasons for a traffic manager to drop a packet. */
  public enum Loss {
    /** Not dropped. */
    NONE,
    /** The egress port does not exist. */
    NO_SUCH_PORT,
    /** The queue had no room. */
    QUEUE_FULL,
    /** No queue serves the packet's priority. */
    NO_SUCH_QUEUE,
    /** The egress port was down, or went down while the packet waited. */
    PORT_DOWN,
    /** The multicast group does not exist. */
    NO_SUCH_GROUP,
    /** The multicast group or clone session makes no copies. */
    NO_COPIES,
    /** Too many packets wait to reenter ingress. */
    TOO_MANY_RETURN,
    /** The program in force was replaced while the packet waited. */
    PROGRAM_REPLACED
  }

  /**
   * Why the traffic manager dropped the packet; set before it releases the packet, and read if the
   * packet is traced.
   */
  public Loss loss = Loss.NONE;

  /** True when the pipeline decided to drop the packet; it then goes nowhere. */
  public boolean dropped;

  /**
   * The pipeline's requests to the traffic manager besides or instead of forwarding the packet: a
   * sum of {@link #CLONE}, {@link #MULTICAST} and {@link #REENTER}. Set by ingress and by egress.
   */
  public int requests;

  /** With {@link #CLONE}, a packet ready for egress; the traffic manager takes it over. */
  public SwitchPacket clone;

  /** With {@link #CLONE}, the clone session. */
  public CloneSession cloneSession;

  /** With {@link #MULTICAST}, the group. */
  public int multicastGroup;

  /** Free for the owner of the packet, for instance for a flow id; pipelines keep it. */
  public long tag;

  /**
   * Times the packet has reentered ingress or been cloned in egress, counted by the traffic
   * manager; a copy inherits the count.
   */
  public int turns;

  /** The buffer. */
  protected byte[] bytes = new byte[HEADROOM_BYTES + INITIAL_CAPACITY_BYTES + TAILROOM_BYTES];

  /** Room in front of a received packet in {@link #bytes}, bytes. */
  protected int headroom = HEADROOM_BYTES;

  /** Offset of the packet in {@link #bytes}. */
  protected int offset = HEADROOM_BYTES;

  /** Length of the packet, bytes. */
  protected int length;

  /** For pipelines only. */
  protected SwitchPacket() {}

  /**
   * The buffer holding the packet; valid until the next {@link #setBytes} or pass through the
   * pipeline.
   */
  public final byte[] bytes() {
    return bytes;
  }

  /** Index in {@link #bytes()} of the packet's first byte. */
  public final int offset() {
    return offset;
  }

  /** Length of the packet, bytes. */
  public final int length() {
    return length;
  }

  /** Copies a packet in and resets the metadata. */
  public final void setBytes(byte[] source, int from, int count) {
    if (count > bytes.length - headroom - TAILROOM_BYTES) {
      bytes = new byte[headroom + Math.max(count, 2 * bytes.length) + TAILROOM_BYTES];
    }
    System.arraycopy(source, from, bytes, headroom, count);
    offset = headroom;
    length = count;
    ingressPort = 0;
    egressPort = 0;
    ingressMicros = 0;
    enqMicros = 0;
    enqQdepth = 0;
    deqTimedelta = 0;
    deqQdepth = 0;
    priority = 0;
    dropped = false;
    requests = 0;
    clone = null;
    cloneSession = null;
    multicastGroup = 0;
    tag = 0;
    turns = 0;
  }

  /** Copies the packet's bytes out. */
  public final byte[] toByteArray() {
    byte[] copy = new byte[length];
    System.arraycopy(bytes, offset, copy, 0, length);
    return copy;
  }
}
