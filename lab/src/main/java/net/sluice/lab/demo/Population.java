package net.sluice.lab.demo;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.value.Direction;

/**
 * The subscribers of a run: addresses, where they are attached, and the declarations that make them
 * known. A pure function of the groups and the seed.
 */
public final class Population {
  /** One subscriber in this many has an IPv6 prefix instead of an IPv4 address. */
  private static final int V6_IN = 5;

  /** FPGA trees of a BNG port. */
  private static final int TREES_PER_PORT = 64;

  private static final IpPrefix CORE_V4 = IpPrefix.parse("192.0.2.1/32");
  private static final IpPrefix CORE_V6 = IpPrefix.parse("2001:db8:ffff:ffff::1/128");

  private final List<GroupSpec> groups;
  private final int[] firstOf;
  private final boolean[] v6;

  /**
   * The population of these groups.
   *
   * @param seed decides who has IPv6
   * @param withV6 whether some subscribers have IPv6
   */
  public Population(List<GroupSpec> groups, long seed, boolean withV6) {
    this.groups = List.copyOf(groups);
    firstOf = new int[groups.size() + 1];
    for (int g = 0; g < groups.size(); g++) {
      firstOf[g + 1] = firstOf[g] + groups.get(g).subscribers();
    }
    Random random = new Random(seed);
    v6 = new boolean[firstOf[groups.size()]];
    for (int i = 0; i < v6.length; i++) {
      v6[i] = withV6 && random.nextInt(V6_IN) == 0;
    }
  }

  /** The groups. */
  public List<GroupSpec> groups() {
    return groups;
  }

  /** Number of subscribers; they are numbered from 0, group by group. */
  public int size() {
    return v6.length;
  }

  /** Number of a group's first subscriber. */
  public int firstOf(int group) {
    return firstOf[group];
  }

  /** Whether the subscriber's traffic is IPv6. */
  public boolean isV6(int subscriber) {
    return v6[subscriber];
  }

  /** Its address, 4 or 16 bytes: 10.0.0.1 + number or 2001:db8:number::1. */
  public byte[] address(int subscriber) {
    if (v6[subscriber]) {
      byte[] address = new byte[16];
      address[0] = 0x20;
      address[1] = 0x01;
      address[2] = 0x0d;
      address[3] = (byte) 0xb8;
      address[5] = (byte) (subscriber >>> 16);
      address[6] = (byte) (subscriber >>> 8);
      address[7] = (byte) subscriber;
      address[15] = 1;
      return address;
    }
    int number = subscriber + 1;
    return new byte[] {10, (byte) (number >>> 16), (byte) (number >>> 8), (byte) number};
  }

  /** The address of the host in the core that it talks to, of its own family. */
  public byte[] coreAddress(int subscriber) {
    return (v6[subscriber] ? CORE_V6 : CORE_V4).addressBytes();
  }

  /** Where its packets go in a direction: a prefix that holds the whole of its address. */
  IpPrefix destination(int subscriber, Direction direction) {
    if (direction == Direction.DOWN) {
      return IpPrefix.parse(prefix(subscriber));
    }
    return v6[subscriber] ? CORE_V6 : CORE_V4;
  }

  /** The prefix it is declared with: the address itself, or the /64 around it. */
  public String prefix(int subscriber) {
    if (v6[subscriber]) {
      return String.format(
          Locale.ROOT, "2001:db8:%x:%x::/64", subscriber >>> 16, subscriber & 0xffff);
    }
    int number = subscriber + 1;
    return "10." + (number >>> 16) + "." + (number >>> 8 & 0xff) + "." + (number & 0xff) + "/32";
  }

  /**
   * The declarations in the form of bulk lines: the subscribers, then the rate limits.
   *
   * <p>Those with a limit are spread over all ports and trees of their switch from the last port
   * down, because a tree has 64 queues; the others are on the first.
   *
   * @param network has the groups' switches, and the direction that limits are for
   * @param enforcement what limits ask to be enforced by, if anything
   */
  public void declare(
      DemoNetwork network, Optional<Enforcement> enforcement, Consumer<String> line) {
    Map<String, Integer> limitedAt = new HashMap<>();
    for (int g = 0; g < groups.size(); g++) {
      GroupSpec group = groups.get(g);
      List<Integer> ports = network.bngPorts(group.switchId());
      for (int i = 0; i < group.subscribers(); i++) {
        int port = ports.get(0);
        int tree = 0;
        if (group.limitBps().isPresent()) {
          int limited = limitedAt.merge(group.switchId(), 1, Integer::sum) - 1;
          port = ports.get(ports.size() - 1 - limited % ports.size());
          tree = limited / ports.size() % TREES_PER_PORT;
        }
        line.accept(subscriberLine(group, i, firstOf[g] + i, port, tree));
      }
    }
    for (GroupSpec group : groups) {
      for (int i = 0; group.limitBps().isPresent() && i < group.subscribers(); i++) {
        line.accept(
            limitLine(
                group.subscriberId(i),
                network.direction(),
                group.limitBps().getAsLong(),
                enforcement));
      }
    }
  }

  /** The declarations as a list; for runs whose declarations fit into memory. */
  public List<String> declarations(DemoNetwork network, Optional<Enforcement> enforcement) {
    List<String> lines = new ArrayList<>();
    declare(network, enforcement, lines::add);
    return lines;
  }

  /** The same with limits that leave their enforcement to the controller. */
  public List<String> declarations(DemoNetwork network) {
    return declarations(network, Optional.empty());
  }

  private String subscriberLine(GroupSpec group, int index, int subscriber, int port, int tree) {
    return "{\"op\":\"put\",\"kind\":\"subscriber\",\"id\":\""
        + group.subscriberId(index)
        + "\",\"value\":{\"policy\":\""
        + group.policy()
        + "\",\"prefixes\":[\""
        + prefix(subscriber)
        + "\"],\"attachment\":{\"switch\":\""
        + group.switchId()
        + "\",\"port\":"
        + port
        + ",\"tree\":"
        + tree
        + "}}}";
  }

  private static String limitLine(
      String id, Direction direction, long limitBps, Optional<Enforcement> enforcement) {
    return "{\"op\":\"put\",\"kind\":\"rate-limit\",\"id\":\""
        + id
        + "\",\"value\":{\"scope\":{\"subscriber\":\""
        + id
        + "\"},\""
        + rateField(direction)
        + "\":"
        + limitBps
        + enforcement.map(by -> ",\"enforcement\":\"" + by.text() + "\"").orElse("")
        + "}}";
  }

  /** The field of a rate limit that has the limit of a direction. */
  static String rateField(Direction direction) {
    return direction.text() + "Bps";
  }
}
