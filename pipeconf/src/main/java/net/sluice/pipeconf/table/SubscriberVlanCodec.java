package net.sluice.pipeconf.table;

import net.sluice.intents.model.VlanTags;
import net.sluice.intents.plan.SwitchEntry.SubscriberVlanEntry;
import net.sluice.intents.profile.MarkerLayout;
import net.sluice.pipeconf.p4info.MatchField;
import net.sluice.pipeconf.p4info.SubscriberVlanTable;
import net.sluice.pipeconf.p4info.TableDescriptor;
import net.sluice.pipeconf.p4info.TnaSubscriberVlanTable;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/**
 * {@code SubscriberVlan}: subscribers by ingress port, service and customer VLAN. Where the program
 * has no table for service VLANs alone, a customer VLAN of 0 stands for none.
 */
final class SubscriberVlanCodec extends TableCodec<SubscriberVlanEntry> {
  private final ExactField ingressPort;
  private final ExactField sVlan;
  private final ExactField cVlan;
  private final SubscriberActionCodec subscriber;

  private SubscriberVlanCodec(
      TableDescriptor table,
      MatchField.Exact ingressPort,
      MatchField.Exact sVid,
      MatchField.Exact cVid,
      SubscriberActionCodec subscriber) {
    super(table, SubscriberVlanEntry.class);
    this.ingressPort = new ExactField(ingressPort, "ingress port");
    this.sVlan = new ExactField(sVid, "sVlan");
    this.cVlan = new ExactField(cVid, "cVlan");
    this.subscriber = subscriber;
  }

  static SubscriberVlanCodec of(SubscriberVlanTable table) {
    return new SubscriberVlanCodec(
        table,
        table.ingressPort(),
        table.sVid(),
        table.cVid(),
        SubscriberActionCodec.ofLines(table.subscriber()));
  }

  static SubscriberVlanCodec of(TnaSubscriberVlanTable table, MarkerLayout markers) {
    return new SubscriberVlanCodec(
        table,
        table.ingressPort(),
        table.sVid(),
        table.cVid(),
        SubscriberActionCodec.of(table.subscriber(), markers));
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
    int customer = cVlan.readInt(entry);
    int service = sVlan.readInt(entry);
    return new SubscriberVlanEntry(
        ingressPort.readInt(entry),
        customer == VlanTags.NONE ? VlanIds.single(service) : VlanIds.pair(service, customer),
        false,
        subscriber.decode(action));
  }
}
