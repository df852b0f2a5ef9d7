package net.sluice.lab.experiment.codelact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.marker.PolicyValueEntry;
import net.sluice.intents.plan.entry.marker.RandomRateEntry;
import net.sluice.intents.plan.entry.marker.RateBinEntry;
import net.sluice.intents.plan.entry.queue.CongestionThresholdEntry;
import org.junit.jupiter.api.Test;

class PieEntriesTest {
  private static final int NUMBERS = 65_536;

  private final List<SwitchEntry> entries = PieEntries.marker(3, 24).toList();

  private <T extends SwitchEntry> List<T> of(Class<T> kind) {
    return entries.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /** The value that the marker makes of each random number, whatever the rate. */
  private int[] values() {
    assertThat(of(RateBinEntry.class)).containsExactly(new RateBinEntry(1_023, 0, (1 << 24) - 1));
    Map<Integer, PolicyValueEntry> byBin =
        of(PolicyValueEntry.class).stream()
            .collect(Collectors.toMap(PolicyValueEntry::bin, Function.identity()));
    assertThat(byBin.values()).allSatisfy(entry -> assertThat(entry.policySlot()).isEqualTo(3));
    int[] values = new int[NUMBERS];
    int next = 0;
    for (RandomRateEntry entry : of(RandomRateEntry.class)) {
      assertThat(entry.low()).isEqualTo(next);
      for (; next <= entry.high(); next++) {
        values[next] = byBin.get(1_023 - entry.offset()).packetValue();
      }
    }
    assertThat(next).isEqualTo(NUMBERS);
    return values;
  }

  @Test
  void aThresholdDropsTheSquareOfItsPartAtAnyRate() {
    int[] values = values();
    for (int threshold = 0; threshold < NUMBERS; threshold += 97) {
      int below = 0;
      for (int value : values) {
        below += value < threshold ? 1 : 0;
      }
      double part = threshold / (double) NUMBERS;
      // Half a bin to either side, and half of one random number.
      double step = part / 1_024 + 0.25 / 1_024 / 1_024 + 0.5 / NUMBERS;
      assertThat(below / (double) NUMBERS).isCloseTo(part * part, within(step));
    }
  }

  @Test
  void fitsTheProgramsTables() {
    assertThat(of(RandomRateEntry.class)).hasSizeLessThanOrEqualTo(1_024);
    assertThat(of(PolicyValueEntry.class)).hasSize(1_024);
  }

  @Test
  void thePortSteersToTheTargetByItsLoopAlone() {
    CongestionThresholdEntry entry = PieEntries.port(1, 100_000_000, 5_000);
    assertThat(entry.targetMicros()).isEqualTo(5_000);
    assertThat(entry.periodMicros()).isEqualTo(1_000);
    assertThat(entry.overloadMicros()).isGreaterThan(0x7ffffL);
  }
}
