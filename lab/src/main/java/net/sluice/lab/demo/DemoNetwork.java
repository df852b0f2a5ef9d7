package net.sluice.lab.demo;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.sluice.core.shard.NetworkSwitch;
import net.sluice.embedded.DefaultTopology;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Topology.SwitchPort;
import net.sluice.intents.profile.Trunks;
import net.sluice.intents.profile.Trunks.End;
import net.sluice.intents.value.Direction;
import net.sluice.intents.value.InvalidValueException;

/**
 * The emulated network of a run: switches, joined by trunks, through which all traffic goes in one
 * direction. Packets are marked where their subscriber is attached, and carry their value over
 * trunks.
 *
 * @param direction where the traffic goes: {@code UP} from the subscribers' lines to a core port,
 *     {@code DOWN} from the core port of the subscriber's switch to an access port
 * @param switches each id once
 * @param trunks how they are joined
 */
public record DemoNetwork(Direction direction, List<Member> switches, Trunks trunks) {
  /** A switch. */
  public record Member(String id, Topology topology) {}

  /** A line that traffic leaves a switch by. */
  public record Link(String switchId, SwitchPort port) {
    /** Bytes that the packet value's header adds to a frame. */
    private static final int PACKET_VALUE_BYTES = 4;

    /** Bytes of a frame on this line beyond its length at its source. */
    int extraBytes() {
      return port.keepPacketValue() ? PACKET_VALUE_BYTES : 0;
    }
  }

  /**
   * The way of a group's traffic.
   *
   * @param entry the port it comes in by
   * @param links the lines it takes, in this order; at least one
   */
  public record Way(End entry, List<Link> links) {
    public Way {
      links = List.copyOf(links);
    }

    /** Where it leaves the network. */
    Link exit() {
      return links.get(links.size() - 1);
    }
  }

  public DemoNetwork {
    switches = List.copyOf(switches);
  }

  /** A network whose switches are joined as their topologies say. */
  public DemoNetwork(Direction direction, List<Member> switches) {
    this(direction, switches, Trunks.of(topologies(switches)));
  }

  private static Map<String, Topology> topologies(List<Member> switches) {
    Map<String, Topology> topologies = new LinkedHashMap<>();
    switches.forEach(each -> topologies.put(each.id(), each.topology()));
    return topologies;
  }

  /** One switch with its bottleneck towards the subscribers. */
  public static DemoNetwork single(long bottleneckBps) {
    Topology topology = new DefaultTopology(bottleneckBps).topology();
    return new DemoNetwork(Direction.DOWN, List.of(new Member(NetworkSwitch.ONLY, topology)));
  }

  /** The ids of the switches that subscribers can be attached to. */
  List<String> switchesWithLines() {
    return switches.stream()
        .filter(each -> !each.topology().bngPorts().isEmpty())
        .map(Member::id)
        .toList();
  }

  /** The BNG ports of a switch that lead to the same port as its lowest; from the lowest up. */
  List<Integer> bngPorts(String switchId) {
    Map<Integer, Integer> ports = member(switchId).topology().bngPorts();
    int linePort = linePort(member(switchId));
    return ports.keySet().stream().filter(each -> ports.get(each) == linePort).sorted().toList();
  }

  private static int linePort(Member at) {
    Map<Integer, Integer> ports = at.topology().bngPorts();
    return ports.get(ports.keySet().stream().min(Comparator.naturalOrder()).orElseThrow());
  }

  private Member member(String switchId) {
    return switches.stream().filter(each -> each.id().equals(switchId)).findFirst().orElseThrow();
  }

  /**
   * The way of each group of a population whose groups are at switches with lines.
   *
   * @throws InvalidValueException if a group's traffic has none, or more than one; the field is the
   *     group's name, the value its switch
   */
  public List<Way> ways(Population population) {
    List<Way> ways = new ArrayList<>();
    for (int g = 0; g < population.groups().size(); g++) {
      GroupSpec group = population.groups().get(g);
      int first = population.firstOf(g);
      Way way = way(group, population.destination(first, direction));
      for (int i = 1; i < group.subscribers(); i++) {
        if (!way(group, population.destination(first + i, direction)).equals(way)) {
          throw new InvalidValueException(
              group.name(),
              group.switchId(),
              "a switch from which routes lead all packets of a group the same way");
        }
      }
      ways.add(way);
    }
    return ways;
  }

  private Way way(GroupSpec group, IpPrefix destination) {
    Member at = member(group.switchId());
    End entry = entry(group, at);
    int out = direction == Direction.UP ? route(group, at, destination) : linePort(at);
    List<Link> links = new ArrayList<>();
    Set<String> passed = new HashSet<>();
    while (true) {
      SwitchPort port = at.topology().port(out).orElseThrow();
      links.add(new Link(at.id(), port));
      Optional<End> far = trunks.far(new End(at.id(), out));
      if (far.isEmpty()) {
        requireExit(group, at, port);
        return new Way(entry, links);
      }
      passed.add(at.id());
      at = member(far.get().switchName());
      if (passed.contains(at.id())) {
        throw new InvalidValueException(
            group.name(),
            group.switchId(),
            "a switch from which routes lead "
                + destination
                + " out, not to "
                + at.id()
                + " again");
      }
      out = route(group, at, destination);
    }
  }

  private End entry(GroupSpec group, Member at) {
    if (direction == Direction.DOWN) {
      return at.topology().ports().stream()
          .filter(port -> port.role() == PortRole.CORE && port.direction() == Direction.DOWN)
          .map(port -> new End(at.id(), port.number()))
          .findFirst()
          .orElseThrow(
              () ->
                  new InvalidValueException(
                      group.name(), at.id(), "a switch with a core port, for traffic down"));
    }
    SwitchPort line = at.topology().port(linePort(at)).orElseThrow();
    if (line.role() != PortRole.ACCESS) {
      throw new InvalidValueException(
          group.name(), at.id(), "a switch whose lines are on an access port, for traffic up");
    }
    return new End(at.id(), line.number());
  }

  private void requireExit(GroupSpec group, Member at, SwitchPort port) {
    PortRole wanted = direction == Direction.UP ? PortRole.CORE : PortRole.ACCESS;
    if (port.role() != wanted) {
      throw new InvalidValueException(
          group.name(),
          group.switchId(),
          "a switch from which traffic "
              + direction.text()
              + " leaves by a port of role "
              + wanted.name().toLowerCase(Locale.ROOT)
              + ", not by port "
              + port.number()
              + " of "
              + at.id());
    }
  }

  /** The port of the longest prefix that a destination is in. */
  private static int route(GroupSpec group, Member at, IpPrefix destination) {
    return at.topology().routes().stream()
        .filter(route -> route.prefix().contains(destination))
        .max(Comparator.comparingInt(route -> route.prefix().length()))
        .map(Topology.Route::port)
        .orElseThrow(
            () ->
                new InvalidValueException(
                    group.name(),
                    group.switchId(),
                    "a switch from which routes lead to "
                        + destination
                        + ": "
                        + at.id()
                        + " has none"));
  }
}
