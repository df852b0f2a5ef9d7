package net.sluice.pipeconf.table;

import java.util.Optional;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.plan.MeterSetting;
import net.sluice.intents.plan.SwitchEntry.SubscriberMeterEntry;
import net.sluice.pipeconf.p4info.MeterSubscriberAction;
import net.sluice.pipeconf.p4info.SubscriberMeterTable;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** {@code SubscriberMeter}: who is metered, by what meter of its own and in which tree. */
final class SubscriberMeterCodec extends MeteredTableCodec<SubscriberMeterEntry> {
  private final ExactField index;
  private final ExactField direction;
  private final MeterSubscriberAction meterSubscriber;
  private final ActionParam port;
  private final ActionParam tree;

  SubscriberMeterCodec(SubscriberMeterTable table) {
    super(table, SubscriberMeterEntry.class);
    index = new ExactField(table.index(), "index");
    direction = new ExactField(table.direction(), "direction");
    meterSubscriber = table.meterSubscriber();
    port = new ActionParam(meterSubscriber.port(), "port");
    tree = new ActionParam(meterSubscriber.tree(), "tree");
  }

  @Override
  void match(SubscriberMeterEntry entry, TableEntry.Builder into) {
    into.addMatch(index.of(entry.index()))
        .addMatch(direction.of(DirectionCodes.code(entry.direction())));
  }

  @Override
  Action action(SubscriberMeterEntry entry) {
    return action(meterSubscriber, port.of(entry.at().port()), tree.of(entry.at().tree()));
  }

  @Override
  Optional<MeterSetting> meter(SubscriberMeterEntry entry) {
    return entry.meter();
  }

  @Override
  SubscriberMeterEntry read(TableEntry entry, Action action) {
    return new SubscriberMeterEntry(
        index.readInt(entry),
        DirectionCodes.direction(direction.read(entry)),
        new Attachment(port.readInt(action), tree.readInt(action)),
        readMeter(entry));
  }
}
