package net.sluice.core.testing;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.Gate;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.LimitTerms;
import net.sluice.intents.model.OptionalParts;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.SubscriberTerms;
import net.sluice.intents.model.aggregate.Aggregate;
import net.sluice.intents.model.aggregate.AggregateMarker;
import net.sluice.intents.model.aggregate.Aggregates;
import net.sluice.intents.model.policy.Aqm;
import net.sluice.intents.model.policy.AqmKind;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.model.policy.TrafficClass;
import net.sluice.intents.model.policy.TrafficClasses;
import net.sluice.intents.model.schedule.Schedule;
import net.sluice.intents.model.schedule.Span;
import net.sluice.intents.plan.Change;

/**
 * Changes of declarations that are mostly not always the same, with all that cannot be beside each
 * other: classes and limits of the switch, {@code aqm} of one queue, contracts and lower limits,
 * queues of one tree. Drawn from few ids, so that they collide all the time.
 */
public final class RandomTimedChanges {
  /** Number of ids of each kind. */
  public static final int IDS = 6;

  private static final int POLICIES = 5;
  private static final long[] RATES_BPS = {1_000_000, 5_000_000, 20_000_000, 100_000_000};
  private static final long[] COMMITTED_BPS = {2_000_000, 10_000_000, 50_000_000};

  private final Random random;
  private final List<String> switches;

  /** Changes for some switches. */
  public RandomTimedChanges(Random random, List<String> switches) {
    this.random = random;
    this.switches = switches;
  }

  /** The id of a declaration. */
  public static String id(Kind kind, int number) {
    return kind.words().charAt(0) + "" + number;
  }

  private String id(Kind kind) {
    return id(kind, random.nextInt(kind == Kind.POLICY ? POLICIES : IDS));
  }

  /** Every policy, as it is to begin with. */
  public List<Change> policies() {
    List<Change> all = new ArrayList<>();
    for (int i = 0; i < POLICIES; i++) {
      all.add(new Change.Put(policy(id(Kind.POLICY, i))));
    }
    return all;
  }

  /** The next change. */
  public Change next(Instant now) {
    int kind = random.nextInt(100);
    if (kind < 12) {
      return new Change.Put(policy(id(Kind.POLICY)));
    } else if (kind < 14) {
      return new Change.Delete(Kind.POLICY, id(Kind.POLICY));
    } else if (kind < 55) {
      return new Change.Put(subscriber(now), anySwitch());
    } else if (kind < 61) {
      return new Change.Delete(Kind.SUBSCRIBER, id(Kind.SUBSCRIBER));
    } else if (kind < 94) {
      RateLimit limit = limit(now);
      return new Change.Put(
          limit, limit.scope() instanceof Scope.OfSubscriber ? Optional.empty() : anySwitch());
    }
    return new Change.Delete(Kind.RATE_LIMIT, id(Kind.RATE_LIMIT));
  }

  /** A time that passes: often just to when schedules begin and end. */
  public Duration pause(Instant now) {
    return switch (random.nextInt(6)) {
      case 0 -> Duration.ofSeconds(6 * 3_600 - now.getEpochSecond() % (6 * 3_600));
      case 1 -> Duration.ofMinutes(random.nextInt(900));
      case 2 -> Duration.ofSeconds(random.nextInt(60));
      default -> Duration.ZERO;
    };
  }

  private Optional<String> anySwitch() {
    // Mostly the first: what moves all the time collides with nothing.
    int which = random.nextInt(4 * switches.size());
    return Optional.of(switches.get(which < switches.size() ? which : 0));
  }

  private Policy policy(String id) {
    int kind = random.nextInt(5);
    Optional<Aqm> aqm =
        switch (kind) {
          case 0 -> Optional.of(new Aqm.CoDel(AqmKind.CODEL_ACT, 5_000, 100_000, false));
          case 1 -> Optional.of(new Aqm.CoDel(AqmKind.RFC8289, 9_000, 100_000, true));
          default -> Optional.empty();
        };
    TrafficClasses classes =
        kind == 2
            ? new TrafficClasses(
                List.of(
                    new TrafficClass("voice", List.of(46), OptionalInt.of(1), OptionalInt.empty()),
                    new TrafficClass("rest", List.of(), OptionalInt.empty(), OptionalInt.of(1))))
            : TrafficClasses.NONE;
    return new Policy(id, BuiltInFunction.GOLD, aqm, classes);
  }

  private Subscriber subscriber(Instant now) {
    int number = random.nextInt(IDS);
    SubscriberTerms.Holding.Has otherwise = has();
    Subscriber always =
        new Subscriber(
            id(Kind.SUBSCRIBER, number),
            otherwise.policyId(),
            List.of(IpPrefix.v4(0x0a000000 + number, 32)),
            Optional.empty(),
            new Attachment(random.nextInt(2), random.nextInt(2)),
            OptionalParts.NONE
                .withUpstreamPolicy(otherwise.upstreamPolicyId())
                .withAggregates(contract()));
    Optional<SubscriberTerms.Holding> suspendedTo =
        random.nextInt(5) == 0 ? Optional.of(holding()) : Optional.empty();
    Schedule<SubscriberTerms.Holding> schedule = schedule(now, this::holding);
    return always.withParts(
        always.parts().withTerms(SubscriberTerms.of(otherwise, suspendedTo, schedule)));
  }

  private Aggregates contract() {
    return random.nextInt(3) > 0
        ? Aggregates.NONE
        : Aggregates.of(
            List.of(
                Aggregate.up(
                    COMMITTED_BPS[random.nextInt(COMMITTED_BPS.length)],
                    100_000,
                    new AggregateMarker.TokenBucket())));
  }

  private SubscriberTerms.Holding holding() {
    return random.nextInt(5) == 0 ? new SubscriberTerms.Holding.Stopped() : has();
  }

  private SubscriberTerms.Holding.Has has() {
    return new SubscriberTerms.Holding.Has(
        id(Kind.POLICY), random.nextInt(4) == 0 ? Optional.of(id(Kind.POLICY)) : Optional.empty());
  }

  private <T> Schedule<T> schedule(Instant now, Supplier<T> holds) {
    List<Schedule.Entry<T>> entries = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      entries.add(new Schedule.Entry<>(span(now), holds.get()));
    }
    return new Schedule<>(entries);
  }

  private Span span(Instant now) {
    if (random.nextInt(4) == 0) {
      return new Span.Until(now.plus(Duration.ofMinutes(1 + random.nextInt(6_000))));
    }
    Set<DayOfWeek> days = EnumSet.of(DayOfWeek.of(1 + random.nextInt(7)));
    return new Span.Daily(
        time(),
        time(),
        ZoneId.of(random.nextBoolean() ? "UTC" : "Europe/Berlin"),
        random.nextBoolean() ? Span.Daily.EVERY_DAY : days);
  }

  /** Few, so that schedules begin and end together. */
  private LocalTime time() {
    return LocalTime.of(6 * random.nextInt(4), 0);
  }

  private RateLimit limit(Instant now) {
    int scope = random.nextInt(10);
    Scope of =
        scope < 6
            ? new Scope.OfSubscriber(id(Kind.SUBSCRIBER))
            : scope < 9
                ? new Scope.OfTree(random.nextInt(2), random.nextInt(2))
                : new Scope.OfPort(random.nextInt(2));
    LimitTerms.Rates rates = rates(true);
    return new RateLimit(
        id(Kind.RATE_LIMIT),
        of,
        rates.downBps(),
        rates.upBps(),
        rates.burstBytes(),
        switch (random.nextInt(4)) {
          case 0 -> Optional.of(Enforcement.POLICE);
          case 1 -> Optional.of(Enforcement.SHAPE);
          case 2 -> Optional.of(Enforcement.FPGA);
          default -> Optional.empty();
        },
        Gate.OPEN,
        scope < 6 || random.nextInt(3) > 0 ? OptionalInt.empty() : OptionalInt.of(150),
        LimitTerms.of(
            rates,
            random.nextInt(5) == 0,
            schedule(
                now,
                () ->
                    random.nextInt(4) == 0
                        ? new LimitTerms.Holding.Off()
                        : new LimitTerms.Holding.At(rates(false)))));
  }

  private LimitTerms.Rates rates(boolean isBurstAllowed) {
    int which = random.nextInt(3);
    return new LimitTerms.Rates(
        which == 1 ? OptionalLong.empty() : OptionalLong.of(rateBps()),
        which == 2 ? OptionalLong.empty() : OptionalLong.of(rateBps()),
        isBurstAllowed && random.nextInt(4) == 0 ? OptionalInt.of(8_000) : OptionalInt.empty());
  }

  private long rateBps() {
    return RATES_BPS[random.nextInt(RATES_BPS.length)];
  }
}
