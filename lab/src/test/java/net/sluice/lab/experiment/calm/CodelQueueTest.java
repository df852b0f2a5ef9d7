package net.sluice.lab.experiment.calm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.traffic.Ecn;
import net.sluice.lab.experiment.calm.LineLog.Event;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CodelQueueTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;

  /** A nanosecond a bit. */
  private static final long RATE_BPS = 1_000_000_000;

  private static final long SLOW_BPS = 10_000_000;

  private final Simulation simulation = new Simulation(1);
  private final LineLog log = new LineLog();

  private record Arrival(long nanos, int bytes) {}

  /** The pseudo-code of RFC 8289, section 5.6 to 5.8, word for word, before a line. */
  private static final class PseudoCode {
    private final Deque<Integer> queue = new ArrayDeque<>();
    private final List<Arrival> arrivals;
    private final LineLog log = new LineLog();
    private long bytes;
    private long firstAboveTime;
    private long dropNext;
    private long count;
    private long lastcount;
    private boolean dropping;
    private boolean okToDrop;

    PseudoCode(List<Arrival> arrivals) {
      this.arrivals = arrivals;
    }

    private Integer dodequeue(long now) {
      okToDrop = false;
      Integer p = queue.poll();
      if (p == null) {
        firstAboveTime = 0;
        return null;
      }
      bytes -= arrivals.get(p).bytes();
      long sojourn = now - arrivals.get(p).nanos();
      if (sojourn < 5 * MILLI || bytes <= 1_514) {
        firstAboveTime = 0;
      } else if (firstAboveTime == 0) {
        firstAboveTime = now + 100 * MILLI;
      } else if (now >= firstAboveTime) {
        okToDrop = true;
      }
      return p;
    }

    private long controlLaw(long t, long c) {
      return t + Math.round(100 * MILLI / Math.sqrt(c));
    }

    private Integer dequeue(long now) {
      Integer p = dodequeue(now);
      if (dropping) {
        if (!okToDrop) {
          dropping = false;
        }
        while (now >= dropNext && dropping) {
          log.dropped(p, 0, now);
          count++;
          p = dodequeue(now);
          if (!okToDrop) {
            dropping = false;
          } else {
            dropNext = controlLaw(dropNext, count);
          }
        }
      } else if (okToDrop) {
        log.dropped(p, 0, now);
        p = dodequeue(now);
        dropping = true;
        long delta = count - lastcount;
        count = 1;
        if (delta > 1 && now - dropNext < 16 * 100 * MILLI) {
          count = delta;
        }
        dropNext = controlLaw(now, count);
        lastcount = count;
      }
      return p;
    }

    LineLog run(long nanosPerByte) {
      int next = 0;
      long free = 0;
      while (next < arrivals.size() || !queue.isEmpty()) {
        if (queue.isEmpty()) {
          free = Math.max(free, arrivals.get(next).nanos());
        }
        while (next < arrivals.size() && arrivals.get(next).nanos() <= free) {
          bytes += arrivals.get(next).bytes();
          queue.add(next++);
        }
        Integer p = dequeue(free);
        if (p != null) {
          log.sent(p, arrivals.get(p).bytes(), free - arrivals.get(p).nanos(), false, free);
          free += arrivals.get(p).bytes() * nanosPerByte;
          if (queue.isEmpty() && (next == arrivals.size() || arrivals.get(next).nanos() > free)) {
            // The line asks when it is free, too.
            dequeue(free);
          }
        }
      }
      return log;
    }
  }

  /** Phases of too much and of too little, so that it begins to drop again and again. */
  private static List<Arrival> arrivals(long seed, long nanosPerByte) {
    Random random = new Random(seed);
    List<Arrival> arrivals = new ArrayList<>();
    long nanos = 1;
    while (nanos < 20 * SECOND) {
      double load = 0.3 + 1.2 * random.nextDouble();
      long end = nanos + random.nextInt(1_500) * MILLI;
      while (nanos < end) {
        int bytes = 100 + random.nextInt(1_415);
        arrivals.add(new Arrival(nanos, bytes));
        nanos += 1 + (long) (-Math.log(1 - random.nextDouble()) * 807 * nanosPerByte / load);
      }
    }
    return arrivals;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void sendsAndDropsWhatThePseudoCodeDoes(long seed) {
    long nanosPerByte = 8 * SECOND / SLOW_BPS;
    List<Arrival> arrivals = arrivals(seed, nanosPerByte);
    LineLog expected = new PseudoCode(arrivals).run(nanosPerByte);
    CodelQueue queue =
        new CodelQueue(simulation, SLOW_BPS, 1 << 20, false, log, (b, o, l, t, n) -> {});
    for (int i = 0; i < arrivals.size(); i++) {
      int bytes = arrivals.get(i).bytes();
      simulation.schedule(
          arrivals.get(i).nanos(),
          (now, number) -> queue.receive(new byte[bytes], 0, bytes, number, now),
          i);
    }
    simulation.runUntil(60 * SECOND);
    assertThat(log.dropped).isEqualTo(expected.dropped).hasSizeGreaterThan(50);
    assertThat(log.sent).isEqualTo(expected.sent);
    assertThat(log.longestWait).isEqualTo(expected.longestWait);
  }

  /** Offers twice the rate for two seconds; each frame's tag is its number. */
  private List<byte[]> overload(boolean ecn, Ecn codepoint) {
    List<byte[]> arrived = new ArrayList<>();
    CodelQueue queue =
        new CodelQueue(
            simulation,
            SLOW_BPS,
            1 << 20,
            ecn,
            log,
            (bytes, offset, length, tag, now) ->
                arrived.add(java.util.Arrays.copyOfRange(bytes, offset, offset + length)));
    byte[] frame = LineLog.frame(1, 1_000, codepoint);
    for (int i = 0; i < 5_000; i++) {
      simulation.schedule(
          i * 400_000L, (now, number) -> queue.receive(frame, 0, 1_000, number, now), i);
    }
    simulation.runUntil(2 * SECOND);
    return arrived;
  }

  @Test
  void ecnCapableFramesAreMarkedWhenOthersWouldBeDropped() {
    List<byte[]> arrived = overload(true, Ecn.ECT_0);
    assertThat(log.dropped).isEmpty();
    byte[] ce = LineLog.frame(1, 1_000, Ecn.CE);
    assertThat(arrived.stream().filter(frame -> java.util.Arrays.equals(frame, ce)).count())
        .isEqualTo(log.marked.size());
    List<Long> markTimes = log.marked.stream().map(Event::nanos).toList();
    LineLog dropping = new CodelQueueTest().droppingLog();
    // A dropped frame makes the next one leave at the same time, so each is due at the same frame.
    assertThat(markTimes).isEqualTo(dropping.dropped.stream().map(Event::nanos).toList());
    assertThat(markTimes).hasSizeGreaterThan(50);
  }

  private LineLog droppingLog() {
    overload(true, Ecn.NOT_ECT);
    return log;
  }

  @Test
  void withoutEcnCapableFramesAreDropped() {
    overload(false, Ecn.ECT_1);
    assertThat(log.marked).isEmpty();
    assertThat(log.dropped).hasSizeGreaterThan(50);
  }

  @Test
  void moreThanFitAreDroppedAsTheyCome() {
    CodelQueue queue = new CodelQueue(simulation, RATE_BPS, 3, false, log, (b, o, l, t, n) -> {});
    for (int i = 0; i < 6; i++) {
      queue.receive(new byte[1_000], 0, 1_000, i, 0);
    }
    simulation.runUntil(SECOND);
    assertThat(log.dropped).containsExactly(new Event(0, 4), new Event(0, 5));
    assertThat(log.sent)
        .containsExactly(
            new Event(0, 0), new Event(8_000, 1), new Event(16_000, 2), new Event(24_000, 3));
  }
}
