package net.sluice.pipeconf.table;

import java.util.Optional;
import net.sluice.intents.plan.MeterSetting;
import net.sluice.intents.plan.SwitchEntry.PortMeterEntry;
import net.sluice.pipeconf.p4info.MeterPortAction;
import net.sluice.pipeconf.p4info.PortMeterTable;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** {@code PortMeter}: the meter that a BNG port's subscribers share. */
final class PortMeterCodec extends MeteredTableCodec<PortMeterEntry> {
  private final ExactField port;
  private final ExactField direction;
  private final MeterPortAction meterPort;

  PortMeterCodec(PortMeterTable table) {
    super(table, PortMeterEntry.class);
    port = new ExactField(table.port(), "port");
    direction = new ExactField(table.direction(), "direction");
    meterPort = table.meterPort();
  }

  @Override
  void match(PortMeterEntry entry, TableEntry.Builder into) {
    into.addMatch(port.of(entry.port()))
        .addMatch(direction.of(DirectionCodes.code(entry.direction())));
  }

  @Override
  Action action(PortMeterEntry entry) {
    return action(meterPort);
  }

  @Override
  Optional<MeterSetting> meter(PortMeterEntry entry) {
    return entry.meter();
  }

  @Override
  PortMeterEntry read(TableEntry entry, Action action) {
    return new PortMeterEntry(
        port.readInt(entry), DirectionCodes.direction(direction.read(entry)), readMeter(entry));
  }
}
