package net.sluice.lab.experiment.dragonking;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.sluice.emulator.netsim.Prng;
import net.sluice.lab.experiment.dragonking.Wf2qPlus.Sent;
import org.junit.jupiter.api.Test;

class Wf2qPlusTest {
  @Test
  void packetsOfALimitLeaveAtItsRateAndThoseOfOthersBetweenThem() {
    Wf2qPlus reference = new Wf2qPlus(2, 10, 100);
    for (int i = 0; i < 3; i++) {
      reference.arrives(0, 0);
    }
    reference.arrives(1, 5);
    assertThat(reference.sendUntil(1_000))
        .containsExactly(
            new Sent(0, 0, 0), new Sent(1, 5, 10), new Sent(0, 100, 100), new Sent(0, 200, 200));
  }

  @Test
  void theLeastFinishTimeGoesFirst() {
    Wf2qPlus reference = new Wf2qPlus(2, 100, 100);
    reference.arrives(0, 0);
    reference.arrives(0, 1);
    reference.arrives(1, 2);
    // At 100 the clock has reached both; the second limit's packet finishes at 102, the other at
    // 200.
    assertThat(reference.sendUntil(1_000))
        .containsExactly(new Sent(0, 0, 0), new Sent(1, 2, 100), new Sent(0, 100, 200));
  }

  @Test
  void theTimesOfDeparturesAreItsStartTimes() {
    Load load = Load.of(1_000_000_000, 10_000_000, 1_500, 100_000);
    Departures departures = new Departures(load, 120);
    Wf2qPlus reference = new Wf2qPlus(load.limits(), 120, load.spacingNanos());
    LoadArrivals arrivals = new LoadArrivals(load, 0, new Prng(1));
    for (arrivals.next(); arrivals.nanos() < 20_000_000; arrivals.next()) {
      departures.arrived(arrivals.limit(), arrivals.nanos());
      reference.arrives(arrivals.limit(), arrivals.nanos());
    }
    List<Sent> sent = reference.sendUntil(Double.POSITIVE_INFINITY);
    Departures ours = new Departures(load, 120);
    for (Sent packet : sent) {
      assertThat(packet.sendNanos()).isGreaterThanOrEqualTo(packet.startNanos());
      ours.sent(
          (long) packet.startNanos() << 24 | packet.limit(), Math.round(packet.sendNanos() + 120));
    }
    assertThat(ours.sentPackets()).isEqualTo(departures.arrivedPackets()).isGreaterThan(1_600);
    assertThat(ours.mostBurstPackets()).isEqualTo(1);
    assertThat(ours.worstAccuracy()).isGreaterThan(0.99);
  }
}
