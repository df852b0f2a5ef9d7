package net.sluice.emulator.netsim.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.sluice.emulator.netsim.Simulation;
import org.junit.jupiter.api.Test;

class TrafficSourceTest {

  private static final long SECOND = 1_000_000_000L;

  private final Simulation simulation = new Simulation(3);
  private final CapturingSink sink = new CapturingSink();
  private final TrafficSource source = new TrafficSource(simulation, sink, 1);

  private static FrameTemplate template(int bytes) {
    return new FrameBuilder().addresses("10.0.0.1", "10.0.0.2").frameBytes(bytes).build();
  }

  private static FlowSpec plain(int bytes, long rateBps, long start, long stop) {
    return new FlowSpec(template(bytes), rateBps, start, stop, new ArrivalProcess.Cbr(false, 0));
  }

  private List<Long> times() {
    return sink.captures().stream().map(CapturingSink.Capture::nanos).toList();
  }

  @Test
  void sendsAtEqualIntervalsFromStartToBeforeStop() {
    // 1000 bytes at 8 Mbit/s: one a millisecond.
    source.addFlow(plain(1_000, 8_000_000, 500, 3_000_500));
    simulation.runUntil(SECOND);
    assertThat(times()).containsExactly(500L, 1_000_500L, 2_000_500L);
    assertThat(source.offeredPackets(0)).isEqualTo(3);
    assertThat(source.offeredBytes(0)).isEqualTo(3_000);
  }

  @Property(tries = 30, seed = "1")
  void neverDrifts(@ForAll @LongRange(min = 50_000_000, max = 900_000_000) long rateBps) {
    Simulation own = new Simulation(1);
    CapturingSink captured = new CapturingSink();
    new TrafficSource(own, captured, 1).addFlow(plain(999, rateBps, 0, Long.MAX_VALUE));
    own.runUntil(SECOND / 10);
    for (int k = 0; k < captured.captures().size(); k++) {
      long exact = (long) (k * 999.0 * 8 * 1e9 / rateBps);
      assertThat(captured.captures().get(k).nanos()).isCloseTo(exact, within(1L));
    }
  }

  @Test
  void stampsAndTagsItsFrames() {
    source.addFlow(FlowSpec.cbr(template(100), 1_000_000));
    source.addFlow(FlowSpec.cbr(template(200), 1_000_000));
    simulation.runUntil(SECOND / 100);
    int[] next = new int[2];
    for (CapturingSink.Capture capture : sink.captures()) {
      int flow = FlowTag.flowId(capture.tag());
      assertThat(capture.bytes()).isEqualTo(template(100 * (flow + 1)).frame(flow, next[flow]++));
      assertThat(FlowTag.ageNanos(capture.tag(), capture.nanos() + 5)).isEqualTo(5);
    }
    assertThat(next[0]).isBetween(12, 13);
    assertThat(next[1]).isBetween(6, 7);
  }

  @Test
  void aFrameWithShorterHeadersHasNothingOfTheOneBefore() {
    FrameBuilder builder = new FrameBuilder().frameBytes(300);
    FrameTemplate ipv6 = builder.vlans(1, 2).addresses("2001:db8::1", "2001:db8::2").build();
    FrameTemplate ipv4 = builder.untagged().addresses("10.0.0.1", "10.0.0.2").build();
    ArrivalProcess inStep = new ArrivalProcess.Cbr(false, 0);
    source.addFlow(new FlowSpec(ipv6, 1_000_000, 0, 1_000, inStep));
    source.addFlow(new FlowSpec(ipv4, 1_000_000, 0, 1_000, inStep));
    simulation.runUntil(1_000);
    assertThat(sink.captures().get(0).bytes()).isEqualTo(ipv6.frame(0, 0));
    assertThat(sink.captures().get(1).bytes()).isEqualTo(ipv4.frame(1, 0));
  }

  @Test
  void phasesAreSpreadOverTheFirstInterval() {
    for (int i = 0; i < 1_000; i++) {
      source.addFlow(FlowSpec.cbr(template(1_000), 8_000_000));
    }
    simulation.runUntil(999_999);
    assertThat(sink.captures()).hasSize(1_000);
    assertThat(times().stream().filter(t -> t < 250_000).count()).isBetween(190L, 310L);
    assertThat(times().stream().filter(t -> t >= 750_000).count()).isBetween(190L, 310L);
  }

  @Test
  void jitterDelaysEachFrameOnItsOwn() {
    source.addFlow(
        new FlowSpec(
            template(1_000), 8_000_000, 0, Long.MAX_VALUE, new ArrivalProcess.Cbr(false, 0.5)));
    simulation.runUntil(SECOND);
    List<Long> times = times();
    assertThat(times).hasSizeBetween(1_000, 1_001);
    double sum = 0;
    for (int k = 0; k < 1_000; k++) {
      long late = times.get(k) - k * 1_000_000L;
      assertThat(late).isBetween(0L, 500_000L);
      sum += late;
    }
    assertThat(sum / 1_000).isCloseTo(250_000, within(25_000.0));
  }

  @Test
  void poissonHasTheRateAndTheVarianceItShould() {
    source.addFlow(
        new FlowSpec(template(100), 80_000_000, 0, Long.MAX_VALUE, ArrivalProcess.poisson()));
    simulation.runUntil(SECOND);
    // Mean 100,000 frames a second, standard deviation 316.
    assertThat(sink.captures().size()).isCloseTo(100_000, within(1_600));
    int[] perMilli = new int[1_000];
    for (long time : times()) {
      perMilli[(int) Math.min(999, time / 1_000_000)]++;
    }
    double variance = 0;
    for (int count : perMilli) {
      variance += (count - 100.0) * (count - 100.0) / 1_000;
    }
    assertThat(variance).isCloseTo(100, within(25.0));
  }

  @Test
  void aRateCanBeChangedPausedAndResumed() {
    int flow = source.addFlow(plain(1_000, 8_000_000, 0, Long.MAX_VALUE));
    simulation.runUntil(2_500_000);
    source.setRateBps(flow, 0);
    simulation.runUntil(10_000_000);
    assertThat(times()).containsExactly(0L, 1_000_000L, 2_000_000L);
    source.setRateBps(flow, 80_000_000);
    assertThat(source.rateBps(flow)).isEqualTo(80_000_000);
    simulation.runUntil(10_250_000);
    assertThat(times()).endsWith(10_000_000L, 10_100_000L, 10_200_000L).hasSize(6);
  }

  @Test
  void aFlowMayStartSilent() {
    int flow = source.addFlow(plain(1_000, 0, 0, Long.MAX_VALUE));
    simulation.runUntil(SECOND);
    assertThat(sink.captures()).isEmpty();
    source.setRateBps(flow, 8_000_000);
    simulation.runUntil(SECOND);
    assertThat(times()).containsExactly(SECOND);
  }

  @Test
  void addingAFlowDoesNotChangeTheOthers() {
    source.addFlow(FlowSpec.cbr(template(1_000), 8_000_000));
    CapturingSink other = new CapturingSink();
    simulation.runUntil(1_000_000);
    Simulation again = new Simulation(3);
    TrafficSource more = new TrafficSource(again, other, 1);
    more.addFlow(FlowSpec.cbr(template(1_000), 8_000_000));
    more.addFlow(FlowSpec.cbr(template(1_000), 8_000_000));
    again.runUntil(1_000_000);
    assertThat(
            other.captures().stream()
                .filter(c -> FlowTag.flowId(c.tag()) == 0)
                .map(CapturingSink.Capture::nanos))
        .containsExactlyElementsOf(times());
  }

  @Test
  void countsCanBeReset() {
    source.addFlow(plain(1_000, 8_000_000, 0, Long.MAX_VALUE));
    simulation.runUntil(1_500_000);
    source.resetStatistics();
    assertThat(source.offeredPackets(0)).isZero();
    simulation.runUntil(2_500_000);
    assertThat(source.offeredBytes(0)).isEqualTo(1_000);
    // Sequence numbers go on.
    assertThat(sink.captures().get(2).bytes()).isEqualTo(template(1_000).frame(0, 2));
  }

  @Test
  void refusesWhatMakesNoSense() {
    assertThatThrownBy(() -> FlowSpec.cbr(template(100), -1))
        .hasMessage("rateBps -1: must be 0..10000000000000");
    assertThatThrownBy(() -> plain(100, 1, -1, 0)).hasMessage("startNanos -1: must be at least 0");
    assertThatThrownBy(() -> plain(100, 1, 5, 4))
        .hasMessage("stopNanos 4: must be at least startNanos, 5");
    assertThatThrownBy(() -> new ArrivalProcess.Cbr(true, 1.1))
        .hasMessage("jitter 1.1: must be 0..1");
    source.addFlow(plain(100, 1, 0, 1));
    assertThatThrownBy(() -> source.offeredBytes(1)).hasMessage("flowId 1: must be 0..0");
    assertThatThrownBy(() -> source.setRateBps(0, -5))
        .hasMessage("rateBps -5: must be 0..10000000000000");
  }
}
