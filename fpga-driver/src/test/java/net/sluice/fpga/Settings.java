package net.sluice.fpga;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.sluice.intents.plan.FpgaLevel;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.FpgaSetting.BucketSize;
import net.sluice.intents.plan.FpgaSetting.CustomerBurst;
import net.sluice.intents.plan.FpgaSetting.CustomerCodel;
import net.sluice.intents.plan.FpgaSetting.CustomerDepth;
import net.sluice.intents.plan.FpgaSetting.QueueDepth;
import net.sluice.intents.plan.FpgaSetting.RateWord;
import net.sluice.intents.value.Direction;

/** Any setting that the registers can hold. */
final class Settings {
  private Settings() {}

  static Arbitrary<FpgaSetting> any() {
    return Arbitraries.oneOf(
        rates(FpgaLevel.CUSTOMER, 32_768),
        rates(FpgaLevel.TREE, 512),
        rates(FpgaLevel.PORT, 8),
        Combinators.combine(
                Arbitraries.of(FpgaLevel.values()), Arbitraries.integers().between(0, 32_767))
            .as((level, bytes) -> new BucketSize(Direction.DOWN, level, bytes)),
        Combinators.combine(
                Arbitraries.integers().between(0, 32_767),
                Arbitraries.integers().between(0, 32_767))
            .as((customer, bytes) -> new CustomerBurst(Direction.DOWN, customer, bytes)),
        Combinators.combine(Arbitraries.integers().between(0, 32_767), Arbitraries.integers())
            .as((customer, word) -> new CustomerCodel(Direction.DOWN, customer, word)),
        Combinators.combine(
                Arbitraries.integers().between(0, 32_767),
                Arbitraries.integers().between(0, (1 << 21) - 1))
            .as((customer, steps) -> new CustomerDepth(Direction.DOWN, customer, 8 * steps)),
        Combinators.combine(
                Arbitraries.integers().between(0, 7),
                Arbitraries.integers().between(0, (1 << 21) - 1))
            .as((queueClass, steps) -> new QueueDepth(Direction.DOWN, queueClass, 8 * steps)));
  }

  private static Arbitrary<FpgaSetting> rates(FpgaLevel level, int buckets) {
    return Combinators.combine(
            Arbitraries.integers().between(0, buckets - 1),
            Arbitraries.integers().between(0, (1 << 18) - 1))
        .as((index, word) -> new RateWord(Direction.DOWN, level, index, word));
  }
}
