package net.sluice.intents.profile;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import net.sluice.intents.value.Direction;
import net.sluice.intents.value.Ids;
import net.sluice.intents.value.InvalidValueException;

/**
 * Two ports between which every frame passes as it is. Subscribers' packets among them are known
 * and limited as elsewhere; what belongs to no subscriber is one sender.
 *
 * @param access switch port towards subscribers, of role ACCESS
 * @param core switch port at the other end, of role CORE
 * @param unknownPolicy id of the policy of what belongs to no subscriber; without it, and as long
 *     as it is not declared, that is never dropped by value
 * @param unknownDownBps the most of it that goes down, bit/s; empty for all
 * @param unknownUpBps the most of it that goes up, bit/s; empty for all
 */
public record Wire(
    int access,
    int core,
    Optional<String> unknownPolicy,
    OptionalLong unknownDownBps,
    OptionalLong unknownUpBps) {
  /**
   * An end of a wire.
   *
   * @param port where frames enter
   * @param partner where they leave
   * @param direction which way they go
   * @param nobody the index, in place of a subscriber's, by which unknown frames are counted
   */
  public record End(int port, int partner, Direction direction, int nobody) {}

  public Wire {
    unknownPolicy.ifPresent(id -> Ids.require("wires.unknown.policy", id));
    requireRate("wires.unknown.downBps", unknownDownBps);
    requireRate("wires.unknown.upBps", unknownUpBps);
  }

  /** A wire that lets all pass that belongs to no subscriber. */
  public Wire(int access, int core) {
    this(access, core, Optional.empty(), OptionalLong.empty(), OptionalLong.empty());
  }

  private static void requireRate(String field, OptionalLong rateBps) {
    if (rateBps.isPresent() && !MeterProfile.canRepresent(rateBps.getAsLong())) {
      throw new InvalidValueException(field, rateBps.getAsLong(), MeterProfile.RATE_FORM);
    }
  }

  /** Both ports. */
  public List<Integer> ports() {
    return List.of(access, core);
  }

  /** The port by which frames enter that go in a direction. */
  public int entrance(Direction direction) {
    return direction == Direction.UP ? access : core;
  }

  /** The port by which frames leave that go in a direction. */
  public int exit(Direction direction) {
    return direction == Direction.UP ? core : access;
  }

  /** The most that passes in a direction of what belongs to no subscriber; empty for all. */
  public OptionalLong unknownBps(Direction direction) {
    return direction == Direction.UP ? unknownUpBps : unknownDownBps;
  }
}
