package net.sluice.lab.experiment.fpga;

import java.io.IOException;
import java.util.Arrays;
import java.util.stream.IntStream;
import net.sluice.emulator.netsim.Prng;
import net.sluice.lab.support.Progress;

/**
 * Queues that never run empty, each with the same rate limit: a packet that leaves is followed by
 * another one, until each queue has sent so many.
 *
 * @param build the core
 * @param queues how many of its queues, chosen by the seed
 * @param bps rate limit of each
 * @param packetBytes length of all packets
 * @param packets that each queue sends, above {@link #WAITING}
 * @param seed of the queues' choice and order
 */
record Flood(CoreBuild build, int queues, long bps, int packetBytes, int packets, long seed) {
  /** Packets that wait in each queue. */
  static final int WAITING = 4;

  private static final int CLASSES = 8;
  private static final int DEPTH_BYTES = 0xFFFFF8;
  private static final int MTU_BYTES = 1_600;
  private static final int MAX_BUCKET_BYTES = 32_767;

  /** Clocks that the scheduler takes for a packet that leaves. */
  private static final int PACKET_CLOCKS = 17;

  /** Clocks that the search takes for a queue that holds a packet. */
  private static final int SEARCH_CLOCKS = 2;

  private static final int BITS = 8;
  private static final int PROGRESS_STEPS = 5;

  /** Until the first packet; register writes are done by then. */
  private static final long WRITE_CLOCKS = 64;

  /** The run is given up after so many times the time that it should take. */
  private static final int PATIENCE = 4;

  /**
   * Outcome of a run.
   *
   * @param word the rate word
   * @param worstRateError part by which the rate of the queue that is off most is off the word's
   * @param gapsClocks between packets of a queue one after the other, of all queues
   * @param lost packets that did not leave
   * @param reordered packets that left behind a later one of their queue
   * @param broken packets that left with other bytes
   * @param sent packets that left
   */
  record Result(
      int word,
      double worstRateError,
      long[] gapsClocks,
      long lost,
      long reordered,
      long broken,
      long sent) {
    long mostGapClocks() {
      return Arrays.stream(gapsClocks).max().orElse(0);
    }

    long leastGapClocks() {
      return Arrays.stream(gapsClocks).min().orElse(0);
    }

    double meanGapClocks() {
      return Arrays.stream(gapsClocks).average().orElse(Double.NaN);
    }
  }

  /** The rate word of each queue. */
  int word() {
    return build.clock().word(bps);
  }

  /** Clocks of a packet at its queue's rate. */
  double packetClocks() {
    return (double) packetBytes / word() * build.clock().tickClocks();
  }

  /** The rate that so many queues can have together with each other, bit/s. */
  static double mostBps(CoreClock clock, int queues, int packetBytes) {
    return clock.khz() * 1e3 / PACKET_CLOCKS * packetBytes * BITS / queues;
  }

  /** Most clocks from one look at a queue to the next: all of them may become due in one tick. */
  double roundClocks() {
    return build.roundClocks() + (queues + 1.0) * (PACKET_CLOCKS + SEARCH_CLOCKS);
  }

  /** Part of the time measured by which a packet may leave late. */
  double lateness() {
    return (build.clock().tickClocks() + roundClocks()) / (packets * packetClocks());
  }

  /** About how many clocks it takes. */
  double clocks() {
    return (packets + WAITING) * packetClocks() + build.queues();
  }

  /** A bucket that loses no tokens from one look at a queue to the next. */
  private int bucketBytes() {
    double ticks = 1 + Math.ceil(roundClocks() / build.clock().tickClocks());
    return (int) Math.min(MAX_BUCKET_BYTES, MTU_BYTES - 1 + ticks * word());
  }

  /** Runs it. */
  Result run(CorePrograms programs, Progress progress) throws IOException {
    try (CoreSimulation core = programs.start(build, 0)) {
      return new Run(core).run(progress);
    }
  }

  private final class Run {
    private final CoreSimulation core;
    private final int[] offered = new int[build.queues()];
    private final long[] lastNumber = new long[build.queues()];
    private final int[] left = new int[build.queues()];
    private final long[] firstClock = new long[build.queues()];
    private final long[] lastClock = new long[build.queues()];
    private final long[] gaps = new long[queues * packets];
    private int gapCount;
    private long sent;
    private long reordered;

    Run(CoreSimulation core) {
      this.core = core;
      Arrays.fill(lastNumber, -1);
    }

    Result run(Progress progress) throws IOException {
      int[] chosen = chosen();
      for (int i = 0; i < CLASSES; i++) {
        core.write(0, "DEPTH_LIMIT", i, DEPTH_BYTES);
      }
      core.write(0, "QUEUE_BUCKET", 0, bucketBytes());
      for (int queue : chosen) {
        core.write(0, "QUEUE_RATE", queue, word());
      }
      // The last write is behind all others.
      core.read("CORE_ID");
      core.runTo(0);
      long start = core.clock() + WRITE_CLOCKS;
      for (int i = 0; i < WAITING; i++) {
        for (int queue : chosen) {
          offer(start, queue);
        }
      }
      long total = (long) queues * (packets + WAITING);
      double giveUp = start + PATIENCE * clocks() + PATIENCE * WAITING * packetClocks();
      long step = (long) Math.max(1, Math.min(packetClocks(), 1 << 16));
      int said = 0;
      for (long clock = start + step; sent < total && clock < giveUp; clock += step) {
        for (Departure departure : core.runTo(clock)) {
          take(departure);
          if (offered[departure.queue()] < packets + WAITING) {
            offer(clock, departure.queue());
          }
        }
        int done = (int) (sent * PROGRESS_STEPS / total);
        if (done > said && done < PROGRESS_STEPS) {
          said = done;
          progress.at((double) done / PROGRESS_STEPS, sent + " packets");
        }
      }
      long all = Arrays.stream(offered).asLongStream().sum();
      return new Result(
          word(),
          IntStream.of(chosen).mapToDouble(this::rateError).max().orElse(Double.NaN),
          Arrays.copyOf(gaps, gapCount),
          all - sent,
          reordered,
          core.broken(),
          sent);
    }

    private int[] chosen() {
      Prng random = new Prng(seed);
      int[] all = IntStream.range(0, build.queues()).toArray();
      for (int i = 0; i < queues; i++) {
        int other = i + (int) (random.nextDouble() * (all.length - i));
        int moved = all[i];
        all[i] = all[other];
        all[other] = moved;
      }
      return Arrays.copyOf(all, queues);
    }

    private void offer(long clock, int queue) throws IOException {
      core.offer(clock, queue, packetBytes);
      offered[queue]++;
    }

    private void take(Departure departure) {
      int queue = departure.queue();
      if (departure.number() <= lastNumber[queue]) {
        reordered++;
      }
      lastNumber[queue] = Math.max(lastNumber[queue], departure.number());
      sent++;
      left[queue]++;
      // Those that waited first may find tokens that they did not have to wait for.
      if (left[queue] == WAITING) {
        firstClock[queue] = departure.firstClock();
      } else if (left[queue] > WAITING) {
        gaps[gapCount++] = departure.firstClock() - lastClock[queue];
      }
      lastClock[queue] = departure.firstClock();
    }

    private double rateError(int queue) {
      double bits = (double) (left[queue] - WAITING) * packetBytes * BITS;
      double seconds = build.clock().nanos(lastClock[queue] - firstClock[queue]) / 1e9;
      double measured = bits > 0 ? bits / seconds : 0;
      return Math.abs(measured / build.clock().bps(word()) - 1);
    }
  }
}
