package net.sluice.pipeconf;

import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.plan.SwitchEntry.EncapsulationEntry;
import net.sluice.intents.plan.SwitchEntry.SubscriberData;
import net.sluice.intents.plan.SwitchEntry.SubscriberPrefixEntry;
import net.sluice.intents.plan.SwitchEntry.SubscriberVlanEntry;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** The tables that know subscribers: by address, by VLAN tags, and the tags of their lines. */
final class SubscriberTables {
  private static final ActionParam INDEX =
      new ActionParam(
          SluicePipeline.PARAM_SUBSCRIBER_INDEX,
          SluicePipeline.PARAM_SUBSCRIBER_INDEX_BITS,
          "subscriber index");
  private static final ActionParam POLICY =
      new ActionParam(
          SluicePipeline.PARAM_SUBSCRIBER_POLICY,
          SluicePipeline.PARAM_SUBSCRIBER_POLICY_BITS,
          "policy slot");
  private static final ActionParam PORT =
      new ActionParam(
          SluicePipeline.PARAM_SUBSCRIBER_PORT,
          SluicePipeline.PARAM_SUBSCRIBER_PORT_BITS,
          "egress port");
  private static final ActionParam QUEUE =
      new ActionParam(
          SluicePipeline.PARAM_SUBSCRIBER_QUEUE,
          SluicePipeline.PARAM_SUBSCRIBER_QUEUE_BITS,
          "queue id");
  private static final ActionParam SHAPE_DOWN =
      new ActionParam(
          SluicePipeline.PARAM_SUBSCRIBER_SHAPE_DOWN,
          SluicePipeline.PARAM_SUBSCRIBER_SHAPE_DOWN_BITS,
          "shape down");
  private static final ActionParam SHAPE_UP =
      new ActionParam(
          SluicePipeline.PARAM_SUBSCRIBER_SHAPE_UP,
          SluicePipeline.PARAM_SUBSCRIBER_SHAPE_UP_BITS,
          "shape up");

  private SubscriberTables() {}

  private static Action subscriber(SubscriberData data) {
    return Action.newBuilder()
        .setActionId(SluicePipeline.ACTION_SUBSCRIBER)
        .addParams(INDEX.of(data.index()))
        .addParams(POLICY.of(data.policySlot()))
        .addParams(PORT.of(data.egressPort()))
        .addParams(QUEUE.of(data.queueId()))
        .addParams(SHAPE_DOWN.of(data.shapeDown()))
        .addParams(SHAPE_UP.of(data.shapeUp()))
        .build();
  }

  private static SubscriberData subscriber(Action action) {
    TableCodec.requireAction(action, SluicePipeline.ACTION_SUBSCRIBER, 6);
    return new SubscriberData(
        INDEX.readInt(action),
        POLICY.readInt(action),
        PORT.readInt(action),
        QUEUE.readInt(action),
        SHAPE_DOWN.readBoolean(action),
        SHAPE_UP.readBoolean(action));
  }

  private static VlanTags vlans(long sVlan, long cVlan) {
    try {
      return new VlanTags((int) sVlan, (int) cVlan);
    } catch (InvalidValueException e) {
      throw new MalformedEntryException(e.getMessage());
    }
  }

  /** Subscribers by IPv4 or IPv6 prefix. */
  static final class ByPrefix extends TableCodec<SubscriberPrefixEntry> {
    private final PrefixField prefix;

    private ByPrefix(int tableId, int size, PrefixField prefix) {
      super(tableId, size, 0, SubscriberPrefixEntry.class);
      this.prefix = prefix;
    }

    static ByPrefix v4() {
      return new ByPrefix(
          SluicePipeline.TABLE_SUBSCRIBER_RATE4,
          SluicePipeline.TABLE_SUBSCRIBER_RATE4_SIZE,
          new PrefixField(
              SluicePipeline.MATCH_SUBSCRIBER_RATE4_ADDR,
              SluicePipeline.MATCH_SUBSCRIBER_RATE4_ADDR_BITS));
    }

    static ByPrefix v6() {
      return new ByPrefix(
          SluicePipeline.TABLE_SUBSCRIBER_RATE6,
          SluicePipeline.TABLE_SUBSCRIBER_RATE6_SIZE,
          new PrefixField(
              SluicePipeline.MATCH_SUBSCRIBER_RATE6_ADDR,
              SluicePipeline.MATCH_SUBSCRIBER_RATE6_ADDR_BITS));
    }

    @Override
    void match(SubscriberPrefixEntry entry, TableEntry.Builder into) {
      prefix.match(entry.prefix(), into);
    }

    @Override
    Action action(SubscriberPrefixEntry entry) {
      return subscriber(entry.data());
    }

    @Override
    SubscriberPrefixEntry read(TableEntry entry, Action action) {
      if (entry.getMatchCount() > 1) {
        requireFields(entry, 1);
      }
      return new SubscriberPrefixEntry(prefix.read(entry), subscriber(action));
    }
  }

  /** Subscribers by ingress port and VLAN tags. */
  static final class ByVlan extends TableCodec<SubscriberVlanEntry> {
    private final ExactField ingressPort =
        new ExactField(
            SluicePipeline.MATCH_SUBSCRIBER_VLAN_INGRESS_PORT,
            SluicePipeline.MATCH_SUBSCRIBER_VLAN_INGRESS_PORT_BITS,
            "ingress port");
    private final ExactField sVlan =
        new ExactField(
            SluicePipeline.MATCH_SUBSCRIBER_VLAN_S_VID,
            SluicePipeline.MATCH_SUBSCRIBER_VLAN_S_VID_BITS,
            "sVlan");
    private final ExactField cVlan =
        new ExactField(
            SluicePipeline.MATCH_SUBSCRIBER_VLAN_C_VID,
            SluicePipeline.MATCH_SUBSCRIBER_VLAN_C_VID_BITS,
            "cVlan");

    ByVlan() {
      super(
          SluicePipeline.TABLE_SUBSCRIBER_VLAN,
          SluicePipeline.TABLE_SUBSCRIBER_VLAN_SIZE,
          0,
          SubscriberVlanEntry.class);
    }

    @Override
    void match(SubscriberVlanEntry entry, TableEntry.Builder into) {
      into.addMatch(ingressPort.of(entry.ingressPort()));
      into.addMatch(sVlan.of(entry.vlans().sVlan()));
      into.addMatch(cVlan.of(entry.vlans().cVlan()));
    }

    @Override
    Action action(SubscriberVlanEntry entry) {
      return subscriber(entry.data());
    }

    @Override
    SubscriberVlanEntry read(TableEntry entry, Action action) {
      requireFields(entry, 3);
      return new SubscriberVlanEntry(
          (int) ingressPort.read(entry),
          vlans(sVlan.read(entry), cVlan.read(entry)),
          subscriber(action));
    }
  }

  /** The tags pushed on a subscriber's downstream packets. */
  static final class Encapsulation extends TableCodec<EncapsulationEntry> {
    private final ExactField index =
        new ExactField(
            SluicePipeline.MATCH_SUBSCRIBER_ENCAP_INDEX,
            SluicePipeline.MATCH_SUBSCRIBER_ENCAP_INDEX_BITS,
            "subscriber index");
    private final ActionParam single =
        new ActionParam(
            SluicePipeline.PARAM_PUSH_SINGLE_S_VID,
            SluicePipeline.PARAM_PUSH_SINGLE_S_VID_BITS,
            "sVlan");
    private final ActionParam outer =
        new ActionParam(
            SluicePipeline.PARAM_PUSH_DOUBLE_S_VID,
            SluicePipeline.PARAM_PUSH_DOUBLE_S_VID_BITS,
            "sVlan");
    private final ActionParam inner =
        new ActionParam(
            SluicePipeline.PARAM_PUSH_DOUBLE_C_VID,
            SluicePipeline.PARAM_PUSH_DOUBLE_C_VID_BITS,
            "cVlan");

    Encapsulation() {
      super(
          SluicePipeline.TABLE_SUBSCRIBER_ENCAP,
          SluicePipeline.TABLE_SUBSCRIBER_ENCAP_SIZE,
          0,
          EncapsulationEntry.class);
    }

    @Override
    void match(EncapsulationEntry entry, TableEntry.Builder into) {
      into.addMatch(index.of(entry.index()));
    }

    @Override
    Action action(EncapsulationEntry entry) {
      VlanTags vlans = entry.vlans();
      return vlans.isPair()
          ? Action.newBuilder()
              .setActionId(SluicePipeline.ACTION_PUSH_DOUBLE)
              .addParams(outer.of(vlans.sVlan()))
              .addParams(inner.of(vlans.cVlan()))
              .build()
          : Action.newBuilder()
              .setActionId(SluicePipeline.ACTION_PUSH_SINGLE)
              .addParams(single.of(vlans.sVlan()))
              .build();
    }

    @Override
    EncapsulationEntry read(TableEntry entry, Action action) {
      requireFields(entry, 1);
      int subscriber = (int) index.read(entry);
      if (action.getActionId() == SluicePipeline.ACTION_PUSH_SINGLE) {
        requireParams(action, 1);
        return new EncapsulationEntry(subscriber, vlans(single.read(action), VlanTags.NONE));
      }
      requireAction(action, SluicePipeline.ACTION_PUSH_DOUBLE, 2);
      long customer = inner.read(action);
      if (customer == VlanTags.NONE) {
        throw new MalformedEntryException("it pushes a customer tag with VLAN id 0");
      }
      return new EncapsulationEntry(subscriber, vlans(outer.read(action), customer));
    }
  }
}
