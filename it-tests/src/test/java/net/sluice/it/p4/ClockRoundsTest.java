package net.sluice.it.p4;

import static net.sluice.it.p4.PipelineContract.TRUNK;
import static net.sluice.it.p4.PipelineContract.prefix;
import static net.sluice.it.p4.PipelineContract.unshaped;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import net.sluice.intents.plan.Gain;
import net.sluice.intents.plan.SwitchEntry.CongestionThresholdEntry;
import net.sluice.pipeconf.V1ModelPipeline;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Dropping by value where the program's clock goes round, and where its sign changes. */
class ClockRoundsTest {
  private static final int PORT = 20;
  private static final String THRESHOLD =
      "SluiceIngress.dropper.loop.threshold.congestion_threshold";
  private static final long MILLI = 1_000;
  private static final long SECOND = 1_000_000;

  /** A round of 48 bits of microseconds. */
  private static final long ROUND = 1L << 48;

  private EmulatedSwitch dut;

  /** A switch without entries at a time. */
  private void startAt(long micros) {
    dut = EmulatedSwitch.start(V1ModelPipeline.load());
    passes(micros, 0, 0xffff);
  }

  @AfterEach
  void stop() {
    dut.close();
  }

  private void steer(long periodMicros, long idleMicros) {
    dut.control().insert(PipelineContract.ports());
    dut.control()
        .insert(
            List.of(
                prefix("10.0.0.1/32", unshaped(1, 0, PORT)),
                new CongestionThresholdEntry(
                    PORT,
                    Gain.FAST,
                    5_000,
                    20_000,
                    periodMicros,
                    idleMicros,
                    ThresholdContract.NEVER)));
  }

  private boolean passes(long micros, int queueMicros, int value) {
    PortFrame frame = TestFrame.from("203.0.113.1", "10.0.0.1").packetValue(value).at(TRUNK);
    return !dut.passAt(micros, queueMicros, frame).isEmpty();
  }

  private long threshold() {
    return dut.control().register(THRESHOLD, PORT);
  }

  /** From longer before than any threshold holds. */
  @ParameterizedTest
  @ValueSource(longs = {ROUND / 2, ROUND})
  void whatIsWorthLessIsDroppedAllTheTime(long edge) {
    startAt(edge - 40 * SECOND);
    ThresholdContract.raise(dut, PORT, 20_000, ThresholdContract.NEVER);
    for (long now = edge - 36 * SECOND; now < edge + SECOND; now += 10 * MILLI) {
      assertThat(passes(now, EmulatedSwitch.QUEUE_MICROS, 0xffff))
          .as("worth most, %s us from the edge", now - edge)
          .isTrue();
      assertThat(passes(now + MILLI, EmulatedSwitch.QUEUE_MICROS, 20_000))
          .as("worth less, %s us from the edge", now + MILLI - edge)
          .isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {ROUND / 2, ROUND})
  void loopStepsOnceAPeriod(long edge) {
    startAt(edge - 3 * SECOND);
    steer(50_000, 500_000);
    passes(edge - 2 * SECOND, 0, 0xffff);
    List<Long> gaps = new ArrayList<>();
    long before = threshold();
    long stepped = 0;
    for (long now = edge - SECOND / 2; now < edge + SECOND / 2; now += MILLI) {
      passes(now, 30_000, 0xffff);
      long after = threshold();
      if (after != before) {
        if (stepped != 0) {
          gaps.add(now - stepped);
        }
        stepped = now;
      }
      before = after;
    }
    assertThat(new HashSet<>(gaps)).containsExactly(50 * MILLI);
    assertThat(gaps).hasSizeGreaterThan(17);
  }

  /** A port that has sent nothing for longer than its idle time of 10 ms has no delay. */
  @ParameterizedTest
  @CsvSource({"4000,1", "5000,1", "5001,-1", "6000,-1"})
  void delayIsForgottenWhereTheClockGoesRound(long later, int step) {
    startAt(ROUND - 3 * SECOND);
    steer(1_000, 10_000);
    passes(ROUND - 2 * SECOND, 0, 0xffff);
    passes(ROUND - 40 * MILLI, 30_000, 0xffff);
    // Reported 5 ms before the end of the round.
    passes(ROUND - 35 * MILLI, 30_000, 0xffff);
    long before = threshold();
    assertThat(before).isPositive();
    passes(ROUND + later, 30_000, 0xffff);
    assertThat(Long.signum(threshold() - before)).isEqualTo(step);
  }
}
