package net.sluice.emulator.netsim.host.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.sluice.emulator.netsim.Prng;
import net.sluice.emulator.netsim.host.tcp.congestion.DeliveryRate;
import org.junit.jupiter.api.Test;

class ScoreboardTest {

  private static final int SMSS = 10;

  /**
   * RFC 6675 word by word, a boolean per octet, computed anew whenever asked. Octets above HighACK
   * only; HighRxt is the octet after the last one retransmitted.
   */
  private static final class Model {
    final boolean[] sacked = new boolean[4_000];
    final List<int[]> segments = new ArrayList<>();
    int una;
    int highData;
    int highRxt;
    int lostBelow;

    void append(int length) {
      segments.add(new int[] {highData, highData + length});
      highData += length;
    }

    boolean isLost(int octet) {
      int bytes = 0;
      int runs = 0;
      for (int i = octet + 1; i < highData; i++) {
        if (sacked[i]) {
          bytes++;
          if (!sacked[i - 1] || i - 1 == octet) {
            runs++;
          }
        }
      }
      return octet < lostBelow || runs >= 3 || bytes > 2 * SMSS;
    }

    int pipe() {
      int pipe = 0;
      for (int i = una; i < highData; i++) {
        if (!sacked[i]) {
          pipe += (isLost(i) ? 0 : 1) + (i < highRxt ? 1 : 0);
        }
      }
      return pipe;
    }

    int highestSacked() {
      for (int i = highData - 1; i >= una; i--) {
        if (sacked[i]) {
          return i;
        }
      }
      return -1;
    }

    /** First octet of the segment by rule 1 or, without asking for loss, rule 3; -1 when none. */
    int next(boolean mustBeLost) {
      for (int i = Math.max(una, highRxt); i < highData; i++) {
        boolean candidate = !sacked[i] && (mustBeLost ? isLost(i) : i < highestSacked());
        if (candidate) {
          return i;
        }
      }
      return -1;
    }

    int lastUnsackedSegment() {
      for (int i = segments.size() - 1; i >= 0; i--) {
        int[] segment = segments.get(i);
        int start = Math.max(una, segment[0]);
        if (segment[1] > una && !sacked[start]) {
          return start;
        }
      }
      return -1;
    }

    void sack(int left, int right) {
      for (int[] segment : segments) {
        int start = Math.max(una, segment[0]);
        if (start >= left && segment[1] <= right && start < segment[1]) {
          Arrays.fill(sacked, start, segment[1], true);
        }
      }
    }
  }

  private static long startOrNone(Scoreboard scoreboard, long index) {
    return index == Scoreboard.NONE ? -1 : scoreboard.start(index);
  }

  private static void compare(Scoreboard scoreboard, Model model) {
    assertThat(scoreboard.pipe()).isEqualTo(model.pipe());
    assertThat(startOrNone(scoreboard, scoreboard.nextLost())).isEqualTo(model.next(true));
    assertThat(startOrNone(scoreboard, scoreboard.nextBelowSacked())).isEqualTo(model.next(false));
    assertThat(startOrNone(scoreboard, scoreboard.lastUnsacked()))
        .isEqualTo(model.lastUnsackedSegment());
    assertThat(scoreboard.outstandingBytes()).isEqualTo(model.highData - model.una);
    assertThat(scoreboard.firstIsResent()).isEqualTo(model.highRxt > model.una);
    int resend = Math.max(model.una, model.highRxt);
    while (resend < model.highData && model.sacked[resend]) {
      resend++;
    }
    assertThat(startOrNone(scoreboard, scoreboard.nextToResend()))
        .isEqualTo(resend < model.highData ? resend : -1);
    int sackedBytes = 0;
    for (int i = model.una; i < model.highData; i++) {
      sackedBytes += model.sacked[i] ? 1 : 0;
    }
    assertThat(scoreboard.sackedBytes()).isEqualTo(sackedBytes);
  }

  /** Random histories of sending, SACKs, acknowledgements, retransmissions and timeouts. */
  @Property(tries = 400, seed = "1")
  void agreesWithTheRfcOctetByOctet(@ForAll long seed) {
    Prng random = new Prng(seed);
    Scoreboard scoreboard = new Scoreboard(SMSS, new DeliveryRate());
    Model model = new Model();
    long[] left = new long[4];
    long[] right = new long[4];
    for (int step = 0; step < 60; step++) {
      switch ((int) random.nextLong(8)) {
        case 0:
        case 1:
        case 2:
          int length = random.nextLong(4) == 0 ? 1 + (int) random.nextLong(SMSS) : SMSS;
          scoreboard.append(model.highData, length, step);
          model.append(length);
          break;
        case 3:
        case 4:
          if (model.highData - model.una < 2) {
            break;
          }
          int blocks = 1 + (int) random.nextLong(3);
          long before = scoreboard.sackedBytes();
          for (int i = 0; i < blocks; i++) {
            // Mostly along segments, as a real receiver has it.
            int from = edge(model, random);
            int to = edge(model, random);
            left[i] = Math.min(from, to);
            right[i] = Math.max(from, to);
            model.sack((int) left[i], (int) right[i]);
          }
          long newly = scoreboard.sackAll(left, right, blocks);
          assertThat(newly).isEqualTo(scoreboard.sackedBytes() - before);
          scoreboard.updateLost();
          model.lostBelow = lostBelow(model);
          break;
        case 5:
          if (model.highData > model.una) {
            int ack = random.nextLong(5) == 0 ? model.una + 1 : edge(model, random);
            ack = Math.max(ack, model.una);
            scoreboard.ackTo(ack);
            model.una = ack;
            model.highRxt = Math.max(model.highRxt, ack);
          }
          break;
        case 6:
          long index =
              random.nextLong(2) == 0 ? scoreboard.nextLost() : scoreboard.nextBelowSacked();
          if (index != Scoreboard.NONE) {
            int end = (int) scoreboard.start(index) + scoreboard.length(index);
            scoreboard.onResent(index, true, step);
            model.highRxt = Math.max(model.highRxt, end);
          }
          break;
        default:
          if (random.nextLong(6) == 0) {
            scoreboard.loseAll();
            model.lostBelow = model.highData;
            model.highRxt = model.una;
          }
          break;
      }
      compare(scoreboard, model);
    }
  }

  /** A lost segment stays lost, even when part of the SACKed data is acknowledged. */
  private static int lostBelow(Model model) {
    int below = model.lostBelow;
    for (int i = model.una; i < model.highData; i++) {
      if (!model.sacked[i] && model.isLost(i)) {
        below = Math.max(below, i + 1);
      }
    }
    return below;
  }

  private static int edge(Model model, Prng random) {
    if (random.nextLong(10) == 0) {
      return model.una + (int) random.nextLong(model.highData - model.una + 1);
    }
    int[] segment = model.segments.get((int) random.nextLong(model.segments.size()));
    return Math.max(model.una, segment[(int) random.nextLong(2)]);
  }

  private static Scoreboard withSegments(int count) {
    Scoreboard scoreboard = new Scoreboard(SMSS, new DeliveryRate());
    for (int i = 0; i < count; i++) {
      scoreboard.append(i * SMSS, SMSS, i);
    }
    return scoreboard;
  }

  private static void sack(Scoreboard scoreboard, long... edges) {
    long[] left = new long[4];
    long[] right = new long[4];
    for (int i = 0; i < edges.length / 2; i++) {
      left[i] = edges[2 * i];
      right[i] = edges[2 * i + 1];
    }
    scoreboard.sackAll(left, right, edges.length / 2);
    scoreboard.updateLost();
  }

  @Test
  void moreThanTwoSegmentsOrThreeRunsAboveMeanLost() {
    Scoreboard scoreboard = withSegments(10);
    sack(scoreboard, 10, 30);
    assertThat(scoreboard.nextLost()).isEqualTo(Scoreboard.NONE);
    sack(scoreboard, 10, 40);
    assertThat(scoreboard.nextLost()).isEqualTo(scoreboard.first());
    Scoreboard runs = new Scoreboard(SMSS, new DeliveryRate());
    for (int i = 0; i < 12; i++) {
      runs.append(i, 1, 0);
    }
    sack(runs, 1, 2, 3, 4);
    assertThat(runs.nextLost()).isEqualTo(Scoreboard.NONE);
    sack(runs, 1, 2, 3, 4, 5, 6);
    assertThat(runs.nextLost()).isEqualTo(runs.first());
    assertThat(runs.pipe()).isEqualTo(12 - 3 - 1);
  }

  @Test
  void samplesOnlyWhatWasSentOnceAndWaitedFor() {
    Scoreboard scoreboard = withSegments(6);
    scoreboard.ackTo(20);
    assertThat(scoreboard.sampleSentNanos()).isEqualTo(0);
    scoreboard.onResent(scoreboard.first(), true, 100);
    scoreboard.ackTo(40);
    assertThat(scoreboard.sampleSentNanos()).isEqualTo(Scoreboard.NONE);
    sack(scoreboard, 40, 50);
    scoreboard.ackTo(50);
    assertThat(scoreboard.sampleSentNanos()).isEqualTo(Scoreboard.NONE);
    scoreboard.ackTo(60);
    assertThat(scoreboard.sampleSentNanos()).isEqualTo(5);
    assertThat(scoreboard.isEmpty()).isTrue();
    scoreboard.ackTo(60);
    assertThat(scoreboard.sampleSentNanos()).isEqualTo(Scoreboard.NONE);
  }

  @Test
  void aReceiverThatTakesDataBackIsFoundOutAndForgotten() {
    Scoreboard scoreboard = withSegments(6);
    sack(scoreboard, 10, 60);
    scoreboard.ackTo(10);
    assertThat(scoreboard.reneged()).isTrue();
    scoreboard.forgetSacks();
    scoreboard.loseAll();
    assertThat(scoreboard.reneged()).isFalse();
    assertThat(scoreboard.sackedBytes()).isZero();
    assertThat(scoreboard.pipe()).isZero();
    for (int i = 1; i < 6; i++) {
      long index = scoreboard.nextLost();
      assertThat(scoreboard.start(index)).isEqualTo(i * SMSS);
      scoreboard.onResent(index, true, 0);
    }
    assertThat(scoreboard.nextLost()).isEqualTo(Scoreboard.NONE);
    assertThat(scoreboard.pipe()).isEqualTo(50);
    // The same blocks once more count anew.
    sack(scoreboard, 10, 60);
    assertThat(scoreboard.sackedBytes()).isEqualTo(50);
  }
}
