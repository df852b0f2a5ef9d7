package net.sluice.emulator.netsim;

import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A reference model of a port's queues, written for clarity: all arrivals are known beforehand,
 * tags are exact fractions, every decision looks at everything.
 */
final class ReferenceQueues {

  /** A frame that arrives; {@code id} names it. */
  record Arrival(long nanos, int queue, int bytes, long id) {}

  /** A frame that has been sent. */
  record Departure(long nanos, long id) {
    @Override
    public String toString() {
      return nanos + ":" + id;
    }
  }

  private final QueueScheduling scheduling;
  private final long limitBytes;
  private final int limitPackets;
  private final LineClock line;
  private final Map<QueueScheduling.Level, LineClock> shapers = new TreeMap<>(this::byPlace);
  private final Map<Integer, Deque<Arrival>> queues = new TreeMap<>();
  private final BigInteger[] tags = new BigInteger[QueueScheduling.QUEUES];
  private final Map<QueueScheduling.Level, BigInteger> served = new TreeMap<>(this::byPlace);

  final List<Departure> departures = new ArrayList<>();
  final List<Long> dropped = new ArrayList<>();

  ReferenceQueues(QueueScheduling scheduling, long rateBps, long limitBytes, int limitPackets) {
    this.scheduling = scheduling;
    this.limitBytes = limitBytes;
    this.limitPackets = limitPackets;
    this.line = new LineClock(rateBps);
    for (int queue = 0; queue < QueueScheduling.QUEUES; queue++) {
      queues.put(queue, new ArrayDeque<>());
      tags[queue] = BigInteger.ZERO;
    }
    for (QueueScheduling.Level level : scheduling.levels()) {
      served.put(level, BigInteger.ZERO);
      if (level.shaped()) {
        shapers.put(level, new LineClock(level.rateBps()));
      }
    }
  }

  private int byPlace(QueueScheduling.Level a, QueueScheduling.Level b) {
    return Integer.compare(place(a), place(b));
  }

  private int place(QueueScheduling.Level level) {
    for (int i = 0; i < scheduling.levels().size(); i++) {
      if (scheduling.levels().get(i) == level) {
        return i;
      }
    }
    throw new AssertionError("a level of another scheduling");
  }

  /** Arrivals in order of time; they come before departures of the same instant. */
  void run(List<Arrival> arrivals) {
    int next = 0;
    Arrival sending = null;
    long freeAt = 0;
    while (true) {
      long arrival = next < arrivals.size() ? arrivals.get(next).nanos() : Long.MAX_VALUE;
      long ready = sending != null ? freeAt : earliestStart();
      if (arrival == Long.MAX_VALUE && ready == Long.MAX_VALUE) {
        return;
      }
      long now;
      if (arrival <= ready) {
        now = arrival;
        admit(arrivals.get(next++), sending == null, now);
      } else {
        now = ready;
        if (sending != null) {
          departures.add(new Departure(now, sending.id()));
          sending = null;
        }
      }
      if (sending == null) {
        sending = start(now);
        freeAt = sending == null ? 0 : line.endNanos();
      }
    }
  }

  private void admit(Arrival frame, boolean lineFree, long now) {
    Deque<Arrival> queue = queues.get(frame.queue());
    QueueScheduling.Level level = levelOf(frame.queue());
    boolean startsAtOnce =
        lineFree && queues.values().stream().allMatch(Deque::isEmpty) && mayStart(level, now);
    long waiting = queue.stream().mapToLong(Arrival::bytes).sum();
    if (!startsAtOnce && (waiting + frame.bytes() > limitBytes || queue.size() >= limitPackets)) {
      dropped.add(frame.id());
      return;
    }
    if (queue.isEmpty()) {
      tags[frame.queue()] = tags[frame.queue()].max(served.get(level));
    }
    queue.add(frame);
  }

  private Arrival start(long now) {
    for (QueueScheduling.Level level : scheduling.levels()) {
      if (mayStart(level, now)) {
        int chosen = choose(level);
        if (chosen >= 0) {
          Arrival frame = queues.get(chosen).poll();
          served.put(level, tags[chosen]);
          tags[chosen] =
              tags[chosen].add(
                  BigInteger.valueOf(frame.bytes())
                      .multiply(scale(level))
                      .divide(BigInteger.valueOf(weight(level, chosen))));
          if (level.shaped()) {
            shapers.get(level).send(now, frame.bytes() * 8L);
          }
          line.send(now, frame.bytes() * 8L);
          return frame;
        }
      }
    }
    return null;
  }

  private int choose(QueueScheduling.Level level) {
    int chosen = -1;
    for (QueueScheduling.Input input : level.inputs()) {
      if (queues.get(input.queue()).isEmpty()) {
        continue;
      }
      if (!level.weighted()) {
        return input.queue();
      }
      int order = chosen < 0 ? -1 : tags[input.queue()].compareTo(tags[chosen]);
      if (order < 0 || order == 0 && input.queue() > chosen) {
        chosen = input.queue();
      }
    }
    return chosen;
  }

  private boolean mayStart(QueueScheduling.Level level, long now) {
    return readyAt(level) <= now;
  }

  private long readyAt(QueueScheduling.Level level) {
    if (!level.shaped()) {
      return Long.MIN_VALUE;
    }
    BigInteger rate = BigInteger.valueOf(level.rateBps());
    BigInteger burst =
        BigInteger.valueOf(level.burstBytes())
            .multiply(BigInteger.valueOf(8_000_000_000L))
            .add(rate.subtract(BigInteger.ONE))
            .divide(rate);
    return shapers.get(level).endNanos() - burst.longValueExact();
  }

  private long earliestStart() {
    long earliest = Long.MAX_VALUE;
    for (QueueScheduling.Level level : scheduling.levels()) {
      if (level.inputs().stream().anyMatch(input -> !queues.get(input.queue()).isEmpty())) {
        earliest = Math.min(earliest, readyAt(level));
      }
    }
    return earliest;
  }

  private QueueScheduling.Level levelOf(int queue) {
    return scheduling.levels().stream()
        .filter(level -> level.inputs().stream().anyMatch(input -> input.queue() == queue))
        .findFirst()
        .orElseThrow();
  }

  private static long weight(QueueScheduling.Level level, int queue) {
    return level.inputs().stream()
        .filter(input -> input.queue() == queue)
        .findFirst()
        .orElseThrow()
        .weight();
  }

  /** A multiple of every weight, so that tags are whole. */
  private static BigInteger scale(QueueScheduling.Level level) {
    return level.inputs().stream()
        .map(input -> BigInteger.valueOf(input.weight()))
        .reduce(BigInteger.ONE, BigInteger::multiply);
  }
}
