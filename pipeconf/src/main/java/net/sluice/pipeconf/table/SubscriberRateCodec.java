package net.sluice.pipeconf.table;

import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
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
        SubscriberActionCodec.of(table.subscriber()),
        OptionalInt.empty());
  }

  static SubscriberRateCodec of(SubscriberRate6Table table) {
    return new SubscriberRateCodec(
        table,
        new PrefixField(table.addr()),
        SubscriberActionCodec.of(table.subscriber()),
        OptionalInt.empty());
  }

  /** Those of each instance. */
  static List<SubscriberRateCodec> of4(List<TnaSubscriberRate4Table> tables, MarkerLayout markers) {
    return IntStream.range(0, tables.size())
        .mapToObj(
            i ->
                new SubscriberRateCodec(
                    tables.get(i),
                    new LeadingBitsField(tables.get(i).addr(), Family.V4),
                    SubscriberActionCodec.of(tables.get(i).subscriber(), i, markers),
                    OptionalInt.of(i)))
        .toList();
  }

  /** Those of each instance. */
  static List<SubscriberRateCodec> of6(List<TnaSubscriberRate6Table> tables, MarkerLayout markers) {
    return IntStream.range(0, tables.size())
        .mapToObj(
            i ->
                new SubscriberRateCodec(
                    tables.get(i),
                    new LeadingBitsField(tables.get(i).addr(), Family.V6),
                    SubscriberActionCodec.of(tables.get(i).subscriber(), i, markers),
                    OptionalInt.of(i)))
        .toList();
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
