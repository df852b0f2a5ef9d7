package net.sluice.it.p4;

import static net.sluice.it.p4.PipelineContract.TRUNK;
import static net.sluice.it.p4.PipelineContract.prefix;
import static net.sluice.it.p4.PipelineContract.unshaped;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import net.sluice.intents.plan.entry.queue.CongestionThresholdEntry;
import net.sluice.intents.plan.entry.queue.Gain;
import net.sluice.intents.plan.entry.queue.MirrorEntry;
import net.sluice.pipeconf.V1ModelPipeline;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Dropping by value where a program's clock goes round, and where its sign changes. */
class ClockRoundsTest {
  private static final int PORT = 20;
  private static final long MILLI = 1_000;
  private static final long SECOND = 1_000_000;

  /** A round of 32 bits of 256 ns, in microseconds, without the last 0.8 of one. */
  private static final long TOFINO_ROUND = 1_099_511_627;

  /** A round of 48 bits of microseconds. */
  private static final long V1MODEL_ROUND = 1L << 48;

  private enum Program {
    V1MODEL(50 * MILLI) {
      @Override
      EmulatedSwitch start() {
        return EmulatedSwitch.start(V1ModelPipeline.load());
      }
    },
    /** 50,000 are 51.2 ms. */
    TOFINO(52 * MILLI) {
      @Override
      EmulatedSwitch start() {
        return EmulatedSwitch.start(TofinoModel.load(), 1);
      }
    };

    /** Between steps of a period of 50,000, with packets a millisecond apart. */
    private final long stepMicros;

    Program(long stepMicros) {
      this.stepMicros = stepMicros;
    }

    abstract EmulatedSwitch start();
  }

  private EmulatedSwitch dut;

  static Stream<Arguments> edges() {
    return Stream.of(
        Arguments.of(Program.TOFINO, TOFINO_ROUND / 2),
        Arguments.of(Program.TOFINO, TOFINO_ROUND),
        Arguments.of(Program.TOFINO, 3 * TOFINO_ROUND / 2 + 1),
        Arguments.of(Program.TOFINO, 2 * TOFINO_ROUND + 1),
        Arguments.of(Program.V1MODEL, V1MODEL_ROUND / 2),
        Arguments.of(Program.V1MODEL, V1MODEL_ROUND));
  }

  /** A switch without entries at a time. */
  private void startAt(Program program, long micros) {
    dut = program.start();
    if (program == Program.TOFINO) {
      dut.control().insert(List.of(new MirrorEntry(TofinoModel.RECIRCULATION_PORT)));
    }
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
    return dut.control().register("congestion_threshold", PORT);
  }

  /** From longer before than any threshold holds. */
  @ParameterizedTest
  @MethodSource("edges")
  void whatIsWorthLessIsDroppedAllTheTime(Program program, long edge) {
    startAt(program, edge - 40 * SECOND);
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
  @MethodSource("edges")
  void loopStepsOnceAPeriod(Program program, long edge) {
    startAt(program, edge - 3 * SECOND);
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
    assertThat(new HashSet<>(gaps)).containsExactly(program.stepMicros);
    assertThat(gaps).hasSizeGreaterThan(17);
  }

  /** 10,000 are 10.24 ms, whether or not the clock goes round or changes its sign meanwhile. */
  @ParameterizedTest
  @CsvSource({
    "549755813,-20000", "549755813,-10230", "549755813,-5000", "549755813,0", "549755813,5000",
    "1099511627,-20000", "1099511627,-10230", "1099511627,-5000", "1099511627,0", "1099511627,5000"
  })
  void thresholdOnTofinoHoldsForTheIdleTimeAfterAReport(long edge, long reported) {
    int delay = 50_000;
    startAt(Program.TOFINO, edge - 2 * SECOND);
    steer(0, 10_000);
    long last = edge + reported - delay;
    for (long now = last - 99 * MILLI; now <= last; now += MILLI) {
      passes(now, delay, 0xffff);
    }
    assertThat(passes(edge + reported + 10_230, 0, 1)).isFalse();
    assertThat(passes(edge + reported + 10_250, 0, 1)).isTrue();
  }

  /** Of a port that sent nothing meanwhile. */
  @ParameterizedTest
  @ValueSource(longs = {1, 540, 560, 1_000, 1_090, 1_110})
  void loopOnTofinoStepsAtTheFirstReportAfterASilence(long seconds) {
    startAt(Program.TOFINO, 100 * SECOND);
    steer(50_000, 500_000);
    passes(101 * SECOND, 30_000, 0xffff);
    long before = threshold();
    passes((101 + seconds) * SECOND, 30_000, 0xffff);
    assertThat(threshold()).isGreaterThan(before);
  }

  /** A port that has sent nothing for longer than its idle time of 10 ms has no delay. */
  @ParameterizedTest
  @CsvSource({"4000,1", "5000,1", "5001,-1", "6000,-1"})
  void delayOnV1modelIsForgottenWhereTheClockGoesRound(long later, int step) {
    startAt(Program.V1MODEL, V1MODEL_ROUND - 3 * SECOND);
    steer(1_000, 10_000);
    passes(V1MODEL_ROUND - 2 * SECOND, 0, 0xffff);
    passes(V1MODEL_ROUND - 40 * MILLI, 30_000, 0xffff);
    // Reported 5 ms before the end of the round.
    passes(V1MODEL_ROUND - 35 * MILLI, 30_000, 0xffff);
    long before = threshold();
    assertThat(before).isPositive();
    passes(V1MODEL_ROUND + later, 30_000, 0xffff);
    assertThat(Long.signum(threshold() - before)).isEqualTo(step);
  }
}
