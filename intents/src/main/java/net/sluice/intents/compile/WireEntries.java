package net.sluice.intents.compile;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import net.sluice.intents.marker.Marker;
import net.sluice.intents.plan.Expected;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.limit.UnknownMeterEntry;
import net.sluice.intents.plan.entry.wire.UnknownPolicyEntry;
import net.sluice.intents.plan.entry.wire.WireEntry;
import net.sluice.intents.profile.MeterProfile;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Wire;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.value.Direction;
import net.sluice.intents.value.InvalidValueException;

/**
 * The wires of a switch. What belongs to no subscriber has, on each wire, an index behind those of
 * subscribers, so that it is measured, marked and counted as one. Its policy has an entry only
 * while it is declared.
 */
final class WireEntries implements Marker {
  private static final Direction[] DIRECTIONS = Direction.values();

  private final List<Wire> wires;
  private final int subscribers;

  /**
   * The wires of a topology.
   *
   * @param profile with room for subscribers beside the wires' indices
   * @throws InvalidValueException if the switch has no wires, or no meters for their limits
   */
  WireEntries(Topology topology, SwitchProfile profile) {
    wires = topology.wires();
    subscribers = profile.subscriberCapacity();
    if (!wires.isEmpty() && !profile.hasWires()) {
      throw new InvalidValueException(
          "wires", wires.size(), "absent: the switch's program has none");
    }
    for (Wire wire : wires) {
      for (Direction direction : DIRECTIONS) {
        OptionalLong rateBps = wire.unknownBps(direction);
        if (rateBps.isPresent() && !profile.meters().any()) {
          throw new InvalidValueException(
              "wires.unknown." + direction.text() + "Bps",
              rateBps.getAsLong(),
              "absent: the switch has no meters");
        }
      }
    }
  }

  /**
   * The entries that depend on no declaration. A wire's meters come before its ends, so that
   * unknown traffic never exceeds its limit.
   */
  Stream<SwitchEntry> entries() {
    return Stream.concat(
        wires.stream().flatMap(WireEntries::meters),
        ends().stream()
            .map(end -> new WireEntry(end.port(), end.partner(), end.direction(), end.nobody())));
  }

  private static Stream<SwitchEntry> meters(Wire wire) {
    return Arrays.stream(DIRECTIONS)
        .filter(direction -> wire.unknownBps(direction).isPresent())
        .map(
            direction -> {
              long rateBps = wire.unknownBps(direction).getAsLong();
              return new UnknownMeterEntry(
                  wire.entrance(direction),
                  Optional.of(MeterProfile.meter(rateBps, MeterProfile.sharedBurstBytes(rateBps))));
            });
  }

  /** The ends of all wires, in their order. */
  List<Wire.End> ends() {
    List<Wire.End> ends = new ArrayList<>();
    for (int place = 0; place < wires.size(); place++) {
      Wire wire = wires.get(place);
      int nobody = subscribers + 1 + place;
      for (Direction direction : DIRECTIONS) {
        ends.add(new Wire.End(wire.entrance(direction), wire.exit(direction), direction, nobody));
      }
    }
    return ends;
  }

  @Override
  public List<SwitchEntry> entriesOf(PolicyState policy) {
    List<SwitchEntry> entries = new ArrayList<>();
    for (Wire wire : wires) {
      if (wire.unknownPolicy().equals(Optional.of(policy.policy().id()))) {
        wire.ports().forEach(port -> entries.add(new UnknownPolicyEntry(port, policy.slot())));
      }
    }
    return entries;
  }

  @Override
  public Optional<Expected<SwitchEntry>> expected(SlaState state, SwitchEntry actual) {
    return actual instanceof UnknownPolicyEntry entry
        ? wires.stream()
            .filter(wire -> wire.ports().contains(entry.port()))
            .flatMap(wire -> wire.unknownPolicy().stream())
            .flatMap(id -> state.policy(id).stream())
            .flatMap(this::expected)
            .filter(expected -> expected.entity().sameKey(actual))
            .findFirst()
        : Optional.empty();
  }
}
