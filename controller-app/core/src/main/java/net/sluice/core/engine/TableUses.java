package net.sluice.core.engine;

import java.util.ArrayList;
import java.util.List;
import net.sluice.core.TableUse;
import net.sluice.core.state.CompactSlaState;
import net.sluice.intents.plan.Change;
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
   * The plan of a change, with a note for each resource that it takes more of and that is nearly
   * full with it; before the plan is applied to {@code state}, the memory is held.
   */
  Plan noted(CompactSlaState state, Change change, Plan plan) {
    List<TableUse> now = of(state);
    int most = plan.switchWrites().size() + 1;
    if (now.stream().noneMatch(use -> grown(use, most).isNearlyFull())) {
      return plan;
    }
    long[] more = {
      change instanceof Change.PutSubscriber && state.indexOf(change.id()) == 0 ? 1 : 0,
      change instanceof Change.PutPolicy && state.policy(change.id()).isEmpty() ? 1 : 0,
      inserts(plan, Table.IPV4_PREFIX),
      inserts(plan, Table.IPV6_PREFIX),
      inserts(plan, Table.VLAN),
      inserts(plan, Table.ENCAPSULATION)
    };
    List<String> notes = new ArrayList<>(plan.notes());
    for (int i = 0; i < more.length; i++) {
      if (more[i] > 0) {
        grown(now.get(i), more[i]).note().ifPresent(notes::add);
      }
    }
    return plan.withNotes(notes);
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
