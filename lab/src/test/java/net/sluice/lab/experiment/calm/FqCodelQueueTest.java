package net.sluice.lab.experiment.calm;

import static org.assertj.core.api.Assertions.assertThat;

import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.traffic.Ecn;
import org.junit.jupiter.api.Test;

/** On a line of 10 Mbit/s; flows have numbers, which are their frames' tags. */
class FqCodelQueueTest {
  private static final long SECOND = 1_000_000_000;
  private static final long RATE_BPS = 10_000_000;
  private static final long NANOS_PER_BYTE = 800;
  private static final int FRAME = 1_514;

  private final Simulation simulation = new Simulation(1);
  private final LineLog log = new LineLog();
  private final FqCodelQueue queue =
      new FqCodelQueue(simulation, RATE_BPS, 7, true, log, (bytes, o, l, tag, now) -> {});

  /** A flow of frames of so many bytes at a constant rate until 2 s. */
  private void flow(int number, int bytes, double loadOfLine, Ecn ecn) {
    byte[] frame = LineLog.frame(number, bytes, ecn);
    long spacing = (long) (bytes * NANOS_PER_BYTE / loadOfLine);
    for (long nanos = number; nanos < 2 * SECOND; nanos += spacing) {
      simulation.schedule(
          nanos, (now, tag) -> queue.receive(frame, 0, frame.length, tag, now), number);
    }
  }

  @Test
  void flowsThatFillTheLineShareItInBytesWhateverTheirFramesSizes() {
    flow(1, FRAME, 1, Ecn.NOT_ECT);
    flow(2, 500, 1, Ecn.NOT_ECT);
    flow(3, 100, 1, Ecn.NOT_ECT);
    simulation.runUntil(2 * SECOND);
    long line = 2 * SECOND / NANOS_PER_BYTE;
    for (long flow = 1; flow <= 3; flow++) {
      // Less than a quantum and a frame apart at any time.
      assertThat(log.bytes.get(flow)).isBetween(line / 3 - 2 * FRAME, line / 3 + 2 * FRAME);
    }
    assertThat(log.dropped).isNotEmpty();
  }

  @Test
  void aFlowThatHadNothingToSendGoesNext() {
    for (int bulk = 1; bulk <= 5; bulk++) {
      flow(bulk, FRAME, 0.5, Ecn.NOT_ECT);
    }
    flow(0, 200, 0.01, Ecn.NOT_ECT);
    simulation.runUntil(2 * SECOND);
    // Behind the frame that is being sent.
    assertThat(log.longestWait.get(0L)).isLessThanOrEqualTo(FRAME * NANOS_PER_BYTE);
    assertThat(log.bytes.get(0L)).isGreaterThan(24_000);
    assertThat(log.longestWait.get(1L)).isGreaterThan(10 * FRAME * NANOS_PER_BYTE);
    assertThat(log.dropped).noneMatch(event -> event.tag() == 0);
  }

  /** Its queue is empty after each frame, and still it is not new each time. */
  @Test
  void aFlowThatSendsMoreThanItsShareOneByOneGetsItsShare() {
    flow(1, FRAME, 1, Ecn.NOT_ECT);
    flow(2, FRAME, 0.9, Ecn.NOT_ECT);
    simulation.runUntil(2 * SECOND);
    long line = 2 * SECOND / NANOS_PER_BYTE;
    assertThat(log.bytes.get(2L)).isBetween(line / 2 - 3 * FRAME, line / 2 + 3 * FRAME);
  }

  @Test
  void eachFlowHasItsOwnCodelWhichMarksEcnCapableFrames() {
    flow(1, FRAME, 1, Ecn.ECT_0);
    flow(2, FRAME, 1, Ecn.NOT_ECT);
    flow(3, FRAME, 0.2, Ecn.ECT_0);
    simulation.runUntil(2 * SECOND);
    assertThat(log.marked).hasSizeGreaterThan(50).allMatch(event -> event.tag() == 1);
    assertThat(log.dropped).hasSizeGreaterThan(50).allMatch(event -> event.tag() == 2);
  }

  /** Section 4.1: the flow with the most bytes loses its oldest frames, 64 at a time. */
  @Test
  void aFloodLosesItsOwnFramesWhenAllQueuesAreFull() {
    byte[] light = LineLog.frame(1, FRAME, Ecn.NOT_ECT);
    byte[] flood = LineLog.frame(2, FRAME, Ecn.NOT_ECT);
    for (int i = 0; i < 100; i++) {
      queue.receive(light, 0, FRAME, 1, 0);
    }
    int fits = FqCodelQueue.MOST_PACKETS - 99;
    for (int i = 0; i < fits; i++) {
      queue.receive(flood, 0, FRAME, 2, 0);
    }
    assertThat(log.dropped).isEmpty();
    queue.receive(flood, 0, FRAME, 2, 0);
    assertThat(log.dropped).hasSize(64).allMatch(event -> event.tag() == 2);
    assertThat(queue.packets()).isEqualTo(FqCodelQueue.MOST_PACKETS + 1 - 64);
  }
}
