package net.sluice.emulator.netsim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class EventQueueTest {

  private static final EventHandler NOTHING = (nowNanos, argument) -> {};

  private record Entry(long time, long sequence) {}

  /**
   * Against a plain priority queue, with distances from the same instant to far beyond the wheel.
   */
  @Property(tries = 200, seed = "1")
  void takesEventsInOrderOfTimeAndScheduling(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 2_000) int operations) {
    Prng random = new Prng(seed);
    EventQueue queue = new EventQueue();
    PriorityQueue<Entry> expected =
        new PriorityQueue<>(
            Comparator.comparingLong(Entry::time).thenComparingLong(Entry::sequence));
    long now = 0;
    for (int i = 0; i < operations; i++) {
      if (random.nextLong(5) < 3) {
        long reach = 1L << random.nextLong(40);
        long time = now + random.nextLong(reach);
        queue.add(time, NOTHING, i);
        expected.add(new Entry(time, i));
      } else if (expected.isEmpty()) {
        assertThat(queue.peekTime()).isEqualTo(Long.MAX_VALUE);
      } else {
        Entry next = expected.remove();
        assertThat(queue.peekTime()).isEqualTo(next.time());
        assertThat(queue.argument(queue.poll())).isEqualTo(next.sequence());
        now = next.time();
      }
      assertThat(queue.size()).isEqualTo(expected.size());
    }
    List<Long> rest = new ArrayList<>();
    while (queue.peekTime() != Long.MAX_VALUE) {
      rest.add(queue.argument(queue.poll()));
    }
    List<Long> expectedRest = new ArrayList<>();
    while (!expected.isEmpty()) {
      expectedRest.add(expected.remove().sequence());
    }
    assertThat(rest).isEqualTo(expectedRest);
  }

  @Test
  void acceptsAnEventBeforeTheOneItHasAlreadySeenComing() {
    EventQueue queue = new EventQueue();
    queue.add(50_000_000, NOTHING, 2);
    assertThat(queue.peekTime()).isEqualTo(50_000_000);
    queue.add(10, NOTHING, 1);
    assertThat(queue.peekTime()).isEqualTo(10);
    assertThat(queue.argument(queue.poll())).isEqualTo(1);
    assertThat(queue.argument(queue.poll())).isEqualTo(2);
  }
}
