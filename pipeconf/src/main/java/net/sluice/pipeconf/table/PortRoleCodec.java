package net.sluice.pipeconf.table;

import net.sluice.intents.plan.PortRole;
import net.sluice.intents.plan.SwitchEntry.PortRoleEntry;
import net.sluice.pipeconf.p4info.PortRoleTable;
import net.sluice.pipeconf.p4info.SerializableEnums;
import net.sluice.pipeconf.p4info.SetRoleAction;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** {@code PortRole}: what a port is connected to. */
final class PortRoleCodec extends TableCodec<PortRoleEntry> {
  private final ExactField port;
  private final SetRoleAction setRole;
  private final ActionParam role;
  private final ActionParam direction;

  PortRoleCodec(PortRoleTable table) {
    super(table, PortRoleEntry.class);
    port = new ExactField(table.ingressPort(), "port");
    setRole = table.setRole();
    role = new ActionParam(setRole.role(), "role");
    direction = new ActionParam(setRole.direction(), "direction");
  }

  @Override
  void match(PortRoleEntry entry, TableEntry.Builder into) {
    into.addMatch(port.of(entry.port()));
  }

  @Override
  Action action(PortRoleEntry entry) {
    return action(
        setRole, role.of(code(entry.role())), direction.of(DirectionCodes.code(entry.direction())));
  }

  @Override
  PortRoleEntry read(TableEntry entry, Action action) {
    return new PortRoleEntry(
        port.readInt(entry),
        role(role.read(action)),
        DirectionCodes.direction(direction.read(action)));
  }

  private static int code(PortRole role) {
    return switch (role) {
      case ACCESS -> SerializableEnums.PORT_ROLE_ACCESS;
      case CORE -> SerializableEnums.PORT_ROLE_CORE;
      case TRUNK -> SerializableEnums.PORT_ROLE_TRUNK;
      case SIDECAR -> SerializableEnums.PORT_ROLE_SIDECAR;
    };
  }

  private static PortRole role(long code) {
    for (PortRole role : PortRole.values()) {
      if (code(role) == code) {
        return role;
      }
    }
    throw new MalformedEntryException("role " + code + " is unknown");
  }
}
