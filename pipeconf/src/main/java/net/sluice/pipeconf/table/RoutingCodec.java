package net.sluice.pipeconf.table;

import net.sluice.intents.plan.SwitchEntry.RouteEntry;
import net.sluice.pipeconf.p4info.MatchField;
import net.sluice.pipeconf.p4info.RouteAction;
import net.sluice.pipeconf.p4info.Routing4Table;
import net.sluice.pipeconf.p4info.Routing6Table;
import net.sluice.pipeconf.p4info.TableDescriptor;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** {@code Routing4}, {@code Routing6}: routes by prefix. */
final class RoutingCodec extends TableCodec<RouteEntry> {
  private final PrefixField prefix;
  private final RouteAction route;
  private final ActionParam port;

  private RoutingCodec(TableDescriptor table, MatchField.Lpm destination, RouteAction route) {
    super(table, RouteEntry.class);
    this.prefix = new PrefixField(destination);
    this.route = route;
    this.port = new ActionParam(route.port(), "port");
  }

  static RoutingCodec of(Routing4Table table) {
    return new RoutingCodec(table, table.dst(), table.route());
  }

  static RoutingCodec of(Routing6Table table) {
    return new RoutingCodec(table, table.dst(), table.route());
  }

  @Override
  void match(RouteEntry entry, TableEntry.Builder into) {
    prefix.match(entry.prefix(), into);
  }

  @Override
  Action action(RouteEntry entry) {
    return action(route, port.of(entry.port()));
  }

  @Override
  RouteEntry read(TableEntry entry, Action action) {
    return new RouteEntry(prefix.read(entry), port.readInt(action));
  }
}
