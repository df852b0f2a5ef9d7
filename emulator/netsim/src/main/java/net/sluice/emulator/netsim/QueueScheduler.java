package net.sluice.emulator.netsim;

import java.util.List;

/**
 * Decides which queue of a port sends next, by a {@link QueueScheduling}.
 *
 * <p>Weighted queues share by start-time fair queueing: each queue carries a tag, its bytes sent
 * divided by its weight; the lowest tag goes first, at equal tags the higher number. A queue that
 * was empty starts at the tag of the queue served last, so it gains and owes nothing for the idle
 * time. Bytes are those that took line time, counted when the frame is on the line: what egress
 * drops is charged to nobody. Between two queues that never run empty, bytes per weight differ by
 * no more than one frame of each at any time; fractions are carried, so nothing accumulates.
 *
 * <p>A shaped level may send while it is no further ahead of its rate than its burst.
 */
final class QueueScheduler {

  /** No queue may send now. */
  static final int NONE = -1;

  private static final int TAG_SHIFT = 10;
  private static final int BITS_PER_BYTE = 8;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private QueueScheduling scheduling = QueueScheduling.STRICT;
  // Strict by number with nothing shaped: the highest bit of the backlog decides.
  private boolean byNumber = true;

  private Group[] groups = new Group[0];
  private final Group[] groupOf = new Group[QueueScheduling.QUEUES];
  private int backlog;
  private long readyNanos;

  /** A level at work. */
  private static final class Group {
    final boolean weighted;
    final int[] queues;
    final int mask;
    final LineClock shaper;
    final long burstNanos;
    // By queue number; tags are bytes per weight in units of 2^-10, remainders in units of 1 /
    // weight of that.
    final long[] tags = new long[QueueScheduling.QUEUES];
    final long[] remainders = new long[QueueScheduling.QUEUES];
    final int[] weights = new int[QueueScheduling.QUEUES];
    long servedTag;

    Group(QueueScheduling.Level level) {
      List<QueueScheduling.Input> inputs = level.inputs();
      weighted = level.weighted();
      queues = new int[inputs.size()];
      int bits = 0;
      for (int i = 0; i < queues.length; i++) {
        queues[i] = inputs.get(i).queue();
        weights[queues[i]] = inputs.get(i).weight();
        bits |= 1 << queues[i];
      }
      mask = bits;
      shaper = level.shaped() ? new LineClock(level.rateBps()) : null;
      burstNanos =
          level.shaped()
              ? (long)
                  Math.ceil(
                      (double) level.burstBytes()
                          * BITS_PER_BYTE
                          * NANOS_PER_SECOND
                          / level.rateBps())
              : 0;
    }

    long readyNanos() {
      return shaper == null ? Long.MIN_VALUE : shaper.endNanos() - burstNanos;
    }

    int pick(int waiting) {
      if (!weighted) {
        for (int queue : queues) {
          if ((waiting >> queue & 1) != 0) {
            return queue;
          }
        }
      }
      int best = NONE;
      for (int queue : queues) {
        // Compared by difference: tags may run over.
        if ((waiting >> queue & 1) != 0
            && (best == NONE
                || tags[queue] - tags[best] < 0
                || tags[queue] == tags[best] && queue > best)) {
          best = queue;
        }
      }
      return best;
    }

    /** A queue that was empty has a frame: it has saved nothing up. */
    void begin(int queue) {
      if (tags[queue] - servedTag < 0) {
        tags[queue] = servedTag;
        remainders[queue] = 0;
      }
    }

    void charge(int queue, long bytes, long nowNanos) {
      if (weighted) {
        servedTag = tags[queue];
        long scaled = (bytes << TAG_SHIFT) + remainders[queue];
        tags[queue] += scaled / weights[queue];
        remainders[queue] = scaled % weights[queue];
      }
      if (shaper != null) {
        shaper.send(nowNanos, bytes * BITS_PER_BYTE);
      }
    }
  }

  QueueScheduling scheduling() {
    return scheduling;
  }

  /** Serves differently from now on; shapers and shares begin anew. */
  void set(QueueScheduling newScheduling) {
    scheduling = newScheduling;
    byNumber = newScheduling.equals(QueueScheduling.STRICT);
    groups = new Group[newScheduling.levels().size()];
    for (int i = 0; i < groups.length; i++) {
      groups[i] = new Group(newScheduling.levels().get(i));
      for (int queue : groups[i].queues) {
        groupOf[queue] = groups[i];
      }
    }
  }

  /** A queue that was empty has a frame. */
  void filled(int queue) {
    if (!byNumber) {
      groupOf[queue].begin(queue);
    }
    backlog |= 1 << queue;
  }

  /** A queue has become empty. */
  void emptied(int queue) {
    backlog &= ~(1 << queue);
  }

  /** Whether any queue holds a frame. */
  boolean hasBacklog() {
    return backlog != 0;
  }

  /** Whether a frame of this queue would have to wait although the line is free. */
  boolean holdsBack(int queue, long nowNanos) {
    return !byNumber && groupOf[queue].readyNanos() > nowNanos;
  }

  /** The queue that sends next, or {@link #NONE}: then none will before {@link #readyNanos}. */
  int next(long nowNanos) {
    if (byNumber) {
      return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(backlog);
    }
    readyNanos = Long.MAX_VALUE;
    for (Group group : groups) {
      if ((group.mask & backlog) != 0) {
        long ready = group.readyNanos();
        if (ready <= nowNanos) {
          return group.pick(backlog);
        }
        readyNanos = Math.min(readyNanos, ready);
      }
    }
    return NONE;
  }

  /** When the first frame that is held back may start; after {@link #next} found none. */
  long readyNanos() {
    return readyNanos;
  }

  /** A frame from a queue takes line time. */
  void charge(int queue, long bytes, long nowNanos) {
    if (!byNumber) {
      groupOf[queue].charge(queue, bytes, nowNanos);
    }
  }
}
