package net.sluice.pipeconf.table;

import net.sluice.intents.model.VlanTags;
import net.sluice.intents.plan.SwitchEntry.EncapsulationEntry;
import net.sluice.intents.profile.MarkerLayout;
import net.sluice.pipeconf.p4info.PushDoubleAction;
import net.sluice.pipeconf.p4info.PushSingleAction;
import net.sluice.pipeconf.p4info.SubscriberEncapTable;
import net.sluice.pipeconf.p4info.TableDescriptor;
import net.sluice.pipeconf.p4info.TnaSubscriberEncapTable;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** {@code SubscriberEncap}: the tags pushed on a subscriber's downstream packets. */
final class SubscriberEncapCodec extends TableCodec<EncapsulationEntry> {
  private final IndexFields index;
  private final PushSingleAction pushSingle;
  private final ActionParam single;
  private final PushDoubleAction pushDouble;
  private final ActionParam outer;
  private final ActionParam inner;

  private SubscriberEncapCodec(
      TableDescriptor table,
      IndexFields index,
      PushSingleAction pushSingle,
      PushDoubleAction pushDouble) {
    super(table, EncapsulationEntry.class);
    this.index = index;
    this.pushSingle = pushSingle;
    this.pushDouble = pushDouble;
    single = new ActionParam(pushSingle.sVid(), "sVlan");
    outer = new ActionParam(pushDouble.sVid(), "sVlan");
    inner = new ActionParam(pushDouble.cVid(), "cVlan");
  }

  static SubscriberEncapCodec of(SubscriberEncapTable table) {
    return new SubscriberEncapCodec(
        table, IndexFields.whole(table.index()), table.pushSingle(), table.pushDouble());
  }

  static SubscriberEncapCodec of(TnaSubscriberEncapTable table, MarkerLayout markers) {
    return new SubscriberEncapCodec(
        table,
        IndexFields.divided(table.instance(), table.index(), markers),
        table.pushSingle(),
        table.pushDouble());
  }

  @Override
  void match(EncapsulationEntry entry, TableEntry.Builder into) {
    index.add(entry.index(), into);
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
    int subscriber = index.read(entry);
    if (action.getActionId() == pushSingle.id()) {
      return new EncapsulationEntry(subscriber, VlanIds.single(single.readInt(action)));
    }
    return new EncapsulationEntry(
        subscriber, VlanIds.pair(outer.readInt(action), inner.readInt(action)));
  }
}
