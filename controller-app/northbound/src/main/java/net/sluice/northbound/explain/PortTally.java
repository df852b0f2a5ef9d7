package net.sluice.northbound.explain;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.PriorityQueue;
import java.util.function.Function;
import net.sluice.intents.share.Sharers;
import net.sluice.intents.verdict.LimitVerdict;
import net.sluice.intents.verdict.Stand;
import net.sluice.intents.verdict.SwitchStanding;
import net.sluice.intents.verdict.TrafficLoad;

/**
 * The subscribers of a switch in one direction by port and policy, and those that lose most at each
 * port. It grows with ports and policies, not with subscribers. Not thread-safe.
 */
final class PortTally {
  /** Most subscribers of a port that are told as held back. */
  private static final int MOST = 20;

  private final Map<Integer, Map<Integer, Sum>> byPort = new HashMap<>();
  private final Map<Integer, PriorityQueue<Lost>> lost = new HashMap<>();

  /** Subscribers of one policy, with the id of one that has it. */
  private static final class Sum {
    private String one;
    private int subscribers;
    private double offeredBps;
    private double gotBps;
  }

  private record Lost(String id, TrafficLoad load, Stand stand) {}

  /** Adds a subscriber. */
  void add(String id, TrafficLoad load, Stand stand) {
    if (stand.line() == Sharers.NONE) {
      return;
    }
    Sum sum =
        byPort
            .computeIfAbsent(stand.line(), none -> new HashMap<>())
            .computeIfAbsent(stand.function(), none -> new Sum());
    sum.one = id;
    sum.subscribers++;
    sum.offeredBps += load.offeredBps();
    sum.gotBps += load.gotBps();
    if (load.lostBps() > 0) {
      PriorityQueue<Lost> most =
          lost.computeIfAbsent(
              stand.line(),
              none -> new PriorityQueue<>(Comparator.comparingDouble(each -> each.load.lostBps())));
      most.add(new Lost(id, load, stand));
      if (most.size() > MOST) {
        most.remove();
      }
    }
  }

  /**
   * The shares of a port.
   *
   * @param policyOf the policy of a subscriber
   */
  PortShares shares(
      Instant at, int line, SwitchStanding standing, Function<String, String> policyOf) {
    List<PortShares.Part> parts = new ArrayList<>();
    byPort
        .getOrDefault(line, Map.of())
        .forEach(
            (function, sum) ->
                parts.add(
                    new PortShares.Part(
                        policyOf.apply(sum.one),
                        sum.subscribers,
                        sum.offeredBps,
                        sum.gotBps,
                        finite(standing.thresholdBps(line, function)))));
    parts.sort(Comparator.comparingDouble(PortShares.Part::gotBps).reversed());
    List<PortShares.HeldBack> held = new ArrayList<>();
    List<Lost> most = new ArrayList<>(lost.getOrDefault(line, new PriorityQueue<>()));
    most.sort(Comparator.comparingDouble((Lost each) -> each.load.lostBps()).reversed());
    for (Lost each : most) {
      SwitchStanding.Finding finding = standing.of(each.load, each.stand);
      if (finding.verdict() instanceof LimitVerdict.Congestion) {
        held.add(
            new PortShares.HeldBack(
                each.id,
                policyOf.apply(each.id),
                each.load.offeredBps(),
                each.load.gotBps(),
                finite(finding.entitledBps())));
      }
    }
    SwitchStanding.Sum all = standing.line(line);
    return new PortShares(
        at,
        standing.lines().get(line).rateBps(),
        all.offeredBps(),
        all.gotBps(),
        all.subscribers(),
        standing.thresholdValue(line) > 0,
        parts,
        held);
  }

  private static OptionalDouble finite(double value) {
    return Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
  }
}
