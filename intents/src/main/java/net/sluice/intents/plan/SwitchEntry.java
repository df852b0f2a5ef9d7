package net.sluice.intents.plan;

import java.util.Optional;
import java.util.OptionalInt;
import net.sluice.intents.model.AqmKind;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.IpPrefix.Family;
import net.sluice.intents.model.PortQueue;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.profile.MarkerLayout;
import net.sluice.intents.profile.RateWord;

/**
 * One entry of a switch table, in domain words. A record's components up to those named by {@link
 * #key()} are the match, the others the data. Ports are switch port numbers, 0..511.
 */
public sealed interface SwitchEntry extends Entity {
  /** The table the entry belongs to. */
  Table table();

  /** The match: two entries with equal keys are the same entry with perhaps different data. */
  Key key();

  /** True if {@code other} has the same table and match; like {@code key().equals(other.key())}. */
  default boolean sameKey(SwitchEntry other) {
    return table() == other.table() && key().equals(other.key());
  }

  @Override
  default String tableName() {
    return table().text();
  }

  @Override
  default long keyNumber() {
    return KeyNumbers.of(this);
  }

  /** The index of the subscriber that the entry is of; 0 if it is of none. */
  default int subscriberIndex() {
    return 0;
  }

  /** A table and a match within it. */
  record Key(Table table, Object match) {}

  /** Match of {@link SubscriberVlanEntry}. */
  record VlanKey(int ingressPort, VlanTags vlans) {}

  /** Match of {@link PolicyValueEntry}. */
  record PolicyValueKey(int policySlot, int bin) {}

  /**
   * The switch's data of a subscriber, the same under each of its prefixes and VLAN tags.
   *
   * @param index subscriber index, 1 or more; selects rate filter and counters
   * @param policySlot 1..63, or 255 if its packets are dropped as suspended
   * @param egressPort switch port towards the subscriber
   * @param queueId FPGA queue, 18 bits, class 0, which a {@link TrafficClassEntry} replaces; 0 when
   *     not shaped
   * @param shapeDown whether packets to the subscriber pass the sidecar
   * @param shapeUp whether packets from the subscriber pass the sidecar
   * @param hasLine whether it has VLAN tags, so that upstream a source address does not stand for
   *     it
   */
  record SubscriberData(
      int index,
      int policySlot,
      int egressPort,
      int queueId,
      boolean shapeDown,
      boolean shapeUp,
      boolean hasLine) {
    /** A subscriber without VLAN tags. */
    public SubscriberData(
        int index,
        int policySlot,
        int egressPort,
        int queueId,
        boolean shapeDown,
        boolean shapeUp) {
      this(index, policySlot, egressPort, queueId, shapeDown, shapeUp, false);
    }
  }

  /**
   * Classifies by address: destination when down, source when up.
   *
   * @param tableNumber which table of that kind it is in, if there are several ({@link
   *     MarkerLayout#prefixTable}); empty if there is one
   */
  record SubscriberPrefixEntry(IpPrefix prefix, OptionalInt tableNumber, SubscriberData data)
      implements SwitchEntry {
    /** An entry of the only table of its kind. */
    public SubscriberPrefixEntry(IpPrefix prefix, SubscriberData data) {
      this(prefix, OptionalInt.empty(), data);
    }

    @Override
    public Table table() {
      return prefix.family() == Family.V4 ? Table.IPV4_PREFIX : Table.IPV6_PREFIX;
    }

    @Override
    public int subscriberIndex() {
      return data.index();
    }

    @Override
    public Key key() {
      return new Key(
          table(),
          tableNumber.isEmpty() ? prefix : new NumberedPrefix(tableNumber.getAsInt(), prefix));
    }

    @Override
    public String toString() {
      String number = tableNumber.isEmpty() ? "" : "tableNumber=" + tableNumber.getAsInt() + ", ";
      return "SubscriberPrefixEntry[prefix=" + prefix + ", " + number + "data=" + data + "]";
    }
  }

  /** Match of {@link SubscriberPrefixEntry} where several tables are of its kind. */
  record NumberedPrefix(int tableNumber, IpPrefix prefix) {}

  /**
   * Classifies upstream packets by ingress port and VLAN tags.
   *
   * @param anyCustomer whether packets with any customer VLAN belong to it, or none, unless there
   *     is an entry for both; where it is false, {@code vlans} are all tags that they have
   */
  record SubscriberVlanEntry(
      int ingressPort, VlanTags vlans, boolean anyCustomer, SubscriberData data)
      implements SwitchEntry {
    /** An entry of a switch that checks senders. */
    public SubscriberVlanEntry(int ingressPort, VlanTags vlans, SubscriberData data) {
      this(ingressPort, vlans, !vlans.isPair(), data);
    }

    @Override
    public Table table() {
      return anyCustomer ? Table.SERVICE_VLAN : Table.VLAN;
    }

    @Override
    public int subscriberIndex() {
      return data.index();
    }

    @Override
    public Key key() {
      return new Key(table(), new VlanKey(ingressPort, vlans));
    }
  }

  /** Tags pushed on downstream packets of subscriber {@code index}. */
  record EncapsulationEntry(int index, VlanTags vlans) implements SwitchEntry {
    @Override
    public Table table() {
      return Table.ENCAPSULATION;
    }

    @Override
    public Key key() {
      return new Key(table(), index);
    }

    @Override
    public int subscriberIndex() {
      return index;
    }
  }

  /** Packets of {@code direction} of subscriber {@code index} have the policy in that slot. */
  record DirectionPolicyEntry(int index, Direction direction, int policySlot)
      implements SwitchEntry {
    @Override
    public Table table() {
      return Table.DIRECTION_POLICY;
    }

    @Override
    public Key key() {
      return new Key(table(), index << 1 | direction.ordinal());
    }

    @Override
    public int subscriberIndex() {
      return index;
    }
  }

  /** Packet value code (16 bits) of rate bin {@code bin} under policy {@code policySlot}. */
  record PolicyValueEntry(int policySlot, int bin, int packetValue) implements SwitchEntry {
    @Override
    public Table table() {
      return Table.POLICY_VALUE;
    }

    @Override
    public Key key() {
      return new Key(table(), new PolicyValueKey(policySlot, bin));
    }
  }

  /**
   * Measured rates {@code low..high}, both included, in the filter's units, are in {@code bin}. In
   * a table that does not match ranges a bin has several entries.
   */
  record RateBinEntry(int bin, long low, long high) implements SwitchEntry {
    @Override
    public Table table() {
      return Table.RATE_BIN;
    }

    @Override
    public Key key() {
      return new Key(table(), new NumberRange(low, high));
    }
  }

  /** Match of {@link RateBinEntry} and {@link RandomRateEntry}, both ends included. */
  record NumberRange(long low, long high) {}

  /** Random numbers {@code low..high}, both included, 16 bits, take {@code offset} bins off. */
  record RandomRateEntry(int offset, int low, int high) implements SwitchEntry {
    @Override
    public Table table() {
      return Table.RANDOM_RATE;
    }

    @Override
    public Key key() {
      return new Key(table(), new NumberRange(low, high));
    }
  }

  /**
   * The role of {@code port} and the direction of packets that enter there.
   *
   * @param dropUnknown whether the port drops what belongs to no subscriber; only of role ACCESS,
   *     upstream
   */
  record PortRoleEntry(int port, PortRole role, Direction direction, boolean dropUnknown)
      implements SwitchEntry {
    /** A port that takes what belongs to no subscriber. */
    public PortRoleEntry(int port, PortRole role, Direction direction) {
      this(port, role, direction, false);
    }

    @Override
    public Table table() {
      return Table.PORT_ROLE;
    }

    @Override
    public Key key() {
      return new Key(table(), port);
    }
  }

  /** Shaped packets of {@code direction} go to the sidecar on {@code port}. */
  record SidecarEntry(Direction direction, int port) implements SwitchEntry {
    @Override
    public Table table() {
      return Table.SIDECAR;
    }

    @Override
    public Key key() {
      return new Key(table(), direction);
    }
  }

  /** Packets to {@code prefix} leave by {@code port}. */
  record RouteEntry(IpPrefix prefix, int port) implements SwitchEntry {
    @Override
    public Table table() {
      return prefix.family() == Family.V4 ? Table.IPV4_ROUTE : Table.IPV6_ROUTE;
    }

    @Override
    public Key key() {
      return new Key(table(), prefix);
    }
  }

  /** How {@code port}'s congestion threshold value is steered; times in microseconds. */
  record CongestionThresholdEntry(
      int port,
      Gain gain,
      long targetMicros,
      long overloadMicros,
      long periodMicros,
      long idleMicros,
      long ecnDropMicros)
      implements SwitchEntry {
    @Override
    public Table table() {
      return Table.CONGESTION_THRESHOLD;
    }

    @Override
    public Key key() {
      return new Key(table(), port);
    }
  }

  /**
   * How the delay of {@code port}'s class queue {@code queue}, 0..7, is managed; times in
   * microseconds. With {@code ecn}, packets of senders that understand it are marked, not dropped.
   */
  record QueueAqmEntry(
      int port, int queue, AqmKind kind, long targetMicros, long intervalMicros, boolean ecn)
      implements SwitchEntry {
    @Override
    public Table table() {
      return Table.QUEUE_AQM;
    }

    @Override
    public Key key() {
      return new Key(table(), new PortQueue(port, queue));
    }
  }

  /**
   * The packets by which CoDel-ACT carries state from one copy of it to the other leave by {@code
   * port}. They end in egress, so nothing of them is seen on the line.
   */
  record MirrorEntry(int port) implements SwitchEntry {
    @Override
    public Table table() {
      return Table.MIRROR;
    }

    @Override
    public Key key() {
      return new Key(table(), "");
    }
  }

  /**
   * Packets of {@code direction} of subscriber {@code index} are metered: by a meter of its own if
   * there is one, and by those of its tree and BNG port if these have any.
   */
  record SubscriberMeterEntry(
      int index, Direction direction, Attachment at, Optional<MeterSetting> meter)
      implements SwitchEntry {
    @Override
    public Table table() {
      return Table.SUBSCRIBER_METER;
    }

    @Override
    public Key key() {
      return new Key(table(), index << 1 | direction.ordinal());
    }

    @Override
    public int subscriberIndex() {
      return index;
    }
  }

  /** The meter of a tree; empty only if somebody has taken it off. */
  record TreeMeterEntry(Attachment at, Direction direction, Optional<MeterSetting> meter)
      implements SwitchEntry {
    @Override
    public Table table() {
      return Table.TREE_METER;
    }

    @Override
    public Key key() {
      return new Key(table(), at.treeIndex() << 1 | direction.ordinal());
    }
  }

  /** The meter of a BNG port; empty only if somebody has taken it off. */
  record PortMeterEntry(int port, Direction direction, Optional<MeterSetting> meter)
      implements SwitchEntry {
    @Override
    public Table table() {
      return Table.PORT_METER;
    }

    @Override
    public Key key() {
      return new Key(table(), port << 1 | direction.ordinal());
    }
  }

  /**
   * Packets of {@code direction} of subscriber {@code index} are held back: to its own rate, if
   * there is one, and to those of its tree and BNG port if these have any.
   *
   * @param rateWord see {@link RateWord}; {@link RateWord#UNLIMITED} without a limit of its own
   */
  record SubscriberLimitEntry(int index, Direction direction, Attachment at, int rateWord)
      implements SwitchEntry {
    @Override
    public Table table() {
      return Table.SUBSCRIBER_LIMIT;
    }

    @Override
    public Key key() {
      return new Key(table(), index << 1 | direction.ordinal());
    }

    @Override
    public int subscriberIndex() {
      return index;
    }
  }

  /** The rate of a tree, see {@link RateWord}. */
  record TreeLimitEntry(Attachment at, Direction direction, int rateWord) implements SwitchEntry {
    @Override
    public Table table() {
      return Table.TREE_LIMIT;
    }

    @Override
    public Key key() {
      return new Key(table(), at.treeIndex() << 1 | direction.ordinal());
    }
  }

  /** The rate of a BNG port, see {@link RateWord}. */
  record PortLimitEntry(int port, Direction direction, int rateWord) implements SwitchEntry {
    @Override
    public Table table() {
      return Table.PORT_LIMIT;
    }

    @Override
    public Key key() {
      return new Key(table(), port << 1 | direction.ordinal());
    }
  }

  /**
   * Packets that wait in {@code pipe}, 0..3, go round by {@code port}; none is let in there with
   * which more than {@code bufferBytes} would wait in all pipes.
   */
  record LoopPortEntry(int pipe, int port, long bufferBytes) implements SwitchEntry {
    @Override
    public Table table() {
      return Table.LOOP_PORT;
    }

    @Override
    public Key key() {
      return new Key(table(), pipe);
    }
  }

  /**
   * Packets of {@code direction} of subscriber {@code index} are aggregate {@code aggregate}, whose
   * packets within its contract get codepoint {@code dscpIn} and the others {@code dscpOut}. With
   * another {@code holder}, 32 bits, than before the aggregate begins anew in the switch.
   */
  record AggregateEntry(
      int index,
      Direction direction,
      int aggregate,
      long holder,
      MarkingSetting marking,
      int dscpIn,
      int dscpOut)
      implements SwitchEntry {
    @Override
    public Table table() {
      return Table.AGGREGATE;
    }

    @Override
    public Key key() {
      return new Key(table(), index << 1 | direction.ordinal());
    }

    @Override
    public int subscriberIndex() {
      return index;
    }
  }

  /** Match of {@link FlowWeightEntry}. */
  record FlowWeightKey(int aggregate, int dscp) {}

  /**
   * Flows of an aggregate that come with a codepoint have a share of this weight, 1,024 times its
   * logarithm to base 2.
   */
  record FlowWeightEntry(int aggregate, int dscp, int weightLog) implements SwitchEntry {
    @Override
    public Table table() {
      return Table.FLOW_WEIGHT;
    }

    @Override
    public Key key() {
      return new Key(table(), new FlowWeightKey(aggregate, dscp));
    }
  }

  /**
   * RED's curve: no drops below {@code least} waiting packets, all from {@code most} on.
   *
   * @param least averaged number of packets, in 2^-16
   * @param most likewise
   * @param slope growth of the drop probability by each packet between, in 2^-24
   */
  record RedCurve(long least, long most, int slope) {}

  /**
   * RIO before {@code port}'s class queue {@code queue}, 0..7.
   *
   * @param dscpIn codepoint of packets within their contract
   * @param limitPackets packets that may wait
   * @param weightShift weight of a packet in the averages, 2^-shift
   * @param idleShift an empty queue halves the averages every 2^shift us
   */
  record QueueRioEntry(
      int port,
      int queue,
      int dscpIn,
      int limitPackets,
      int weightShift,
      int idleShift,
      RedCurve in,
      RedCurve out)
      implements SwitchEntry {
    @Override
    public Table table() {
      return Table.QUEUE_RIO;
    }

    @Override
    public Key key() {
      return new Key(table(), new PortQueue(port, queue));
    }
  }

  /** Match of {@link TrafficClassEntry}. */
  record TrafficClassKey(int policySlot, int dscp) {}

  /**
   * Packets with codepoint {@code dscp} of subscribers under policy {@code policySlot} go to class
   * {@code queueClass}, 0..7, of the FPGA's queues, others to class 0.
   */
  record TrafficClassEntry(int policySlot, int dscp, int queueClass) implements SwitchEntry {
    @Override
    public Table table() {
      return Table.TRAFFIC_CLASS;
    }

    @Override
    public Key key() {
      return new Key(table(), new TrafficClassKey(policySlot, dscp));
    }
  }

  /**
   * Addresses (48 bits) of frames leaving {@code port}; whether they keep their packet value, and
   * whether they keep their priority in a tag of VLAN 0.
   */
  record EgressPortEntry(
      int port, long sourceMac, long destinationMac, boolean keepPacketValue, boolean priorityTag)
      implements SwitchEntry {
    /** A port that keeps no priorities. */
    public EgressPortEntry(int port, long sourceMac, long destinationMac, boolean keepPacketValue) {
      this(port, sourceMac, destinationMac, keepPacketValue, false);
    }

    @Override
    public Table table() {
      return Table.EGRESS_PORT;
    }

    @Override
    public Key key() {
      return new Key(table(), port);
    }
  }
}
