package net.sluice.intents.compile;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.IpPrefix.Family;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.policy.Aqm;
import net.sluice.intents.plan.Change;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.MeterProfile;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.state.InMemorySlaState;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;

/**
 * The problems for which an undivided switch refuses a change, from going through all declarations
 * in force: each as its code and field.
 */
final class ExpectedRefusals {
  private static final List<Enforcement> IN_SWITCH = List.of(Enforcement.SHAPE, Enforcement.POLICE);

  private final Topology topology;
  private final SwitchProfile profile;
  private final FpgaProfile fpga;
  private final List<Subscriber> subscribers = new ArrayList<>();
  private final List<Policy> policies = new ArrayList<>();
  private final List<RateLimit> limits = new ArrayList<>();
  private final Set<String> problems = new TreeSet<>();

  private ExpectedRefusals(Compiler compiler, Topology topology, InMemorySlaState state) {
    this.topology = topology;
    profile = compiler.switchProfile();
    fpga = compiler.fpgaProfile();
    state.allSubscribers().forEach(s -> subscribers.add(s.subscriber()));
    state.allPolicies().forEach(p -> policies.add(p.policy()));
    state.allRateLimits().forEach(limits::add);
  }

  /** The problems of a change; none if it is to be accepted. */
  static Set<String> of(Compiler compiler, InMemorySlaState state, Change change) {
    return of(compiler, Network.topology(), state, change);
  }

  /** The same on a switch that is cabled so. */
  static Set<String> of(
      Compiler compiler, Topology topology, InMemorySlaState state, Change change) {
    ExpectedRefusals expected = new ExpectedRefusals(compiler, topology, state);
    if (!(change instanceof Change.Put put)) {
      expected.delete(change);
    } else if (put.declaration() instanceof Subscriber subscriber) {
      expected.put(subscriber);
    } else if (put.declaration() instanceof Policy policy) {
      expected.put(policy);
    } else {
      expected.put((RateLimit) put.declaration());
    }
    return expected.problems;
  }

  /** The problems that a refusal names. */
  static Set<String> in(Refusal refusal) {
    Set<String> named = new TreeSet<>();
    refusal.problems().forEach(problem -> named.add(problem.code() + " " + problem.field()));
    return named;
  }

  private void addIf(boolean stands, String problem) {
    if (stands) {
      problems.add(problem);
    }
  }

  private void delete(Change change) {
    String id = change.id();
    boolean there =
        switch (change.kind()) {
          case SUBSCRIBER -> subscribers.stream().anyMatch(s -> s.id().equals(id));
          case POLICY -> policies.stream().anyMatch(p -> p.id().equals(id));
          case RATE_LIMIT -> limits.stream().anyMatch(l -> l.id().equals(id));
          case TARIFF -> false;
        };
    boolean needed =
        switch (change.kind()) {
          case SUBSCRIBER ->
              limits.stream().anyMatch(l -> l.scope().equals(new Scope.OfSubscriber(id)));
          case POLICY ->
              subscribers.stream()
                  .anyMatch(
                      s ->
                          s.policyId().equals(id)
                              || s.parts().upstreamPolicyId().equals(Optional.of(id)));
          case RATE_LIMIT, TARIFF -> false;
        };
    addIf(!there, "NOT_FOUND " + change.kind().field());
    addIf(there && needed, "CONFLICT " + change.kind().field());
  }

  private void put(Policy put) {
    boolean isNew = policies.removeIf(p -> p.id().equals(put.id()));
    addIf(!isNew && policies.size() + 1 >= profile.policySlots(), "CAPACITY policy");
    boolean disputed =
        subscribers.stream()
            .filter(s -> s.policyId().equals(put.id()))
            .anyMatch(s -> manages(put, s, subscribers));
    addIf(
        disputed,
        put.aqm().filter(Aqm.Rio.class::isInstance).isPresent() ? "CONFLICT rio" : "CONFLICT aqm");
  }

  /** True if another policy, too, says how the queue of a subscriber's port is managed. */
  private boolean manages(Policy policy, Subscriber at, List<Subscriber> others) {
    return policy.aqm().isPresent()
        && others.stream()
            .filter(s -> sharesPort(s, at) && !s.policyId().equals(policy.id()))
            .flatMap(s -> policies.stream().filter(p -> p.id().equals(s.policyId())))
            .anyMatch(p -> p.aqm().isPresent() && !p.aqm().equals(policy.aqm()));
  }

  private boolean sharesPort(Subscriber one, Subscriber other) {
    return topology
        .switchPort(one.attachment().port())
        .equals(topology.switchPort(other.attachment().port()));
  }

  private void put(Subscriber put) {
    Optional<Subscriber> old = subscribers.stream().filter(s -> s.id().equals(put.id())).findAny();
    old.ifPresent(subscribers::remove);
    Optional<Policy> policy =
        policies.stream().filter(p -> p.id().equals(put.policyId())).findAny();
    addIf(policy.isEmpty(), "INVALID policy");
    Optional<String> upstream = put.parts().upstreamPolicyId();
    addIf(
        upstream.isPresent()
            && (profile.directionPolicies() == 0
                || policies.stream().noneMatch(p -> p.id().equals(upstream.get()))),
        "INVALID upstreamPolicy");
    addIf(
        profile.directionPolicies() > 0
            && overflows(
                put,
                old,
                s -> s.parts().upstreamPolicyId().orElse(s.policyId()).equals(s.policyId()) ? 0 : 1,
                profile.directionPolicies()),
        "CAPACITY upstreamPolicy");
    addIf(
        old.isEmpty() && subscribers.size() >= profile.subscriberCapacity(), "CAPACITY subscriber");
    for (int i = 0; i < put.prefixes().size(); i++) {
      IpPrefix prefix = put.prefixes().get(i);
      boolean taken =
          put.prefixes().subList(0, i).stream().anyMatch(prefix::overlaps)
              || subscribers.stream()
                  .flatMap(s -> s.prefixes().stream())
                  .anyMatch(prefix::overlaps);
      addIf(taken, "CONFLICT prefixes[" + i + "]");
    }
    addIf(
        overflows(put, old, s -> prefixes(s, Family.V4), profile.v4PrefixCapacity())
            || overflows(put, old, s -> prefixes(s, Family.V6), profile.v6PrefixCapacity()),
        "CAPACITY prefixes");
    addIf(
        overflows(put, old, s -> s.vlans().isPresent() ? 1 : 0, profile.encapCapacity())
            || overflows(put, old, s -> lines(s, true), profile.vlanCapacity())
            || overflows(put, old, s -> lines(s, false), profile.serviceVlanCapacity()),
        "CAPACITY sVlan");
    if (topology.switchPort(put.attachment().port()).isEmpty()) {
      problems.add("INVALID attachment.port");
      return;
    }
    boolean tagged =
        put.vlans().isPresent()
            && subscribers.stream()
                .anyMatch(s -> s.vlans().equals(put.vlans()) && sharesPort(s, put));
    addIf(
        tagged, put.vlans().map(v -> v.isPair() ? "CONFLICT cVlan" : "CONFLICT sVlan").orElse(""));
    addIf(policy.isPresent() && manages(policy.get(), put, subscribers), "CONFLICT policy");
    boolean full = limitedIn(put, this::isShaped) >= fpga.customersPerTree();
    addIf(isShaped(put) && full, "CAPACITY attachment.tree");
    for (Enforcement by : IN_SWITCH) {
      int needed = directions(put, by);
      int more = needed - old.map(subscriber -> directions(subscriber, by)).orElse(0);
      addIf(more > 0 && directions(by) + needed > capacity(by), "CAPACITY attachment");
    }
  }

  private interface Entries {
    int of(Subscriber subscriber);
  }

  private static int lines(Subscriber subscriber, boolean pairs) {
    return subscriber.vlans().map(tags -> tags.isPair() == pairs ? 1 : 0).orElse(0);
  }

  private static int prefixes(Subscriber subscriber, Family family) {
    return (int) subscriber.prefixes().stream().filter(p -> p.family() == family).count();
  }

  private boolean overflows(
      Subscriber put, Optional<Subscriber> old, Entries entries, int capacity) {
    int others = subscribers.stream().mapToInt(entries::of).sum();
    return entries.of(put) > old.map(entries::of).orElse(0) && others + entries.of(put) > capacity;
  }

  private long limitedIn(Subscriber at, Predicate<Subscriber> limited) {
    return subscribers.stream()
        .filter(s -> s.attachment().equals(at.attachment()))
        .filter(limited)
        .count();
  }

  private Optional<Enforcement> limiter(RateLimit limit, Direction direction) {
    return limiter(topology, profile, limit, direction);
  }

  /** The limiter of a direction of a limit; empty if it asks for one that there is not. */
  static Optional<Enforcement> limiter(
      Topology topology, SwitchProfile profile, RateLimit limit, Direction direction) {
    boolean sidecar = topology.sidecar(direction).isPresent();
    boolean loops = !topology.loopPorts().isEmpty();
    boolean meters = profile.meters().subscribers() > 0;
    if (limit.enforcement().isPresent()) {
      boolean there =
          switch (limit.enforcement().get()) {
            case FPGA -> sidecar;
            case SHAPE -> loops;
            case POLICE -> meters;
          };
      return there ? limit.enforcement() : Optional.empty();
    }
    long rateBps = limit.rateBps(direction).orElse(0);
    int burst = limit.burstBytes().orElse(1_600);
    boolean shaped =
        isShapedRate(rateBps) && burst >= 1_600 && burst <= mostBytes(profile, rateBps);
    double fpgaOff = fpgaOff(rateBps);
    boolean fpga = fpgaOff < 1 && burst >= 1_600 && burst <= Network.FPGA.maxBurstBytes();
    if (sidecar && fpga && fpgaOff <= 0.02) {
      return Optional.of(Enforcement.FPGA);
    } else if (loops && shaped) {
      return Optional.of(Enforcement.SHAPE);
    } else if (meters && isMeteredRate(rateBps) && burst >= 1_600) {
      return Optional.of(
          sidecar && fpga && fpgaOff < meterOff(rateBps) && meterOff(rateBps) > 0.02
              ? Enforcement.FPGA
              : Enforcement.POLICE);
    }
    // What nothing holds the first has to refuse.
    return Optional.of(
        sidecar || !loops && !meters
            ? Enforcement.FPGA
            : loops ? Enforcement.SHAPE : Enforcement.POLICE);
  }

  /** Rates in steps of an eighth of the tick, of which the largest bucket keeps 3896. */
  private static double fpgaOff(long rateBps) {
    double step = 8 * 156.25e6 / 1248;
    double granted = step * Math.max(1, Math.min(3_896, Math.rint(rateBps / step)));
    return rateBps > Network.FPGA.maxRateBps() ? 1 : Math.abs(granted - rateBps) / rateBps;
  }

  private static boolean isMeteredRate(long rateBps) {
    return rateBps >= 8 && rateBps <= 1_000_000_000_000L;
  }

  private static double meterOff(long rateBps) {
    long granted = MeterProfile.rateBps(rateBps);
    return Math.abs(granted - rateBps) / (double) rateBps;
  }

  private static boolean isShapedRate(long rateBps) {
    return rateBps >= 60_000 && rateBps <= 100_000_000_000L;
  }

  /** What the buffer holds, and the rate sends in 2^30 ns. */
  private static double mostBytes(SwitchProfile profile, long rateBps) {
    return Math.min(profile.shaping().bufferBytes(), Math.floor(rateBps * 1.073741824 / 8));
  }

  private boolean isLimited(Subscriber subscriber, Direction direction, Enforcement by) {
    int port = subscriber.attachment().port();
    Set<Scope> scopes =
        Set.of(
            new Scope.OfSubscriber(subscriber.id()),
            new Scope.OfTree(port, subscriber.attachment().tree()),
            new Scope.OfPort(port));
    return limits.stream()
        .anyMatch(
            limit ->
                scopes.contains(limit.scope())
                    && limit.rateBps(direction).isPresent()
                    && limiter(limit, direction).equals(Optional.of(by)));
  }

  private boolean isShaped(Subscriber subscriber) {
    return isLimited(subscriber, Direction.DOWN, Enforcement.FPGA)
        || isLimited(subscriber, Direction.UP, Enforcement.FPGA);
  }

  /** Directions in which a subscriber is limited so. */
  private int directions(Subscriber subscriber, Enforcement by) {
    return (isLimited(subscriber, Direction.DOWN, by) ? 1 : 0)
        + (isLimited(subscriber, Direction.UP, by) ? 1 : 0);
  }

  private int directions(Enforcement by) {
    return subscribers.stream().mapToInt(subscriber -> directions(subscriber, by)).sum();
  }

  private int capacity(Enforcement by) {
    return by == Enforcement.SHAPE
        ? profile.shaping().subscribers()
        : profile.meters().subscribers();
  }

  /** What a limiter has against a direction of a limit. */
  private void admit(RateLimit put, Direction direction, Enforcement limiter) {
    long rateBps = put.rateBps(direction).getAsLong();
    int burst = put.burstBytes().orElse(fpga.minBurstBytes());
    boolean kept;
    double most;
    switch (limiter) {
      case FPGA -> {
        kept = rateBps <= fpga.maxRateBps();
        most = fpga.maxBurstBytes();
      }
      case SHAPE -> {
        kept = isShapedRate(rateBps);
        most = kept ? mostBytes(profile, rateBps) : profile.shaping().bufferBytes();
      }
      default -> {
        kept = isMeteredRate(rateBps);
        most = Double.MAX_VALUE;
      }
    }
    addIf(!kept, "INVALID " + direction.text() + "Bps");
    addIf(burst < fpga.minBurstBytes() || burst > most, "INVALID burstBytes");
  }

  /** A limit keeps its limiter unless another one is named. */
  private void change(RateLimit old, RateLimit put) {
    for (Direction direction : Direction.values()) {
      if (old.rateBps(direction).isPresent()
          && put.rateBps(direction).isPresent()
          && put.enforcement().isEmpty()
          && !limiter(old, direction).equals(limiter(put, direction))) {
        Set<String> others = Set.copyOf(problems);
        admit(put, direction, limiter(old, direction).orElseThrow());
        addIf(problems.equals(others), "CONFLICT enforcement");
        return;
      }
    }
  }

  private void put(RateLimit put) {
    int[] before = IN_SWITCH.stream().mapToInt(this::directions).toArray();
    limits.stream().filter(l -> l.id().equals(put.id())).findAny().ifPresent(l -> change(l, put));
    limits.removeIf(l -> l.id().equals(put.id()));
    if (put.scope() instanceof Scope.OfSubscriber of) {
      addIf(
          subscribers.stream().noneMatch(s -> s.id().equals(of.subscriberId())),
          "INVALID scope.subscriber");
    } else {
      int port =
          put.scope() instanceof Scope.OfTree of ? of.port() : ((Scope.OfPort) put.scope()).port();
      addIf(topology.switchPort(port).isEmpty(), "INVALID scope.port");
    }
    addIf(limits.stream().anyMatch(l -> l.scope().equals(put.scope())), "CONFLICT scope");
    for (Direction direction : Direction.values()) {
      if (put.rateBps(direction).isEmpty()) {
        continue;
      }
      Optional<Enforcement> limiter = limiter(put, direction);
      addIf(limiter.isEmpty(), "INVALID enforcement");
      limiter.ifPresent(of -> admit(put, direction, of));
    }
    limits.add(put);
    boolean full =
        subscribers.stream()
            .anyMatch(at -> limitedIn(at, this::isShaped) > fpga.customersPerTree());
    boolean switchFull = false;
    for (int i = 0; i < before.length; i++) {
      int after = directions(IN_SWITCH.get(i));
      switchFull |= after > before[i] && after > capacity(IN_SWITCH.get(i));
    }
    addIf(problems.isEmpty() && (full || switchFull), "CAPACITY scope");
  }
}
