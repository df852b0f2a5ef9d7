package net.sluice.lab.demo;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import net.sluice.intents.share.NetworkFilling;
import net.sluice.intents.share.WaterFilling;
import net.sluice.lab.demo.DemoNetwork.Link;
import net.sluice.lab.demo.DemoNetwork.Way;

/**
 * The predicted rate of each group, from offered and granted rates only.
 *
 * @param ratesBps frame bits per second of one subscriber of each group
 * @param links the lines that the groups pass, each behind those that packets pass before it
 */
public record Prediction(List<Double> ratesBps, List<OfLink> links) {
  public Prediction {
    ratesBps = List.copyOf(ratesBps);
    links = List.copyOf(links);
  }

  /**
   * A line.
   *
   * @param link which
   * @param groups the groups that pass it, by number
   * @param load what it is predicted to carry, as a share of what it can
   * @param full whether it takes something away
   */
  public record OfLink(Link link, Set<Integer> groups, double load, boolean full) {
    public OfLink {
      groups = Set.copyOf(groups);
    }
  }

  /**
   * The fair shares.
   *
   * @param groups the groups
   * @param policies the policies by id
   * @param grantedBps granted rate limit of each group, empty for none
   * @param ways the way of each group through the network
   * @param packetBytes length of every frame at its source
   * @param overheadBytes what each takes on a line beyond its bytes there
   */
  public static Prediction of(
      List<GroupSpec> groups,
      Map<String, PolicySpec> policies,
      List<OptionalLong> grantedBps,
      List<Way> ways,
      int packetBytes,
      int overheadBytes) {
    List<WaterFilling.Group> demands = new ArrayList<>();
    Map<Link, Set<Integer>> passing = new LinkedHashMap<>();
    for (int g = 0; g < groups.size(); g++) {
      GroupSpec group = groups.get(g);
      demands.add(
          new WaterFilling.Group(
              group.subscribers(),
              Math.min(group.offeredBps(), grantedBps.get(g).orElse(Long.MAX_VALUE)),
              policies.get(group.policy()).policy().function()));
      for (Link link : ways.get(g).links()) {
        passing.computeIfAbsent(link, none -> new TreeSet<>()).add(g);
      }
    }
    List<Link> ordered = inOrder(passing.keySet(), ways);
    List<NetworkFilling.Link> capacities = new ArrayList<>();
    for (Link link : ordered) {
      double bps =
          capacityBps(link.port().rateBps(), packetBytes, overheadBytes + link.extraBytes());
      capacities.add(new NetworkFilling.Link(bps, passing.get(link)));
    }
    NetworkFilling.NetworkShares shares = NetworkFilling.divide(demands, capacities);
    List<OfLink> links = new ArrayList<>();
    for (int l = 0; l < ordered.size(); l++) {
      NetworkFilling.Filled filled = shares.links().get(l);
      links.add(
          new OfLink(
              ordered.get(l),
              capacities.get(l).groups(),
              filled.carriedBps() / capacities.get(l).capacityBps(),
              filled.isFull()));
    }
    return new Prediction(shares.ratesBps(), links);
  }

  /** Each line behind those that come before it on a way; without loops there is such an order. */
  private static List<Link> inOrder(Set<Link> links, List<Way> ways) {
    Map<Link, Integer> level = new HashMap<>();
    boolean changed = true;
    while (changed) {
      changed = false;
      for (Way way : ways) {
        int above = -1;
        for (Link link : way.links()) {
          above = Math.max(above + 1, level.getOrDefault(link, 0));
          changed |= !Integer.valueOf(above).equals(level.put(link, above));
        }
      }
    }
    return links.stream().sorted(Comparator.comparing(level::get)).toList();
  }

  /**
   * The line that takes most away: a full one, or the one with most load; the slowest of several.
   */
  public OfLink bottleneck() {
    OfLink bottleneck = links.get(0);
    for (OfLink link : links) {
      if (link.full() == bottleneck.full()
          ? link.full()
              ? link.link().port().rateBps() < bottleneck.link().port().rateBps()
              : link.load() > bottleneck.load()
          : link.full()) {
        bottleneck = link;
      }
    }
    return bottleneck;
  }

  /**
   * The rates of the lines that a group has to wait for, one after the other: of those that are
   * full the most on any way, or the bottleneck if none is.
   */
  List<Long> bottlenecksInARowBps(List<Way> ways) {
    List<Long> most = List.of();
    for (Way way : ways) {
      List<Long> rates =
          links.stream()
              .filter(link -> link.full() && way.links().contains(link.link()))
              .map(link -> link.link().port().rateBps())
              .toList();
      if (rates.size() > most.size()) {
        most = rates;
      }
    }
    return most.isEmpty() ? List.of(bottleneck().link().port().rateBps()) : most;
  }

  /**
   * The frame rate of a line.
   *
   * @param lineBps rate of the line, bit/s
   * @param frameBytes length of every frame
   * @param overheadBytes what each takes on the line beyond that
   */
  public static double capacityBps(long lineBps, int frameBytes, int overheadBytes) {
    return (double) lineBps * frameBytes / (frameBytes + overheadBytes);
  }
}
