package net.sluice.intents.limit.fpga;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import net.sluice.intents.limit.AppliedLimits;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.plan.FpgaLevel;
import net.sluice.intents.plan.FpgaSetting.BucketSize;
import net.sluice.intents.plan.FpgaSetting.CustomerBurst;
import net.sluice.intents.plan.Grant;
import net.sluice.intents.plan.Grants;
import net.sluice.intents.plan.PlanBuilder;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.RateGrant;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.value.Direction;

/**
 * Bucket sizes: one for all buckets of a level, the largest of the reset value, the bursts asked
 * for at the level, and what keeps each rate in use there ({@link FpgaProfile#bucketBytes}).
 *
 * <p>At the levels of trees and ports some are always without a limit, and so both always have the
 * largest. At the customers' level the largest is needed while a subscriber is shaped by its tree
 * or port alone; else what the limits there need is enough.
 *
 * <p>An FPGA whose customers can have sizes of their own gives each limited customer what its own
 * limit needs, and all others the largest.
 */
final class BucketSizes {
  private static final Direction[] DIRECTIONS = Direction.values();

  private final FpgaProfile fpga;

  BucketSizes(FpgaProfile fpga) {
    this.fpga = fpga;
  }

  /**
   * The demand on the bucket size of a level.
   *
   * @param open whether a bucket without a limit is in use
   */
  private record Demand(OptionalInt burstBytes, OptionalLong rateBps, boolean open) {
    /** The demand after a limit of the level came. */
    Demand with(RateLimit limit, Direction direction) {
      OptionalLong rate = limit.rateBps(direction);
      if (rate.isEmpty()) {
        return this;
      }
      OptionalInt burst = limit.burstBytes();
      return new Demand(
          burst.isPresent() && burst.getAsInt() > burstBytes.orElse(0) ? burst : burstBytes,
          rate.getAsLong() > rateBps.orElse(0) ? rate : rateBps,
          open);
    }
  }

  /** A bucket size and what it is for. */
  private record Size(int bytes, String reason) {
    Size orLarger(int otherBytes, String otherReason) {
      return otherBytes > bytes ? new Size(otherBytes, otherReason) : this;
    }
  }

  /**
   * Adds to {@code opened}, by direction, 1 for a subscriber that comes to be shaped by its tree or
   * port alone, and -1 for one that no longer is.
   */
  static void countOpened(AppliedLimits before, AppliedLimits after, int[] opened) {
    for (Direction direction : DIRECTIONS) {
      opened[direction.ordinal()] +=
          (after.open(direction) ? 1 : 0) - (before.open(direction) ? 1 : 0);
    }
  }

  /** The bucket size of a level under the state's declarations. */
  int bytes(SlaState state, FpgaLevel level, Direction direction) {
    return size(demand(state, level, direction, Optional.empty(), 0), level).bytes();
  }

  /**
   * Sets the bucket sizes that change, and grants the burst of the limit that comes.
   *
   * @param old the limit that goes, or null
   * @param added the limit that comes, or null
   * @param opened see {@link #countOpened}
   */
  void replace(SlaState state, PlanBuilder plan, RateLimit old, RateLimit added, int[] opened) {
    for (FpgaLevel level : FpgaLevel.values()) {
      for (Direction direction : DIRECTIONS) {
        Demand now = demand(state, level, direction, Optional.empty(), 0);
        Demand then =
            demand(state, level, direction, Optional.ofNullable(old), opened[direction.ordinal()]);
        Optional<Grant> grant = Optional.empty();
        if (added != null && FpgaLevel.of(added.scope()) == level) {
          then = then.with(added, direction);
          grant = grant(added, size(then, level), level, direction);
        }
        grant.ifPresent(plan.grants()::grant);
        int owner = FpgaShaping.owner(state, Optional.ofNullable(added));
        set(plan, size(now, level), size(then, level), then, owner, grant, level, direction);
      }
    }
  }

  private static void set(
      PlanBuilder plan,
      Size before,
      Size after,
      Demand then,
      int owner,
      Optional<Grant> own,
      FpgaLevel level,
      Direction direction) {
    if (before.bytes() == after.bytes()) {
      return;
    }
    plan.set(
        new BucketSize(direction, level, after.bytes()),
        before.bytes(),
        owner,
        own.isPresent() ? own : grantOfLevel(then.burstBytes(), after, level, direction));
    plan.grants()
        .note(
            String.format(
                Locale.ROOT,
                "every %s's bucket in the %s direction changes from %d to %d bytes: %s",
                level.text(),
                direction.text(),
                before.bytes(),
                after.bytes(),
                after.reason()));
  }

  /** Adds the bursts that a limit in force is granted. */
  void grant(SlaState state, RateLimit limit, Grants out) {
    FpgaLevel level = FpgaLevel.of(limit.scope());
    for (Direction direction : DIRECTIONS) {
      Size size = size(demand(state, level, direction, Optional.empty(), 0), level);
      grant(limit, size, level, direction).ifPresent(out::grant);
    }
  }

  /** Whether a level's limits have bucket sizes of their own. */
  private boolean areOwn(FpgaLevel level) {
    return level == FpgaLevel.CUSTOMER && fpga.customerBursts();
  }

  /**
   * The bucket size of a customer under a limit of its own; {@link CustomerBurst#OF_LEVEL} without
   * one in that direction.
   */
  int customerBytes(Optional<RateLimit> own, Direction direction) {
    return own.isPresent() && own.get().rateBps(direction).isPresent()
        ? ownSize(own.get(), direction).bytes()
        : CustomerBurst.OF_LEVEL;
  }

  /** The burst that a customer's own limit is granted. */
  Optional<Grant> customerGrant(Optional<RateLimit> own, Direction direction) {
    return own.flatMap(
        limit -> grant(limit, ownSize(limit, direction), FpgaLevel.CUSTOMER, direction));
  }

  private Size ownSize(RateLimit limit, Direction direction) {
    return size(
        new Demand(OptionalInt.empty(), OptionalLong.empty(), false).with(limit, direction),
        FpgaLevel.CUSTOMER);
  }

  private Demand demand(
      SlaState state,
      FpgaLevel level,
      Direction direction,
      Optional<RateLimit> except,
      int opened) {
    BucketDemand asked = state.ledger(QueueLedger.class).demand();
    return new Demand(
        asked.largestBurstBytes(level, direction, except),
        asked.highestRateBps(level, direction, except),
        level != FpgaLevel.CUSTOMER
            || areOwn(level)
            || asked.openCustomers(direction) + opened > 0);
  }

  private Size size(Demand demand, FpgaLevel level) {
    Size size = new Size(fpga.resetBurstBytes(), "the FPGA's own default");
    size = size.orLarger(demand.burstBytes.orElse(0), "the largest burst asked for");
    if (demand.rateBps.isPresent()) {
      RateGrant rate = fpga.grant(demand.rateBps.getAsLong());
      size =
          size.orLarger(
              fpga.bucketBytes(rate.word()),
              "what a rate of " + rate.grantedBps() + " bit/s needs");
    }
    return demand.open
        ? size.orLarger(
            fpga.bucketBytes(fpga.maxRateWord()),
            "what a " + level.text() + " without a limit of its own needs")
        : size;
  }

  /** The burst asked for in a direction; a limit asks only where it has a rate. */
  private static OptionalInt burst(RateLimit limit, Direction direction) {
    return limit.rateBps(direction).isPresent() ? limit.burstBytes() : OptionalInt.empty();
  }

  /** The burst that a limit is granted where its level's buckets have that size. */
  private Optional<Grant> grant(
      RateLimit limit, Size ofLevel, FpgaLevel level, Direction direction) {
    OptionalInt asked = burst(limit, direction);
    if (!areOwn(level)) {
      return grantOfLevel(asked, ofLevel, level, direction);
    } else if (asked.isEmpty()) {
      return Optional.empty();
    }
    Size size = ownSize(limit, direction);
    return grant(
        asked,
        size,
        direction,
        String.format(Locale.ROOT, "raised to %d bytes, %s", size.bytes(), size.reason()));
  }

  private static Optional<Grant> grantOfLevel(
      OptionalInt asked, Size size, FpgaLevel level, Direction direction) {
    return grant(
        asked,
        size,
        direction,
        String.format(
            Locale.ROOT,
            "bucket size is one for every %s: %d bytes, %s",
            level.text(),
            size.bytes(),
            size.reason()));
  }

  private static Optional<Grant> grant(
      OptionalInt asked, Size size, Direction direction, String ifOther) {
    if (asked.isEmpty()) {
      return Optional.empty();
    }
    String note = asked.getAsInt() == size.bytes() ? "" : ifOther;
    return Optional.of(
        new Grant(
            "burstBytes", Optional.of(direction), asked.getAsInt(), size.bytes(), "byte", note));
  }
}
