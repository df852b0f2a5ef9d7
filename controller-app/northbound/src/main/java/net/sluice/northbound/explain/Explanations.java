package net.sluice.northbound.explain;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import net.sluice.core.Controller;
import net.sluice.core.Declared;
import net.sluice.core.TargetState;
import net.sluice.core.TargetStatus;
import net.sluice.core.shard.NetworkSwitch;
import net.sluice.core.traffic.Sharing;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.policy.TrafficClass;
import net.sluice.intents.plan.Grant;
import net.sluice.intents.share.Sharers;
import net.sluice.intents.value.Direction;
import net.sluice.intents.verdict.LimitVerdict;
import net.sluice.intents.verdict.Sentences;
import net.sluice.intents.verdict.Stand;
import net.sluice.intents.verdict.SwitchStanding;
import net.sluice.intents.verdict.Tally;
import net.sluice.intents.verdict.TrafficLoad;
import net.sluice.northbound.explain.Chain.Link;
import net.sluice.northbound.explain.Explanation.Side;
import net.sluice.northbound.usage.Delay;
import net.sluice.northbound.usage.Measured;
import net.sluice.northbound.usage.Rates;
import net.sluice.northbound.usage.Usage;
import net.sluice.northbound.usage.UsagePoint;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells why subscribers get what they get. What the others on a switch do is summed up when it is
 * asked for and kept for a while, so that the next questions cost a look at one subscriber each.
 * Thread-safe.
 */
public final class Explanations {
  private static final Logger LOG = LoggerFactory.getLogger(Explanations.class);

  /** The time after which others are summed up anew. */
  private static final Duration KEPT = Duration.ofSeconds(20);

  private final Controller controller;
  private final Usage usage;
  private final Clock clock;
  private final Map<String, Summed> summed = new ConcurrentHashMap<>();
  private final Set<String> summing = ConcurrentHashMap.newKeySet();

  /** The standings of a switch and who leaves by its ports, and when they were made. */
  private record Summed(
      Instant at, Map<Direction, SwitchStanding> standings, Map<Direction, PortTally> ports) {}

  /** Explanations of what {@code usage} has measured. */
  public Explanations(Controller controller, Usage usage, Clock clock) {
    this.controller = controller;
    this.usage = usage;
    this.clock = clock;
  }

  /**
   * Tells what limits a subscriber.
   *
   * @param at a moment in the past, of which the subscriber's own load is; declarations and the
   *     others' loads are those of now. Empty for now
   * @return empty if there is no such subscriber
   */
  public Optional<Explanation> explain(String id, Optional<Instant> at) {
    return controller
        .find(Kind.SUBSCRIBER, id)
        .map(
            found -> {
              Measured which = new Measured.OfSubscriber(id);
              Optional<UsagePoint> point =
                  at.isPresent() ? usage.at(which, at.get()) : usage.latest(which);
              Sharing sharing = sharing(found);
              Map<Direction, SwitchStanding> standings = standings(sharing);
              Map<Direction, Side> sides = new EnumMap<>(Direction.class);
              for (Direction direction : Direction.values()) {
                sides.put(
                    direction,
                    side(
                        found,
                        direction,
                        point.flatMap(each -> each.of(direction)),
                        sharing.stand(id, direction),
                        standings.get(direction)));
              }
              return new Explanation(id, point.map(UsagePoint::at), sides);
            });
  }

  /** The switch that a subscriber is at. */
  private Sharing sharing(Declared found) {
    String name = found.switchName().orElse(NetworkSwitch.ONLY);
    List<Sharing> all = controller.sharing();
    return all.stream()
        .filter(each -> each.switchName().equals(name))
        .findFirst()
        .orElseGet(() -> all.get(0));
  }

  /** Only the first that ask of a switch wait until others are summed up. */
  private Map<Direction, SwitchStanding> standings(Sharing sharing) {
    return summed(sharing).standings;
  }

  private Summed summed(Sharing sharing) {
    String name = sharing.switchName();
    Summed kept = summed.get(name);
    if (kept == null) {
      return summed.computeIfAbsent(name, none -> sumUp(sharing));
    }
    if (kept.at.plus(KEPT).isBefore(clock.instant()) && summing.add(name)) {
      var unused =
          CompletableFuture.runAsync(() -> summed.put(name, sumUp(sharing)))
              .whenComplete(
                  (done, failure) -> {
                    if (failure != null) {
                      LOG.warn("the loads of switch {} are not summed up anew", name, failure);
                    }
                    summing.remove(name);
                  });
    }
    return kept;
  }

  private Summed sumUp(Sharing sharing) {
    Instant at = clock.instant();
    Map<Direction, Tally> tallies = new EnumMap<>(Direction.class);
    Map<Direction, PortTally> ports = new EnumMap<>(Direction.class);
    for (Direction direction : Direction.values()) {
      tallies.put(direction, sharing.tally(direction));
      ports.put(direction, new PortTally());
    }
    usage.walk(
        sharing.switchName(),
        (id, point) ->
            tallies.forEach(
                (direction, tally) ->
                    point
                        .of(direction)
                        .ifPresent(
                            rates ->
                                sharing
                                    .stand(id, direction)
                                    .ifPresent(
                                        stand -> {
                                          tally.add(load(rates), stand);
                                          ports.get(direction).add(id, load(rates), stand);
                                        }))));
    Map<Direction, SwitchStanding> standings = new EnumMap<>(Direction.class);
    tallies.forEach((direction, tally) -> standings.put(direction, tally.close()));
    return new Summed(at, standings, ports);
  }

  /** The measured load, as verdicts take it. */
  public static TrafficLoad load(Rates rates) {
    return new TrafficLoad(
        rates.offeredBps(),
        rates.gotBps(),
        rates.policedBps(),
        rates.overflowedBps(),
        rates.droppedBps(),
        rates.suspendedBps(),
        rates.delay().map(Delay::p95).orElse(Double.NaN));
  }

  private Side side(
      Declared found,
      Direction direction,
      Optional<Rates> rates,
      Optional<Stand> stand,
      SwitchStanding standing) {
    Subscriber subscriber = (Subscriber) found.declared();
    Optional<TrafficLoad> load = rates.map(Explanations::load);
    Optional<SwitchStanding.Finding> finding =
        load.isPresent() && stand.isPresent()
            ? Optional.of(standing.of(load.get(), stand.get()))
            : Optional.empty();
    Optional<LimitVerdict> verdict =
        obstacle(found, direction, stand).or(() -> finding.map(SwitchStanding.Finding::verdict));
    boolean isStopped =
        verdict.isPresent()
            && (verdict.get() instanceof LimitVerdict.Suspended
                || verdict.get() instanceof LimitVerdict.PortDown);
    return new Side(
        limit(new Scope.OfSubscriber(subscriber.id()), found)
            .map(limit -> declaredBps(limit, direction))
            .orElse(OptionalDouble.empty()),
        grantedBps(found, direction),
        load,
        isStopped
            ? OptionalDouble.of(0)
            : finding
                .map(SwitchStanding.Finding::entitledBps)
                .filter(Double::isFinite)
                .map(OptionalDouble::of)
                .orElse(OptionalDouble.empty()),
        verdict,
        verdict
            .map(each -> Sentences.of(each, direction, load.orElse(TrafficLoad.NONE)))
            .orElse("Nothing has been measured of it yet."));
  }

  /** The obstacle that stops its packets at any load. */
  private Optional<LimitVerdict> obstacle(
      Declared found, Direction direction, Optional<Stand> stand) {
    if (((Subscriber) found.declared()).parts().stopped()) {
      return Optional.of(new LimitVerdict.Suspended());
    }
    Optional<LimitVerdict> outOfStep = outOfStep(found, direction);
    if (outOfStep.isPresent()) {
      return outOfStep;
    }
    return stand.filter(of -> of.line() != Sharers.NONE).flatMap(of -> down(found, of.line()));
  }

  /** The target of a direction that does not hold a declaration. */
  static Optional<LimitVerdict> outOfStep(Declared found, Direction direction) {
    Direction other = direction == Direction.DOWN ? Direction.UP : Direction.DOWN;
    for (TargetStatus target : found.targets()) {
      boolean isOfThis = !target.target().endsWith("fpga-" + other.text());
      if (isOfThis && target.state() != TargetState.INSTALLED) {
        return Optional.of(
            new LimitVerdict.OutOfStep(
                target.target(), target.error().or(target::awaits).orElse("")));
      }
    }
    return Optional.empty();
  }

  private Optional<LimitVerdict> down(Declared found, int line) {
    return controller.switches().stream()
        .filter(
            each -> found.switchName().isEmpty() || found.switchName().get().equals(each.name()))
        .findFirst()
        .flatMap(each -> each.ports())
        .map(ports -> ports.ports())
        .filter(ports -> line < ports.size())
        .map(ports -> ports.get(line))
        .filter(port -> port.up().equals(Optional.of(false)))
        .map(
            port ->
                new LimitVerdict.PortDown(
                    new LimitVerdict.Place(found.switchName().orElse(""), port.port())));
  }

  private Optional<Declared> limit(Scope scope, Declared of) {
    return controller.rateLimitOf(scope, of.switchName());
  }

  private static OptionalDouble declaredBps(Declared limit, Direction direction) {
    var bps = ((RateLimit) limit.declared()).rateBps(direction);
    return bps.isPresent() ? OptionalDouble.of(bps.getAsLong()) : OptionalDouble.empty();
  }

  private static OptionalDouble grantedBps(Optional<Declared> limit, Direction direction) {
    return limit.stream()
        .flatMap(each -> each.grants().stream())
        .filter(grant -> grant.field().equals(direction.text() + "Bps"))
        .mapToDouble(Grant::granted)
        .min();
  }

  private OptionalDouble grantedBps(Declared found, Direction direction) {
    return scopes((Subscriber) found.declared()).stream()
        .map(scope -> grantedBps(limit(scope, found), direction))
        .filter(OptionalDouble::isPresent)
        .mapToDouble(OptionalDouble::getAsDouble)
        .min();
  }

  private static List<Scope> scopes(Subscriber subscriber) {
    Attachment at = subscriber.attachment();
    return List.of(
        new Scope.OfPort(at.port()),
        new Scope.OfTree(at.port(), at.tree()),
        new Scope.OfSubscriber(subscriber.id()));
  }

  // ---------------------------------------------------------------- ports

  /**
   * The subscribers that leave by a switch port, by direction; a direction in which none does is
   * not there. Empty if there is no such port.
   */
  public Optional<Map<Direction, PortShares>> shares(String switchName, int port) {
    return controller.sharing().stream()
        .filter(each -> each.switchName().equals(switchName))
        .findFirst()
        .flatMap(sharing -> shares(summed(sharing), port));
  }

  private Optional<Map<Direction, PortShares>> shares(Summed of, int port) {
    Map<Direction, PortShares> shares = new EnumMap<>(Direction.class);
    boolean isThere = false;
    for (Direction direction : Direction.values()) {
      SwitchStanding standing = of.standings.get(direction);
      for (int line = 0; line < standing.lines().size(); line++) {
        if (standing.lines().get(line).place().port() == port) {
          isThere = true;
          if (standing.line(line).subscribers() > 0) {
            shares.put(
                direction,
                of.ports
                    .get(direction)
                    .shares(of.at, line, standing, id -> policyOf(id, direction)));
          }
        }
      }
    }
    return isThere ? Optional.of(shares) : Optional.empty();
  }

  private String policyOf(String id, Direction direction) {
    return controller
        .find(Kind.SUBSCRIBER, id)
        .map(found -> ((Subscriber) found.declared()).policyId(direction))
        .orElse("");
  }

  // ---------------------------------------------------------------- the chain

  /** The places that a subscriber's packets pass; empty if there is no such subscriber. */
  public Optional<Chain> chain(String id) {
    return controller
        .find(Kind.SUBSCRIBER, id)
        .map(
            found -> {
              Optional<UsagePoint> point = usage.latest(new Measured.OfSubscriber(id));
              Sharing sharing = sharing(found);
              Map<Direction, SwitchStanding> standings = standings(sharing);
              Map<Direction, List<Link>> links = new EnumMap<>(Direction.class);
              for (Direction direction : Direction.values()) {
                links.put(
                    direction,
                    links(
                        found,
                        direction,
                        point.flatMap(each -> each.of(direction)),
                        sharing.stand(id, direction),
                        standings.get(direction)));
              }
              return new Chain(id, links);
            });
  }

  private List<Link> links(
      Declared found,
      Direction direction,
      Optional<Rates> rates,
      Optional<Stand> stand,
      SwitchStanding standing) {
    Subscriber subscriber = (Subscriber) found.declared();
    Attachment at = subscriber.attachment();
    List<Scope> scopes = scopes(subscriber);
    List<Link> links = new ArrayList<>();
    stand
        .filter(of -> of.line() != Sharers.NONE)
        .ifPresent(
            of -> {
              Tally.Line line = standing.lines().get(of.line());
              SwitchStanding.Sum sum = standing.line(of.line());
              links.add(
                  shared(
                      "port",
                      "switch port " + line.place().port(),
                      OptionalDouble.empty(),
                      OptionalDouble.of(line.rateBps()),
                      sum));
            });
    links.add(
        shared(
            "port",
            "BNG port " + at.port(),
            limit(scopes.get(0), found),
            direction,
            standing.port(at.port())));
    links.add(
        shared(
            "tree",
            "tree " + at.tree() + " of BNG port " + at.port(),
            limit(scopes.get(1), found),
            direction,
            standing.tree(at.treeIndex())));
    Optional<Declared> own = limit(scopes.get(2), found);
    links.add(
        new Link(
            "subscriber",
            subscriber.id(),
            of(rates.map(Rates::offeredBps)),
            of(rates.map(Rates::gotBps)),
            own.map(limit -> declaredBps(limit, direction)).orElse(OptionalDouble.empty()),
            grantedBps(own, direction),
            rates
                .flatMap(Rates::delay)
                .map(delay -> OptionalDouble.of(delay.p95()))
                .orElse(OptionalDouble.empty()),
            of(rates.map(each -> Math.max(0, each.offeredBps() - each.gotBps())))));
    classes(subscriber, direction)
        .forEach(
            name ->
                links.add(
                    new Link(
                        "class",
                        name,
                        OptionalDouble.empty(),
                        OptionalDouble.empty(),
                        OptionalDouble.empty(),
                        OptionalDouble.empty(),
                        OptionalDouble.empty(),
                        OptionalDouble.empty())));
    return links;
  }

  /** Nothing counts by class; it is told which ones there are. */
  private List<String> classes(Subscriber subscriber, Direction direction) {
    return controller
        .find(Kind.POLICY, subscriber.policyId(direction))
        .map(found -> (Policy) found.declared())
        .map(policy -> policy.classes().all().stream().map(TrafficClass::name).toList())
        .orElse(List.of());
  }

  private static Link shared(
      String level,
      String name,
      Optional<Declared> limit,
      Direction direction,
      SwitchStanding.Sum sum) {
    return shared(
        level,
        name,
        limit.map(each -> declaredBps(each, direction)).orElse(OptionalDouble.empty()),
        grantedBps(limit, direction),
        sum);
  }

  private static Link shared(
      String level,
      String name,
      OptionalDouble limitBps,
      OptionalDouble grantedBps,
      SwitchStanding.Sum sum) {
    boolean isMeasured = sum.subscribers() > 0;
    return new Link(
        level,
        name,
        isMeasured ? OptionalDouble.of(sum.offeredBps()) : OptionalDouble.empty(),
        isMeasured ? OptionalDouble.of(sum.gotBps()) : OptionalDouble.empty(),
        limitBps,
        grantedBps,
        OptionalDouble.empty(),
        isMeasured
            ? OptionalDouble.of(Math.max(0, sum.offeredBps() - sum.gotBps()))
            : OptionalDouble.empty());
  }

  private static OptionalDouble of(Optional<Long> bps) {
    return bps.map(OptionalDouble::of).orElse(OptionalDouble.empty());
  }
}
