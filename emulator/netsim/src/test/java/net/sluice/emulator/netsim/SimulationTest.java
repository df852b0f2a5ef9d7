package net.sluice.emulator.netsim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SimulationTest {

  @Test
  void runsEventsUpToAndIncludingTheEnd() {
    Simulation simulation = new Simulation(1);
    List<String> log = new ArrayList<>();
    EventHandler handler = (now, argument) -> log.add(now + ":" + argument);
    simulation.schedule(20, handler, 1);
    simulation.schedule(10, handler, 2);
    simulation.schedule(20, handler, 3);
    simulation.schedule(21, handler, 4);
    simulation.runUntil(20);
    assertThat(log).containsExactly("10:2", "20:1", "20:3");
    assertThat(simulation.nowNanos()).isEqualTo(20);
    assertThat(simulation.pendingEvents()).isEqualTo(1);
    simulation.runUntil(1_999);
    assertThat(log).endsWith("21:4");
    assertThat(simulation.nowMicros()).isEqualTo(1);
    assertThat(simulation.events()).isEqualTo(4);
  }

  @Test
  void refusesThePast() {
    Simulation simulation = new Simulation(1);
    simulation.runUntil(100);
    assertThatThrownBy(() -> simulation.schedule(99, (n, a) -> {}, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("atNanos 99: must not be before the present, 100");
    assertThatThrownBy(() -> simulation.runUntil(99))
        .hasMessage("endNanos 99: must not be before the present, 100");
  }

  @Test
  void refusesToRunInsideItself() {
    Simulation simulation = new Simulation(1);
    simulation.schedule(5, (now, argument) -> simulation.runUntil(10), 0);
    assertThatThrownBy(() -> simulation.runUntil(10))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the simulation is already running");
    // The failed run has let go of everything.
    assertThat(simulation.lock().isLocked()).isFalse();
    simulation.runUntil(10);
    assertThat(simulation.nowNanos()).isEqualTo(10);
  }

  @Test
  void stopsBetweenSlicesAndGoesOnFromThere() {
    Simulation simulation = new Simulation(1);
    tickEvery(simulation, 10);
    simulation.schedule(1_000, (now, argument) -> simulation.stop(), 0);
    simulation.runUntil(1_000_000);
    long stopped = simulation.nowNanos();
    assertThat(stopped).isBetween(1_000L, 1_000L + 10L * Simulation.EVENTS_PER_SLICE);
    simulation.runUntil(1_000_000);
    assertThat(simulation.nowNanos()).isEqualTo(1_000_000);
    assertThat(simulation.events()).isEqualTo(100_001 + 1);
  }

  @Test
  void reportsProgress() {
    Simulation simulation = new Simulation(1);
    tickEvery(simulation, 10);
    List<Long> seen = new ArrayList<>();
    simulation.runUntil(
        1_000_000,
        (now, end, events) -> {
          assertThat(end).isEqualTo(1_000_000);
          assertThat(simulation.lock().isHeldByCurrentThread()).isFalse();
          seen.add(now);
        });
    assertThat(seen).isSorted().hasSizeBetween(50, 101).endsWith(1_000_000L);
  }

  @Test
  void letsAnotherThreadInWhileItRuns() throws InterruptedException {
    Simulation simulation = new Simulation(1);
    tickEvery(simulation, 1);
    CountDownLatch started = new CountDownLatch(1);
    simulation.schedule(0, (now, argument) -> started.countDown(), 0);
    Thread runner = new Thread(() -> simulation.runUntil(Long.MAX_VALUE - 1));
    runner.start();
    started.await();
    Set<Long> times = new TreeSet<>();
    AtomicInteger ran = new AtomicInteger();
    // Would never end if the running thread always took its lock back first, or never let go of it.
    while (times.size() < 50) {
      simulation.execute(
          () -> {
            if (times.add(simulation.nowNanos())) {
              simulation.schedule(simulation.nowNanos(), (now, a) -> ran.incrementAndGet(), 0);
            }
          });
    }
    simulation.stop();
    runner.join();
    simulation.runUntil(simulation.nowNanos() + 1);
    assertThat(ran.get()).isEqualTo(times.size());
  }

  @Test
  void holdsTheLocksOfItsParticipantsDuringEventsOnly() {
    Simulation simulation = new Simulation(1);
    TestDevice device = new TestDevice();
    SwitchNode node = new SwitchNode(simulation, device);
    AtomicBoolean held = new AtomicBoolean();
    simulation.schedule(5, (now, a) -> held.set(node.lock().isHeldByCurrentThread()), 0);
    simulation.runUntil(10);
    assertThat(held).isTrue();
    assertThat(device.lock().isLocked()).isFalse();
  }

  @Test
  void keepsPaceWithTheWallClock() throws InterruptedException {
    Simulation simulation = new Simulation(1);
    FakeClock clock = new FakeClock();
    List<Long> wallAtEvent = new ArrayList<>();
    simulation.schedule(
        250_000_000, (now, a) -> wallAtEvent.add(clock.nanoTime() - FakeClock.ORIGIN), 0);
    simulation.runPaced(1_000_000_000, clock);
    assertThat(simulation.nowNanos()).isEqualTo(1_000_000_000);
    assertThat(clock.nanoTime() - FakeClock.ORIGIN).isEqualTo(1_000_000_000);
    // At the first wake-up from then on.
    assertThat(wallAtEvent.get(0)).isBetween(250_000_000L, 250_000_000L + Simulation.PACE_NANOS);
    assertThat(clock.waits).isEqualTo(1_000);
    assertThat(simulation.givenUpNanos()).isZero();
  }

  @Test
  void givesUpALagItCannotMakeGood() throws InterruptedException {
    Simulation simulation = new Simulation(1);
    FakeClock clock = new FakeClock();
    // An event that takes three seconds of wall time, another that takes 50 ms.
    simulation.schedule(10_000_000, (now, a) -> clock.now += 3_000_000_000L, 0);
    simulation.schedule(500_000_000, (now, a) -> clock.now += 50_000_000L, 0);
    simulation.runPaced(1_000_000_000, clock);
    assertThat(simulation.givenUpNanos()).isBetween(2_900_000_000L, 3_001_000_000L);
    assertThat(clock.nanoTime() - FakeClock.ORIGIN)
        .isEqualTo(1_000_000_000 + simulation.givenUpNanos());
  }

  @Test
  void aPacedRunCanBeStopped() throws InterruptedException {
    Simulation simulation = new Simulation(1);
    simulation.schedule(10_000_000, (now, a) -> simulation.stop(), 0);
    simulation.runPaced(Long.MAX_VALUE, new FakeClock());
    assertThat(simulation.nowNanos()).isBetween(10_000_000L, 12_000_000L);
  }

  @Test
  void theSystemClockWaitsAndCanBeInterrupted() throws InterruptedException {
    WallClock clock = WallClock.system();
    long from = clock.nanoTime();
    long until = from + 2_000_000;
    while (clock.nanoTime() < until) {
      clock.waitUntil(until);
    }
    assertThat(clock.nanoTime()).isGreaterThanOrEqualTo(until);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> clock.waitUntil(clock.nanoTime() + 1_000_000_000L))
        .isInstanceOf(InterruptedException.class);
  }

  @Test
  void streamsOfRandomNumbersDependOnSeedAndName() {
    long a = new Simulation(1).random(7).nextLong();
    assertThat(new Simulation(1).random(7).nextLong()).isEqualTo(a);
    assertThat(new Simulation(1).random(8).nextLong()).isNotEqualTo(a);
    assertThat(new Simulation(2).random(7).nextLong()).isNotEqualTo(a);
  }

  private static void tickEvery(Simulation simulation, long nanos) {
    EventHandler[] self = new EventHandler[1];
    self[0] = (now, argument) -> simulation.schedule(now + nanos, self[0], 0);
    simulation.schedule(0, self[0], 0);
  }

  private static final class FakeClock implements WallClock {
    static final long ORIGIN = 987_654_321_000L;
    private long now = ORIGIN;
    private int waits;

    @Override
    public long nanoTime() {
      return now;
    }

    @Override
    public void waitUntil(long wallNanos) {
      waits++;
      now = Math.max(now, wallNanos);
    }
  }
}
