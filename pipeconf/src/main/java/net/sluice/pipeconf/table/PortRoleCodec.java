package net.sluice.pipeconf.table;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.sluice.intents.model.Direction;
import net.sluice.intents.plan.PortRole;
import net.sluice.intents.plan.SwitchEntry.PortRoleEntry;
import net.sluice.pipeconf.p4info.ActionDescriptor;
import net.sluice.pipeconf.p4info.MatchField;
import net.sluice.pipeconf.p4info.ParamDescriptor;
import net.sluice.pipeconf.p4info.PortRoleTable;
import net.sluice.pipeconf.p4info.SerializableEnums;
import net.sluice.pipeconf.p4info.TableDescriptor;
import net.sluice.pipeconf.p4info.TnaPortRoleTable;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** {@code PortRole}: what a port is connected to. */
final class PortRoleCodec extends TableCodec<PortRoleEntry> {
  private final ExactField port;
  private final Map<Direction, ActionDescriptor> setRole = new EnumMap<>(Direction.class);
  private final Map<Direction, ActionParam> role = new EnumMap<>(Direction.class);

  /** Empty where each direction has an action of its own. */
  private final Optional<ActionParam> direction;

  /** Empty where no port drops what belongs to no subscriber. */
  private final Optional<ActionParam> dropUnknown;

  private PortRoleCodec(
      TableDescriptor table,
      MatchField.Exact ingressPort,
      Optional<ActionParam> direction,
      Optional<ActionParam> dropUnknown) {
    super(table, PortRoleEntry.class);
    this.port = new ExactField(ingressPort, "port");
    this.direction = direction;
    this.dropUnknown = dropUnknown;
  }

  static PortRoleCodec of(PortRoleTable table) {
    ActionParam direction = new ActionParam(table.setRole().direction(), "direction");
    ActionParam drop = new ActionParam(table.setRole().dropUnknown(), "drop unknown");
    PortRoleCodec codec =
        new PortRoleCodec(table, table.ingressPort(), Optional.of(direction), Optional.of(drop));
    for (Direction each : Direction.values()) {
      codec.add(each, table.setRole(), table.setRole().role());
    }
    return codec;
  }

  static PortRoleCodec of(TnaPortRoleTable table) {
    PortRoleCodec codec =
        new PortRoleCodec(table, table.ingressPort(), Optional.empty(), Optional.empty());
    codec.add(Direction.DOWN, table.setRoleDown(), table.setRoleDown().role());
    codec.add(Direction.UP, table.setRoleUp(), table.setRoleUp().role());
    return codec;
  }

  private void add(Direction of, ActionDescriptor action, ParamDescriptor param) {
    setRole.put(of, action);
    role.put(of, new ActionParam(param, "role"));
  }

  @Override
  void match(PortRoleEntry entry, TableEntry.Builder into) {
    into.addMatch(port.of(entry.port()));
  }

  @Override
  Action action(PortRoleEntry entry) {
    Direction to = entry.direction();
    ActionDescriptor action = setRole.get(to);
    List<Action.Param> params = new ArrayList<>();
    params.add(role.get(to).of(code(entry.role())));
    direction.ifPresent(param -> params.add(param.of(DirectionCodes.code(to))));
    dropUnknown.ifPresent(param -> params.add(param.of(entry.dropUnknown())));
    return action(action, params.toArray(Action.Param[]::new));
  }

  @Override
  PortRoleEntry read(TableEntry entry, Action action) {
    Direction to;
    if (direction.isPresent()) {
      to = DirectionCodes.direction(direction.get().read(action));
    } else {
      boolean down = action.getActionId() == setRole.get(Direction.DOWN).id();
      to = down ? Direction.DOWN : Direction.UP;
    }
    boolean drops = dropUnknown.isPresent() && dropUnknown.get().readBoolean(action);
    return new PortRoleEntry(port.readInt(entry), role(role.get(to).read(action)), to, drops);
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
