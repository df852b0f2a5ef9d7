package net.sluice.lab.experiment.fpga;

import java.io.IOException;
import java.util.Arrays;
import net.sluice.emulator.netsim.Prng;
import net.sluice.lab.support.Progress;

/**
 * Packets one after the other at a rate of the line, of queues in turn, through a core without
 * limits.
 *
 * @param build the core
 * @param queues how many of its queues, evenly apart; their order is the seed's
 * @param lineBps rate on the line before the core, with what Ethernet and the queue id add
 * @param behindBps rate of the line behind the core; 0 if it takes a beat each clock
 * @param packets how many
 * @param seed of the order
 */
record LineLoad(
    CoreBuild build, int queues, double lineBps, long behindBps, int packets, long seed) {
  /** Section IV.A. */
  static final int PACKET_BYTES = 1_474;

  private static final int QUEUE_ID_BYTES = 4;

  /** Check sequence, preamble, gap. */
  private static final int FRAME_OVERHEAD_BYTES = 24;

  private static final int BITS = 8;
  private static final int CLASSES = 8;
  private static final int DEPTH_BYTES = 0xFFFFF8;
  private static final long WRITE_CLOCKS = 64;
  private static final int STEPS = 20;
  private static final int SAID_STEPS = 5;

  /** For what is still inside when the last packet has come, clocks. */
  private static final long DRAIN_CLOCKS = 1_000_000;

  /** The first part of the packets, until which the core may come into its stride. */
  private static final int WARM_UP = 10;

  /**
   * Outcome of a run.
   *
   * @param clocks from a packet's first beat in, when it was due, to its first beat out, in the
   *     order of arrival, behind the warm-up; -1 for a packet that was lost
   * @param lost packets that did not leave
   * @param broken packets that left with other bytes
   * @param bps what left while packets came, as it is on a line
   */
  record Result(long[] clocks, long lost, long broken, double bps) {
    private long[] sorted() {
      return Arrays.stream(clocks).filter(each -> each >= 0).sorted().toArray();
    }

    /** Least time through the core. */
    long least() {
      return sorted()[0];
    }

    /** Time that this part of the packets, 0..1, need at most. */
    long at(double part) {
      long[] sorted = sorted();
      return sorted[(int) Math.round(part * (sorted.length - 1))];
    }

    /** Mean time. */
    double mean() {
      return Arrays.stream(sorted()).average().orElse(Double.NaN);
    }
  }

  /** Clocks from one packet to the next. */
  private double spacing() {
    double bits = BITS * (PACKET_BYTES + QUEUE_ID_BYTES + FRAME_OVERHEAD_BYTES);
    return build.clock().clocks(bits / lineBps * 1e9);
  }

  /** About how many clocks it takes. */
  double clocks() {
    return packets * spacing() + build.queues() + DRAIN_CLOCKS;
  }

  /** Runs it. */
  Result run(CorePrograms programs, Progress progress) throws IOException {
    try (CoreSimulation core = programs.start(build, behindBps)) {
      for (int i = 0; i < CLASSES; i++) {
        core.write(0, "DEPTH_LIMIT", i, DEPTH_BYTES);
      }
      core.read("CORE_ID");
      core.runTo(0);
      double due = core.clock() + WRITE_CLOCKS;
      long warm = (long) (due + packets / WARM_UP * spacing());
      int[] order = order();
      long[] arrivals = new long[packets];
      long[] times = new long[packets];
      Arrays.fill(times, -1);
      long left = 0;
      long during = 0;
      int sent = 0;
      for (int step = 1; step <= STEPS; step++) {
        for (int end = (int) ((long) packets * step / STEPS); sent < end; sent++) {
          arrivals[sent] = (long) due;
          core.offer((long) due, order[sent % queues], PACKET_BYTES);
          due += spacing();
        }
        boolean last = step == STEPS;
        for (Departure departure : core.runTo((long) due + (last ? DRAIN_CLOCKS : 0))) {
          int number = departure.number();
          times[number] = departure.firstClock() - arrivals[number];
          left++;
          if (departure.lastClock() >= warm && departure.lastClock() < (long) due) {
            during++;
          }
        }
        if (!last && step % SAID_STEPS == 0) {
          progress.at((double) step / STEPS, sent + " packets");
        }
      }
      double seconds = build.clock().nanos(due - warm) / 1e9;
      double bits = (double) during * BITS * (PACKET_BYTES + FRAME_OVERHEAD_BYTES);
      return new Result(
          Arrays.copyOfRange(times, packets / WARM_UP, packets),
          packets - left,
          core.broken(),
          bits / seconds);
    }
  }

  private int[] order() {
    int[] order = new int[queues];
    Prng random = new Prng(seed);
    for (int i = 0; i < queues; i++) {
      int other = (int) (random.nextDouble() * (i + 1));
      order[i] = order[other];
      order[other] = (int) ((long) i * build.queues() / queues);
    }
    return order;
  }
}
