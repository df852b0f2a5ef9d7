package net.sluice.core.engine;

import java.util.ArrayList;
import java.util.List;
import net.sluice.core.TableUse;
import net.sluice.core.state.CompactSlaState;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.SwitchWrite;
import net.sluice.intents.plan.Table;
import net.sluice.intents.profile.SwitchProfile;

/** How full the switch is, and notes of changes that take of the last tenth of something. */
final class TableUses {
  private final SwitchProfile profile;

  TableUses(SwitchProfile profile) {
    this.profile = profile;
  }

  /** What {@code state} uses; the memory is held. */
  List<TableUse> of(CompactSlaState state) {
    return List.of(
        new TableUse("subscribers", state.subscribers(), profile.subscriberCapacity()),
        new TableUse("policies", state.policies(), profile.policySlots() - 1),
        entries("ipv4-prefixes", state, Table.IPV4_PREFIX, profile.v4PrefixCapacity()),
        entries("ipv6-prefixes", state, Table.IPV6_PREFIX, profile.v6PrefixCapacity()),
        entries("vlans", state, Table.VLAN, profile.vlanCapacity()),
        entries("encapsulations", state, Table.ENCAPSULATION, profile.encapCapacity()));
  }

  private static TableUse entries(String resource, CompactSlaState state, Table table, int size) {
    return new TableUse(resource, state.subscriberEntries(table), size);
  }

  /**
   * A note for each resource that a plan takes more of and that is nearly full with it; before the
   * plan is applied to {@code state}, the memory is held.
   */
  List<String> notes(CompactSlaState state, Plan plan) {
    List<TableUse> now = of(state);
    int most = plan.switchWrites().size() + 1;
    if (now.stream().noneMatch(use -> grown(use, most).isNearlyFull())) {
      return List.of();
    }
    long[] more = {
      creates(plan, Kind.SUBSCRIBER) ? 1 : 0,
      creates(plan, Kind.POLICY) ? 1 : 0,
      inserts(plan, Table.IPV4_PREFIX),
      inserts(plan, Table.IPV6_PREFIX),
      inserts(plan, Table.VLAN),
      inserts(plan, Table.ENCAPSULATION)
    };
    List<String> notes = new ArrayList<>();
    for (int i = 0; i < more.length; i++) {
      if (more[i] > 0) {
        grown(now.get(i), more[i]).note().ifPresent(notes::add);
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
    for (SwitchWrite write : plan.switchWrites()) {
      if (write.entry().table() == table) {
        inserts += write.op() == Op.INSERT ? 1 : write.op() == Op.DELETE ? -1 : 0;
      }
    }
    return inserts;
  }
}
