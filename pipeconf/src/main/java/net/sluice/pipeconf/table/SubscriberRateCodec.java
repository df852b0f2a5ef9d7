package net.sluice.pipeconf.table;

import java.util.OptionalInt;
import net.sluice.intents.model.IpPrefix.Family;
import net.sluice.intents.plan.SwitchEntry.SubscriberPrefixEntry;
import net.sluice.intents.profile.MarkerLayout;
import net.sluice.pipeconf.p4info.SubscriberRate4Table;
import net.sluice.pipeconf.p4info.SubscriberRate6Table;
import net.sluice.pipeconf.p4info.TableDescriptor;
import net.sluice.pipeconf.p4info.TnaSubscriberRate4Table;
import net.sluice.pipeconf.p4info.TnaSubscriberRate6Table;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** {@code SubscriberRate4}, {@code SubscriberRate6}: subscribers by prefix. */
final class SubscriberRateCodec extends TableCodec<SubscriberPrefixEntry> {
  private final PrefixMatch prefix;
  private final SubscriberActionCodec subscriber;
  private final OptionalInt tableNumber;

  private SubscriberRateCodec(
      TableDescriptor table,
      PrefixMatch prefix,
      SubscriberActionCodec subscriber,
      OptionalInt tableNumber) {
    super(table, SubscriberPrefixEntry.class);
    this.prefix = prefix;
    this.subscriber = subscriber;
    this.tableNumber = tableNumber;
  }

  static SubscriberRateCodec of(SubscriberRate4Table table) {
    return new SubscriberRateCodec(
        table,
        new PrefixField(table.addr()),
        SubscriberActionCodec.of(table.subscriber(), table.taggedSubscriber()),
        OptionalInt.empty());
  }

  static SubscriberRateCodec of(SubscriberRate6Table table) {
    return new SubscriberRateCodec(
        table,
        new PrefixField(table.addr()),
        SubscriberActionCodec.of(table.subscriber(), table.taggedSubscriber()),
        OptionalInt.empty());
  }

  /** In an instance of several. */
  static SubscriberRateCodec of(TnaSubscriberRate4Table table, int instance, MarkerLayout markers) {
    return new SubscriberRateCodec(
        table,
        new LeadingBitsField(table.addr(), Family.V4),
        SubscriberActionCodec.of(table.subscriber(), instance, markers),
        OptionalInt.of(instance));
  }

  /** In an instance of several. */
  static SubscriberRateCodec of(TnaSubscriberRate6Table table, int instance, MarkerLayout markers) {
    return new SubscriberRateCodec(
        table,
        new LeadingBitsField(table.addr(), Family.V6),
        SubscriberActionCodec.of(table.subscriber(), instance, markers),
        OptionalInt.of(instance));
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
    return new SubscriberPrefixEntry(prefix.read(entry), tableNumber, subscriber.decode(action));
  }
}
