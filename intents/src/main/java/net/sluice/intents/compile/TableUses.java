package net.sluice.intents.compile;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.sluice.intents.limit.Limiters;
import net.sluice.intents.marker.Markers;
import net.sluice.intents.model.IpPrefix.Family;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.StateDelta;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.TableUse;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.plan.Write;
import net.sluice.intents.profile.MarkerLayout;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.state.SlaState;

/** How full the switch is, and notes of changes that take of the last tenth of something. */
final class TableUses {
  private final SwitchProfile profile;
  private final MarkerLayout layout;
  private final Limiters limiters;
  private final Markers markers;

  TableUses(SwitchProfile profile, Limiters limiters, Markers markers) {
    this.profile = profile;
    this.limiters = limiters;
    this.markers = markers;
    this.layout = profile.markers();
  }

  /** The table entries that {@code state} uses. */
  List<TableUse> of(SlaState state) {
    List<TableUse> uses = new ArrayList<>(ofSwitch(state));
    if (layout.isDivided()) {
      for (int instance = 0; instance < layout.allInstances(); instance++) {
        uses.addAll(ofInstance(state, instance));
      }
    }
    return uses;
  }

  private List<TableUse> ofSwitch(SlaState state) {
    List<TableUse> uses =
        new ArrayList<>(
            List.of(
                new TableUse("subscribers", state.subscribers(), profile.subscriberCapacity()),
                new TableUse("policies", state.policies(), profile.policySlots() - 1),
                entries("ipv4-prefixes", state, Table.IPV4_PREFIX, profile.v4PrefixCapacity()),
                entries("ipv6-prefixes", state, Table.IPV6_PREFIX, profile.v6PrefixCapacity()),
                entries("vlans", state, Table.VLAN, profile.vlanCapacity()),
                entries("encapsulations", state, Table.ENCAPSULATION, profile.encapCapacity())));
    if (profile.directionPolicies() > 0) {
      uses.add(
          entries(
              "direction-policies", state, Table.DIRECTION_POLICY, profile.directionPolicies()));
    }
    for (Table table : limitTables()) {
      int size = limiters.capacity(table).orElseThrow();
      uses.add(new TableUse(table.text() + "s", limiters.entries(state, table), size));
    }
    uses.addAll(markers.uses(state));
    return uses;
  }

  /** The tables of subscribers under limits that the switch has. */
  private List<Table> limitTables() {
    return Stream.of(Table.SUBSCRIBER_METER, Table.SUBSCRIBER_LIMIT)
        .filter(table -> limiters.capacity(table).isPresent())
        .toList();
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

  private static TableUse entries(String resource, SlaState state, Table table, int size) {
    return new TableUse(resource, state.subscriberEntries(table), size);
  }

  /**
   * A note for each resource that a plan takes more of and that is nearly full with it; before the
   * plan is applied to {@code state}.
   */
  List<String> notes(SlaState state, Plan plan) {
    List<String> notes = notesOfPlace(state, plan);
    List<TableUse> now = ofSwitch(state);
    int most = plan.writes(TargetKey.SWITCH).size() + 1;
    if (now.stream().noneMatch(use -> grown(use, most).isNearlyFull())) {
      return notes;
    }
    List<Long> more = new ArrayList<>();
    more.add(creates(plan, Kind.SUBSCRIBER) ? 1L : 0);
    more.add(creates(plan, Kind.POLICY) ? 1L : 0);
    Stream.concat(
            Stream.of(
                Table.IPV4_PREFIX,
                Table.IPV6_PREFIX,
                Table.VLAN,
                Table.ENCAPSULATION,
                Table.DIRECTION_POLICY),
            limitTables().stream())
        .filter(table -> table != Table.DIRECTION_POLICY || profile.directionPolicies() > 0)
        .forEach(table -> more.add(inserts(plan, table)));
    more.addAll(markers.more(table -> inserts(plan, table)));
    List<String> all = new ArrayList<>();
    for (int i = 0; i < now.size(); i++) {
      if (more.get(i) > 0) {
        grown(now.get(i), more.get(i)).note().ifPresent(all::add);
      }
    }
    all.addAll(notes);
    return all;
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
              : inserts(plan, table);
      OptionalInt size = layout.prefixesPerInstance(family);
      if (more > 0 && size.isPresent()) {
        grown(prefixes(family, state, instance, size.getAsInt()), more)
            .note()
            .ifPresent(notes::add);
      }
    }
    return notes;
  }

  private static boolean creates(Plan plan, Kind kind) {
    return !plan.delta().replaces() && plan.delta().change().kind() == kind;
  }

  private static TableUse grown(TableUse use, long more) {
    return new TableUse(use.resource(), use.used() + more, use.size());
  }

  private static long inserts(Plan plan, Table table) {
    long inserts = 0;
    for (Write<SwitchEntry> write : plan.writes(TargetKey.SWITCH)) {
      if (write.entity().table() == table) {
        inserts += write.op() == Op.INSERT ? 1 : write.op() == Op.DELETE ? -1 : 0;
      }
    }
    return inserts;
  }
}
