package net.sluice.intents.limit;

import java.util.Locale;
import java.util.Optional;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.plan.Grants;
import net.sluice.intents.profile.MeterProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Problems;

/**
 * The choice of the limiter of a rate limit in a direction: the one that it asks for, else the FPGA
 * of that direction, else the switch's meters. It depends on nothing but the limit, the topology
 * and the profile, so that a limit keeps its limiter for as long as these stay.
 */
public final class LimiterChoice {
  private static final Direction[] DIRECTIONS = Direction.values();

  private final Topology topology;
  private final MeterProfile meters;

  /** The choice on one switch. */
  public LimiterChoice(Topology topology, MeterProfile meters) {
    this.topology = topology;
    this.meters = meters;
  }

  /** The limiter of a limit in a direction; where there is none, the one that is lacking. */
  Enforcement limiter(RateLimit limit, Direction direction) {
    return limit
        .enforcement()
        .orElse(isShaped(direction) || !meters.any() ? Enforcement.FPGA : Enforcement.POLICE);
  }

  private boolean isShaped(Direction direction) {
    return topology.sidecar(direction).isPresent();
  }

  /** Of a limit the directions that a limiter enforces; empty if none. */
  public Optional<RateLimit> part(RateLimit limit, Enforcement limiter) {
    return limit.only(
        direction -> limiter(limit, direction) == limiter && !isRefused(limit, direction));
  }

  /** True if a limit asks for what there is not, which {@link #admit} tells. */
  private boolean isRefused(RateLimit limit, Direction direction) {
    return limit.enforcement().isPresent()
        && (limit.enforcement().get() == Enforcement.FPGA ? !isShaped(direction) : !meters.any());
  }

  /** True if a limiter gives a direction of a limit to another one. */
  boolean passes(RateLimit old, RateLimit added, Enforcement from) {
    for (Direction direction : DIRECTIONS) {
      if (old.rateBps(direction).isPresent()
          && added.rateBps(direction).isPresent()
          && limiter(old, direction) == from
          && limiter(added, direction) != from) {
        return true;
      }
    }
    return false;
  }

  /** Adds what stands against what a limit asks to be enforced by. */
  void admit(RateLimit limit, Problems problems) {
    if (limit.enforcement().isEmpty()) {
      return;
    }
    Enforcement asked = limit.enforcement().get();
    for (Direction direction : DIRECTIONS) {
      if (limit.rateBps(direction).isPresent() && isRefused(limit, direction)) {
        problems.add(
            Code.INVALID,
            "enforcement",
            asked.text(),
            allowed(limit, asked),
            asked == Enforcement.FPGA
                ? String.format(
                    Locale.ROOT,
                    "No shaping FPGA is connected for the %s direction.",
                    direction.text())
                : "The switch's program has no meters.");
        return;
      }
    }
  }

  private String allowed(RateLimit limit, Enforcement refused) {
    if (refused == Enforcement.POLICE) {
      return limit.only(direction -> !isShaped(direction)).isEmpty()
          ? Enforcement.FPGA.text()
          : "none: no FPGA is connected for all that it limits";
    }
    return meters.any()
        ? Enforcement.POLICE.text()
        : "none: the switch's program has no meters either";
  }

  /** Notes which limiter each rate has and why, where there was a choice. */
  void note(RateLimit limit, Grants out) {
    if (!meters.any()) {
      return;
    }
    for (Direction direction : DIRECTIONS) {
      if (limit.rateBps(direction).isPresent()) {
        out.note(
            direction.text()
                + "Bps is "
                + (limiter(limit, direction) == Enforcement.FPGA
                    ? "shaped by the FPGA: "
                    : "policed by the switch's meters: ")
                + reason(limit, direction));
      }
    }
  }

  private String reason(RateLimit limit, Direction direction) {
    if (limit.enforcement().isPresent()) {
      return "enforcement asks for it";
    }
    return isShaped(direction)
        ? "one is connected, and enforcement does not ask for police"
        : "no FPGA is connected in this direction";
  }
}
