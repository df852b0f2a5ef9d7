package net.sluice.intents.verdict;

import java.util.List;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.policy.ThroughputValueFunction;
import net.sluice.intents.share.Division;
import net.sluice.intents.share.Division.Bound;
import net.sluice.intents.share.SharedLimit;
import net.sluice.intents.share.SharedLimit.Sharing;
import net.sluice.intents.share.Sharers;

/**
 * The outcome of a tally: the limits and ports of a switch in one direction, how full they are, and
 * what they leave to whom. It has numbers of trees, BNG ports and switch ports and none of
 * subscribers, so it can be kept.
 */
public final class SwitchStanding {
  /** From this part of its own limit, or of its share of a full place, on one has it all. */
  static final double ITS_LIMIT = 0.9;

  /** A subscriber that loses more than this part at limits is not one of which a burst was cut. */
  private static final double CUT = 0.005;

  /** A subscriber that loses more than this part at a full port does not get what it offers. */
  private static final double DROPPED = 0.02;

  /** From this part of its rate on a limit of several drops of all of them. */
  private static final double OVERFULL = 0.9;

  private final List<Tally.Line> lines;
  private final Group trees;
  private final Group ports;
  private final Links links;
  private final Levels levels;

  /**
   * Limits of one level.
   *
   * @param limits by number, null for none
   * @param passedBps what passed it
   * @param gotBps what their subscribers got
   * @param offeredBps what their subscribers offered
   * @param subscribers how many there are
   */
  record Group(
      SharedLimit[] limits,
      double[] passedBps,
      double[] gotBps,
      double[] offeredBps,
      int[] subscribers) {}

  /** Ports, as {@link Group}: what subscribers got, offered, and how many they are. */
  record Links(double[] gotBps, double[] offeredBps, int[] subscribers) {}

  /** The part of a division that does not grow with the subscribers. */
  private record Levels(
      double[] treeBps,
      double[] portBps,
      double[] treeParts,
      double[] portParts,
      double[] thresholds,
      double[][] lineBps) {}

  SwitchStanding(
      List<ThroughputValueFunction> functions,
      List<Tally.Line> lines,
      Group trees,
      Group ports,
      Links links,
      Division division) {
    this.lines = lines;
    this.trees = trees;
    this.ports = ports;
    this.links = links;
    levels =
        new Levels(
            new double[trees.limits.length],
            new double[ports.limits.length],
            new double[trees.limits.length],
            new double[ports.limits.length],
            new double[lines.size()],
            new double[lines.size()][functions.size()]);
    for (int n = 0; n < trees.limits.length; n++) {
      levels.treeBps[n] = division.treeLevelBps(n);
      levels.treeParts[n] = division.treePart(n);
    }
    for (int n = 0; n < ports.limits.length; n++) {
      levels.portBps[n] = division.portLevelBps(n);
      levels.portParts[n] = division.portPart(n);
    }
    for (int l = 0; l < lines.size(); l++) {
      levels.thresholds[l] = division.thresholdValue(l);
      for (int f = 0; f < functions.size(); f++) {
        levels.lineBps[l][f] = division.linkLevelBps(l, f);
      }
    }
  }

  /**
   * A finding about one subscriber.
   *
   * @param verdict what limits it
   * @param entitledBps what it could have, bit/s: the least of its limits and of what those who
   *     share them leave to it; infinite if nothing is known to bound it
   */
  public record Finding(LimitVerdict verdict, double entitledBps) {}

  /** The rate that a limit, or a port, and those who share it leave one subscriber. */
  private record Share(Bound bound, double bps) {}

  /** The finding about one of the subscribers of the tally. */
  public Finding of(TrafficLoad load, Stand stand) {
    Signs signs = Signs.of(load, stand.fpga());
    List<Share> ofElastic = shares(Sharers.ELASTIC, load.gotBps(), stand);
    List<Share> ofFirm = shares(load.offeredBps(), load.gotBps(), stand);
    for (Share share : ofElastic) {
      boolean isFull = share.bps < Double.POSITIVE_INFINITY && isUncounted(share.bound, stand);
      if (isFull && load.gotBps() >= ITS_LIMIT * share.bps) {
        signs = signs.atFullPort();
      }
    }
    boolean isElastic =
        signs.any()
            && load.gotBps() >= signs.needed() * least(ofElastic)
            && (signs.mayBeElastic() || least(ofFirm) >= load.offeredBps());
    List<Share> shares = isElastic ? ofElastic : ofFirm;
    return new Finding(
        signs.any() ? verdict(signs, isElastic, load, shares, stand) : new LimitVerdict.Nothing(),
        entitledBps(load, shares, stand));
  }

  /** Whether packets that are dropped at a full place are not counted as dropped there. */
  private boolean isUncounted(Bound bound, Stand stand) {
    return switch (bound) {
      case OWN -> stand.fpga();
      case TREE -> Tally.isUncounted(trees.limits[stand.tree()]);
      case PORT -> Tally.isUncounted(ports.limits[stand.port()]);
      case LINK -> true;
      default -> false;
    };
  }

  private static double least(List<Share> shares) {
    double least = Double.POSITIVE_INFINITY;
    for (Share share : shares) {
      least = Math.min(least, share.bps);
    }
    return least;
  }

  /** The part that each place leaves of what one would have, in the order of the places. */
  private List<Share> shares(double wantedBps, double gotBps, Stand stand) {
    double treeBps = Double.POSITIVE_INFINITY;
    double portBps = Double.POSITIVE_INFINITY;
    double comesBps = Math.min(wantedBps, stand.ownBps());
    double atLeastBps = wantedBps == Sharers.ELASTIC ? gotBps : Double.NaN;
    if (stand.tree() != Sharers.NONE && levels.treeBps[stand.tree()] < Double.POSITIVE_INFINITY) {
      treeBps =
          left(trees.limits, levels.treeBps, levels.treeParts, stand.tree(), comesBps, atLeastBps);
      comesBps = Math.min(comesBps, treeBps);
    }
    if (stand.port() != Sharers.NONE && levels.portBps[stand.port()] < Double.POSITIVE_INFINITY) {
      portBps =
          left(ports.limits, levels.portBps, levels.portParts, stand.port(), comesBps, atLeastBps);
    }
    double lineBps =
        stand.line() == Sharers.NONE
            ? Double.POSITIVE_INFINITY
            : levels.lineBps[stand.line()][stand.function()];
    return List.of(
        new Share(Bound.OWN, stand.ownBps()),
        new Share(Bound.TREE, treeBps),
        new Share(Bound.PORT, portBps),
        new Share(Bound.LINK, lineBps));
  }

  /** {@code atLeastBps}: what one got that takes whatever it gets; not a number of others. */
  private static double left(
      SharedLimit[] limits,
      double[] levelsBps,
      double[] parts,
      int node,
      double comesBps,
      double atLeastBps) {
    if (limits[node].sharing() == Sharing.EQUAL) {
      return levelsBps[node];
    }
    if (!Double.isNaN(atLeastBps)) {
      // A limit without fairness entitles each to at least what it lets pass.
      return Math.max(levelsBps[node], atLeastBps);
    }
    return parts[node] < 1 ? comesBps * parts[node] : Double.POSITIVE_INFINITY;
  }

  private LimitVerdict verdict(
      Signs signs, boolean isElastic, TrafficLoad load, List<Share> shares, Stand stand) {
    double wantedBps = isElastic ? Double.POSITIVE_INFINITY : load.offeredBps();
    Bound bound = Bound.NONE;
    for (Share share : shares) {
      // Packets are dropped where they are counted as dropped.
      boolean isSeen = share.bound == Bound.LINK ? signs.atPort() : signs.atLimit() || signs.fpga();
      if (isSeen && share.bps < wantedBps) {
        wantedBps = share.bps;
        bound = share.bound;
      }
    }
    if (bound == Bound.NONE && signs.atLimit() && load.limitedBps() > CUT * load.offeredBps()) {
      bound = cutBy(stand);
    }
    if (bound == Bound.NONE && isDroppedAtFullPort(load, stand)) {
      wantedBps = shares.get(shares.size() - 1).bps;
      bound = Bound.LINK;
    }
    return switch (bound) {
      case NONE -> new LimitVerdict.Nothing();
      case OWN -> new LimitVerdict.OwnLimit(stand.ownBps());
      case TREE ->
          new LimitVerdict.TreeLimit(
              stand.port(),
              Attachment.ofTreeIndex(stand.tree()).tree(),
              trees.limits[stand.tree()].rateBps(),
              trees.subscribers[stand.tree()]);
      case PORT ->
          new LimitVerdict.PortLimit(
              stand.port(), ports.limits[stand.port()].rateBps(), ports.subscribers[stand.port()]);
      case LINK ->
          new LimitVerdict.Congestion(
              lines.get(stand.line()).place(), wantedBps, links.subscribers[stand.line()]);
    };
  }

  /** A full port whose threshold or queue swings drops packets of those below their shares, too. */
  private boolean isDroppedAtFullPort(TrafficLoad load, Stand stand) {
    return stand.line() != Sharers.NONE
        && levels.thresholds[stand.line()] > 0
        && load.lostBps() > DROPPED * load.offeredBps();
  }

  /** A full limit that looks at no senders drops packets of light senders, too. */
  private Bound cutBy(Stand stand) {
    if (cuts(trees, stand.tree())) {
      return Bound.TREE;
    }
    return cuts(ports, stand.port()) ? Bound.PORT : Bound.NONE;
  }

  private static boolean cuts(Group group, int node) {
    return node != Sharers.NONE
        && group.limits[node] != null
        && group.limits[node].sharing() == Sharing.AS_OFFERED
        && group.passedBps[node] >= OVERFULL * group.limits[node].rateBps();
  }

  private double entitledBps(TrafficLoad load, List<Share> shares, Stand stand) {
    double least = least(shares);
    least = Math.min(least, spare(trees, stand.tree(), levels.treeBps, load));
    least = Math.min(least, spare(ports, stand.port(), levels.portBps, load));
    if (stand.line() != Sharers.NONE && levels.thresholds[stand.line()] == 0) {
      Tally.Line line = lines.get(stand.line());
      double carriedBps =
          Double.isNaN(line.carriedBps()) ? links.gotBps[stand.line()] : line.carriedBps();
      double leftBps = Math.max(0, Tally.FRAMES * line.rateBps() - carriedBps);
      least = Math.min(least, load.gotBps() + leftBps);
    }
    return least;
  }

  /** The rate that one has and that a limit has left beside; infinite if it is full or absent. */
  private static double spare(Group group, int node, double[] levelsBps, TrafficLoad load) {
    if (node == Sharers.NONE
        || group.limits[node] == null
        || levelsBps[node] < Double.POSITIVE_INFINITY) {
      return Double.POSITIVE_INFINITY;
    }
    return load.gotBps() + Math.max(0, group.limits[node].rateBps() - group.passedBps[node]);
  }

  // ---------------------------------------------------------------- sums

  /** The ports that subscribers leave by, by number. */
  public List<Tally.Line> lines() {
    return lines;
  }

  /** V* of a port that subscribers leave by; 0 if all that comes fits. */
  public double thresholdValue(int line) {
    return levels.thresholds[line];
  }

  /**
   * The rate of a subscriber of a function at which its traffic is worth V* of a port, bit/s;
   * infinite if all that comes fits.
   */
  public double thresholdBps(int line, int function) {
    return levels.lineBps[line][function];
  }

  /** The traffic that subscribers offer to a port after their limits, and get there. */
  public Sum line(int line) {
    return new Sum(links.offeredBps[line], links.gotBps[line], links.subscribers[line]);
  }

  /** The traffic of a tree's subscribers. */
  public Sum tree(int tree) {
    return sum(trees, tree);
  }

  /** The traffic of a BNG port's subscribers. */
  public Sum port(int port) {
    return sum(ports, port);
  }

  private static Sum sum(Group group, int node) {
    return new Sum(group.offeredBps[node], group.gotBps[node], group.subscribers[node]);
  }

  /**
   * The traffic of several subscribers together.
   *
   * @param offeredBps what they offered, bit/s
   * @param gotBps what they got
   * @param subscribers how many they are
   */
  public record Sum(double offeredBps, double gotBps, int subscribers) {}
}
