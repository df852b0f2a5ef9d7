package net.sluice.intents.compile;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import net.sluice.intents.limit.Limiters;
import net.sluice.intents.marker.Markers;
import net.sluice.intents.model.IpPrefix.Family;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.StateDelta;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.TableUse;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.profile.MarkerLayout;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.state.TableResource;

/** How full the switch is, and notes of changes that take of the last tenth of something. */
final class TableUses {
  private final List<TableResource> ofSwitch;
  private final MarkerLayout layout;

  TableUses(SwitchProfile profile, Limiters limiters, Markers markers) {
    this.ofSwitch = ofSwitch(profile, limiters, markers);
    this.layout = profile.markers();
  }

  /** The table entries that {@code state} uses. */
  List<TableUse> of(SlaState state) {
    List<TableUse> uses = new ArrayList<>();
    ofSwitch.forEach(resource -> uses.add(resource.in(state)));
    if (layout.isDivided()) {
      for (int instance = 0; instance < layout.allInstances(); instance++) {
        uses.addAll(ofInstance(state, instance));
      }
    }
    return uses;
  }

  private static List<TableResource> ofSwitch(
      SwitchProfile profile, Limiters limiters, Markers markers) {
    List<TableResource> all = new ArrayList<>();
    all.add(
        new TableResource(
            "subscribers",
            SlaState::subscribers,
            profile.subscriberCapacity(),
            plan -> creates(plan, Kind.SUBSCRIBER)));
    all.add(
        new TableResource(
            "policies",
            SlaState::policies,
            profile.policySlots() - 1,
            plan -> creates(plan, Kind.POLICY)));
    all.add(entries("ipv4-prefixes", Table.IPV4_PREFIX, profile.v4PrefixCapacity()));
    all.add(entries("ipv6-prefixes", Table.IPV6_PREFIX, profile.v6PrefixCapacity()));
    all.add(entries("vlans", Table.VLAN, profile.vlanCapacity()));
    all.add(entries("encapsulations", Table.ENCAPSULATION, profile.encapCapacity()));
    all.add(entries("service-vlans", Table.SERVICE_VLAN, profile.serviceVlanCapacity()));
    if (profile.directionPolicies() > 0) {
      all.add(entries("direction-policies", Table.DIRECTION_POLICY, profile.directionPolicies()));
    }
    for (Table table : List.of(Table.SUBSCRIBER_METER, Table.SUBSCRIBER_LIMIT)) {
      limiters
          .capacity(table)
          .ifPresent(
              size ->
                  all.add(
                      new TableResource(
                          table.text() + "s",
                          state -> limiters.entries(state, table),
                          size,
                          plan -> plan.inserts(table))));
    }
    all.addAll(markers.resources());
    return List.copyOf(all);
  }

  private static TableResource entries(String name, Table table, int size) {
    return new TableResource(
        name, state -> state.subscriberEntries(table), size, plan -> plan.inserts(table));
  }

  private static int creates(Plan plan, Kind kind) {
    return !plan.delta().replaces() && plan.delta().change().kind() == kind ? 1 : 0;
  }

  /** Of one instance of the marker; of its pipe too, if it is the first there. */
  private List<TableUse> ofInstance(SlaState state, int instance) {
    List<TableUse> uses = new ArrayList<>(4);
    if (layout.pipes() > 1 && instance % layout.instances() == 0) {
      uses.add(ofPipe(state, instance));
    }
    int used = state.subscribersIn(instance);
    uses.add(new TableUse("subscribers" + name(instance), used, layout.subscribersPerInstance()));
    for (Family family : Family.values()) {
      layout
          .prefixesPerInstance(family)
          .ifPresent(size -> uses.add(prefixes(family, state, instance, size)));
    }
    return uses;
  }

  /** Of the pipe that an instance is in. */
  private TableUse ofPipe(SlaState state, int instance) {
    int pipe = instance / layout.instances();
    int first = pipe * layout.instances();
    int used = IntStream.range(first, first + layout.instances()).map(state::subscribersIn).sum();
    return new TableUse("subscribers-pipe-" + pipe, used, layout.pipeCapacity());
  }

  private TableUse prefixes(Family family, SlaState state, int instance, int size) {
    String resource = family == Family.V4 ? "ipv4-prefixes" : "ipv6-prefixes";
    return new TableUse(resource + name(instance), state.prefixesIn(family, instance), size);
  }

  /** {@code -pipe-1-instance-3}, or {@code -instance-3} in one pipe. */
  private String name(int instance) {
    String text = layout.text(layout.firstIndex(instance));
    return "-" + text.replace(", ", "-").replace(' ', '-');
  }

  /**
   * A note for each resource that a plan takes more of and that is nearly full with it; before the
   * plan is applied to {@code state}.
   */
  List<String> notes(SlaState state, Plan plan) {
    // Every change passes here: what has room for all of its writes needs no closer look.
    int most = plan.writes(TargetKey.SWITCH).size() + 1;
    boolean isNearlyFull = false;
    for (int i = 0; i < ofSwitch.size() && !isNearlyFull; i++) {
      isNearlyFull = ofSwitch.get(i).isNearlyFull(state, most);
    }
    if (!isNearlyFull) {
      return notesOfPlace(state, plan);
    }
    List<String> notes = new ArrayList<>();
    ofSwitch.forEach(resource -> resource.note(state, plan).ifPresent(notes::add));
    notes.addAll(notesOfPlace(state, plan));
    return notes;
  }

  /** Notes of the pipe and of the instance where a plan puts a subscriber. */
  private List<String> notesOfPlace(SlaState state, Plan plan) {
    StateDelta delta = plan.delta();
    if (!layout.isDivided()
        || delta.change().kind() != Kind.SUBSCRIBER
        || !(delta.change() instanceof Change.Put)) {
      return List.of();
    }
    boolean moves = delta.left() != 0;
    int instance = layout.instanceOf(delta.number());
    List<String> notes = new ArrayList<>();
    if (layout.pipes() > 1 && (moves || !delta.replaces())) {
      grown(ofPipe(state, instance), 1).note().ifPresent(notes::add);
    }
    for (Family family : Family.values()) {
      Table table = family == Family.V4 ? Table.IPV4_PREFIX : Table.IPV6_PREFIX;
      // Whoever moves takes all its prefixes along.
      long more =
          moves
              ? plan.writes(TargetKey.SWITCH).stream()
                  .filter(w -> w.op() == Op.INSERT && w.entity().table() == table)
                  .count()
              : plan.inserts(table);
      OptionalInt size = layout.prefixesPerInstance(family);
      if (more > 0 && size.isPresent()) {
        grown(prefixes(family, state, instance, size.getAsInt()), more)
            .note()
            .ifPresent(notes::add);
      }
    }
    return notes;
  }

  private static TableUse grown(TableUse use, long more) {
    return new TableUse(use.resource(), use.used() + more, use.size());
  }
}
