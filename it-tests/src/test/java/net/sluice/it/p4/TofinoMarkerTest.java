package net.sluice.it.p4;

import static net.sluice.it.p4.PipelineContract.NEXT_SWITCH;
import static net.sluice.it.p4.PipelineContract.prefix;
import static net.sluice.it.p4.PipelineContract.unshaped;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.Random;
import net.sluice.intents.marker.csaqm.tables.RateBins;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.plan.entry.subscriber.SubscriberData;
import net.sluice.intents.plan.entry.subscriber.SubscriberVlanEntry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The marker of the program for Tofino, and its rate filters, whose cells can be read here. */
class TofinoMarkerTest implements MarkerContract {
  private static final TofinoModel PROGRAM = TofinoModel.load();
  private static final RateBins BINS = TofinoModel.bins(10e9);
  private static final double TIME_CONSTANT_MICROS = 8e6 / TofinoModel.RATE_UNIT_BPS;
  private static final int ETHERNET_BYTES = 14;

  private EmulatedSwitch dut;

  @BeforeEach
  void start() {
    dut = EmulatedSwitch.start(PROGRAM, 1);
    dut.control().insert(PipelineContract.ports());
    dut.control()
        .insert(
            List.of(
                prefix("10.0.0.1/32", unshaped(1, 1, NEXT_SWITCH)),
                prefix(
                    "10.0.0.2/32",
                    unshaped(1 + TofinoModel.INSTANCE_SUBSCRIBERS, 1, NEXT_SWITCH))));
  }

  @AfterEach
  void stop() {
    dut.close();
  }

  /** Sends a packet down to its instance's first subscriber. */
  private void send(long micros, int instance, int ipBytes) {
    ByteString frame = MarkerProbe.frame(instance, ipBytes + ETHERNET_BYTES);
    assertThat(dut.passAt(micros, new PortFrame(PipelineContract.CORE, frame))).hasSize(1);
  }

  /** The same; returns what the filter reads then. */
  private long level(long micros, int instance, int ipBytes) {
    send(micros, instance, ipBytes);
    return read(instance);
  }

  private long read(int instance) {
    return dut.control().register("SluiceIngress.instance" + instance + ".rate_filter_level", 0);
  }

  /** The equations of the chip's LPF, rate mode, to the bit. */
  private static final class HardwareFilter {
    private static final int EXPONENT = 18;
    private static final int MANTISSA = 721;
    // Table of approximations where the steps are not short: e^-(2^sl).
    private static final int[][] SHIFTS = {{2, 3}, {3, 7}, {6, 9}, {12, 14}};

    private long timestamp;
    private long level;

    long add(long nowTicks, long bytes) {
      long difference = nowTicks - timestamp & 0xffff_ffffL;
      long decayed = level;
      if (difference != 0) {
        int exponent = 63 - Long.numberOfLeadingZeros(difference);
        if ((long) MANTISSA << exponent >> 9 > difference) {
          exponent--;
        }
        long delta = (long) MANTISSA << exponent >> 9;
        int sl = exponent - EXPONENT;
        if (sl >= 4) {
          decayed = 0;
          timestamp = nowTicks;
        } else if (sl >= 0) {
          decayed = (level >> SHIFTS[sl][0]) + (level >> SHIFTS[sl][1]);
          timestamp += delta;
        } else if (sl >= -7) {
          decayed = level - (level >> -sl) + (level >> 1 - 2 * sl);
          timestamp += delta;
        }
      }
      level = Math.min(0xffff_ffffL, decayed + bytes);
      return level;
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void filterHasTheHardwaresArithmetic(long seed) {
    Random random = new Random(seed);
    HardwareFilter reference = new HardwareFilter();
    long now = dut.nowMicros();
    for (int i = 0; i < 5_000; i++) {
      // From no time at all to many time constants, as many gaps of each magnitude.
      now += random.nextInt(10) == 0 ? 0 : (long) Math.pow(2, random.nextDouble() * 22) - 1;
      int bytes = 28 + random.nextInt(1_473);
      long expected = reference.add(now * 1_000 >> 8 & 0xffff_ffffL, bytes);
      assertThat(level(now, 1, bytes)).as("packet %d", i).isEqualTo(expected);
    }
  }

  /** Another's packets do not lower the value of a subscriber's own. */
  @Test
  void whatNoLineVouchesForIsNotMeasured() {
    SubscriberData line = new SubscriberData(3, 1, PipelineContract.LINE_A, 0, false, false, true);
    dut.control()
        .insert(
            List.of(
                PipelineContract.route("198.51.100.0/24", PipelineContract.CORE),
                prefix("10.0.0.3/32", unshaped(2, 1, PipelineContract.LINE_A)),
                prefix("10.0.0.4/32", line),
                new SubscriberVlanEntry(PipelineContract.LINE_A, VlanTags.pair(100, 7), line)));
    TestFrame byAddress = TestFrame.from("10.0.0.3", "198.51.100.1");
    TestFrame byLine = TestFrame.from("10.0.0.4", "198.51.100.1");
    TestFrame tagged = byLine.tags(TestFrame.S_TAG, 100, 7);
    for (PortFrame spoofed :
        List.of(
            byAddress.at(PipelineContract.LINE_B),
            byLine.at(PipelineContract.LINE_A),
            tagged.at(PipelineContract.LINE_B),
            SidecarContract.ofPort(tagged, PipelineContract.LINE_A).at(PipelineContract.LINE_B))) {
      assertThat(dut.passAt(dut.nowMicros(), spoofed)).isEmpty();
    }
    assertThat(upstreamLevel(1)).isZero();
    assertThat(upstreamLevel(2)).isZero();
    for (PortFrame own :
        List.of(byAddress.at(PipelineContract.LINE_A), tagged.at(PipelineContract.LINE_A))) {
      assertThat(dut.passAt(dut.nowMicros(), own)).hasSize(1);
    }
    assertThat(upstreamLevel(1)).isPositive();
    assertThat(upstreamLevel(2)).isPositive();
  }

  private long upstreamLevel(int slot) {
    return dut.control().register("SluiceIngress.instance1.rate_filter_level", 2 * slot + 1);
  }

  /** A flow of equal packets reads the sum of what is left of each: D / (1 - e^-gap). */
  @ParameterizedTest
  @ValueSource(ints = {10, 37, 100, 256, 500, 1_000, 1_200})
  void constantRateSettlesWithinHalfAPercent(int gapMicros) {
    double ideal = 1_200 / -Math.expm1(-gapMicros / TIME_CONSTANT_MICROS);
    long now = dut.nowMicros();
    long settled = now + (long) (8 * TIME_CONSTANT_MICROS);
    while (now < settled) {
      now += gapMicros;
      send(now, 1, 1_200);
    }
    for (int i = 0; i < 500; i++) {
      now += gapMicros;
      assertThat((double) level(now, 1, 1_200)).isCloseTo(ideal, within(0.005 * ideal));
    }
  }

  /** Up as 1 - e^-t and down as e^-t, t in time constants. */
  @Test
  void rateStepsUpAndDownAsTheExponentialSays() {
    int gapMicros = 100;
    double perPacket = Math.exp(-gapMicros / TIME_CONSTANT_MICROS);
    double ideal = 0;
    long now = dut.nowMicros();
    for (int i = 0; i < 12_000; i++) {
      now += gapMicros;
      int bytes = i < 6_000 ? 1_400 : 28;
      ideal = ideal * perPacket + bytes;
      send(now, 1, bytes);
      if (i % 10 == 0) {
        assertThat((double) read(1))
            .as("packet %d", i)
            .isCloseTo(ideal, within(0.005 * ideal + 2_800));
      }
    }
  }

  @Test
  void instancesMeasureSubscribersOfTheirOwn() {
    long now = dut.nowMicros();
    for (int i = 0; i < 100; i++) {
      send(now += 100, 1, 1_400);
    }
    assertThat(read(2)).isZero();
    assertThat(level(now + 100, 2, 100)).isEqualTo(100);
    assertThat(read(1)).isGreaterThan(100_000);
  }

  @Override
  public ProgramUnderTest program() {
    return PROGRAM;
  }

  @Override
  public RateBins bins() {
    return BINS;
  }

  @Override
  public SteadyFlow steadyFlow() {
    return new SteadyFlow(1_249, 1_024);
  }

  /** Of IP's bytes, with the whole packet it reads at. */
  @Override
  public double readBps(SteadyFlow flow) {
    double gap = flow.intervalMicros() / TIME_CONSTANT_MICROS;
    return (flow.frameBytes() - ETHERNET_BYTES) * TofinoModel.RATE_UNIT_BPS / -Math.expm1(-gap);
  }

  @Override
  public double readError() {
    return 0.005;
  }
}
