package net.sluice.embedded.verdict;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import net.sluice.embedded.DefaultTopology;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.SubscriberTerms;
import net.sluice.intents.model.SubscriberTerms.Holding;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.model.policy.ThroughputValueFunction;
import net.sluice.intents.model.policy.WeightFunction;
import net.sluice.intents.model.schedule.Schedule;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Topology.Route;
import net.sluice.intents.profile.Topology.SwitchPort;
import net.sluice.intents.share.Division;
import net.sluice.intents.share.Division.Bound;
import net.sluice.intents.share.SharedLimit;
import net.sluice.intents.share.SharedLimit.Sharing;
import net.sluice.intents.share.Sharers;
import net.sluice.intents.value.Direction;

/**
 * A small network of which it is known what each subscriber wants, so that it follows what limits
 * it. Drawn anew until nothing else would leave one of them about as much.
 *
 * @param seed by which it was drawn
 * @param direction the way that traffic goes
 * @param enforcement what enforces all limits
 * @param lineBps speed of the access ports 1 and 3 and of the core port 2
 * @param homes the subscribers
 * @param shared limits of trees and of BNG ports
 */
record RandomNetwork(
    long seed,
    Direction direction,
    Enforcement enforcement,
    Map<Integer, Long> lineBps,
    List<Home> homes,
    Map<Scope, Long> shared) {
  static final int CORE = 2;
  static final int FRAME_BYTES = 1_500;
  static final int OVERHEAD_BYTES = 24;
  static final long NEIGHBOUR_MAC = 0x02_00_00_01_00_00L;

  private static final int FIRST_ACCESS = 1;
  private static final int OTHER_ACCESS = 3;
  private static final int OTHER_BNG_PORT = 4;
  private static final long FAST_BPS = 200_000_000;
  private static final long FPGA_STEP_BPS = 1_001_603;
  private static final double NO_LIMIT = Double.POSITIVE_INFINITY;

  /** A bound that is within this factor of another one is not told from it by measuring. */
  private static final double APART = 1.25;

  /** A line is full by chance from this part of what it carries on. */
  private static final double BRIM = 0.9;

  private static final double LEAST_ELASTIC_BPS = 500_000;

  private static final List<Policy> POLICIES =
      List.of(
          new Policy("gold", BuiltInFunction.GOLD),
          new Policy("silver", BuiltInFunction.SILVER),
          new Policy("triple", new WeightFunction(OptionalLong.empty(), 3)));

  /**
   * A subscriber.
   *
   * @param number from 0
   * @param policy its policy by number
   * @param at where it is attached
   * @param wantedBps what its sender sends, or {@link Sharers#ELASTIC} of TCP
   * @param ownBps its own limit; empty for none
   * @param suspended whether it is
   */
  record Home(
      int number,
      int policy,
      Attachment at,
      double wantedBps,
      OptionalLong ownBps,
      boolean suspended) {
    String id() {
      return "home-" + number;
    }

    boolean isElastic() {
      return wantedBps == Sharers.ELASTIC;
    }

    String address() {
      return "10.0.0." + (number + 1);
    }

    int accessPort() {
      return at.port() < OTHER_BNG_PORT ? FIRST_ACCESS : OTHER_ACCESS;
    }
  }

  /** The network of a seed. */
  static RandomNetwork of(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    while (true) {
      RandomNetwork drawn = draw(seed, random);
      if (drawn.isClear()) {
        return drawn;
      }
    }
  }

  private static RandomNetwork draw(long seed, SplittableRandom random) {
    Direction direction = random.nextInt(4) == 0 ? Direction.UP : Direction.DOWN;
    Map<Integer, Long> lines =
        direction == Direction.DOWN
            ? Map.of(
                FIRST_ACCESS, between(random, 6e6, 30e6),
                OTHER_ACCESS, between(random, 6e6, 30e6),
                CORE, FAST_BPS)
            : Map.of(
                FIRST_ACCESS, FAST_BPS,
                OTHER_ACCESS, FAST_BPS,
                CORE, between(random, 8e6, 40e6));
    List<Home> homes = new ArrayList<>();
    int size = 4 + random.nextInt(6);
    for (int i = 0; i < size; i++) {
      homes.add(
          new Home(
              i,
              random.nextInt(POLICIES.size()),
              new Attachment(random.nextBoolean() ? 0 : OTHER_BNG_PORT, random.nextInt(2)),
              random.nextInt(4) == 0 ? Sharers.ELASTIC : between(random, 4e5, 12e6),
              random.nextInt(5) < 2
                  ? OptionalLong.of(limit(random, 1e6, 8e6))
                  : OptionalLong.empty(),
              random.nextInt(15) == 0));
    }
    Map<Scope, Long> shared = new LinkedHashMap<>();
    if (random.nextBoolean()) {
      shared.put(new Scope.OfTree(0, 0), limit(random, 3e6, 15e6));
    }
    if (random.nextInt(3) == 0) {
      shared.put(new Scope.OfPort(OTHER_BNG_PORT), limit(random, 4e6, 20e6));
    }
    return new RandomNetwork(
        seed,
        direction,
        Enforcement.values()[random.nextInt(Enforcement.values().length)],
        lines,
        homes,
        shared);
  }

  private static long between(SplittableRandom random, double low, double high) {
    return Math.round(low * Math.pow(high / low, random.nextDouble()) / 1000) * 1000;
  }

  /** A rate that any limiter grants nearly as it is. */
  private static long limit(SplittableRandom random, double low, double high) {
    return Math.max(1, between(random, low, high) / FPGA_STEP_BPS) * FPGA_STEP_BPS;
  }

  // ---------------------------------------------------------------- what it declares

  Topology topology() {
    List<SwitchPort> ports = new ArrayList<>();
    for (int number : List.of(FIRST_ACCESS, CORE, OTHER_ACCESS)) {
      boolean isCore = number == CORE;
      ports.add(
          new SwitchPort(
              number,
              isCore ? PortRole.CORE : PortRole.ACCESS,
              isCore ? Direction.DOWN : Direction.UP,
              lineBps.get(number),
              0x02_00_00_00_00_00L | number,
              NEIGHBOUR_MAC | number,
              false,
              true));
    }
    Topology model = new DefaultTopology(1_000_000_000).topology();
    model.ports().stream().filter(port -> port.role() == PortRole.SIDECAR).forEach(ports::add);
    Map<Integer, Integer> bngPorts = new TreeMap<>();
    IntStream.rangeClosed(0, Attachment.MAX_PORT)
        .forEach(port -> bngPorts.put(port, port < OTHER_BNG_PORT ? FIRST_ACCESS : OTHER_ACCESS));
    return new Topology(
        ports,
        bngPorts,
        model.sidecarDown(),
        model.sidecarUp(),
        List.of(new Route(IpPrefix.parse("0.0.0.0/0"), CORE)),
        model.mirrorPort(),
        model.loopPorts(),
        List.of());
  }

  List<Change> declarations() {
    List<Change> all = new ArrayList<>();
    POLICIES.forEach(policy -> all.add(new Change.Put(policy)));
    for (Home home : homes) {
      Subscriber subscriber =
          new Subscriber(
              home.id(),
              POLICIES.get(home.policy).id(),
              List.of(IpPrefix.parse(home.address() + "/32")),
              Optional.empty(),
              home.at);
      all.add(
          new Change.Put(
              home.suspended
                  ? subscriber.withParts(
                      subscriber
                          .parts()
                          .withTerms(
                              SubscriberTerms.of(
                                  new Holding.Has(subscriber.policyId()),
                                  Optional.of(new Holding.Stopped()),
                                  Schedule.empty())))
                  : subscriber));
    }
    for (Home home : homes) {
      if (home.ownBps.isPresent()) {
        all.add(limit(new Scope.OfSubscriber(home.id()), home.ownBps.getAsLong()));
      }
    }
    shared.forEach((scope, bps) -> all.add(limit(scope, bps)));
    return all;
  }

  private Change limit(Scope scope, long bps) {
    OptionalLong rate = OptionalLong.of(bps);
    boolean isDown = direction == Direction.DOWN;
    return new Change.Put(
        new RateLimit(
            "limit-" + Integer.toHexString(scope.hashCode()),
            scope,
            isDown ? rate : OptionalLong.empty(),
            isDown ? OptionalLong.empty() : rate,
            OptionalInt.empty(),
            Optional.of(enforcement)));
  }

  // ---------------------------------------------------------------- what follows

  private Sharers members() {
    Sharers members = new Sharers();
    for (Home home : homes) {
      members.add(
          home.suspended ? 0 : home.wantedBps,
          home.ownBps.isPresent() ? home.ownBps.getAsLong() : NO_LIMIT,
          home.at.treeIndex(),
          home.at.port(),
          direction == Direction.UP ? CORE : home.accessPort(),
          home.policy);
    }
    return members;
  }

  /** What each gets by what all want. */
  Division division() {
    return division(members());
  }

  private Division division(Sharers members) {
    SharedLimit[] trees = new SharedLimit[Attachment.TREES];
    SharedLimit[] ports = new SharedLimit[Attachment.MAX_PORT + 1];
    Sharing sharing = enforcement == Enforcement.FPGA ? Sharing.EQUAL : Sharing.AS_OFFERED;
    shared.forEach(
        (scope, bps) -> {
          if (scope instanceof Scope.OfTree tree) {
            trees[new Attachment(tree.port(), tree.tree()).treeIndex()] =
                new SharedLimit(bps, sharing);
          } else if (scope instanceof Scope.OfPort port) {
            ports[port.port()] = new SharedLimit(bps, sharing);
          }
        });
    double[] capacities = new double[OTHER_ACCESS + 1];
    lineBps.keySet().forEach(port -> capacities[port] = capacityBps(port));
    List<ThroughputValueFunction> functions = POLICIES.stream().map(Policy::function).toList();
    return Division.of(members, functions, trees, ports, capacities);
  }

  /** What limits a subscriber. */
  String limitedBy(Division division, int home) {
    return homes.get(home).suspended
        ? "suspended"
        : switch (division.bound(home)) {
          case NONE -> "nothing";
          case OWN -> "own-limit";
          case TREE -> "tree";
          case PORT -> "port";
          case LINK -> "congestion";
        };
  }

  /** Whether the limit of a tree or port is full. */
  boolean hasFullSharedLimit() {
    Division division = division();
    return homes.stream()
        .anyMatch(
            home ->
                division.treeLevelBps(home.at.treeIndex()) < NO_LIMIT
                    || division.portLevelBps(home.at.port()) < NO_LIMIT);
  }

  /** Whether the port that a subscriber leaves by is full. */
  boolean isCongested(Division division, Home home) {
    return division.thresholdValue(members().link(home.number)) > 0;
  }

  private boolean isClear() {
    Division division = division();
    Sharers members = members();
    // Where the switch shapes, light flows pass the packets of senders that fill the limit.
    boolean lightFirst = enforcement == Enforcement.SHAPE && !shared.isEmpty();
    if (lightFirst || enforcement == Enforcement.POLICE && mixesUnderALimit(division)) {
      return false;
    }
    if (isBrimful(division, members) || isUnlikeShared(division)) {
      return false;
    }
    for (Home home : homes) {
      if (!home.suspended && !isClear(home, division, members)) {
        return false;
      }
    }
    return true;
  }

  /** An FPGA divides the limit of a BNG port by the order in which it looks at queues. */
  private boolean isUnlikeShared(Division division) {
    return enforcement == Enforcement.FPGA
        && homes.stream().anyMatch(home -> division.portLevelBps(home.at.port()) < NO_LIMIT);
  }

  /**
   * A sender that wants nearly as much as it could get looks like one that takes all that it can
   * get, and slows down.
   */
  private boolean mayTakeAll(Home home, Division division) {
    if (home.isElastic() || division.bound(home.number) != Bound.NONE) {
      return false;
    }
    Sharers members = members();
    members.demand(home.number, Sharers.ELASTIC);
    Division ofAll = division(members);
    return ofAll.bound(home.number) != Bound.OWN
        && ofAll.rateBps(home.number) < APART * home.wantedBps;
  }

  /**
   * A line or a limit that just carries all that comes looks like one that is full because senders
   * slow down: the counters are the same.
   */
  private boolean isBrimful(Division division, Sharers members) {
    for (int port : lineBps.keySet()) {
      double carriedBps = 0;
      for (int i = 0; i < homes.size(); i++) {
        carriedBps += members.link(i) == port ? division.rateBps(i) : 0;
      }
      if (division.thresholdValue(port) == 0 && carriedBps > BRIM * capacityBps(port)) {
        return true;
      }
    }
    for (Map.Entry<Scope, Long> limit : shared.entrySet()) {
      double carriedBps = 0;
      boolean isFull = false;
      for (Home home : homes) {
        boolean isTree = limit.getKey() instanceof Scope.OfTree;
        Scope scope =
            isTree
                ? new Scope.OfTree(home.at.port(), home.at.tree())
                : new Scope.OfPort(home.at.port());
        if (scope.equals(limit.getKey()) && !home.suspended) {
          double comesBps = Math.min(home.wantedBps, members.ownBps(home.number));
          carriedBps += home.isElastic() ? division.rateBps(home.number) : comesBps;
          isFull |=
              (isTree
                      ? division.treeLevelBps(home.at.treeIndex())
                      : division.portLevelBps(home.at.port()))
                  < NO_LIMIT;
        }
      }
      if (!isFull && carriedBps > BRIM * limit.getValue()) {
        return true;
      }
    }
    return false;
  }

  private double capacityBps(int port) {
    return (double) lineBps.get(port) * FRAME_BYTES / (FRAME_BYTES + OVERHEAD_BYTES);
  }

  /** A full limit without queues also drops packets of senders that do not fill it. */
  private boolean mixesUnderALimit(Division division) {
    for (boolean isTree : new boolean[] {true, false}) {
      boolean isElastic = false;
      boolean isFirm = false;
      for (Home home : homes) {
        double levelBps =
            isTree
                ? division.treeLevelBps(home.at.treeIndex())
                : division.portLevelBps(home.at.port());
        if (levelBps < NO_LIMIT && !home.suspended) {
          isElastic |= home.isElastic();
          isFirm |= !home.isElastic();
        }
      }
      if (isElastic && isFirm) {
        return true;
      }
    }
    return false;
  }

  private boolean isClear(Home home, Division division, Sharers members) {
    int i = home.number;
    double rateBps = division.rateBps(i);
    double treeBps = division.treeLevelBps(home.at.treeIndex());
    double portBps = division.portLevelBps(home.at.port());
    double treePart = division.treePart(home.at.treeIndex());
    double portPart = division.portPart(home.at.port());
    boolean isShared = treeBps < NO_LIMIT || portBps < NO_LIMIT;
    // What a sender that slows down for a port behind a full limit leaves there is not modelled.
    boolean leaves = home.isElastic() && isShared && division.bound(i) == Bound.LINK;
    boolean starves = home.isElastic() && rateBps < LEAST_ELASTIC_BPS;
    // One of two that take a part each.
    boolean isCutTwice =
        treePart < 1 && (portPart < 1 || division.bound(i) == Bound.LINK)
            || portPart < 1 && division.bound(i) == Bound.LINK;
    if (leaves || starves || isCutTwice || mayTakeAll(home, division)) {
      return false;
    }
    double cutBps = Math.min(treePart, portPart) * Math.min(home.wantedBps, members.ownBps(i));
    int near = 0;
    for (double other :
        new double[] {
          home.wantedBps,
          members.ownBps(i),
          home.isElastic() || enforcement == Enforcement.FPGA ? treeBps : NO_LIMIT,
          home.isElastic() || enforcement == Enforcement.FPGA ? portBps : NO_LIMIT,
          treePart < 1 || portPart < 1 ? cutBps : NO_LIMIT,
          division.linkLevelBps(members.link(i), home.policy)
        }) {
      near += other < APART * rateBps && other > rateBps / APART ? 1 : 0;
    }
    return near <= 1;
  }
}
