package net.sluice.emulator.netsim.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import net.sluice.emulator.netsim.Simulation;
import org.junit.jupiter.api.Test;

class VirtualTimerTest {

  private final Simulation simulation = new Simulation(1);
  private final List<Long> expiries = new ArrayList<>();
  private final VirtualTimer timer = new VirtualTimer(simulation, expiries::add);

  private void at(long nanos, Runnable action) {
    simulation.schedule(nanos, (now, argument) -> action.run(), 0);
  }

  @Test
  void expiresOnceAtItsDeadline() {
    timer.set(100);
    assertThat(timer.isSet()).isTrue();
    simulation.runUntil(1_000);
    assertThat(expiries).containsExactly(100L);
    assertThat(timer.isSet()).isFalse();
  }

  @Test
  void goesByTheLastDeadlineAndCostsNoEventToPutOff() {
    timer.set(100);
    for (long t = 1; t <= 90; t++) {
      long deadline = 100 + t;
      at(t, () -> timer.set(deadline));
    }
    simulation.runUntil(95);
    assertThat(simulation.pendingEvents()).isEqualTo(1);
    simulation.runUntil(1_000);
    assertThat(expiries).containsExactly(190L);
  }

  @Test
  void mayBeBroughtForwardAndCancelledAndSetAgain() {
    timer.set(500);
    at(10, () -> timer.set(50));
    at(60, () -> timer.set(700));
    at(100, timer::cancel);
    at(600, () -> timer.set(800));
    simulation.runUntil(2_000);
    assertThat(expiries).containsExactly(50L, 800L);
  }

  @Test
  void eventsOfReplacedDeadlinesDoNotMultiply() {
    timer.set(500);
    timer.set(50);
    simulation.runUntil(60);
    timer.set(700);
    assertThat(simulation.pendingEvents()).isEqualTo(2);
    simulation.runUntil(600);
    assertThat(simulation.pendingEvents()).isEqualTo(1);
    simulation.runUntil(1_000);
    assertThat(expiries).containsExactly(50L, 700L);
  }

  /** Against a timer that is a mere variable looked at every nanosecond. */
  @Property(tries = 300, seed = "1")
  void agreesWithAVariable(
      @ForAll @Size(min = 1, max = 30) List<@LongRange(min = -1, max = 60) Long> steps) {
    Simulation own = new Simulation(1);
    List<Long> actual = new ArrayList<>();
    VirtualTimer tested = new VirtualTimer(own, actual::add);
    List<Long> expected = new ArrayList<>();
    long deadline = Long.MAX_VALUE;
    long now = 0;
    for (long step : steps) {
      // Every ten nanoseconds and a half, so to speak: actions at odd, deadlines at even times.
      long next = now + 11 + (now % 2);
      for (long t = now + 1; t <= next; t++) {
        if (t == deadline) {
          expected.add(t);
          deadline = Long.MAX_VALUE;
        }
      }
      own.runUntil(next);
      now = next;
      if (step < 0) {
        tested.cancel();
        deadline = Long.MAX_VALUE;
      } else {
        deadline = now + 1 + step;
        tested.set(deadline);
      }
    }
    own.runUntil(now + 100);
    if (deadline != Long.MAX_VALUE) {
      expected.add(deadline);
    }
    assertThat(actual).isEqualTo(expected);
  }
}
