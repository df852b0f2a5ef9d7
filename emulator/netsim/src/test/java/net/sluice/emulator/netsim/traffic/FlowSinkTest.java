package net.sluice.emulator.netsim.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class FlowSinkTest {

  private final FlowSink sink = new FlowSink();

  private void deliver(byte[] frame, int flow, long sentNanos, long nowNanos) {
    byte[] buffer = new byte[frame.length + 10];
    System.arraycopy(frame, 0, buffer, 5, frame.length);
    sink.receive(buffer, 5, frame.length, FlowTag.of(flow, sentNanos), nowNanos);
  }

  @Property(seed = "1")
  void tagsKeepFlowAndAge(
      @ForAll @IntRange(min = 0, max = FlowTag.MAX_FLOWS - 1) int flow,
      @ForAll @LongRange(min = 0, max = Long.MAX_VALUE / 2) long sent,
      @ForAll @LongRange(min = 0, max = (1L << 44) - 1) long age) {
    long tag = FlowTag.of(flow, sent);
    assertThat(FlowTag.flowId(tag)).isEqualTo(flow);
    assertThat(FlowTag.ageNanos(tag, sent + age)).isEqualTo(age);
  }

  @Test
  void countsPerFlow() {
    deliver(new byte[100], 3, 0, 10);
    deliver(new byte[200], 200_000, 5, 25);
    deliver(new byte[50], 3, 10, 40);
    assertThat(sink.deliveredPackets(3)).isEqualTo(2);
    assertThat(sink.deliveredBytes(3)).isEqualTo(150);
    assertThat(sink.meanDelayNanos(3)).isEqualTo(20);
    assertThat(sink.deliveredBytes(200_000)).isEqualTo(200);
    assertThat(sink.deliveredPackets(4)).isZero();
    assertThat(sink.deliveredPackets(FlowTag.MAX_FLOWS - 1)).isZero();
    assertThat(sink.meanDelayNanos(4)).isZero();
    assertThat(sink.totalPackets()).isEqualTo(3);
    assertThat(sink.totalBytes()).isEqualTo(350);
    assertThatThrownBy(() -> sink.ceMarks(FlowTag.MAX_FLOWS))
        .hasMessage("flowId 1048576: must be 0..1048575");
  }

  @Test
  void seesMarksThroughTags() {
    FrameBuilder builder = new FrameBuilder();
    int flow = 0;
    for (Ecn ecn : Ecn.values()) {
      builder.ecn(ecn).dscp(63);
      deliver(builder.untagged().addresses("10.0.0.1", "10.0.0.2").build().frame(0, 0), flow, 0, 1);
      deliver(builder.vlan(5).build().frame(0, 0), flow, 0, 1);
      deliver(builder.vlans(5, 6).build().frame(0, 0), flow, 0, 1);
      builder.addresses("2001:db8::1", "2001:db8::2");
      deliver(builder.build().frame(0, 0), flow, 0, 1);
      byte[] plain = builder.untagged().build().frame(0, 0);
      byte[] tagged = new byte[plain.length + 4];
      System.arraycopy(plain, 0, tagged, 0, 12);
      tagged[12] = (byte) 0x88;
      tagged[13] = (byte) 0xB5;
      System.arraycopy(plain, 12, tagged, 16, plain.length - 12);
      deliver(tagged, flow, 0, 1);
      flow++;
    }
    assertThat(sink.ceMarks(0)).isZero();
    assertThat(sink.ceMarks(1)).isZero();
    assertThat(sink.ceMarks(2)).isZero();
    assertThat(sink.ceMarks(3)).isEqualTo(5);
  }

  @Test
  void framesWithoutIpHaveNoMark() {
    deliver(new byte[60], 0, 0, 0);
    deliver(new byte[3], 0, 0, 0);
    byte[] endless = new byte[40];
    for (int i = 12; i < 40; i += 4) {
      endless[i] = (byte) 0x81;
    }
    deliver(endless, 0, 0, 0);
    assertThat(sink.ceMarks(0)).isZero();
    assertThat(sink.deliveredPackets(0)).isEqualTo(3);
  }

  @Test
  void keepsADelayHistogramWhenAsked() {
    assertThatThrownBy(sink::delaysNanos)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the sink keeps no delay histogram: withDelayHistogram was not called");
    sink.withDelayHistogram();
    deliver(new byte[100], 1, 0, 1_000);
    deliver(new byte[100], 2, 0, 1_500);
    assertThat(sink.delaysNanos().getTotalCount()).isEqualTo(2);
    assertThat(sink.delaysNanos().getMean()).isEqualTo(1_250);
  }

  @Test
  void canBeReset() {
    sink.withDelayHistogram();
    deliver(
        new FrameBuilder().addresses("10.0.0.1", "10.0.0.2").ecn(Ecn.CE).build().frame(0, 0),
        1,
        0,
        9);
    sink.resetStatistics();
    assertThat(sink.deliveredPackets(1)).isZero();
    assertThat(sink.deliveredBytes(1)).isZero();
    assertThat(sink.ceMarks(1)).isZero();
    assertThat(sink.meanDelayNanos(1)).isZero();
    assertThat(sink.totalPackets()).isZero();
    assertThat(sink.totalBytes()).isZero();
    assertThat(sink.delaysNanos().getTotalCount()).isZero();
  }
}
