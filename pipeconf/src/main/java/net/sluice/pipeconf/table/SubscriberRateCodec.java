package net.sluice.pipeconf.table;

import net.sluice.intents.plan.SwitchEntry.SubscriberPrefixEntry;
import net.sluice.pipeconf.p4info.MatchField;
import net.sluice.pipeconf.p4info.SubscriberAction;
import net.sluice.pipeconf.p4info.SubscriberRate4Table;
import net.sluice.pipeconf.p4info.SubscriberRate6Table;
import net.sluice.pipeconf.p4info.TableDescriptor;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** {@code SubscriberRate4}, {@code SubscriberRate6}: subscribers by prefix. */
final class SubscriberRateCodec extends TableCodec<SubscriberPrefixEntry> {
  private final PrefixField prefix;
  private final SubscriberActionCodec subscriber;

  private SubscriberRateCodec(
      TableDescriptor table, MatchField.Lpm address, SubscriberAction subscriber) {
    super(table, SubscriberPrefixEntry.class);
    this.prefix = new PrefixField(address);
    this.subscriber = new SubscriberActionCodec(subscriber);
  }

  static SubscriberRateCodec of(SubscriberRate4Table table) {
    return new SubscriberRateCodec(table, table.addr(), table.subscriber());
  }

  static SubscriberRateCodec of(SubscriberRate6Table table) {
    return new SubscriberRateCodec(table, table.addr(), table.subscriber());
  }

  @Override
  void match(SubscriberPrefixEntry entry, TableEntry.Builder into) {
    prefix.match(entry.prefix(), into);
  }

  @Override
  Action action(SubscriberPrefixEntry entry) {
    return subscriber.encode(entry.data());
  }

  @Override
  SubscriberPrefixEntry read(TableEntry entry, Action action) {
    return new SubscriberPrefixEntry(prefix.read(entry), subscriber.decode(action));
  }
}
