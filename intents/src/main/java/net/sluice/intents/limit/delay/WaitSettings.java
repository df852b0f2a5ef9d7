package net.sluice.intents.limit.delay;

import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.policy.LimitAqm;
import net.sluice.intents.model.policy.LimitDelay;
import net.sluice.intents.plan.entry.limit.WaitSetting;
import net.sluice.intents.plan.entry.limit.WaitSetting.Managed;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Problems;

/** The settings by which targets keep the delay under limits low. */
public final class WaitSettings {
  private static final int NANOS_PER_MILLI = 1_000_000;
  private static final int NANOS_PER_MICRO = 1_000;

  private WaitSettings() {}

  /**
   * The setting of a policy, with the defaults where it says nothing. Without AQM packets wait as
   * long as there is room, unless it says how long.
   */
  public static WaitSetting ofPolicy(LimitDelay delay) {
    LimitAqm aqm = delay.aqm().orElse(LimitAqm.DEFAULT);
    int millis = delay.maxDelayMillis().orElse(aqm.codel() ? LimitDelay.DEFAULT_MILLIS : 0);
    return of(millis * NANOS_PER_MILLI, aqm);
  }

  /**
   * Refuses what a limit says of delay where its limiter does not manage what waits.
   *
   * @param allowed instead of a value, with the reason
   */
  public static void refuse(RateLimit limit, String allowed, Problems problems) {
    if (limit.delay().aqm().isPresent()) {
      problems.add(Problem.of(Code.INVALID, "aqm", limit.delay().aqm().get().text(), allowed));
    }
    if (limit.delay().maxDelayMillis().isPresent()) {
      problems.add(
          Problem.of(
              Code.INVALID, "maxDelayMillis", limit.delay().maxDelayMillis().getAsInt(), allowed));
    }
  }

  /** The setting of a limit, as far as it says it itself. */
  public static WaitSetting ofLimit(LimitDelay delay) {
    // Under a limit that says none, packets wait as long as there is room: its policy does not
    // count.
    long longestNanos =
        delay.maxDelayMillis().isPresent()
            ? delay.maxDelayMillis().getAsInt() * NANOS_PER_MILLI
            : delay.aqm().filter(aqm -> !aqm.codel()).isPresent()
                ? 0
                : WaitSetting.LONGEST_OF_POLICY;
    return delay
        .aqm()
        .map(aqm -> of(longestNanos, aqm))
        .orElseGet(() -> new WaitSetting(longestNanos, Managed.OF_POLICY, 0, 0, false, false));
  }

  /** The setting under a limit: its own, and where it says nothing its policy's. */
  public static WaitSetting of(LimitDelay limit, LimitDelay policy) {
    WaitSetting own = ofLimit(limit);
    WaitSetting other = ofPolicy(policy);
    WaitSetting aqm = own.aqm() == Managed.OF_POLICY ? other : own;
    return new WaitSetting(
        own.longestNanos() == WaitSetting.LONGEST_OF_POLICY
            ? other.longestNanos()
            : own.longestNanos(),
        aqm.aqm(),
        aqm.targetNanos(),
        aqm.intervalMicros(),
        aqm.ecn(),
        aqm.l4s());
  }

  private static WaitSetting of(long longestNanos, LimitAqm aqm) {
    return aqm.codel()
        ? new WaitSetting(
            longestNanos,
            Managed.CODEL,
            aqm.targetMicros() * NANOS_PER_MICRO,
            aqm.intervalMicros(),
            aqm.ecn(),
            aqm.l4s())
        : new WaitSetting(longestNanos, Managed.NONE, 0, 0, false, false);
  }
}
