package net.sluice.intents.compile;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.IpPrefix.Family;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.TariffUse;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.model.schedule.Schedule;
import net.sluice.intents.plan.Table;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.state.PrefixCounts;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Problems;
import net.sluice.intents.validate.ReservedPrefixes;
import net.sluice.intents.value.Direction;

/**
 * Whether a switch can have a subscriber as it is declared, apart from limits, values and queues.
 */
final class SubscriberChecks {
  /** Stands for no table of subscribers. */
  static final int OTHER = -1;

  private static final String UPSTREAM_POLICY = Subscriber.policyField(Direction.UP);
  private static final String FREE_PREFIX = "a prefix that overlaps no other subscriber's";

  private final Topology topology;
  private final BngPorts bngPorts;
  private final SwitchProfile profile;

  SubscriberChecks(Topology topology, SwitchProfile profile) {
    this.topology = topology;
    this.bngPorts = new BngPorts(topology);
    this.profile = profile;
  }

  void policyAndPrefixes(SlaState state, Subscriber subscriber, Problems problems) {
    Optional<TariffUse> use = subscriber.parts().tariff();
    if (use.isPresent() && state.tariff(use.get().tariffId()).isEmpty()) {
      problems.add(
          Code.INVALID,
          "tariff",
          use.get().tariffId(),
          "the id of an existing tariff",
          "There is no tariff " + use.get().tariffId() + ".");
    } else if (subscriber.hasOnePolicy()) {
      policy(state, "policy", subscriber.policyId(), problems);
    } else {
      policies(state, subscriber, problems);
    }
    prefixes(state, subscriber, problems);
  }

  private void policies(SlaState state, Subscriber subscriber, Problems problems) {
    Schedule.FieldValues<String> each =
        (field, policyId) -> policy(state, field, policyId, problems);
    subscriber.policies(Direction.DOWN, each);
    subscriber.policies(Direction.UP, each);
    if (profile.directionPolicies() == 0) {
      subscriber.policies(
          Direction.UP, (field, policyId) -> refuseUpstream(field, policyId, problems));
    }
    if (subscriber.isTimed()) {
      stops(subscriber, problems);
    }
  }

  static void refuseUpstream(String field, String policyId, Problems problems) {
    problems.add(
        Code.INVALID,
        field,
        policyId,
        "absent",
        "The switch's program has one policy for both directions of a subscriber.");
  }

  private void stops(Subscriber subscriber, Problems problems) {
    if (!profile.stopsTraffic()) {
      subscriber
          .parts()
          .terms()
          .orElseThrow()
          .stops(
              field ->
                  problems.add(
                      Code.INVALID,
                      field,
                      true,
                      "a policy",
                      "The switch's program cannot stop the traffic of a subscriber; it can have"
                          + " another policy."));
    }
  }

  static void policy(SlaState state, String field, String policyId, Problems problems) {
    if (state.policy(policyId).isEmpty()) {
      problems.add(
          Code.INVALID,
          field,
          policyId,
          "the id of an existing policy",
          "There is no policy " + policyId + ".");
    }
  }

  void attachment(SlaState state, Subscriber subscriber, Problems problems) {
    OptionalInt port = bngPorts.switchPort(subscriber.attachment());
    if (port.isEmpty()) {
      problems.add(
          Code.INVALID,
          "attachment.port",
          subscriber.attachment().port(),
          topology.connectedBngPorts(),
          String.format(
              Locale.ROOT,
              "BNG port %d is not connected to the switch; connected: %s.",
              subscriber.attachment().port(),
              topology.connectedBngPorts()));
    } else {
      vlans(state, subscriber, port.getAsInt(), problems);
    }
  }

  /** Tags are matched per switch port, so all BNG ports behind it share one space of tags. */
  private void vlans(SlaState state, Subscriber subscriber, int switchPort, Problems problems) {
    if (subscriber.vlans().isEmpty()) {
      return;
    }
    VlanTags vlans = subscriber.vlans().get();
    int index = state.indexTagged(bngPort -> topology.leadsTo(bngPort, switchPort), vlans);
    if (index != 0 && !state.idOf(index).equals(subscriber.id())) {
      Subscriber owner = state.outline(index, List.of()).subscriber();
      problems.add(
          Code.CONFLICT,
          vlans.isPair() ? "cVlan" : "sVlan",
          vlans,
          "VLAN tags that no other subscriber on the port has",
          String.format(
              Locale.ROOT,
              "VLAN %s on BNG port %d belongs to subscriber %s.",
              vlans,
              owner.attachment().port(),
              owner.id()));
    }
  }

  private void prefixes(SlaState state, Subscriber subscriber, Problems problems) {
    List<IpPrefix> prefixes = subscriber.prefixes();
    for (int i = 0; i < prefixes.size(); i++) {
      IpPrefix prefix = prefixes.get(i);
      Optional<String> reserved = ReservedPrefixes.reason(prefix);
      if (reserved.isPresent()) {
        problems.add(
            Code.INVALID,
            "prefixes[" + i + "]",
            prefix,
            "a unicast prefix that can be routed to a subscriber",
            prefix + " cannot be a subscriber's: " + reserved.get() + ".");
      }
      if (!profile.prefixLengths().allow(prefix)) {
        String allowed =
            String.format(
                Locale.ROOT,
                "%s prefixes of length %d",
                prefix.family() == Family.V4 ? "IPv4" : "IPv6",
                profile.prefixLengths().of(prefix.family()).getAsInt());
        problems.add(
            Code.INVALID,
            "prefixes[" + i + "]",
            prefix,
            allowed,
            prefix + " cannot be classified: the switch's program knows " + allowed + " only.");
      }
      for (int j = 0; j < i; j++) {
        if (prefix.overlaps(prefixes.get(j))) {
          problems.add(
              Code.CONFLICT,
              "prefixes[" + i + "]",
              prefix,
              "a prefix that overlaps no other of the subscriber",
              prefix + " overlaps " + prefixes.get(j) + " of the same subscriber.");
        }
      }
      Optional<String> other = state.subscriberOverlapping(prefix, subscriber.id());
      if (other.isPresent()) {
        problems.add(
            Code.CONFLICT,
            "prefixes[" + i + "]",
            prefix,
            FREE_PREFIX,
            prefix + " overlaps a prefix of subscriber " + other.get() + ".");
      }
    }
  }

  void tables(
      SlaState state,
      Subscriber old,
      Subscriber put,
      PrefixCounts prefixes,
      PrefixCounts released,
      Problems problems) {
    int tags = put.vlans().isPresent() ? 1 : 0;
    int oldTags = old != null && old.vlans().isPresent() ? 1 : 0;
    table(state, Table.IPV4_PREFIX, "prefixes", prefixes.v4(), released.v4(), problems);
    table(state, Table.IPV6_PREFIX, "prefixes", prefixes.v6(), released.v6(), problems);
    if (put.vlans().isPresent()) {
      Table table = lineTable(put.vlans().get());
      boolean had = oldTags == 1 && lineTable(old.vlans().get()) == table;
      table(state, table, "sVlan", 1, had ? 1 : 0, problems);
    }
    table(state, Table.ENCAPSULATION, "sVlan", tags, oldTags, problems);
    if (profile.directionPolicies() > 0) {
      int split = put.isSplit() ? 1 : 0;
      int oldSplit = old != null && old.isSplit() ? 1 : 0;
      table(state, Table.DIRECTION_POLICY, UPSTREAM_POLICY, split, oldSplit, problems);
    }
  }

  private void table(
      SlaState state, Table table, String field, int needed, int released, Problems problems) {
    if (needed <= released) {
      return;
    }
    int used = state.subscriberEntries(table);
    int capacity = capacity(table);
    if (used - released + needed > capacity) {
      problems.add(
          Code.CAPACITY,
          field,
          needed + (needed == 1 ? " entry" : " entries"),
          "at most " + Math.max(0, capacity - used + released),
          String.format(
              Locale.ROOT,
              "Table %s holds %d entries, %d are used, and this needs %d more.",
              table,
              capacity,
              used,
              needed - released));
    }
  }

  private Table lineTable(VlanTags vlans) {
    return vlans.isPair() ? Table.VLAN : Table.SERVICE_VLAN;
  }

  /** Entries of subscribers that a table has room for; {@link #OTHER} if it has others. */
  int capacity(Table table) {
    return switch (table) {
      case IPV4_PREFIX -> profile.v4PrefixCapacity();
      case IPV6_PREFIX -> profile.v6PrefixCapacity();
      case VLAN -> profile.vlanCapacity();
      case SERVICE_VLAN -> profile.serviceVlanCapacity();
      case ENCAPSULATION -> profile.encapCapacity();
      case DIRECTION_POLICY -> profile.directionPolicies();
      default -> OTHER;
    };
  }
}
