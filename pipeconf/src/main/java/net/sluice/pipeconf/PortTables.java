package net.sluice.pipeconf;

import net.sluice.intents.model.Direction;
import net.sluice.intents.plan.Gain;
import net.sluice.intents.plan.PortRole;
import net.sluice.intents.plan.SwitchEntry.CongestionThresholdEntry;
import net.sluice.intents.plan.SwitchEntry.EgressPortEntry;
import net.sluice.intents.plan.SwitchEntry.PortRoleEntry;
import net.sluice.intents.plan.SwitchEntry.RouteEntry;
import net.sluice.intents.plan.SwitchEntry.SidecarEntry;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** The tables that know ports: roles, sidecars, routes, thresholds and rewriting. */
final class PortTables {
  private PortTables() {}

  private static int code(PortRole role) {
    return switch (role) {
      case ACCESS -> SluicePipeline.ENUM_PORT_ROLE_ACCESS;
      case CORE -> SluicePipeline.ENUM_PORT_ROLE_CORE;
      case TRUNK -> SluicePipeline.ENUM_PORT_ROLE_TRUNK;
      case SIDECAR -> SluicePipeline.ENUM_PORT_ROLE_SIDECAR;
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

  private static int code(Direction direction) {
    return switch (direction) {
      case DOWN -> SluicePipeline.ENUM_DIRECTION_DOWN;
      case UP -> SluicePipeline.ENUM_DIRECTION_UP;
    };
  }

  private static Direction direction(long code) {
    return code == SluicePipeline.ENUM_DIRECTION_DOWN ? Direction.DOWN : Direction.UP;
  }

  private static int code(Gain gain) {
    return switch (gain) {
      case FAST -> SluicePipeline.ENUM_GAIN_FAST;
      case MEDIUM -> SluicePipeline.ENUM_GAIN_MEDIUM;
      case SLOW -> SluicePipeline.ENUM_GAIN_SLOW;
    };
  }

  private static Gain gain(long code) {
    for (Gain gain : Gain.values()) {
      if (code(gain) == code) {
        return gain;
      }
    }
    throw new MalformedEntryException("gain " + code + " is unknown");
  }

  /** What a port is connected to. */
  static final class Role extends TableCodec<PortRoleEntry> {
    private final ExactField port =
        new ExactField(
            SluicePipeline.MATCH_PORT_ROLE_INGRESS_PORT,
            SluicePipeline.MATCH_PORT_ROLE_INGRESS_PORT_BITS,
            "port");
    private final ActionParam role =
        new ActionParam(
            SluicePipeline.PARAM_SET_ROLE_ROLE, SluicePipeline.PARAM_SET_ROLE_ROLE_BITS, "role");
    private final ActionParam direction =
        new ActionParam(
            SluicePipeline.PARAM_SET_ROLE_DIRECTION,
            SluicePipeline.PARAM_SET_ROLE_DIRECTION_BITS,
            "direction");

    Role() {
      super(
          SluicePipeline.TABLE_PORT_ROLE,
          SluicePipeline.TABLE_PORT_ROLE_SIZE,
          0,
          PortRoleEntry.class);
    }

    @Override
    void match(PortRoleEntry entry, TableEntry.Builder into) {
      into.addMatch(port.of(entry.port()));
    }

    @Override
    Action action(PortRoleEntry entry) {
      return Action.newBuilder()
          .setActionId(SluicePipeline.ACTION_SET_ROLE)
          .addParams(role.of(code(entry.role())))
          .addParams(direction.of(code(entry.direction())))
          .build();
    }

    @Override
    PortRoleEntry read(TableEntry entry, Action action) {
      requireFields(entry, 1);
      requireAction(action, SluicePipeline.ACTION_SET_ROLE, 2);
      return new PortRoleEntry(
          (int) port.read(entry), role(role.read(action)), direction(direction.read(action)));
    }
  }

  /** Where the shaping sidecar of a direction is. */
  static final class Sidecar extends TableCodec<SidecarEntry> {
    private final ExactField direction =
        new ExactField(
            SluicePipeline.MATCH_SHAPING_SIDECAR_DIRECTION,
            SluicePipeline.MATCH_SHAPING_SIDECAR_DIRECTION_BITS,
            "direction");
    private final ActionParam port =
        new ActionParam(
            SluicePipeline.PARAM_TO_SIDECAR_PORT,
            SluicePipeline.PARAM_TO_SIDECAR_PORT_BITS,
            "port");

    Sidecar() {
      super(
          SluicePipeline.TABLE_SHAPING_SIDECAR,
          SluicePipeline.TABLE_SHAPING_SIDECAR_SIZE,
          0,
          SidecarEntry.class);
    }

    @Override
    void match(SidecarEntry entry, TableEntry.Builder into) {
      into.addMatch(direction.of(code(entry.direction())));
    }

    @Override
    Action action(SidecarEntry entry) {
      return Action.newBuilder()
          .setActionId(SluicePipeline.ACTION_TO_SIDECAR)
          .addParams(port.of(entry.port()))
          .build();
    }

    @Override
    SidecarEntry read(TableEntry entry, Action action) {
      requireFields(entry, 1);
      requireAction(action, SluicePipeline.ACTION_TO_SIDECAR, 1);
      return new SidecarEntry(direction(direction.read(entry)), port.readInt(action));
    }
  }

  /** IPv4 or IPv6 routes. */
  static final class Route extends TableCodec<RouteEntry> {
    private final PrefixField prefix;
    private final ActionParam port =
        new ActionParam(
            SluicePipeline.PARAM_ROUTE_PORT, SluicePipeline.PARAM_ROUTE_PORT_BITS, "port");

    private Route(int tableId, int size, PrefixField prefix) {
      super(tableId, size, 0, RouteEntry.class);
      this.prefix = prefix;
    }

    static Route v4() {
      return new Route(
          SluicePipeline.TABLE_ROUTING4,
          SluicePipeline.TABLE_ROUTING4_SIZE,
          new PrefixField(
              SluicePipeline.MATCH_ROUTING4_DST, SluicePipeline.MATCH_ROUTING4_DST_BITS));
    }

    static Route v6() {
      return new Route(
          SluicePipeline.TABLE_ROUTING6,
          SluicePipeline.TABLE_ROUTING6_SIZE,
          new PrefixField(
              SluicePipeline.MATCH_ROUTING6_DST, SluicePipeline.MATCH_ROUTING6_DST_BITS));
    }

    @Override
    void match(RouteEntry entry, TableEntry.Builder into) {
      prefix.match(entry.prefix(), into);
    }

    @Override
    Action action(RouteEntry entry) {
      return Action.newBuilder()
          .setActionId(SluicePipeline.ACTION_ROUTE)
          .addParams(port.of(entry.port()))
          .build();
    }

    @Override
    RouteEntry read(TableEntry entry, Action action) {
      if (entry.getMatchCount() > 1) {
        requireFields(entry, 1);
      }
      requireAction(action, SluicePipeline.ACTION_ROUTE, 1);
      return new RouteEntry(prefix.read(entry), port.readInt(action));
    }
  }

  /** Congestion-threshold control of an egress port. */
  static final class CongestionThreshold extends TableCodec<CongestionThresholdEntry> {
    private final ExactField port =
        new ExactField(
            SluicePipeline.MATCH_CONGESTION_THRESHOLD_EGRESS_PORT,
            SluicePipeline.MATCH_CONGESTION_THRESHOLD_EGRESS_PORT_BITS,
            "port");
    private final ActionParam gain =
        new ActionParam(
            SluicePipeline.PARAM_STEER_GAIN, SluicePipeline.PARAM_STEER_GAIN_BITS, "gain");
    private final ActionParam target =
        new ActionParam(
            SluicePipeline.PARAM_STEER_TARGET_MICROS,
            SluicePipeline.PARAM_STEER_TARGET_MICROS_BITS,
            "targetMicros");
    private final ActionParam overload =
        new ActionParam(
            SluicePipeline.PARAM_STEER_OVERLOAD_MICROS,
            SluicePipeline.PARAM_STEER_OVERLOAD_MICROS_BITS,
            "overloadMicros");
    private final ActionParam period =
        new ActionParam(
            SluicePipeline.PARAM_STEER_PERIOD_MICROS,
            SluicePipeline.PARAM_STEER_PERIOD_MICROS_BITS,
            "periodMicros");
    private final ActionParam idle =
        new ActionParam(
            SluicePipeline.PARAM_STEER_IDLE_MICROS,
            SluicePipeline.PARAM_STEER_IDLE_MICROS_BITS,
            "idleMicros");
    private final ActionParam ecnDrop =
        new ActionParam(
            SluicePipeline.PARAM_STEER_ECN_DROP_MICROS,
            SluicePipeline.PARAM_STEER_ECN_DROP_MICROS_BITS,
            "ecnDropMicros");

    CongestionThreshold() {
      super(
          SluicePipeline.TABLE_CONGESTION_THRESHOLD,
          SluicePipeline.TABLE_CONGESTION_THRESHOLD_SIZE,
          0,
          CongestionThresholdEntry.class);
    }

    @Override
    void match(CongestionThresholdEntry entry, TableEntry.Builder into) {
      into.addMatch(port.of(entry.port()));
    }

    @Override
    Action action(CongestionThresholdEntry entry) {
      return Action.newBuilder()
          .setActionId(SluicePipeline.ACTION_STEER)
          .addParams(gain.of(code(entry.gain())))
          .addParams(target.of(entry.targetMicros()))
          .addParams(overload.of(entry.overloadMicros()))
          .addParams(period.of(entry.periodMicros()))
          .addParams(idle.of(entry.idleMicros()))
          .addParams(ecnDrop.of(entry.ecnDropMicros()))
          .build();
    }

    @Override
    CongestionThresholdEntry read(TableEntry entry, Action action) {
      requireFields(entry, 1);
      requireAction(action, SluicePipeline.ACTION_STEER, 6);
      return new CongestionThresholdEntry(
          (int) port.read(entry),
          gain(gain.read(action)),
          target.read(action),
          overload.read(action),
          period.read(action),
          idle.read(action),
          ecnDrop.read(action));
    }
  }

  /** Rewriting at an egress port. */
  static final class Egress extends TableCodec<EgressPortEntry> {
    private final ExactField port =
        new ExactField(
            SluicePipeline.MATCH_EGRESS_PORT_EGRESS_PORT,
            SluicePipeline.MATCH_EGRESS_PORT_EGRESS_PORT_BITS,
            "port");
    private final ActionParam source =
        new ActionParam(
            SluicePipeline.PARAM_REWRITE_SRC_MAC,
            SluicePipeline.PARAM_REWRITE_SRC_MAC_BITS,
            "sourceMac");
    private final ActionParam destination =
        new ActionParam(
            SluicePipeline.PARAM_REWRITE_DST_MAC,
            SluicePipeline.PARAM_REWRITE_DST_MAC_BITS,
            "destinationMac");
    private final ActionParam keep =
        new ActionParam(
            SluicePipeline.PARAM_REWRITE_KEEP_PV,
            SluicePipeline.PARAM_REWRITE_KEEP_PV_BITS,
            "keepPacketValue");

    Egress() {
      super(
          SluicePipeline.TABLE_EGRESS_PORT,
          SluicePipeline.TABLE_EGRESS_PORT_SIZE,
          0,
          EgressPortEntry.class);
    }

    @Override
    void match(EgressPortEntry entry, TableEntry.Builder into) {
      into.addMatch(port.of(entry.port()));
    }

    @Override
    Action action(EgressPortEntry entry) {
      return Action.newBuilder()
          .setActionId(SluicePipeline.ACTION_REWRITE)
          .addParams(source.of(entry.sourceMac()))
          .addParams(destination.of(entry.destinationMac()))
          .addParams(keep.of(entry.keepPacketValue()))
          .build();
    }

    @Override
    EgressPortEntry read(TableEntry entry, Action action) {
      requireFields(entry, 1);
      requireAction(action, SluicePipeline.ACTION_REWRITE, 3);
      return new EgressPortEntry(
          (int) port.read(entry),
          source.read(action),
          destination.read(action),
          keep.readBoolean(action));
    }
  }
}
