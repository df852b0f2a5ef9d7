package net.sluice.rest.testing;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Gate;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Labels;
import net.sluice.intents.model.LimitTerms;
import net.sluice.intents.model.OptionalParts;
import net.sluice.intents.model.PlainText;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.SubscriberTerms;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.model.aggregate.Aggregate;
import net.sluice.intents.model.aggregate.AggregateMarker;
import net.sluice.intents.model.aggregate.Aggregates;
import net.sluice.intents.model.policy.Aqm;
import net.sluice.intents.model.policy.AqmKind;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.model.policy.FlowOrder;
import net.sluice.intents.model.policy.LikeFunction;
import net.sluice.intents.model.policy.LimitAqm;
import net.sluice.intents.model.policy.LimitDelay;
import net.sluice.intents.model.policy.PointsFunction;
import net.sluice.intents.model.policy.ThroughputValueFunction;
import net.sluice.intents.model.policy.TrafficClass;
import net.sluice.intents.model.policy.TrafficClasses;
import net.sluice.intents.model.policy.WeightFunction;
import net.sluice.intents.model.schedule.Schedule;
import net.sluice.intents.model.schedule.Span;
import net.sluice.intents.value.Direction;
import net.sluice.intents.value.Ids;

/** Arbitrary declarations: every form the API has, and nothing the model refuses. */
public final class Declared {
  private static final String FIRST = "aZ09";
  private static final String OTHERS = "azAZ09._-";

  private Declared() {}

  /** Identifiers. */
  public static Arbitrary<String> ids() {
    return Combinators.combine(
            Arbitraries.of('a', 'Z', '0', '9'),
            Arbitraries.strings().withChars(OTHERS.toCharArray()).ofMaxLength(Ids.MAX_LENGTH - 1))
        .as((first, others) -> first + others);
  }

  /** Attachments. */
  public static Arbitrary<Attachment> attachments() {
    return Combinators.combine(
            Arbitraries.integers().between(0, Attachment.MAX_PORT),
            Arbitraries.integers().between(0, Attachment.MAX_TREE))
        .as(Attachment::new);
  }

  /** IPv4 and IPv6 prefixes of every length. */
  public static Arbitrary<IpPrefix> prefixes() {
    Arbitrary<IpPrefix> v4 =
        Combinators.combine(Arbitraries.integers(), Arbitraries.integers().between(0, 32))
            .as((bits, length) -> IpPrefix.v4(length == 0 ? 0 : bits & -1 << 32 - length, length));
    Arbitrary<IpPrefix> v6 =
        Combinators.combine(Arbitraries.longs(), Arbitraries.integers().between(1, 64))
            .as((bits, length) -> IpPrefix.v6(bits & -1L << 64 - length, 0, length));
    return Arbitraries.oneOf(v4, v6);
  }

  /** Subscribers with prefixes, tags, or both. */
  public static Arbitrary<Subscriber> subscribers() {
    Arbitrary<Integer> vlan = Arbitraries.integers().between(VlanTags.MIN, VlanTags.MAX);
    Arbitrary<Optional<VlanTags>> vlans =
        Arbitraries.oneOf(
            Arbitraries.just(Optional.empty()),
            vlan.map(VlanTags::single).map(Optional::of),
            Combinators.combine(vlan, vlan).as(VlanTags::pair).map(Optional::of));
    return Combinators.combine(ids(), ids(), prefixes().list().ofMaxSize(5), vlans, attachments())
        .as(
            (id, policy, prefixes, tags, attachment) ->
                new Subscriber(
                    id,
                    policy,
                    prefixes.isEmpty() && tags.isEmpty()
                        ? List.of(IpPrefix.v4(0x0a000001, 32))
                        : prefixes,
                    tags,
                    attachment));
  }

  /** Subscribers with optional parts, too. */
  public static Arbitrary<Subscriber> subscribersWithParts() {
    return Combinators.combine(subscribers(), optionalParts()).as(Declared::withParts);
  }

  private static Arbitrary<OptionalParts> optionalParts() {
    Arbitrary<OptionalParts> labelled =
        Arbitraries.maps(ids(), ids())
            .ofMaxSize(Labels.MAX_LABELS)
            .map(labels -> OptionalParts.NONE.withLabels(new Labels(new TreeMap<>(labels))));
    return Combinators.combine(
            labelled, aggregates(), subscriberTerms(), ids().optional(), displayNames())
        .as(
            (parts, aggregates, terms, upstreamPolicyId, displayName) ->
                parts
                    .withDisplayName(displayName)
                    .withAggregates(aggregates)
                    .withTerms(terms)
                    .withUpstreamPolicy(upstreamPolicyId));
  }

  /** Names for people, of one script or several. */
  private static Arbitrary<Optional<String>> displayNames() {
    return Arbitraries.of("Café Zoë", "日本語", "😀".repeat(PlainText.MAX_NAME), " ").optional();
  }

  private static Arbitrary<Span> spans() {
    Arbitrary<Span> until =
        Arbitraries.longs()
            .between(0, Span.Until.AFTER_LAST.toEpochMilli() - 1)
            .map(millis -> new Span.Until(Instant.ofEpochMilli(millis)));
    Arbitrary<LocalTime> times =
        Arbitraries.integers().between(0, 1439).map(minute -> LocalTime.ofSecondOfDay(60 * minute));
    Arbitrary<Span> daily =
        Combinators.combine(
                times,
                times,
                Arbitraries.of("Europe/Berlin", "UTC", "Etc/GMT+1", "America/St_Johns")
                    .map(ZoneId::of),
                Arbitraries.of(DayOfWeek.values()).set().ofMinSize(1))
            .as(Span.Daily::new);
    return Arbitraries.oneOf(until, daily);
  }

  private static <T> Arbitrary<Schedule<T>> schedules(Arbitrary<T> holds) {
    return Combinators.combine(spans(), holds)
        .as(Schedule.Entry<T>::new)
        .list()
        .ofMaxSize(Schedule.MAX_ENTRIES)
        .map(Schedule::new);
  }

  /** Terms of subscribers as declared; their policies otherwise are set with the subscriber. */
  private static Arbitrary<Optional<SubscriberTerms>> subscriberTerms() {
    Arbitrary<SubscriberTerms.Holding> holdings =
        Arbitraries.oneOf(
            Arbitraries.just(new SubscriberTerms.Holding.Stopped()),
            Combinators.combine(ids(), ids().optional()).as(SubscriberTerms.Holding.Has::new));
    return Combinators.combine(holdings.optional(), schedules(holdings))
        .as(
            (suspended, schedule) ->
                SubscriberTerms.of(
                    new SubscriberTerms.Holding.Has("otherwise"), suspended, schedule));
  }

  private static Subscriber withParts(Subscriber subscriber, OptionalParts parts) {
    Optional<SubscriberTerms> terms =
        parts
            .terms()
            .flatMap(
                of ->
                    SubscriberTerms.of(
                        new SubscriberTerms.Holding.Has(
                            subscriber.policyId(), parts.upstreamPolicyId()),
                        of.suspendedTo(),
                        of.schedule()));
    return subscriber.withParts(parts.withTerms(terms));
  }

  /** Rate limits with schedules, or suspended, as declared. */
  public static Arbitrary<RateLimit> timedRateLimits() {
    Arbitrary<OptionalLong> rates =
        Arbitraries.longs().between(1, 999_999_999L).map(OptionalLong::of);
    Arbitrary<LimitTerms.Holding> holdings =
        Arbitraries.oneOf(
            Arbitraries.just(new LimitTerms.Holding.Off()),
            Combinators.combine(rates, rates)
                .as(
                    (down, up) ->
                        new LimitTerms.Holding.At(
                            new LimitTerms.Rates(
                                down, OptionalLong.empty(), OptionalInt.empty()))));
    return Combinators.combine(rateLimits(), Arbitraries.of(true, false), schedules(holdings))
        .as(
            (limit, suspended, schedule) ->
                new RateLimit(
                    limit.id(),
                    limit.scope(),
                    limit.downBps(),
                    limit.upBps(),
                    limit.burstBytes(),
                    limit.enforcement(),
                    limit.gate(),
                    limit.maxCommittedPercent(),
                    LimitTerms.of(
                        new LimitTerms.Rates(limit.downBps(), limit.upBps(), limit.burstBytes()),
                        suspended,
                        schedule),
                    limit.displayName(),
                    limit.delay()));
  }

  private static Arbitrary<LimitDelay> delays() {
    return Combinators.combine(
            Arbitraries.of(
                    LimitAqm.NONE,
                    LimitAqm.DEFAULT,
                    new LimitAqm(true, 1, 5_000, false, true),
                    new LimitAqm(true, 1_000_000, 1_000_000, true, false))
                .optional(),
            Arbitraries.integers().between(1, LimitDelay.MAX_MILLIS).optional())
        .as(
            (aqm, millis) ->
                new LimitDelay(aqm, millis.map(OptionalInt::of).orElse(OptionalInt.empty())));
  }

  private static Arbitrary<Aggregates> aggregates() {
    Arbitrary<AggregateMarker> markers =
        Arbitraries.of(
            new AggregateMarker.TokenBucket(),
            new AggregateMarker.Tsw2cm(),
            new AggregateMarker.Tsw2cm(8_000),
            new AggregateMarker.Pam(),
            new AggregateMarker.Pam(0, 1, 0.25, 16),
            new AggregateMarker.Fsam(),
            new AggregateMarker.Fsam(50, 10_000, Map.of(46, 4.0, 0, 1.5)));
    return Combinators.combine(
            Arbitraries.of(Direction.values()).list().ofMaxSize(2),
            markers,
            Arbitraries.longs().between(1_000, 10_000_000_000L),
            Arbitraries.integers().between(0, 63))
        .as(
            (directions, marker, cirBps, dscp) ->
                Aggregates.of(
                    directions.stream()
                        .map(
                            direction ->
                                new Aggregate(
                                    direction,
                                    cirBps,
                                    Aggregate.defaultBurstBytes(cirBps),
                                    marker,
                                    dscp,
                                    63 - dscp))
                        .toList()));
  }

  /** Rate limits of every scope. */
  public static Arbitrary<RateLimit> rateLimits() {
    Arbitrary<Scope> scopes =
        Arbitraries.oneOf(
            ids().map(Scope.OfSubscriber::new),
            attachments().map(at -> new Scope.OfTree(at.port(), at.tree())),
            attachments().map(at -> new Scope.OfPort(at.port())));
    Arbitrary<Long> rates = Arbitraries.longs().between(1, 999_999_999_999_999_999L);
    return Combinators.combine(
            ids(),
            scopes,
            rates.optional(),
            rates.optional(),
            rates,
            Arbitraries.integers().between(RateLimit.MIN_BURST_BYTES, Integer.MAX_VALUE).optional(),
            Combinators.combine(Arbitraries.of(Gate.values()), delays()).as(Map::entry),
            displayNames())
        .as(
            (id, scope, down, up, otherwise, burst, gateAndDelay, displayName) ->
                new RateLimit(
                    id,
                    scope,
                    down.isEmpty() && up.isEmpty()
                        ? OptionalLong.of(otherwise)
                        : down.map(OptionalLong::of).orElse(OptionalLong.empty()),
                    up.map(OptionalLong::of).orElse(OptionalLong.empty()),
                    burst.map(OptionalInt::of).orElse(OptionalInt.empty()),
                    Optional.empty(),
                    gateAndDelay.getKey(),
                    scope instanceof Scope.OfSubscriber || otherwise % 2 == 0
                        ? OptionalInt.empty()
                        : OptionalInt.of((int) (1 + otherwise % RateLimit.MAX_PERCENT)),
                    Optional.empty(),
                    displayName,
                    scope instanceof Scope.OfSubscriber
                        ? gateAndDelay.getValue()
                        : LimitDelay.UNSAID));
  }

  /** Policies with functions of every form. */
  public static Arbitrary<Policy> policies() {
    Arbitrary<ThroughputValueFunction> points =
        Combinators.combine(
                Arbitraries.longs()
                    .between(1, PointsFunction.Point.MAX_RATE_BPS)
                    .set()
                    .ofMinSize(2)
                    .ofMaxSize(20),
                Arbitraries.doubles().between(1, 1e9).ofScale(3).set().ofSize(20))
            .as((rates, values) -> curve(new TreeSet<>(rates), new TreeSet<>(values)));
    return Combinators.combine(
            ids(),
            Arbitraries.oneOf(
                Arbitraries.of(BuiltInFunction.values()),
                points,
                ids().map(LikeFunction::new),
                Combinators.combine(
                        Arbitraries.longs()
                            .between(1, WeightFunction.MAX_GUARANTEED_BPS)
                            .map(OptionalLong::of)
                            .injectNull(0.5),
                        Arbitraries.doubles().between(0.1, 1000).ofScale(2))
                    .as(
                        (bps, weight) ->
                            new WeightFunction(bps == null ? OptionalLong.empty() : bps, weight))),
            aqms(),
            classes(),
            displayNames(),
            delays(),
            Arbitraries.of(FlowOrder.values()).optional(),
            Arbitraries.integers()
                .between(1, Policy.MAX_RTT_MILLIS)
                .map(OptionalInt::of)
                .injectNull(0.5)
                .map(millis -> millis == null ? OptionalInt.empty() : millis))
        .as(Policy::new);
  }

  /** Up to four, the last one with a priority and of all other packets. */
  private static Arbitrary<TrafficClasses> classes() {
    Arbitrary<TrafficClasses> some =
        Arbitraries.integers()
            .between(1, TrafficClass.MAX_SHARE)
            .list()
            .ofMaxSize(3)
            .map(
                shares -> {
                  List<TrafficClass> all = new ArrayList<>();
                  for (int share : shares) {
                    all.add(
                        new TrafficClass(
                            "c" + all.size(),
                            List.of(all.size(), 63 - all.size()),
                            OptionalInt.empty(),
                            OptionalInt.of(share)));
                  }
                  all.add(
                      new TrafficClass("rest", List.of(), OptionalInt.of(8), OptionalInt.empty()));
                  return new TrafficClasses(all);
                });
    return Arbitraries.oneOf(some, Arbitraries.just(TrafficClasses.NONE));
  }

  private static Arbitrary<Optional<Aqm>> aqms() {
    Arbitrary<Aqm> codel =
        Combinators.combine(
                Arbitraries.of(AqmKind.CODEL_ACT, AqmKind.RFC8289),
                Arbitraries.longs().between(1, Aqm.CoDel.MIN_INTERVAL_MICROS),
                Arbitraries.longs()
                    .between(Aqm.CoDel.MIN_INTERVAL_MICROS, Aqm.CoDel.MAX_INTERVAL_MICROS),
                Arbitraries.of(true, false))
            .as(Aqm.CoDel::new);
    return Arbitraries.oneOf(codel, Arbitraries.just(Aqm.NONE)).optional();
  }

  private static PointsFunction curve(TreeSet<Long> rates, TreeSet<Double> values) {
    List<PointsFunction.Point> points = new ArrayList<>();
    for (long rate : rates) {
      points.add(new PointsFunction.Point(rate, values.pollLast()));
    }
    return new PointsFunction(points);
  }
}
