package net.sluice.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import net.sluice.emulator.netsim.FrameReceiver;
import net.sluice.emulator.netsim.traffic.FlowTag;
import org.junit.jupiter.api.Test;

class MeterTest {
  private static final long SECOND = 1_000_000_000L;
  private static final byte[] FRAME = new byte[1000];

  /** Flows 0 and 1 in group 0, flow 2 in group 1; measured from 1 s to 2 s; 1 Gbit/s. */
  private final Meter meter =
      new Meter(
          new int[] {0, 0, 1},
          List.of(new Transmission(8, 24 * 8), new Transmission(8, 24 * 8)),
          SECOND,
          2 * SECOND);

  private void arrive(int flow, long sentNanos, long arrivesNanos) {
    meter.receive(FRAME, 0, FRAME.length, FlowTag.of(flow, sentNanos), arrivesNanos);
  }

  @Test
  void ratesCountWhatArrivesInTheMeasuredTime() {
    arrive(0, SECOND - 10_000, SECOND - 1);
    arrive(0, SECOND - 10_000, SECOND);
    arrive(0, SECOND, 2 * SECOND - 1);
    arrive(0, SECOND, 2 * SECOND);
    arrive(1, SECOND, SECOND + 10_000);
    GroupMeasurement group = meter.group(0, new long[] {2, 1, 0});
    assertThat(group.deliveredBps()).isEqualTo((16_000 + 8_000) / 2.0);
    assertThat(group.deliveredBpsMin()).isEqualTo(8_000);
    assertThat(group.deliveredBpsMax()).isEqualTo(16_000);
  }

  @Test
  void lossCountsWhatLeftInTheMeasuredTimeWheneverItArrives() {
    // Three sent within: one arrives within, one after, one never. One sent before arrives within.
    arrive(0, SECOND - 1, SECOND + 10_000);
    arrive(0, SECOND, SECOND + 10_000);
    arrive(0, 2 * SECOND - 1, 2 * SECOND + 10_000);
    GroupMeasurement group = meter.group(0, new long[] {3, 0, 0});
    assertThat(group.sentPackets()).isEqualTo(3);
    assertThat(group.lostPackets()).isEqualTo(1);
    assertThat(group.limiterLostPackets()).isZero();
    assertThat(group.loss()).isCloseTo(1.0 / 3, within(1e-9));
  }

  @Test
  void aGroupIsThroughWhenOfEachFlowALaterPacketIs() {
    arrive(0, 2 * SECOND, 3 * SECOND);
    arrive(1, 2 * SECOND - 1, 4 * SECOND);
    assertThat(meter.hasPassed(0)).isFalse();
    arrive(1, 2 * SECOND, 4 * SECOND + 1);
    assertThat(meter.hasPassed(0)).isTrue();
    assertThat(meter.hasPassed(1)).isFalse();
  }

  @Test
  void timeInTheQueueIsTheWayWithoutTheTransmission() {
    // 1024 bytes on the line take 8,192 ns.
    arrive(2, SECOND, SECOND + 8_192 + 5_000_000);
    arrive(2, SECOND, SECOND + 8_192 + 7_000_000);
    GroupMeasurement group = meter.group(1, new long[] {0, 0, 2});
    assertThat(group.queueDelayMicrosMean().getAsDouble()).isCloseTo(6_000, within(6.0));
    assertThat(group.queueDelayMicrosP99().getAsDouble()).isCloseTo(7_000, within(8.0));
    assertThat(meter.group(0, new long[3]).queueDelayMicrosMean()).isEmpty();
  }

  @Test
  void behindTheLimiterTimeStartsAnewAndOnlyTheBottleneckCounts() {
    List<Long> tags = new ArrayList<>();
    FrameReceiver tap = meter.behindLimiter((bytes, offset, length, tag, now) -> tags.add(tag));
    // Four sent, two pass the limit 100 ms later, one of them arrives.
    for (int i = 0; i < 2; i++) {
      tap.receive(FRAME, 0, FRAME.length, FlowTag.of(2, SECOND), SECOND + 100_000_000 + i);
    }
    meter.receive(FRAME, 0, FRAME.length, tags.get(0), SECOND + 100_000_000 + 8_192 + 1_000_000);
    GroupMeasurement group = meter.group(1, new long[] {0, 0, 4});
    assertThat(group.sentPackets()).isEqualTo(4);
    assertThat(group.limiterLostPackets()).isEqualTo(2);
    assertThat(group.lostPackets()).isEqualTo(3);
    assertThat(group.lossBehindLimiter()).isEqualTo(0.5);
    assertThat(group.queueDelayMicrosMean().getAsDouble()).isCloseTo(1_000, within(1.0));
  }

  @Test
  void throughputOverTimeAddsUpToWhatArrived() {
    arrive(0, 0, 10);
    arrive(1, SECOND, SECOND + 10_000);
    arrive(0, 2 * SECOND - 10_000, 2 * SECOND - 1);
    arrive(0, 2 * SECOND - 10_000, 2 * SECOND);
    double seconds = 2.0 / Meter.INTERVALS;
    assertThat(DoubleStream.of(meter.groupBps(0)).sum() * seconds).isCloseTo(24_000, within(1e-6));
    assertThat(meter.groupBps(0)[0]).isEqualTo(8_000 / seconds);
    assertThat(meter.intervalStarts()).hasSize(Meter.INTERVALS).startsWith(0.0);
  }
}
