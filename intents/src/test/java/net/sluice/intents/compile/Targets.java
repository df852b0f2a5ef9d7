package net.sluice.intents.compile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.sluice.intents.plan.Expected;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.plan.Write;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.state.InMemorySlaState;
import net.sluice.intents.value.Direction;

/** A strict switch and two FPGAs: refuse what real ones refuse, and hold what they are given. */
final class Targets {
  private final SwitchProfile profile;
  private final Map<SwitchEntry.Key, SwitchEntry> entries = new HashMap<>();
  private final Map<Table, Integer> counts = new EnumMap<>(Table.class);
  private final Map<Object, FpgaSetting> settings = new HashMap<>();

  Targets(Compiler compiler) {
    profile = compiler.switchProfile();
    compiler
        .sharedEntries(new InMemorySlaState(compiler))
        .forEach(each -> write(new Write<>(Op.INSERT, each.entity(), each.owner())));
    for (Direction direction : Direction.values()) {
      compiler
          .expectedSettings(new InMemorySlaState(compiler), direction)
          .map(Expected::entity)
          .forEach(setting -> settings.put(key(setting), setting));
    }
  }

  void apply(Plan plan) {
    plan.writes(TargetKey.SWITCH).forEach(this::write);
    for (Direction direction : Direction.values()) {
      List<Object> seen = new ArrayList<>();
      for (Write<FpgaSetting> write : plan.writes(TargetKey.fpga(direction))) {
        FpgaSetting setting = write.entity();
        assertThat(setting.direction()).isEqualTo(direction);
        FpgaSetting before = put(setting);
        assertThat(before).isNotNull().isNotEqualTo(setting);
        assertThat(write.previous()).contains(before);
        assertThat(seen).doesNotContain(key(setting));
        seen.add(key(setting));
      }
    }
  }

  /** What the setting was: settings of delay that are not there are 0. */
  private FpgaSetting put(FpgaSetting setting) {
    FpgaSetting before =
        setting.isOfDelay() && setting.value() == 0
            ? settings.remove(key(setting))
            : settings.put(key(setting), setting);
    return before == null && setting.isOfDelay() ? setting.withValue(0) : before;
  }

  private void write(Write<SwitchEntry> write) {
    SwitchEntry entry = write.entity();
    SwitchEntry before =
        write.op() == Op.DELETE ? entries.remove(entry.key()) : entries.put(entry.key(), entry);
    if (write.op() == Op.INSERT) {
      assertThat(before).as("inserted before: %s", entry).isNull();
    } else {
      assertThat(before).as("not there: %s", write).isNotNull();
      assertThat(before.equals(entry)).isEqualTo(write.op() == Op.DELETE);
    }
    int change = write.op() == Op.INSERT ? 1 : write.op() == Op.DELETE ? -1 : 0;
    assertThat(counts.merge(entry.table(), change, Integer::sum))
        .isBetween(0, capacity(entry.table()));
  }

  private int capacity(Table table) {
    if (table == Table.SUBSCRIBER_LIMIT) {
      return profile.shaping().subscribers();
    }
    if (table == Table.SERVICE_VLAN) {
      return profile.serviceVlanCapacity();
    }
    return Map.of(
            Table.IPV4_PREFIX, profile.v4PrefixCapacity(),
            Table.IPV6_PREFIX, profile.v6PrefixCapacity(),
            Table.VLAN, profile.vlanCapacity(),
            Table.ENCAPSULATION, profile.encapCapacity(),
            Table.DIRECTION_POLICY, profile.directionPolicies(),
            Table.POLICY_VALUE, profile.policySlots() * 1024,
            Table.QUEUE_AQM, profile.aqm().queues(),
            Table.SUBSCRIBER_METER, profile.meters().subscribers())
        .getOrDefault(table, Integer.MAX_VALUE);
  }

  Map<SwitchEntry.Key, SwitchEntry> entries() {
    return entries;
  }

  Map<Object, FpgaSetting> settings() {
    return settings;
  }

  /** What targets should hold under {@code state}: the compiler's expectation, not its plans. */
  static Map<SwitchEntry.Key, SwitchEntry> expectedEntries(
      Compiler compiler, InMemorySlaState state) {
    Map<SwitchEntry.Key, SwitchEntry> expected = new HashMap<>();
    compiler
        .sharedEntries(state)
        .map(Expected::entity)
        .forEach(entry -> expected.put(entry.key(), entry));
    state
        .allSubscribers()
        .forEach(
            subscriber ->
                compiler.expected(
                    state,
                    subscriber,
                    entry -> assertThat(expected.put(entry.key(), entry)).isNull()));
    return expected;
  }

  static Map<Object, FpgaSetting> expectedSettings(Compiler compiler, InMemorySlaState state) {
    Map<Object, FpgaSetting> expected = new HashMap<>();
    for (Direction direction : Direction.values()) {
      compiler
          .expectedSettings(state, direction)
          .map(Expected::entity)
          .filter(setting -> !setting.isOfDelay() || setting.value() != 0)
          .forEach(setting -> expected.put(key(setting), setting));
    }
    return expected;
  }

  private static Object key(FpgaSetting setting) {
    return List.of(setting.direction(), setting.place());
  }
}
