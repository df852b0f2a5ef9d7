package net.sluice.pipeconf.table;

import net.sluice.intents.plan.SwitchEntry.SidecarEntry;
import net.sluice.pipeconf.p4info.ShapingSidecarTable;
import net.sluice.pipeconf.p4info.ToSidecarAction;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** {@code ShapingSidecar}: where the FPGA of a direction is. */
final class ShapingSidecarCodec extends TableCodec<SidecarEntry> {
  private final ExactField direction;
  private final ToSidecarAction toSidecar;
  private final ActionParam port;

  ShapingSidecarCodec(ShapingSidecarTable table) {
    super(table, SidecarEntry.class);
    direction = new ExactField(table.direction(), "direction");
    toSidecar = table.toSidecar();
    port = new ActionParam(toSidecar.port(), "port");
  }

  @Override
  void match(SidecarEntry entry, TableEntry.Builder into) {
    into.addMatch(direction.of(DirectionCodes.code(entry.direction())));
  }

  @Override
  Action action(SidecarEntry entry) {
    return action(toSidecar, port.of(entry.port()));
  }

  @Override
  SidecarEntry read(TableEntry entry, Action action) {
    return new SidecarEntry(DirectionCodes.direction(direction.read(entry)), port.readInt(action));
  }
}
