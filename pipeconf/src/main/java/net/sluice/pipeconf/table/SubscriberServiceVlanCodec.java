package net.sluice.pipeconf.table;

import net.sluice.intents.plan.SwitchEntry.SubscriberVlanEntry;
import net.sluice.pipeconf.p4info.SubscriberServiceVlanTable;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** {@code SubscriberServiceVlan}: subscribers by ingress port and service VLAN alone. */
final class SubscriberServiceVlanCodec extends TableCodec<SubscriberVlanEntry> {
  private final ExactField ingressPort;
  private final ExactField sVlan;
  private final SubscriberActionCodec subscriber;

  SubscriberServiceVlanCodec(SubscriberServiceVlanTable table) {
    super(table, SubscriberVlanEntry.class);
    this.ingressPort = new ExactField(table.ingressPort(), "ingress port");
    this.sVlan = new ExactField(table.sVid(), "sVlan");
    this.subscriber = SubscriberActionCodec.ofLines(table.subscriber());
  }

  @Override
  void match(SubscriberVlanEntry entry, TableEntry.Builder into) {
    into.addMatch(ingressPort.of(entry.ingressPort()));
    into.addMatch(sVlan.of(entry.vlans().sVlan()));
  }

  @Override
  Action action(SubscriberVlanEntry entry) {
    return subscriber.encode(entry.data());
  }

  @Override
  SubscriberVlanEntry read(TableEntry entry, Action action) {
    return new SubscriberVlanEntry(
        ingressPort.readInt(entry),
        VlanIds.single(sVlan.readInt(entry)),
        true,
        subscriber.decode(action));
  }
}
