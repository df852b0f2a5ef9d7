package net.sluice.pipeconf.table;

import net.sluice.intents.plan.SwitchEntry.PortLimitEntry;
import net.sluice.pipeconf.p4info.LimitPortAction;
import net.sluice.pipeconf.p4info.PortLimiterTable;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** {@code PortLimiter}: the rate that a BNG port's subscribers share. */
final class PortLimitCodec extends TableCodec<PortLimitEntry> {
  private final ExactField port;
  private final ExactField direction;
  private final LimitPortAction limitPort;
  private final ActionParam rate;

  PortLimitCodec(PortLimiterTable table) {
    super(table, PortLimitEntry.class);
    port = new ExactField(table.port(), "port");
    direction = new ExactField(table.direction(), "direction");
    limitPort = table.limitPort();
    rate = new ActionParam(limitPort.rate(), "rate word");
  }

  @Override
  void match(PortLimitEntry entry, TableEntry.Builder into) {
    into.addMatch(port.of(entry.port()))
        .addMatch(direction.of(DirectionCodes.code(entry.direction())));
  }

  @Override
  Action action(PortLimitEntry entry) {
    return action(limitPort, rate.of(entry.rateWord()));
  }

  @Override
  PortLimitEntry read(TableEntry entry, Action action) {
    return new PortLimitEntry(
        port.readInt(entry), DirectionCodes.direction(direction.read(entry)), rate.readInt(action));
  }
}
