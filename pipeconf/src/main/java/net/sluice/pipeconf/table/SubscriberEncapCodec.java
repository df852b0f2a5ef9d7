package net.sluice.pipeconf.table;

import net.sluice.intents.model.VlanTags;
import net.sluice.intents.plan.SwitchEntry.EncapsulationEntry;
import net.sluice.pipeconf.p4info.PushDoubleAction;
import net.sluice.pipeconf.p4info.PushSingleAction;
import net.sluice.pipeconf.p4info.SubscriberEncapTable;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** {@code SubscriberEncap}: the tags pushed on a subscriber's downstream packets. */
final class SubscriberEncapCodec extends TableCodec<EncapsulationEntry> {
  private final ExactField index;
  private final PushSingleAction pushSingle;
  private final ActionParam single;
  private final PushDoubleAction pushDouble;
  private final ActionParam outer;
  private final ActionParam inner;

  SubscriberEncapCodec(SubscriberEncapTable table) {
    super(table, EncapsulationEntry.class);
    index = new ExactField(table.index(), "subscriber index");
    pushSingle = table.pushSingle();
    single = new ActionParam(pushSingle.sVid(), "sVlan");
    pushDouble = table.pushDouble();
    outer = new ActionParam(pushDouble.sVid(), "sVlan");
    inner = new ActionParam(pushDouble.cVid(), "cVlan");
  }

  @Override
  void match(EncapsulationEntry entry, TableEntry.Builder into) {
    into.addMatch(index.of(entry.index()));
  }

  @Override
  Action action(EncapsulationEntry entry) {
    VlanTags vlans = entry.vlans();
    return vlans.isPair()
        ? action(pushDouble, outer.of(vlans.sVlan()), inner.of(vlans.cVlan()))
        : action(pushSingle, single.of(vlans.sVlan()));
  }

  @Override
  EncapsulationEntry read(TableEntry entry, Action action) {
    int subscriber = index.readInt(entry);
    if (action.getActionId() == pushSingle.id()) {
      return new EncapsulationEntry(
          subscriber, VlanIds.tags(single.readInt(action), VlanTags.NONE));
    }
    int customer = inner.readInt(action);
    if (customer == VlanTags.NONE) {
      throw new MalformedEntryException("it pushes a customer tag with VLAN id 0");
    }
    return new EncapsulationEntry(subscriber, VlanIds.tags(outer.readInt(action), customer));
  }
}
