package net.sluice.onos;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Topology.Route;

/**
 * Routes as they can be said through ONOS, where two prefixes of one bit stand for the one that
 * matches everything: a route with a prefix of one bit is its two halves, of two bits. One of these
 * that has a route of its own keeps it, as the longer prefix does anyway.
 */
final class RouteHalves {
  private static final byte TOP = (byte) 0x80;

  private RouteHalves() {}

  /** The same topology without routes of one bit. */
  static Topology split(Topology topology) {
    Set<IpPrefix> declared = new HashSet<>();
    topology.routes().forEach(route -> declared.add(route.prefix()));
    List<Route> routes = new ArrayList<>();
    for (Route route : topology.routes()) {
      if (route.prefix().length() != 1) {
        routes.add(route);
        continue;
      }
      boolean upper = (route.prefix().addressBytes()[0] & TOP) != 0;
      for (boolean second : new boolean[] {false, true}) {
        IpPrefix half = quarter(route.prefix().family(), upper, second);
        if (!declared.contains(half)) {
          routes.add(new Route(half, route.port()));
        }
      }
    }
    return topology.withRoutes(routes);
  }

  private static IpPrefix quarter(IpPrefix.Family family, boolean upper, boolean second) {
    int bits = (upper ? 2 : 0) + (second ? 1 : 0);
    return family == IpPrefix.Family.V4
        ? IpPrefix.v4(bits << 30, 2)
        : IpPrefix.v6((long) bits << 62, 0, 2);
  }
}
