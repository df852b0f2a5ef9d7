package net.sluice.emulator.netsim.host;

import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.netsim.traffic.FlowTag;

/** The configuration of a {@link Host}. Immutable; made by {@link #named}. */
public final class HostConfig {

  /** Smallest MTU, bytes: the minimum of IPv6, RFC 8200 section 5. */
  public static final int MIN_MTU_BYTES = 1_280;

  /** Largest MTU, bytes. */
  public static final int MAX_MTU_BYTES = 9_000;

  static final int TPID_C = 0x8100;
  static final int TPID_S = 0x88A8;
  static final int MAX_VID = 4_095;

  private static final long MAX_MAC = 0xFFFF_FFFF_FFFFL;

  private final String name;
  private final long mac;
  private final long nextHopMac;
  private final List<IpAddress> addresses;
  private final int[] tpids;
  private final int[] vids;
  private final int mtuBytes;
  private final int flowId;

  private HostConfig(Builder builder) {
    this.name = builder.name;
    this.mac = builder.mac;
    this.nextHopMac = builder.nextHopMac;
    this.addresses = List.copyOf(builder.addresses);
    this.tpids = builder.tpids;
    this.vids = builder.vids;
    this.mtuBytes = builder.mtuBytes;
    this.flowId = builder.flowId;
  }

  /** Starts a configuration; the name is for messages. */
  public static Builder named(String name) {
    return new Builder(name);
  }

  /** Name for messages. */
  public String name() {
    return name;
  }

  /** The host's MAC address, 48 bits. */
  public long mac() {
    return mac;
  }

  /** Next-hop MAC address of every frame, 48 bits. */
  public long nextHopMac() {
    return nextHopMac;
  }

  /** The host's addresses, at least one. */
  public List<IpAddress> addresses() {
    return addresses;
  }

  /** Largest IP packet, bytes. */
  public int mtuBytes() {
    return mtuBytes;
  }

  /** The flow in the {@link FlowTag} of every frame. */
  public int flowId() {
    return flowId;
  }

  int tags() {
    return vids.length;
  }

  int tpid(int tag) {
    return tpids[tag];
  }

  int vid(int tag) {
    return vids[tag];
  }

  /** Builder of a configuration. */
  public static final class Builder {
    private final String name;
    private long mac = 0x02_00_00_00_00_01L;
    private long nextHopMac = 0x02_00_00_00_00_02L;
    private final List<IpAddress> addresses = new ArrayList<>();
    private int[] tpids = {};
    private int[] vids = {};
    private int mtuBytes = 1_500;
    private int flowId;

    private Builder(String name) {
      this.name = name;
    }

    /** The host's MAC address and that of its next hop, 48 bits each. */
    public Builder macs(long own48, long nextHop48) {
      check("mac", own48, 0, MAX_MAC);
      check("nextHopMac", nextHop48, 0, MAX_MAC);
      this.mac = own48;
      this.nextHopMac = nextHop48;
      return this;
    }

    /** Adds an IPv4 or IPv6 address given as a literal; the first of a family is its source. */
    public Builder address(String literal) {
      return address(IpAddress.of(literal));
    }

    /** Adds an address; the first of a family is what the host sends from. */
    public Builder address(IpAddress address) {
      addresses.add(address);
      return this;
    }

    /** One 802.1Q tag (TPID 0x8100) on every frame, VLAN id 0..4095. */
    public Builder vlan(int vid) {
      check("vid", vid, 0, MAX_VID);
      this.tpids = new int[] {TPID_C};
      this.vids = new int[] {vid};
      return this;
    }

    /** An S-tag (TPID 0x88A8) and inside it a C-tag (TPID 0x8100), VLAN ids 0..4095. */
    public Builder vlans(int sVid, int cVid) {
      check("sVid", sVid, 0, MAX_VID);
      check("cVid", cVid, 0, MAX_VID);
      this.tpids = new int[] {TPID_S, TPID_C};
      this.vids = new int[] {sVid, cVid};
      return this;
    }

    /**
     * Largest IP packet, {@value #MIN_MTU_BYTES}..{@value #MAX_MTU_BYTES} bytes; 1500 unless set.
     */
    public Builder mtuBytes(int bytes) {
      check("mtuBytes", bytes, MIN_MTU_BYTES, MAX_MTU_BYTES);
      this.mtuBytes = bytes;
      return this;
    }

    /** Flow id that sinks and taps see on the host's frames; 0 unless set. */
    public Builder flowId(int id) {
      check("flowId", id, 0, FlowTag.MAX_FLOWS - 1);
      this.flowId = id;
      return this;
    }

    /**
     * The configuration.
     *
     * @throws IllegalStateException when there is no address
     */
    public HostConfig build() {
      if (addresses.isEmpty()) {
        throw new IllegalStateException("addresses of host " + name + ": must be at least one");
      }
      return new HostConfig(this);
    }

    private void check(String field, long value, long min, long max) {
      if (value < min || value > max) {
        throw new IllegalArgumentException(
            field + " " + value + " of host " + name + ": must be " + min + ".." + max);
      }
    }
  }
}
