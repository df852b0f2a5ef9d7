package net.sluice.emulator.netsim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import net.sluice.emulator.netsim.traffic.CapturingSink;
import org.junit.jupiter.api.Test;

class LinkTest {

  private final Simulation simulation = new Simulation(9);
  private final CapturingSink sink = new CapturingSink();

  @Test
  void deliversAtOnceWithoutDelay() {
    Link link = Link.in(simulation).to(sink);
    link.receive(new byte[] {9, 1, 2, 9}, 1, 2, 77, 0);
    assertThat(sink.captures()).hasSize(1);
    assertThat(sink.captures().get(0).bytes()).containsExactly(1, 2);
    assertThat(sink.captures().get(0).tag()).isEqualTo(77);
    assertThat(link.carriedFrames()).isEqualTo(1);
  }

  @Test
  void delaysByPropagationAndKeepsItsOwnCopy() {
    Link link = Link.in(simulation).propagationNanos(5_000).to(sink);
    byte[] buffer = {1, 2, 3};
    link.receive(buffer, 0, 3, 1, 0);
    buffer[0] = 99;
    link.receive(buffer, 0, 3, 2, 0);
    simulation.runUntil(4_999);
    assertThat(sink.captures()).isEmpty();
    simulation.runUntil(5_000);
    assertThat(sink.captures())
        .extracting(c -> c.nanos() + ":" + c.tag() + ":" + c.bytes()[0])
        .containsExactly("5000:1:1", "5000:2:99");
  }

  @Test
  void serialisesAtItsRate() {
    Link link = Link.in(simulation).rateBps(1_000_000_000).propagationNanos(100).to(sink);
    link.receive(new byte[1_000], 0, 1_000, 1, 0);
    link.receive(new byte[1_000], 0, 1_000, 2, 0);
    simulation.runUntil(1_000_000);
    assertThat(sink.captures())
        .extracting(CapturingSink.Capture::nanos)
        .containsExactly(8_100L, 16_100L);
  }

  @Test
  void losesTheSameFramesForTheSameSeed() {
    CapturingSink other = new CapturingSink();
    Link link = Link.in(simulation).loss(0.1, 5).to(sink);
    Link again = Link.in(new Simulation(9)).loss(0.1, 5).to(other);
    for (int i = 0; i < 100_000; i++) {
      link.receive(new byte[1], 0, 1, i, 0);
      again.receive(new byte[1], 0, 1, i, 0);
    }
    assertThat(link.lostFrames()).isCloseTo(10_000, within(600L));
    assertThat(link.carriedFrames() + link.lostFrames()).isEqualTo(100_000);
    assertThat(other.captures())
        .extracting(CapturingSink.Capture::tag)
        .isEqualTo(sink.captures().stream().map(CapturingSink.Capture::tag).toList());
  }

  @Test
  void refusesWhatMakesNoSense() {
    assertThatThrownBy(() -> Link.in(simulation).propagationNanos(-1))
        .hasMessage("propagationNanos -1: must be at least 0");
    assertThatThrownBy(() -> Link.in(simulation).loss(1.5, 0))
        .hasMessage("lossProbability 1.5: must be 0..1");
    assertThatThrownBy(() -> Link.in(simulation).rateBps(0))
        .hasMessage("rateBps 0: must be 1..10000000000000");
  }
}
