package net.sluice.intents.limit;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.plan.Grants;
import net.sluice.intents.profile.MeterProfile;
import net.sluice.intents.profile.RateWord;
import net.sluice.intents.profile.ShapeProfile;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Problems;

/**
 * The choice of the limiter of a rate limit in a direction: the one that it asks for, else the FPGA
 * of that direction, else the switch's shaping if that holds the rate and the burst, else the
 * switch's meters. It depends on nothing but the limit, the topology and the profile, so that a
 * limit keeps its limiter for as long as these stay.
 */
public final class LimiterChoice {
  private static final Direction[] DIRECTIONS = Direction.values();
  private static final Enforcement[] LIMITERS = Enforcement.values();

  private final Topology topology;
  private final MeterProfile meters;
  private final ShapeProfile shaping;

  /** The choice on one switch. */
  public LimiterChoice(Topology topology, SwitchProfile profile) {
    this.topology = topology;
    this.meters = profile.meters();
    this.shaping = profile.shaping();
  }

  /** True if there is a limiter in a direction. */
  public boolean has(Enforcement limiter, Direction direction) {
    return switch (limiter) {
      case FPGA -> topology.sidecar(direction).isPresent();
      case SHAPE -> shaping.any() && !topology.loopPorts().isEmpty();
      case POLICE -> meters.any();
    };
  }

  /** The limiter of a limit in a direction; where there is none, the one that is lacking. */
  Enforcement limiter(RateLimit limit, Direction direction) {
    if (limit.enforcement().isPresent()) {
      return limit.enforcement().get();
    } else if (has(Enforcement.FPGA, direction)) {
      return Enforcement.FPGA;
    }
    boolean polices = has(Enforcement.POLICE, direction);
    if (has(Enforcement.SHAPE, direction) && (isHeld(limit, direction) || !polices)) {
      return Enforcement.SHAPE;
    }
    return polices ? Enforcement.POLICE : Enforcement.FPGA;
  }

  /** The limiter of the first direction of a limit that the FPGA does not hold. */
  public Optional<Enforcement> besidesFpga(RateLimit limit) {
    return Arrays.stream(DIRECTIONS)
        .filter(direction -> limit.rateBps(direction).isPresent())
        .map(direction -> limiter(limit, direction))
        .filter(limiter -> limiter != Enforcement.FPGA)
        .findFirst();
  }

  /** True if the switch's shaping holds the rate and the burst. */
  private boolean isHeld(RateLimit limit, Direction direction) {
    long rateBps = limit.rateBps(direction).orElse(0);
    OptionalInt burst = limit.burstBytes();
    return ShapeProfile.canRepresent(rateBps)
        && (burst.isEmpty() || burst.getAsInt() <= shaping.maxBurstBytes(rateBps));
  }

  /** Of a limit the directions that a limiter enforces; empty if none. */
  public Optional<RateLimit> part(RateLimit limit, Enforcement limiter) {
    return limit.only(
        direction -> limiter(limit, direction) == limiter && !isRefused(limit, direction));
  }

  /** True if a limit asks for what there is not, which {@link #admit} tells. */
  private boolean isRefused(RateLimit limit, Direction direction) {
    return limit.enforcement().isPresent() && !has(limit.enforcement().get(), direction);
  }

  /** True if a limiter for which {@code from} holds gives a direction of a limit to another one. */
  boolean passes(RateLimit old, RateLimit added, Predicate<Enforcement> from) {
    for (Direction direction : DIRECTIONS) {
      if (old.rateBps(direction).isPresent()
          && added.rateBps(direction).isPresent()
          && from.test(limiter(old, direction))
          && limiter(added, direction) != limiter(old, direction)) {
        return true;
      }
    }
    return false;
  }

  /** Adds what stands against what a limit asks to be enforced by. */
  void admit(RateLimit limit, Problems problems) {
    for (Direction direction : DIRECTIONS) {
      if (limit.rateBps(direction).isPresent() && isRefused(limit, direction)) {
        Enforcement asked = limit.enforcement().orElseThrow();
        problems.add(
            Code.INVALID, "enforcement", asked.text(), allowed(limit), lack(asked, direction));
        return;
      }
    }
  }

  private String lack(Enforcement asked, Direction direction) {
    return switch (asked) {
      case FPGA ->
          String.format(
              Locale.ROOT, "No shaping FPGA is connected for the %s direction.", direction.text());
      case SHAPE ->
          shaping.any()
              ? "The topology has no loopPorts, in which packets could wait."
              : "The switch's program shapes no limits.";
      case POLICE -> "The switch's program has no meters.";
    };
  }

  private String allowed(RateLimit limit) {
    String all =
        names(
            limiter ->
                Arrays.stream(DIRECTIONS)
                    .allMatch(d -> limit.rateBps(d).isEmpty() || has(limiter, d)));
    return all.isEmpty() ? "none: there is nothing that limits all of its directions" : all;
  }

  private static String names(Predicate<Enforcement> of) {
    return Arrays.stream(LIMITERS)
        .filter(of)
        .map(Enforcement::text)
        .collect(Collectors.joining(" or "));
  }

  /** Notes which limiter each rate has and why, where there was a choice. */
  void note(RateLimit limit, Grants out) {
    for (Direction direction : DIRECTIONS) {
      if (limit.rateBps(direction).isPresent()
          && (has(Enforcement.SHAPE, direction) || meters.any())) {
        Enforcement limiter = limiter(limit, direction);
        out.note(
            direction.text()
                + "Bps is "
                + does(limiter)
                + ": "
                + reason(limit, direction, limiter));
      }
    }
  }

  private static String does(Enforcement limiter) {
    return switch (limiter) {
      case FPGA -> "shaped by the FPGA";
      case SHAPE -> "shaped by the switch, in steps of " + RateWord.stepText();
      case POLICE -> "policed by the switch's meters";
    };
  }

  private String reason(RateLimit limit, Direction direction, Enforcement limiter) {
    if (limit.enforcement().isPresent()) {
      return "enforcement asks for it";
    } else if (limiter == Enforcement.FPGA) {
      return "one is connected, and enforcement does not ask for "
          + names(other -> other != Enforcement.FPGA && has(other, direction));
    }
    String noFpga = "no FPGA is connected in this direction";
    if (limiter == Enforcement.POLICE && has(Enforcement.SHAPE, direction)) {
      return noFpga
          + ", and the switch shapes only "
          + RateWord.MIN_RATE_BPS
          + " to "
          + RateWord.MAX_RATE_BPS
          + " bit/s with bursts that its buffer holds for a second";
    }
    return noFpga;
  }
}
