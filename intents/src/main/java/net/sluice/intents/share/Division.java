package net.sluice.intents.share;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import net.sluice.intents.model.policy.ThroughputValueFunction;
import net.sluice.intents.share.SharedLimit.Sharing;
import net.sluice.intents.value.InvalidValueException;

/**
 * How a switch divides one direction among its subscribers: first by the limit of each, then by
 * those of trees, then by those of BNG ports, and what passes them at the links by value, as {@link
 * WaterFilling} says. What one keeps is what the tightest of these leaves it.
 *
 * <p>A subscriber that is {@linkplain Sharers#ELASTIC elastic} takes whatever is left to it. At a
 * limit that is divided as offered, it slows down as long as packets are dropped: those that do not
 * slow down keep what they offer, and it shares the rest with others of its kind.
 *
 * <p>One pass over all of them and a sort for each limit and link that is full.
 */
public final class Division {
  /** The place that leaves a subscriber least. */
  public enum Bound {
    /** It gets what it offers. */
    NONE,
    /** Its own limit. */
    OWN,
    /** The limit of its tree. */
    TREE,
    /** The limit of its BNG port. */
    PORT,
    /** The link that it leaves by. */
    LINK
  }

  /** One that wants all is divided as if it offered this many times what there is. */
  private static final double MORE = 2;

  private final Sharers members;
  private final List<ThroughputValueFunction> functions;
  private final double[] ratesBps;
  private final byte[] bounds;
  private final double[] treeLevelsBps;
  private final double[] portLevelsBps;
  private final double[] treeParts;
  private final double[] portParts;
  private final WaterFilling.Level[] levels;

  private Division(
      Sharers members, List<ThroughputValueFunction> functions, int trees, int ports, int links) {
    this.members = members;
    this.functions = functions;
    ratesBps = new double[members.size()];
    bounds = new byte[members.size()];
    treeLevelsBps = new double[trees];
    portLevelsBps = new double[ports];
    treeParts = new double[trees];
    portParts = new double[ports];
    levels = new WaterFilling.Level[links];
  }

  /**
   * Divides.
   *
   * @param functions what traffic is worth, by number
   * @param trees limits of trees by number, null for none
   * @param ports limits of BNG ports by number, null for none
   * @param capacitiesBps what each link carries, bit/s; infinite for all
   */
  public static Division of(
      Sharers members,
      List<ThroughputValueFunction> functions,
      SharedLimit[] trees,
      SharedLimit[] ports,
      double[] capacitiesBps) {
    for (double capacityBps : capacitiesBps) {
      if (!(capacityBps >= 0)) {
        throw new InvalidValueException("capacityBps", capacityBps, "0 or more");
      }
    }
    Division division =
        new Division(members, functions, trees.length, ports.length, capacitiesBps.length);
    division.limitEach();
    division.share(trees, members::tree, division.treeLevelsBps, division.treeParts, Bound.TREE);
    division.share(ports, members::port, division.portLevelsBps, division.portParts, Bound.PORT);
    division.fill(capacitiesBps);
    return division;
  }

  private void limitEach() {
    for (int i = 0; i < ratesBps.length; i++) {
      ratesBps[i] = members.demandBps(i);
      lower(i, members.ownBps(i), Bound.OWN);
    }
  }

  private void lower(int member, double rateBps, Bound bound) {
    if (rateBps < ratesBps[member]) {
      ratesBps[member] = rateBps;
      bounds[member] = (byte) bound.ordinal();
    }
  }

  /** The members by their node, in the order of the nodes; those without one are left out. */
  private record Grouped(int[] order, int[] starts) {
    static Grouped of(int size, int nodes, IntUnaryOperator node) {
      int[] starts = new int[nodes + 1];
      for (int i = 0; i < size; i++) {
        if (node.applyAsInt(i) != Sharers.NONE) {
          starts[node.applyAsInt(i) + 1]++;
        }
      }
      for (int n = 0; n < nodes; n++) {
        starts[n + 1] += starts[n];
      }
      int[] next = Arrays.copyOf(starts, nodes);
      int[] order = new int[starts[nodes]];
      for (int i = 0; i < size; i++) {
        if (node.applyAsInt(i) != Sharers.NONE) {
          order[next[node.applyAsInt(i)]++] = i;
        }
      }
      return new Grouped(order, starts);
    }

    int[] of(int node) {
      return Arrays.copyOfRange(order, starts[node], starts[node + 1]);
    }
  }

  // ---------------------------------------------------------------- limits of several

  private void share(
      SharedLimit[] limits, IntUnaryOperator node, double[] levels, double[] parts, Bound bound) {
    Arrays.fill(levels, Double.POSITIVE_INFINITY);
    Arrays.fill(parts, 1);
    if (Arrays.stream(limits).allMatch(limit -> limit == null)) {
      return;
    }
    Grouped grouped = Grouped.of(ratesBps.length, limits.length, node);
    for (int n = 0; n < limits.length; n++) {
      if (limits[n] != null) {
        int[] of = grouped.of(n);
        double rateBps = limits[n].rateBps();
        if (Arrays.stream(of).mapToDouble(i -> ratesBps[i]).sum() > rateBps) {
          if (limits[n].sharing() == Sharing.EQUAL) {
            levels[n] = levelOut(of, rateBps, bound);
          } else {
            shareAsOffered(n, of, rateBps, levels, parts, bound);
          }
        }
      }
    }
  }

  private void shareAsOffered(
      int node, int[] of, double rateBps, double[] levels, double[] parts, Bound bound) {
    int[] firm = Arrays.stream(of).filter(i -> !members.isElastic(i)).toArray();
    double firmBps = Arrays.stream(firm).mapToDouble(i -> ratesBps[i]).sum();
    if (firmBps > rateBps) {
      parts[node] = rateBps / firmBps;
      for (int i : firm) {
        lower(i, ratesBps[i] * parts[node], bound);
      }
    }
    double leftBps = Math.max(0, rateBps - firmBps);
    int[] elastic = Arrays.stream(of).filter(members::isElastic).toArray();
    levels[node] = elastic.length == 0 ? leftBps : levelOut(elastic, leftBps, bound);
  }

  /** Gives each the same or what it has, so that they have {@code totalBps} together. */
  private double levelOut(int[] of, double totalBps, Bound bound) {
    double[] sorted = Arrays.stream(of).mapToDouble(i -> ratesBps[i]).sorted().toArray();
    double leftBps = totalBps;
    int from = 0;
    while (from < sorted.length && sorted[from] * (sorted.length - from) <= leftBps) {
      leftBps -= sorted[from++];
    }
    if (from == sorted.length) {
      return Double.POSITIVE_INFINITY;
    }
    double levelBps = leftBps / (sorted.length - from);
    for (int i : of) {
      lower(i, levelBps, bound);
    }
    return levelBps;
  }

  // ---------------------------------------------------------------- links

  private void fill(double[] capacitiesBps) {
    Grouped grouped = Grouped.of(ratesBps.length, levels.length, members::link);
    for (int l = 0; l < levels.length; l++) {
      levels[l] = fill(grouped.of(l), capacitiesBps[l]);
    }
  }

  private WaterFilling.Level fill(int[] of, double capacityBps) {
    if (Arrays.stream(of).mapToDouble(i -> ratesBps[i]).sum() <= capacityBps) {
      return WaterFilling.Level.ALL;
    }
    int[] counts = new int[functions.size()];
    for (int i : of) {
      counts[members.function(i)]++;
    }
    double[][] demands = new double[functions.size()][];
    for (int f = 0; f < counts.length; f++) {
      demands[f] = new double[counts[f]];
    }
    for (int i : of) {
      demands[members.function(i)][--counts[members.function(i)]] =
          Math.min(ratesBps[i], MORE * capacityBps);
    }
    WaterFilling.Level level = WaterFilling.fill(new Crowd(functions, demands), capacityBps);
    double[] upper = new double[functions.size()];
    double[] lower = new double[functions.size()];
    for (int f = 0; f < upper.length; f++) {
      upper[f] = level.atBps(functions.get(f), level.upperValue());
      lower[f] = level.atBps(functions.get(f), level.lowerValue());
    }
    for (int i : of) {
      int f = members.function(i);
      lower(
          i,
          level.rateBps(Math.min(ratesBps[i], MORE * capacityBps), upper[f], lower[f]),
          Bound.LINK);
    }
    return level;
  }

  // ---------------------------------------------------------------- what it comes to

  /** The rate of a member, bit/s. */
  public double rateBps(int member) {
    return ratesBps[member];
  }

  /** The place that leaves a member least. */
  public Bound bound(int member) {
    return Bound.values()[bounds[member]];
  }

  /** The rate that a full tree leaves one who takes whatever it gets; else infinite. */
  public double treeLevelBps(int tree) {
    return treeLevelsBps[tree];
  }

  /** The same of a BNG port. */
  public double portLevelBps(int port) {
    return portLevelsBps[port];
  }

  /** The part of what they offer that a tree leaves those who do not slow down, as offered. */
  public double treePart(int tree) {
    return treeParts[tree];
  }

  /** The same of a BNG port. */
  public double portPart(int port) {
    return portParts[port];
  }

  /** V* of a link; 0 if all that comes fits. */
  public double thresholdValue(int link) {
    return levels[link].thresholdValue();
  }

  /** The rate that a full link leaves one with a function; infinite if all fits. */
  public double linkLevelBps(int link, int function) {
    return levels[link].thresholdValue() == 0
        ? Double.POSITIVE_INFINITY
        : levels[link].rateBps(functions.get(function), Double.MAX_VALUE);
  }
}
