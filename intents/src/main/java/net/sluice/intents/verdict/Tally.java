package net.sluice.intents.verdict;

import java.util.Arrays;
import java.util.List;
import net.sluice.intents.model.policy.ThroughputValueFunction;
import net.sluice.intents.share.Division;
import net.sluice.intents.share.SharedLimit;
import net.sluice.intents.share.Sharers;

/**
 * The loads of all subscribers of a switch in one direction, from which follows which limits and
 * ports are full and who would have what. Not thread-safe.
 *
 * <p>Counters do not tell what a sender wants: one that loses a few packets and slows down, as TCP
 * does, offers no more than it gets. So one that shows signs of being held back is taken to want
 * all, unless it loses so much that it cannot be one that slows down, or it has much less than what
 * it would have then: that one lost packets of a burst.
 */
public final class Tally {
  /** A sender that loses more than this part does not slow down: it offers what it wants. */
  static final double UNRESPONSIVE = 0.05;

  /** From this part of its rate on a limit or port can be what holds back. */
  private static final double FULL = 0.75;

  /** A port that loses more than this part of what it carries is full. */
  private static final double MANY = 0.01;

  /** The part of a line's rate that is left for frames of 1,500 bytes between gaps and headers. */
  static final double FRAMES = 0.975;

  /** From this part of what it can carry on a port is full. */
  private static final double BRIM = 0.96;

  private static final int ROUNDS = 8;

  /**
   * A port that subscribers leave by.
   *
   * @param place which
   * @param rateBps its speed, bit/s
   * @param carriedBps what left by it, of anybody, bit/s; not a number if that is not known
   */
  public record Line(LimitVerdict.Place place, double rateBps, double carriedBps) {}

  private final List<ThroughputValueFunction> functions;
  private final SharedLimit[] trees;
  private final SharedLimit[] ports;
  private final List<Line> lines;
  private final Sharers members = new Sharers();
  private float[] offeredBps = new float[16];
  private float[] gotBps = new float[16];
  private float[] lostBps = new float[16];
  private byte[] signs = new byte[16];

  /**
   * A tally without subscribers.
   *
   * @param functions what traffic is worth, by number
   * @param trees limits of trees as granted, by number; null for none
   * @param ports limits of BNG ports, likewise
   * @param lines the ports that they leave by, by number
   */
  public Tally(
      List<ThroughputValueFunction> functions,
      SharedLimit[] trees,
      SharedLimit[] ports,
      List<Line> lines) {
    this.functions = List.copyOf(functions);
    this.trees = trees.clone();
    this.ports = ports.clone();
    this.lines = List.copyOf(lines);
  }

  /** A tally of a switch of which nothing is known. */
  public static Tally ofNone() {
    return new Tally(List.of(), new SharedLimit[0], new SharedLimit[0], List.of());
  }

  /** Adds a subscriber that wants so much, or {@link Sharers#ELASTIC}, whatever it gets. */
  public void addWanting(double bps, Stand stand) {
    add(TrafficLoad.passing(bps), stand);
  }

  /** Adds a subscriber. */
  public void add(TrafficLoad load, Stand stand) {
    int member =
        members.add(
            load.offeredBps(),
            stand.ownBps(),
            stand.tree(),
            stand.port(),
            stand.line(),
            stand.function());
    if (member == offeredBps.length) {
      int capacity = member + (member >> 1);
      offeredBps = Arrays.copyOf(offeredBps, capacity);
      gotBps = Arrays.copyOf(gotBps, capacity);
      lostBps = Arrays.copyOf(lostBps, capacity);
      signs = Arrays.copyOf(signs, capacity);
    }
    offeredBps[member] = (float) load.offeredBps();
    gotBps[member] = (float) load.gotBps();
    lostBps[member] = (float) load.lostBps();
    signs[member] = (byte) Signs.of(load, stand.fpga()).bits();
  }

  /** Where a subscriber stands, by its place among those that were added. */
  public Stand stand(int member) {
    return new Stand(
        members.ownBps(member),
        members.tree(member),
        members.port(member),
        members.link(member),
        members.function(member),
        Signs.ofBits(signs[member]).fpga());
  }

  /** The rate that one wants, as {@link #close} has found, or {@link Sharers#ELASTIC} for all. */
  public double wantedBps(int member) {
    return members.demandBps(member);
  }

  /**
   * The division by all limits and ports, full or not, if each wants what it was added with, or
   * what {@link #close} has found.
   *
   * @param othersBps what others take of each line
   */
  public Division forecast(double[] othersBps) {
    double[] capacitiesBps = new double[lines.size()];
    for (int l = 0; l < capacitiesBps.length; l++) {
      capacitiesBps[l] = Math.max(0, FRAMES * lines.get(l).rateBps - othersBps[l]);
    }
    return Division.of(members, functions, trees, ports, capacitiesBps);
  }

  /** The number of lines. */
  public int lines() {
    return lines.size();
  }

  /** The rate of each line that does not go to subscribers; 0 where that is not known. */
  public double[] othersBps() {
    double[] othersBps = new double[lines.size()];
    for (int i = 0; i < members.size(); i++) {
      if (members.link(i) != Sharers.NONE) {
        othersBps[members.link(i)] += gotBps[i];
      }
    }
    for (int l = 0; l < othersBps.length; l++) {
      double carriedBps = lines.get(l).carriedBps;
      othersBps[l] = Double.isNaN(carriedBps) ? 0 : Math.max(0, carriedBps - othersBps[l]);
    }
    return othersBps;
  }

  /** The outcome. */
  public SwitchStanding close() {
    int size = members.size();
    Sums ofLines = new Sums(lines.size());
    Sums ofTrees = new Sums(trees.length);
    Sums ofPorts = new Sums(ports.length);
    for (int i = 0; i < size; i++) {
      ofLines.add(i, members.link(i), null);
      ofTrees.add(i, members.tree(i), trees);
      ofPorts.add(i, members.port(i), ports);
    }
    double[] capacitiesBps = new double[lines.size()];
    for (int l = 0; l < capacitiesBps.length; l++) {
      capacitiesBps[l] =
          ofLines.loses[l] || isFull(lines.get(l), ofLines.gotBps[l])
              ? capacityBps(lines.get(l), ofLines.gotBps[l], ofLines.lostBps[l])
              : Double.POSITIVE_INFINITY;
    }
    SharedLimit[] fullTrees = full(trees, ofTrees);
    SharedLimit[] fullPorts = full(ports, ofPorts);
    Division division = divide(fullTrees, fullPorts, capacitiesBps);
    return new SwitchStanding(
        functions, lines, ofTrees.group(trees), ofPorts.group(ports), ofLines.links(), division);
  }

  /** The traffic of the subscribers of each tree, BNG port or line. */
  private final class Sums {
    final double[] offeredBps;
    final double[] gotBps;

    /** The traffic that passed the limit there, and may have been dropped behind it. */
    final double[] passedBps;

    /** Dropped at ports, where no FPGA may have done it. */
    final double[] lostBps;

    final int[] subscribers;
    final boolean[] holds;
    final boolean[] loses;

    Sums(int nodes) {
      offeredBps = new double[nodes];
      gotBps = new double[nodes];
      passedBps = new double[nodes];
      lostBps = new double[nodes];
      subscribers = new int[nodes];
      holds = new boolean[nodes];
      loses = new boolean[nodes];
    }

    void add(int member, int node, SharedLimit[] limits) {
      if (node != Sharers.NONE) {
        Signs sign = Signs.ofBits(signs[member]);
        subscribers[node]++;
        gotBps[node] += Tally.this.gotBps[member];
        offeredBps[node] += Tally.this.offeredBps[member];
        passedBps[node] += passedBps(member, limits == null ? null : limits[node]);
        lostBps[node] += sign.fpga() ? 0 : Tally.this.lostBps[member];
        holds[node] |= sign.any();
        loses[node] |= sign.atPort();
      }
    }

    SwitchStanding.Group group(SharedLimit[] limits) {
      return new SwitchStanding.Group(limits, passedBps, gotBps, offeredBps, subscribers);
    }

    SwitchStanding.Links links() {
      return new SwitchStanding.Links(gotBps, offeredBps, subscribers);
    }
  }

  /** A port that is full by what it carries, though nothing is lost there for now. */
  private static boolean isFull(Line line, double gotBps) {
    return Math.max(gotBps, Double.isNaN(line.carriedBps) ? 0 : line.carriedBps)
        >= BRIM * FRAMES * line.rateBps;
  }

  /**
   * The rate of subscribers' frames at a port that loses packets. One that loses many is full, so
   * that is what they get; else it would carry more if senders did not slow down.
   */
  private static double capacityBps(Line line, double gotBps, double lostBps) {
    double carriedBps = Double.isNaN(line.carriedBps) ? gotBps : Math.max(line.carriedBps, gotBps);
    if (carriedBps < FULL * line.rateBps) {
      return Double.POSITIVE_INFINITY;
    }
    double ofOthersBps = carriedBps - gotBps;
    return lostBps > MANY * gotBps ? gotBps : Math.max(gotBps, FRAMES * line.rateBps - ofOthersBps);
  }

  /** The rate that passed a limit; an FPGA's drops are not told from those of a port behind. */
  private double passedBps(int member, SharedLimit limit) {
    return limit == null || isUncounted(limit) ? gotBps[member] : gotBps[member] + lostBps[member];
  }

  /** An FPGA does not count what it drops: its limit is full by what passes, as a port is. */
  static boolean isUncounted(SharedLimit limit) {
    return limit.sharing() == SharedLimit.Sharing.EQUAL;
  }

  private static SharedLimit[] full(SharedLimit[] limits, Sums sums) {
    SharedLimit[] full = new SharedLimit[limits.length];
    for (int n = 0; n < full.length; n++) {
      if (limits[n] != null
          && (sums.holds[n] && sums.passedBps[n] >= FULL * limits[n].rateBps()
              || isUncounted(limits[n]) && sums.passedBps[n] >= BRIM * limits[n].rateBps())) {
        full[n] = limits[n];
      }
    }
    return full;
  }

  private Division divide(SharedLimit[] fullTrees, SharedLimit[] fullPorts, double[] capacities) {
    for (int i = 0; i < members.size(); i++) {
      Signs sign = Signs.ofBits(signs[i]);
      // A subscriber that has all of its own limit wants no more of what it shares.
      boolean hasItsLimit = gotBps[i] >= SwitchStanding.ITS_LIMIT * members.ownBps(i);
      boolean isQuiet =
          !sign.any()
              && (isOfFullLine(i, capacities)
                  || isUncounted(fullTrees, members.tree(i))
                  || isUncounted(fullPorts, members.port(i)));
      if ((sign.any() && sign.mayBeElastic() || isQuiet) && !hasItsLimit) {
        members.demand(i, Sharers.ELASTIC);
      }
    }
    Division division = Division.of(members, functions, fullTrees, fullPorts, capacities);
    boolean isSettled = false;
    for (int round = 1; round < ROUNDS; round++) {
      boolean isOther = false;
      for (int i = 0; i < members.size(); i++) {
        if (members.demandBps(i) == Sharers.ELASTIC
            && gotBps[i] < Signs.ofBits(signs[i]).needed() * division.rateBps(i)) {
          members.demand(i, offeredBps[i]);
          isOther = true;
        }
      }
      if (!isOther && !isSettled) {
        // Once, by what is left when those have settled of which a burst was cut.
        isSettled = true;
        isOther = takeHeldForElastic(division);
      }
      if (!isOther) {
        break;
      }
      division = Division.of(members, functions, fullTrees, fullPorts, capacities);
    }
    return division;
  }

  private boolean takeHeldForElastic(Division division) {
    boolean isOther = false;
    for (int i = 0; i < members.size(); i++) {
      if (members.demandBps(i) != Sharers.ELASTIC && isHeldForNoReason(i, division)) {
        members.demand(i, Sharers.ELASTIC);
        isOther = true;
      }
    }
    return isOther;
  }

  private static boolean isUncounted(SharedLimit[] full, int node) {
    return node != Sharers.NONE && full[node] != null && isUncounted(full[node]);
  }

  private boolean isOfFullLine(int member, double[] capacities) {
    int line = members.link(member);
    return line != Sharers.NONE && capacities[line] < Double.POSITIVE_INFINITY;
  }

  /** It loses much, and what it offers would leave it all: so it slows down, and wants more. */
  private boolean isHeldForNoReason(int member, Division division) {
    Signs sign = Signs.ofBits(signs[member]);
    return sign.any()
        && !sign.mayBeElastic()
        && division.bound(member) == Division.Bound.NONE
        && gotBps[member] < SwitchStanding.ITS_LIMIT * members.ownBps(member);
  }
}
