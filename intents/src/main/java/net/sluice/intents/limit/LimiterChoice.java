package net.sluice.intents.limit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.plan.Grants;
import net.sluice.intents.plan.entry.limit.RateWord;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.MeterProfile;
import net.sluice.intents.profile.ShapeProfile;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Problems;
import net.sluice.intents.value.Direction;

/**
 * The choice of the limiter of a rate limit in a direction: the one that it asks for, else the
 * first of FPGA, switch's shaping and switch's meters that grants each rate which the limit may
 * come to have there within {@link #TOLERANCE}, else the one that comes nearest to these rates. It
 * depends on nothing but the limit as declared, the topology and the profiles: not on what else is
 * declared, on the time, or on what was declared before.
 */
public final class LimiterChoice {
  private static final Direction[] DIRECTIONS = Direction.values();
  private static final Enforcement[] LIMITERS = Enforcement.values();

  /** A limiter that is off by no more, as a part of the rate, comes as near as any. */
  private static final double TOLERANCE = 0.02;

  /** Of a limiter that cannot hold the limit. */
  private static final double NOT_HELD = Double.POSITIVE_INFINITY;

  private final Topology topology;
  private final MeterProfile meters;
  private final ShapeProfile shaping;
  private final FpgaProfile fpga;

  /** The choice on one switch with its FPGAs. */
  public LimiterChoice(Topology topology, SwitchProfile profile, FpgaProfile fpga) {
    this.topology = topology;
    this.meters = profile.meters();
    this.shaping = profile.shaping();
    this.fpga = fpga;
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
    }
    Enforcement nearest = null;
    double least = NOT_HELD;
    for (Enforcement each : LIMITERS) {
      if (has(each, direction)) {
        double off = off(each, limit, direction);
        if (off <= TOLERANCE) {
          return each;
        } else if (nearest == null || off < least) {
          nearest = each;
          least = off;
        }
      }
    }
    return nearest == null ? Enforcement.FPGA : nearest;
  }

  /** By how much of a rate a limiter is off, at the rate where it is off by most. */
  private double off(Enforcement limiter, RateLimit limit, Direction direction) {
    if (!limit.isTimed()) {
      return offNow(limiter, limit, direction);
    }
    double[] most = {0};
    limit.variants(
        (field, variant) -> most[0] = Math.max(most[0], offNow(limiter, variant, direction)));
    return most[0];
  }

  private double offNow(Enforcement limiter, RateLimit limit, Direction direction) {
    OptionalLong rateBps = limit.rateBps(direction);
    if (rateBps.isEmpty()) {
      return 0;
    }
    OptionalLong granted = grantedBps(limiter, limit, direction);
    return granted.isEmpty()
        ? NOT_HELD
        : Math.abs(granted.getAsLong() - rateBps.getAsLong()) / (double) rateBps.getAsLong();
  }

  /** The rate that a limiter would grant a limit; empty if it cannot hold rate or burst. */
  OptionalLong grantedBps(Enforcement limiter, RateLimit limit, Direction direction) {
    long rateBps = limit.rateBps(direction).orElseThrow();
    int burst = limit.burstBytes().orElse(ShapeProfile.MIN_BURST_BYTES);
    return switch (limiter) {
      case FPGA ->
          fpga.canRepresent(rateBps)
                  && (limit.burstBytes().isEmpty()
                      || burst >= fpga.minBurstBytes() && burst <= fpga.maxBurstBytes())
              ? OptionalLong.of(fpga.rateBps(fpga.word(rateBps)))
              : OptionalLong.empty();
      case SHAPE ->
          ShapeProfile.canRepresent(rateBps)
                  && burst >= ShapeProfile.MIN_BURST_BYTES
                  && burst <= shaping.maxBurstBytes(rateBps)
              ? OptionalLong.of(RateWord.rateBps(RateWord.of(rateBps)))
              : OptionalLong.empty();
      case POLICE ->
          MeterProfile.canRepresent(rateBps) && burst >= MeterProfile.MIN_BURST_BYTES
              ? OptionalLong.of(MeterProfile.rateBps(rateBps))
              : OptionalLong.empty();
    };
  }

  /** The limiter of the first of some directions of a limit that the FPGA does not hold. */
  public Optional<Enforcement> besidesFpga(RateLimit limit, Predicate<Direction> of) {
    return Arrays.stream(DIRECTIONS)
        .filter(direction -> of.test(direction) && limit.rateBps(direction).isPresent())
        .map(direction -> limiter(limit, direction))
        .filter(limiter -> limiter != Enforcement.FPGA)
        .findFirst();
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

  /**
   * The first direction in which a limit that does not say what it is to be enforced by would have
   * another limiter than the one it replaces.
   */
  Optional<Direction> changed(RateLimit old, RateLimit added) {
    return added.enforcement().isPresent()
        ? Optional.empty()
        : Arrays.stream(DIRECTIONS)
            .filter(direction -> old.mostBps(direction) > 0 && added.mostBps(direction) > 0)
            .filter(direction -> limiter(old, direction) != limiter(added, direction))
            .findFirst();
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
          topology.wires().isEmpty()
              ? String.format(
                  Locale.ROOT,
                  "No shaping FPGA is connected for the %s direction.",
                  direction.text())
              : "Frames of wires do not pass an FPGA, from which they would come back without the"
                  + " port and the addresses that they came with.";
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
        Map<Enforcement, Long> others = new EnumMap<>(Enforcement.class);
        out.note(
            direction.text()
                + "Bps is "
                + does(limiter)
                + ": "
                + reason(limit, direction, limiter, others));
        out.others(direction, others);
      }
    }
  }

  private static String does(Enforcement limiter) {
    return switch (limiter) {
      case FPGA -> "shaped by the FPGA";
      case SHAPE -> "shaped by the switch";
      case POLICE -> "policed by the switch's meters";
    };
  }

  /**
   * Why a limiter has a direction of a limit, and in {@code others} what the others would grant.
   */
  private String reason(
      RateLimit limit, Direction direction, Enforcement limiter, Map<Enforcement, Long> others) {
    List<String> reasons = new ArrayList<>();
    if (limit.enforcement().isPresent()) {
      reasons.add("enforcement asks for it");
    } else if (!has(Enforcement.FPGA, direction)) {
      reasons.add("no FPGA is connected in this direction");
    } else {
      reasons.add(
          off(limiter, limit, direction) <= TOLERANCE
              ? "the first within 2 % of its rates"
              : "the nearest");
    }
    for (Enforcement other : LIMITERS) {
      if (other != limiter && has(other, direction)) {
        OptionalLong granted = grantedBps(other, limit, direction);
        granted.ifPresent(rateBps -> others.put(other, rateBps));
        reasons.add(
            granted.isPresent()
                ? other.text() + " would grant " + granted.getAsLong() + " bit/s"
                : other.text() + " cannot hold it, only " + held(other));
      }
    }
    return String.join("; ", reasons);
  }

  private String held(Enforcement limiter) {
    return switch (limiter) {
      case FPGA ->
          "1 to "
              + fpga.maxRateBps()
              + " bit/s with bursts of "
              + fpga.minBurstBytes()
              + " to "
              + fpga.maxBurstBytes()
              + " bytes";
      case SHAPE ->
          RateWord.MIN_RATE_BPS
              + " to "
              + RateWord.MAX_RATE_BPS
              + " bit/s with bursts that its buffer holds for a second";
      case POLICE ->
          MeterProfile.RATE_STEP_BPS
              + " to "
              + MeterProfile.MAX_RATE_BPS
              + " bit/s with bursts of "
              + MeterProfile.MIN_BURST_BYTES
              + " bytes or more";
    };
  }
}
