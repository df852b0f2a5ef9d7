package net.sluice.pipeconf.table;

import net.sluice.intents.plan.SwitchEntry.SubscriberVlanEntry;
import net.sluice.pipeconf.p4info.SubscriberVlanTable;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** {@code SubscriberVlan}: subscribers by ingress port and VLAN tags. */
final class SubscriberVlanCodec extends TableCodec<SubscriberVlanEntry> {
  private final ExactField ingressPort;
  private final ExactField sVlan;
  private final ExactField cVlan;
  private final SubscriberActionCodec subscriber;

  SubscriberVlanCodec(SubscriberVlanTable table) {
    super(table, SubscriberVlanEntry.class);
    ingressPort = new ExactField(table.ingressPort(), "ingress port");
    sVlan = new ExactField(table.sVid(), "sVlan");
    cVlan = new ExactField(table.cVid(), "cVlan");
    subscriber = new SubscriberActionCodec(table.subscriber());
  }

  @Override
  void match(SubscriberVlanEntry entry, TableEntry.Builder into) {
    into.addMatch(ingressPort.of(entry.ingressPort()));
    into.addMatch(sVlan.of(entry.vlans().sVlan()));
    into.addMatch(cVlan.of(entry.vlans().cVlan()));
  }

  @Override
  Action action(SubscriberVlanEntry entry) {
    return subscriber.encode(entry.data());
  }

  @Override
  SubscriberVlanEntry read(TableEntry entry, Action action) {
    return new SubscriberVlanEntry(
        ingressPort.readInt(entry),
        VlanIds.tags(sVlan.readInt(entry), cVlan.readInt(entry)),
        subscriber.decode(action));
  }
}
