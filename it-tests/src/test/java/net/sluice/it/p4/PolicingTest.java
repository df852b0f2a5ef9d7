package net.sluice.it.p4;

import static net.sluice.intents.value.Direction.DOWN;
import static net.sluice.it.p4.PipelineContract.prefix;
import static net.sluice.it.p4.PipelineContract.unshaped;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.plan.entry.limit.MeterSetting;
import net.sluice.intents.plan.entry.limit.PortMeterEntry;
import net.sluice.intents.plan.entry.limit.SubscriberMeterEntry;
import net.sluice.intents.plan.entry.limit.TreeMeterEntry;
import net.sluice.intents.profile.MeterProfile;
import net.sluice.pipeconf.V1ModelPipeline;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The program's meters in virtual time against RFC 2698 as written down here. */
class PolicingTest {
  private static final Attachment TREE = new Attachment(1, 2);
  private static final int HEADERS = 42;
  private static final BigDecimal MICROS_PER_SECOND = BigDecimal.valueOf(1_000_000);

  private EmulatedSwitch dut;

  @BeforeEach
  void start() {
    dut = EmulatedSwitch.start(V1ModelPipeline.load());
    dut.control().insert(PipelineContract.ports());
  }

  @AfterEach
  void stop() {
    dut.close();
  }

  /** RFC 2698, section 3, colour-blind, of exact numbers: peak and committed are equal. */
  private static final class TrTcm {
    private final BigDecimal bytesPerSecond;
    private final BigDecimal burst;
    private BigDecimal peakTokens;
    private BigDecimal committedTokens;
    private long last = -1;

    TrTcm(MeterSetting meter) {
      bytesPerSecond = BigDecimal.valueOf(meter.rateBps()).divide(BigDecimal.valueOf(8));
      burst = BigDecimal.valueOf(meter.burstBytes());
      peakTokens = burst;
      committedTokens = burst;
    }

    /** True if the packet is not red. */
    boolean passes(int bytes, long micros) {
      BigDecimal filled =
          last < 0
              ? BigDecimal.ZERO
              : bytesPerSecond
                  .multiply(BigDecimal.valueOf(micros - last))
                  .divide(MICROS_PER_SECOND);
      last = micros;
      peakTokens = peakTokens.add(filled).min(burst);
      committedTokens = committedTokens.add(filled).min(burst);
      BigDecimal size = BigDecimal.valueOf(bytes);
      if (peakTokens.compareTo(size) < 0) {
        return false;
      }
      peakTokens = peakTokens.subtract(size);
      if (committedTokens.compareTo(size) >= 0) {
        committedTokens = committedTokens.subtract(size);
      }
      return true;
    }
  }

  private boolean passes(String to, int bytes, long micros) {
    TestFrame frame =
        TestFrame.from("203.0.113.1", to).payload(TestFrame.udp(1, 2, bytes - HEADERS));
    assertThat(frame.length()).isEqualTo(bytes);
    return !dut.passAt(micros, frame.at(PipelineContract.CORE)).isEmpty();
  }

  /** Every packet of any sequence passes or is dropped as the meters of its limits say. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void anySequenceIsPolicedAsTheRfcSays(long seed) {
    Random random = new Random(seed);
    List<MeterSetting> meters =
        List.of(
            meter(random, 2_000_000), meter(random, 2_000_000),
            meter(random, 3_000_000), meter(random, 3_500_000));
    dut.control()
        .insert(
            List.of(
                prefix("10.0.0.1/32", unshaped(1, 0, PipelineContract.LINE_A)),
                prefix("10.0.0.2/32", unshaped(2, 0, PipelineContract.LINE_A)),
                new SubscriberMeterEntry(1, DOWN, TREE, Optional.of(meters.get(0))),
                new SubscriberMeterEntry(2, DOWN, TREE, Optional.of(meters.get(1))),
                new TreeMeterEntry(TREE, DOWN, Optional.of(meters.get(2))),
                new PortMeterEntry(TREE.port(), DOWN, Optional.of(meters.get(3)))));
    TrTcm[] own = {new TrTcm(meters.get(0)), new TrTcm(meters.get(1))};
    TrTcm tree = new TrTcm(meters.get(2));
    TrTcm port = new TrTcm(meters.get(3));
    long now = dut.nowMicros();
    int[] outcomes = new int[2];
    for (int i = 0; i < 4_000; i++) {
      now += random.nextInt(4) == 0 ? random.nextInt(8_000) : random.nextInt(900);
      int subscriber = random.nextInt(2);
      int bytes = 60 + random.nextInt(1_455);
      boolean expected =
          own[subscriber].passes(bytes, now) && tree.passes(bytes, now) && port.passes(bytes, now);
      assertThat(passes("10.0.0." + (subscriber + 1), bytes, now))
          .as("packet %s of %s bytes at %s us", i, bytes, now)
          .isEqualTo(expected);
      outcomes[expected ? 1 : 0]++;
    }
    assertThat(outcomes).as("dropped and passed").doesNotContain(0);
  }

  private static MeterSetting meter(Random random, long aboutBps) {
    return new MeterSetting(
        8 * (aboutBps / 8 + random.nextInt(1_000)), 1_514 + random.nextInt(9_000));
  }

  /**
   * Offered twice the limit, a second lets through what it grants and not more than a burst on top.
   */
  @Test
  void whatIsAdmittedIsTheRateWithinABurst() {
    MeterSetting meter = new MeterSetting(8_000_000, 10_000);
    dut.control()
        .insert(
            List.of(
                prefix("10.0.0.1/32", unshaped(1, 0, PipelineContract.LINE_A)),
                new SubscriberMeterEntry(1, DOWN, TREE, Optional.of(meter))));
    long begin = dut.nowMicros() + 1;
    long admitted = 0;
    for (int i = 0; i < 10_000; i++) {
      admitted += passes("10.0.0.1", 1_000, begin + 500L * i) ? 1_000 : 0;
    }
    long granted = meter.rateBps() / 8 * 5;
    assertThat(admitted).isBetween(granted, granted + meter.burstBytes());
  }

  /** A bucket that nobody asked for gives all of the rate to whoever sends evenly above it. */
  @ParameterizedTest
  @ValueSource(longs = {10_000, 64_000, 128_000, 250_000})
  void aLowRateIsGivenInFullToWhoeverSendsEvenly(long rateBps) {
    MeterSetting meter = MeterProfile.meter(rateBps, MeterProfile.flowBurstBytes(rateBps, 1));
    dut.control()
        .insert(
            List.of(
                prefix("10.0.0.1/32", unshaped(1, 0, PipelineContract.LINE_A)),
                new SubscriberMeterEntry(1, DOWN, TREE, Optional.of(meter))));
    int bytes = 1_500;
    long offeredBps = rateBps + rateBps / 10;
    long gapMicros = bytes * 8 * 1_000_000L / offeredBps;
    long begin = dut.nowMicros() + 1;
    long admitted = 0;
    for (int i = 0; i < 500; i++) {
      admitted += passes("10.0.0.1", bytes, begin + gapMicros * i) ? bytes : 0;
    }
    long granted = rateBps / 8 * (gapMicros * 499) / 1_000_000;
    assertThat(admitted).isBetween(granted, granted + meter.burstBytes());
  }
}
