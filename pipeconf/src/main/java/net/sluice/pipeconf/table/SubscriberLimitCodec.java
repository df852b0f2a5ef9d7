package net.sluice.pipeconf.table;

import net.sluice.intents.model.Attachment;
import net.sluice.intents.plan.SwitchEntry.SubscriberLimitEntry;
import net.sluice.pipeconf.p4info.LimitSubscriberAction;
import net.sluice.pipeconf.p4info.RateLimiterTable;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** {@code RateLimiter}: who is shaped, to what rate of its own and in which tree. */
final class SubscriberLimitCodec extends TableCodec<SubscriberLimitEntry> {
  private final ExactField index;
  private final ExactField direction;
  private final LimitSubscriberAction limitSubscriber;
  private final ActionParam rate;
  private final ActionParam port;
  private final ActionParam tree;

  SubscriberLimitCodec(RateLimiterTable table) {
    super(table, SubscriberLimitEntry.class);
    index = new ExactField(table.index(), "index");
    direction = new ExactField(table.direction(), "direction");
    limitSubscriber = table.limitSubscriber();
    rate = new ActionParam(limitSubscriber.rate(), "rate word");
    port = new ActionParam(limitSubscriber.port(), "port");
    tree = new ActionParam(limitSubscriber.tree(), "tree");
  }

  @Override
  void match(SubscriberLimitEntry entry, TableEntry.Builder into) {
    into.addMatch(index.of(entry.index()))
        .addMatch(direction.of(DirectionCodes.code(entry.direction())));
  }

  @Override
  Action action(SubscriberLimitEntry entry) {
    return action(
        limitSubscriber,
        rate.of(entry.rateWord()),
        port.of(entry.at().port()),
        tree.of(entry.at().tree()));
  }

  @Override
  SubscriberLimitEntry read(TableEntry entry, Action action) {
    return new SubscriberLimitEntry(
        index.readInt(entry),
        DirectionCodes.direction(direction.read(entry)),
        new Attachment(port.readInt(action), tree.readInt(action)),
        rate.readInt(action));
  }
}
