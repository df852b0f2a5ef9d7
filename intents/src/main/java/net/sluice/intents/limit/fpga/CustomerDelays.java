package net.sluice.intents.limit.fpga;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import net.sluice.intents.limit.delay.WaitSettings;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.policy.LimitDelay;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.FpgaSetting.CustomerCodel;
import net.sluice.intents.plan.FpgaSetting.CustomerDepth;
import net.sluice.intents.plan.entry.limit.WaitSetting;
import net.sluice.intents.plan.entry.limit.WaitSetting.Managed;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.value.Direction;

/**
 * How long packets may wait under the limit of a subscriber: CoDel's times and the depth of its
 * queues, from the rate that it is granted and from what it and its policy say of delay. Without a
 * limit a customer has what its classes have.
 */
final class CustomerDelays {
  private static final int NANOS_PER_MICRO = 1_000;

  /** Full packets that a target is never shorter than. */
  private static final int TARGET_PACKETS = 2;

  /** Targets of an interval, where the packets make the target longer than declared. */
  private static final int INTERVAL_TARGETS = 20;

  /** Full packets that a queue always holds. */
  private static final int DEPTH_PACKETS = 8;

  private final FpgaProfile fpga;

  CustomerDelays(FpgaProfile fpga) {
    this.fpga = fpga;
  }

  /** The wait under a limit and a policy; without a limit it does not matter. */
  static WaitSetting wait(Optional<RateLimit> own, Optional<PolicyState> policy) {
    return own.isEmpty()
        ? WaitSetting.OF_POLICY
        : WaitSettings.of(
            own.get().delay(),
            policy.map(each -> each.policy().limitDelay()).orElse(LimitDelay.UNSAID));
  }

  /** The settings of a customer under a limit of its own and a policy, or without. */
  List<FpgaSetting> settings(
      Direction direction, int customer, Optional<RateLimit> own, Optional<PolicyState> policy) {
    WaitSetting wait = wait(own, policy);
    return List.of(
        new CustomerCodel(direction, customer, codel(direction, own, wait)),
        new CustomerDepth(direction, customer, depthBytes(direction, own, wait)));
  }

  /** CoDel's word under a limit. */
  int codel(Direction direction, Optional<RateLimit> own, WaitSetting wait) {
    OptionalLong rateBps = rateBps(direction, own);
    if (rateBps.isEmpty()) {
      return CustomerCodel.OF_CLASS;
    }
    if (wait.aqm() != Managed.CODEL) {
      return CustomerCodel.NONE;
    }
    int word = fpga.word(rateBps.getAsLong());
    long target = fpga.ticks(wait.targetNanos());
    long interval = fpga.ticks((long) wait.intervalMicros() * NANOS_PER_MICRO);
    long packets = (TARGET_PACKETS * fpga.minBurstBytes() + word - 1) / word;
    if (target < packets) {
      target = packets;
      interval = Math.max(interval, INTERVAL_TARGETS * packets);
    }
    return CustomerCodel.of(
        (int) Math.min(CustomerCodel.MAX_TICKS, target),
        (int) Math.min(CustomerCodel.MAX_TICKS, interval));
  }

  /** The depth of each queue under a limit. */
  int depthBytes(Direction direction, Optional<RateLimit> own, WaitSetting wait) {
    OptionalLong rateBps = rateBps(direction, own);
    return rateBps.isEmpty() || wait.longestNanos() == 0
        ? CustomerDepth.OF_CLASS
        : fpga.depthBytes(
            fpga.word(rateBps.getAsLong()),
            wait.longestNanos(),
            DEPTH_PACKETS * fpga.minBurstBytes());
  }

  private static OptionalLong rateBps(Direction direction, Optional<RateLimit> own) {
    return own.isEmpty() ? OptionalLong.empty() : own.get().rateBps(direction);
  }
}
