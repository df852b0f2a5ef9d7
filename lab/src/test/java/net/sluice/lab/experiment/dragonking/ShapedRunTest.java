package net.sluice.lab.experiment.dragonking;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.sluice.emulator.netsim.Prng;
import net.sluice.gates.loop.GateLoop;
import net.sluice.gates.loop.LoopSettings;
import org.junit.jupiter.api.Test;

/** The compiled program against WF2Q+ by its definition, with and without an agent. */
class ShapedRunTest {
  private static final GateLoop LOOP = GateLoop.of(LoopSettings.PAPER);
  private static final long NANOS = 20_000_000;
  private static final long SEED = 1;

  /** Ten limits of 100 Mbit/s, with bursts of 50 to 100 Gbit/s. */
  private static final Load LOAD = Load.of(1_000_000_000, 100_000_000, 1_500, 100_000);

  private static Map<Integer, List<Double>> reference(Load load) {
    Wf2qPlus reference = new Wf2qPlus(load.limits(), 120, load.spacingNanos());
    LoadArrivals arrivals = new LoadArrivals(load, 0, new Prng(SEED));
    for (arrivals.next(); arrivals.nanos() < NANOS; arrivals.next()) {
      reference.arrives(arrivals.limit(), arrivals.nanos());
    }
    Map<Integer, List<Double>> times = new HashMap<>();
    reference
        .sendUntil(Double.POSITIVE_INFINITY)
        .forEach(
            packet ->
                times
                    .computeIfAbsent(packet.limit(), of -> new ArrayList<>())
                    .add(packet.sendNanos()));
    return times;
  }

  @Test
  void eachPacketLeavesWithinAWindowOfItsTimeByTheDefinition() {
    Map<Integer, List<Long>> times = new HashMap<>();
    ShapedResult result =
        ShapedRun.run(
            LOAD,
            Optional.of(new ShapedRun.Agent(LOOP, NANOS)),
            NANOS,
            SEED,
            (limit, start, nanos) ->
                times.computeIfAbsent(limit, of -> new ArrayList<>()).add(nanos));
    assertThat(result.dropped()).isZero();
    Map<Integer, List<Double>> expected = reference(LOAD);
    int compared = 0;
    for (int limit = 0; limit < LOAD.limits(); limit++) {
      for (int i = 0; i < times.get(limit).size(); i++) {
        // The program's clock counts microseconds: it is early by less than one.
        assertThat(times.get(limit).get(i) - expected.get(limit).get(i))
            .as("limit %d, packet %d", limit, i)
            .isBetween(-1_000.0, (double) LoopSettings.PAPER.periodNanos());
        compared++;
      }
    }
    assertThat(compared).isEqualTo(result.departures().sentPackets()).isGreaterThan(1_600);
  }

  /**
   * Packets of these are closer together than a loop's round: each limit keeps its rate and its
   * order all the same, and no packet is later by the definition than two rounds of what waits.
   */
  @Test
  void fewLimitsOfManyGigabitsKeepTheirRateAndOrder() {
    Load load = Load.of(40_000_000_000L, 10_000_000_000L, 1_500, 100_000);
    Map<Integer, List<Long>> times = new HashMap<>();
    Map<Integer, List<Long>> starts = new HashMap<>();
    ShapedResult result =
        ShapedRun.run(
            load,
            Optional.of(new ShapedRun.Agent(LOOP, NANOS)),
            NANOS,
            SEED,
            (limit, start, nanos) -> {
              times.computeIfAbsent(limit, of -> new ArrayList<>()).add(nanos);
              starts.computeIfAbsent(limit, of -> new ArrayList<>()).add(start);
            });
    assertThat(result.dropped()).isZero();
    assertThat(result.ofAggregate(load)).isBetween(0.99, 1.01);
    Map<Integer, List<Double>> expected = reference(load);
    double most = 0;
    for (int limit = 0; limit < load.limits(); limit++) {
      assertThat(starts.get(limit)).as("order of limit %d", limit).isSorted();
      for (int i = 0; i < times.get(limit).size(); i++) {
        double late = times.get(limit).get(i) - expected.get(limit).get(i);
        assertThat(late).as("limit %d, packet %d", limit, i).isGreaterThan(-1_000);
        most = Math.max(most, late);
      }
    }
    double roundNanos = load.gapNanos() * load.aggregateBps() / Load.LINE_BPS;
    assertThat(most).isLessThan(2 * roundNanos);
    assertThat(result.departures().worstAccuracy()).isGreaterThan(0.99);
  }

  private static double meanLateNanos(boolean startTimes, boolean frontAlone) {
    Load load = Load.of(60_000_000_000L, 6_000_000, 1_500, 50_000);
    long nanos = NANOS / 2;
    GateLoop loop = new GateLoop(LoopSettings.PAPER, true, startTimes);
    ShapedResult result =
        ShapedRun.run(
            load,
            Optional.of(new ShapedRun.Agent(loop, nanos, frontAlone)),
            nanos,
            SEED,
            (limit, start, at) -> {});
    assertThat(result.dropped()).isZero();
    return result.departures().meanLateNanos();
  }

  /** Where the front pipe alone sends, the window by start times brings packets there in time. */
  @Test
  void theWindowByStartTimesGainsWhereTheFrontPipeAloneSends() {
    double front = meanLateNanos(true, true);
    assertThat(front).isLessThan(meanLateNanos(false, true) / 2);
    assertThat(meanLateNanos(true, false)).isLessThan(front / 2);
  }

  @Test
  void theLossOfTheAgentStopsNoTrafficAndLiftsNoLimit() {
    for (Optional<ShapedRun.Agent> agent :
        List.of(
            Optional.<ShapedRun.Agent>empty(), Optional.of(new ShapedRun.Agent(LOOP, NANOS / 4)))) {
      ShapedResult result = ShapedRun.run(LOAD, agent, NANOS, SEED, (limit, start, nanos) -> {});
      assertThat(result.dropped()).isZero();
      assertThat(result.ofAggregate(LOAD)).isBetween(0.99, 1.01);
      assertThat(result.departures().worstAccuracy()).isGreaterThan(0.99);
      assertThat(result.departures().mostBurstPackets()).isEqualTo(1);
    }
  }
}
