package net.sluice.core.declaration;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import net.sluice.core.declaration.Bodies.AggregateBody;
import net.sluice.core.declaration.Bodies.AggregatesBody;
import net.sluice.core.declaration.Bodies.AqmBody;
import net.sluice.core.declaration.Bodies.AttachmentBody;
import net.sluice.core.declaration.Bodies.FlowWeightBody;
import net.sluice.core.declaration.Bodies.LimitAqmBody;
import net.sluice.core.declaration.Bodies.LimitTimeBody;
import net.sluice.core.declaration.Bodies.LimitValuesBody;
import net.sluice.core.declaration.Bodies.PolicyBody;
import net.sluice.core.declaration.Bodies.PolicyTimeBody;
import net.sluice.core.declaration.Bodies.RateLimitBody;
import net.sluice.core.declaration.Bodies.RioBody;
import net.sluice.core.declaration.Bodies.ScopeBody;
import net.sluice.core.declaration.Bodies.SubscriberBody;
import net.sluice.core.declaration.Bodies.SuspensionBody;
import net.sluice.core.declaration.Bodies.TariffBody;
import net.sluice.core.declaration.Bodies.ThroughputValueBody;
import net.sluice.intents.field.OrTrue;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.Gate;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Labels;
import net.sluice.intents.model.LimitTerms;
import net.sluice.intents.model.LimitValues;
import net.sluice.intents.model.OptionalParts;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.SubscriberTerms;
import net.sluice.intents.model.Tariff;
import net.sluice.intents.model.TariffUse;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.model.aggregate.Aggregate;
import net.sluice.intents.model.aggregate.AggregateMarker;
import net.sluice.intents.model.aggregate.AggregateMarker.Fsam;
import net.sluice.intents.model.aggregate.AggregateMarker.Pam;
import net.sluice.intents.model.aggregate.AggregateMarker.TokenBucket;
import net.sluice.intents.model.aggregate.AggregateMarker.Tsw2cm;
import net.sluice.intents.model.aggregate.Aggregates;
import net.sluice.intents.model.policy.Aqm;
import net.sluice.intents.model.policy.Aqm.RioCurve;
import net.sluice.intents.model.policy.AqmKind;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.model.policy.LikeFunction;
import net.sluice.intents.model.policy.LimitAqm;
import net.sluice.intents.model.policy.LimitDelay;
import net.sluice.intents.model.policy.PointsFunction;
import net.sluice.intents.model.policy.ThroughputValueFunction;
import net.sluice.intents.model.policy.TrafficClasses;
import net.sluice.intents.model.policy.WeightFunction;
import net.sluice.intents.model.schedule.Schedule;
import net.sluice.intents.model.schedule.Span;
import net.sluice.intents.plan.Change;
import net.sluice.intents.value.Direction;
import net.sluice.intents.value.InvalidValueException;

/**
 * Makes declarations of their {@link Bodies} and bodies of declarations. Those of a body hold as
 * they are declared, see {@link Declaration#asDeclared}.
 *
 * <p>More than 500 lines, because what the kinds have in common, times and names, is mapped once.
 */
public final class BodyMapping {
  private BodyMapping() {}

  /** The shape of the bodies of a kind. */
  public static Shape<?> shape(Kind kind) {
    return switch (kind) {
      case POLICY -> Shape.of(PolicyBody.class);
      case SUBSCRIBER -> Shape.of(SubscriberBody.class);
      case RATE_LIMIT -> Shape.of(RateLimitBody.class);
      case TARIFF -> Shape.of(TariffBody.class);
    };
  }

  /**
   * The change that a body asks for.
   *
   * @throws InvalidValueException if its fields do not go together
   */
  public static Change.Put put(String id, Object body) {
    if (body instanceof SubscriberBody subscriber) {
      return new Change.Put(subscriber(id, subscriber), subscriber.attachment().switchName());
    } else if (body instanceof RateLimitBody limit) {
      return new Change.Put(rateLimit(id, limit), limit.scope().switchName());
    } else if (body instanceof TariffBody tariff) {
      return new Change.Put(tariff(id, tariff));
    }
    return new Change.Put(policy(id, (PolicyBody) body));
  }

  /**
   * The body of a declaration.
   *
   * @param switchName the switch it is for; empty if that is not said
   */
  public static Object body(Declaration declaration, Optional<String> switchName) {
    if (declaration instanceof Subscriber subscriber) {
      return body(subscriber, switchName);
    } else if (declaration instanceof RateLimit limit) {
      return body(limit, switchName);
    } else if (declaration instanceof Tariff tariff) {
      return body(tariff);
    }
    return body((Policy) declaration);
  }

  /**
   * The treatment in force of a subscriber or a limit, as a schedule declares it; empty of a
   * policy, which is always the same.
   */
  public static Optional<Object> treatment(Declaration declaration) {
    if (declaration instanceof Subscriber subscriber) {
      return Optional.of(time(holding(subscriber)));
    } else if (declaration instanceof RateLimit limit) {
      return Optional.of(
          time(
              limit.isOff()
                  ? new LimitTerms.Holding.Off()
                  : new LimitTerms.Holding.At(
                      new LimitTerms.Rates(limit.downBps(), limit.upBps(), limit.burstBytes()))));
    }
    return Optional.empty();
  }

  // ---------------------------------------------------------------- policies

  /** The policy of a body. */
  public static Policy policy(String id, PolicyBody body) {
    return new Policy(
        id,
        function(body.throughputValue()),
        aqm(body.aqm(), body.rio()),
        body.classes().isEmpty() ? TrafficClasses.NONE : new TrafficClasses(body.classes()),
        body.displayName(),
        new LimitDelay(body.limitAqm().map(BodyMapping::limitAqm), body.maxDelayMillis()),
        body.flows(),
        body.rttMillis());
  }

  /** The body of a policy. */
  public static PolicyBody body(Policy policy) {
    Optional<Aqm> aqm = policy.aqm();
    return new PolicyBody(
        body(policy.function()),
        aqm.flatMap(BodyMapping::aqmBody),
        aqm.flatMap(BodyMapping::rioBody),
        policy.classes().all(),
        policy.displayName(),
        policy.limitDelay().aqm().map(BodyMapping::body),
        policy.limitDelay().maxDelayMillis(),
        policy.flows(),
        policy.rttMillis());
  }

  static LimitAqm limitAqm(LimitAqmBody body) {
    return body.kind().equals(LimitAqm.CODEL)
        ? new LimitAqm(
            true,
            body.targetMicros().orElse(LimitAqm.TARGET_MICROS),
            body.intervalMicros().orElse(LimitAqm.INTERVAL_MICROS),
            body.ecn().orElse(true),
            body.l4s().orElse(true))
        : LimitAqm.NONE;
  }

  private static LimitAqmBody body(LimitAqm aqm) {
    return aqm.codel()
        ? new LimitAqmBody(
            LimitAqm.CODEL,
            OptionalInt.of(aqm.targetMicros()),
            OptionalInt.of(aqm.intervalMicros()),
            Optional.of(aqm.ecn()),
            Optional.of(aqm.l4s()))
        : new LimitAqmBody(
            Aqm.NONE_TEXT,
            OptionalInt.empty(),
            OptionalInt.empty(),
            Optional.empty(),
            Optional.empty());
  }

  private static ThroughputValueFunction function(ThroughputValueBody body) {
    if (body.weight().isPresent()) {
      return new WeightFunction(body.guaranteedBps(), body.weight().getAsDouble());
    } else if (body.like().isPresent()) {
      return new LikeFunction(body.like().get());
    }
    return body.builtIn().isPresent() ? body.builtIn().get() : new PointsFunction(body.points());
  }

  private static ThroughputValueBody body(ThroughputValueFunction function) {
    Optional<WeightFunction> share =
        function instanceof WeightFunction of ? Optional.of(of) : Optional.empty();
    return new ThroughputValueBody(
        function instanceof BuiltInFunction of ? Optional.of(of) : Optional.empty(),
        function instanceof PointsFunction of ? of.points() : List.of(),
        share.map(WeightFunction::guaranteedBps).orElse(OptionalLong.empty()),
        number(share.map(WeightFunction::weight)),
        function instanceof LikeFunction of ? Optional.of(of.policyId()) : Optional.empty());
  }

  /** The AQM of two bodies, of which one is empty. */
  public static Optional<Aqm> aqm(Optional<AqmBody> aqm, Optional<RioBody> rio) {
    return rio.isPresent() ? rio.map(BodyMapping::rio) : aqm.map(BodyMapping::aqm);
  }

  static Aqm aqm(AqmBody body) {
    return body.kind().equals(Aqm.NONE_TEXT)
        ? Aqm.NONE
        : new Aqm.CoDel(
            AqmKind.of(body.kind()).orElseThrow(),
            body.targetMicros().orElse(0),
            body.intervalMicros().orElse(0),
            body.ecn().orElse(false));
  }

  private static Aqm rio(RioBody body) {
    return new Aqm.Rio(
        body.inDscp(),
        body.limitPackets(),
        body.weightShift(),
        body.in().orElse(RioCurve.IN),
        body.out().orElse(RioCurve.OUT));
  }

  /** The body of an AQM; empty for RIO, which has another field. */
  public static Optional<AqmBody> aqmBody(Aqm aqm) {
    if (aqm instanceof Aqm.CoDel codel) {
      return Optional.of(
          new AqmBody(
              codel.kind().text(),
              OptionalLong.of(codel.targetMicros()),
              OptionalLong.of(codel.intervalMicros()),
              Optional.of(codel.ecn())));
    }
    return aqm instanceof Aqm.Rio
        ? Optional.empty()
        : Optional.of(
            new AqmBody(
                Aqm.NONE_TEXT, OptionalLong.empty(), OptionalLong.empty(), Optional.empty()));
  }

  /** The body of RIO; empty for any other AQM. */
  public static Optional<RioBody> rioBody(Aqm aqm) {
    return aqm instanceof Aqm.Rio rio
        ? Optional.of(
            new RioBody(
                rio.inDscp(),
                rio.limitPackets(),
                rio.weightShift(),
                Optional.of(rio.in()),
                Optional.of(rio.out())))
        : Optional.empty();
  }

  // ---------------------------------------------------------------- subscribers

  /** The subscriber of a body. */
  public static Subscriber subscriber(String id, SubscriberBody body) {
    Optional<VlanTags> vlans =
        body.sVlan().isEmpty()
            ? Optional.empty()
            : Optional.of(
                new VlanTags(body.sVlan().getAsInt(), body.cVlan().orElse(VlanTags.NONE)));
    Attachment attachment = new Attachment(body.attachment().port(), body.attachment().tree());
    // In place of the policy that a tariff gives: see Subscriber#under.
    String policy = body.policy().or(body::tariff).orElseThrow();
    return new Subscriber(id, policy, body.prefixes(), vlans, attachment, parts(body, policy));
  }

  private static OptionalParts parts(SubscriberBody body, String policy) {
    if (body.upstreamPolicy().isEmpty()
        && body.labels().isEmpty()
        && body.aggregate().isEmpty()
        && body.suspended().isEmpty()
        && body.schedule().isEmpty()
        && body.displayName().isEmpty()
        && body.tariff().isEmpty()) {
      return OptionalParts.NONE;
    }
    Optional<SubscriberTerms.Holding> suspendedTo =
        body.suspended()
            .map(
                to ->
                    to.value().isEmpty()
                        ? new SubscriberTerms.Holding.Stopped()
                        : new SubscriberTerms.Holding.Has(
                            to.value().get().policy(), to.value().get().upstreamPolicy()));
    List<Schedule.Entry<SubscriberTerms.Holding>> times = new ArrayList<>();
    for (PolicyTimeBody each : body.schedule()) {
      times.add(
          new Schedule.Entry<>(
              span(each.until(), each.from(), each.to(), each.zone(), each.days()),
              each.policy().isEmpty()
                  ? new SubscriberTerms.Holding.Stopped()
                  : new SubscriberTerms.Holding.Has(each.policy().get(), each.upstreamPolicy())));
    }
    SubscriberTerms.Holding.Has otherwise =
        new SubscriberTerms.Holding.Has(policy, body.upstreamPolicy());
    return new OptionalParts(
        body.labels().isEmpty() ? Labels.NONE : new Labels(body.labels()),
        body.aggregate().map(BodyMapping::aggregates).orElse(Aggregates.NONE),
        SubscriberTerms.of(otherwise, suspendedTo, new Schedule<>(times)),
        false,
        body.upstreamPolicy(),
        body.displayName(),
        body.tariff()
            .map(
                tariff ->
                    new TariffUse(
                        tariff,
                        body.policy(),
                        body.upstreamPolicy(),
                        body.overrides().map(BodyMapping::values).orElse(LimitValues.NONE))));
  }

  /** The body of a subscriber. */
  public static SubscriberBody body(Subscriber subscriber, Optional<String> switchName) {
    Subscriber declared = subscriber.asDeclared();
    OptionalParts parts = declared.parts();
    Optional<VlanTags> vlans = declared.vlans();
    Optional<TariffUse> use = parts.tariff();
    return new SubscriberBody(
        use.isPresent() ? use.get().policyId() : Optional.of(declared.policyId()),
        use.isPresent() ? use.get().upstreamPolicyId() : parts.upstreamPolicyId(),
        declared.prefixes(),
        vlans.isPresent() ? OptionalInt.of(vlans.get().sVlan()) : OptionalInt.empty(),
        vlans.isPresent() && vlans.get().isPair()
            ? OptionalInt.of(vlans.get().cVlan())
            : OptionalInt.empty(),
        new AttachmentBody(switchName, declared.attachment().port(), declared.attachment().tree()),
        parts.labels().byKey(),
        body(parts.aggregates()),
        parts.terms().flatMap(SubscriberTerms::suspendedTo).map(BodyMapping::suspension),
        parts.terms().map(terms -> policyTimes(terms.schedule())).orElse(List.of()),
        parts.displayName(),
        use.map(TariffUse::tariffId),
        use.map(TariffUse::overrides)
            .filter(values -> !values.equals(LimitValues.NONE))
            .map(BodyMapping::body));
  }

  private static OrTrue<SuspensionBody> suspension(SubscriberTerms.Holding holding) {
    return new OrTrue<>(
        holding instanceof SubscriberTerms.Holding.Has has
            ? Optional.of(new SuspensionBody(has.policyId(), has.upstreamPolicyId()))
            : Optional.empty());
  }

  private static List<PolicyTimeBody> policyTimes(Schedule<SubscriberTerms.Holding> schedule) {
    List<PolicyTimeBody> times = new ArrayList<>();
    for (Schedule.Entry<SubscriberTerms.Holding> each : schedule.entries()) {
      PolicyTimeBody holds = time(each.holds());
      Optional<Span.Daily> daily = daily(each.span());
      times.add(
          new PolicyTimeBody(
              until(each.span()),
              daily.map(Span.Daily::from),
              daily.map(Span.Daily::to),
              daily.map(Span.Daily::zone),
              days(daily),
              holds.policy(),
              holds.upstreamPolicy(),
              holds.suspended()));
    }
    return times;
  }

  private static SubscriberTerms.Holding holding(Subscriber subscriber) {
    return subscriber.parts().stopped()
        ? new SubscriberTerms.Holding.Stopped()
        : new SubscriberTerms.Holding.Has(
            subscriber.policyId(), subscriber.parts().upstreamPolicyId());
  }

  /** The body of what holds, at a time that is not said. */
  private static PolicyTimeBody time(SubscriberTerms.Holding holding) {
    boolean stopped = holding instanceof SubscriberTerms.Holding.Stopped;
    return new PolicyTimeBody(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        List.of(),
        holding.policy(Direction.DOWN),
        holding.policy(Direction.UP),
        stopped ? Optional.of(true) : Optional.empty());
  }

  private static Aggregates aggregates(AggregatesBody body) {
    List<Aggregate> all = new ArrayList<>();
    body.down().ifPresent(down -> all.add(aggregate(Direction.DOWN, down)));
    body.up().ifPresent(up -> all.add(aggregate(Direction.UP, up)));
    return Aggregates.of(all);
  }

  static Aggregate aggregate(Direction direction, AggregateBody body) {
    return new Aggregate(
        direction,
        body.cirBps(),
        body.burstBytes().orElseGet(() -> Aggregate.defaultBurstBytes(body.cirBps())),
        marker(body),
        body.inDscp(),
        body.outDscp());
  }

  private static AggregateMarker marker(AggregateBody body) {
    switch (body.marker()) {
      case AggregateMarker.TSW2CM:
        return new Tsw2cm(body.averagingMillis().orElse(new Tsw2cm().averagingMillis()));
      case AggregateMarker.PAM:
        Pam pam = new Pam();
        return new Pam(
            body.least().orElse(pam.least()),
            body.most().orElse(pam.most()),
            body.probability().orElse(pam.probability()),
            body.weightShift().orElse(pam.weightShift()));
      case AggregateMarker.F_SAM:
        Fsam fsam = new Fsam();
        return new Fsam(
            body.averagingMillis().orElse(fsam.averagingMillis()),
            body.windowMillis().orElse(fsam.windowMillis()),
            byCodepoint(body.weights()));
      default:
        return new TokenBucket();
    }
  }

  private static Map<Integer, Double> byCodepoint(List<FlowWeightBody> weights) {
    Map<Integer, Double> all = new TreeMap<>();
    for (int i = 0; i < weights.size(); i++) {
      if (all.put(weights.get(i).dscp(), weights.get(i).weight()) != null) {
        throw new InvalidValueException(
            "weights[" + i + "].dscp", weights.get(i).dscp(), "each codepoint once");
      }
    }
    return all;
  }

  private static Optional<AggregatesBody> body(Aggregates aggregates) {
    return aggregates.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new AggregatesBody(
                aggregates.down().map(BodyMapping::body), aggregates.up().map(BodyMapping::body)));
  }

  private static AggregateBody body(Aggregate aggregate) {
    Optional<Tsw2cm> tsw = as(Tsw2cm.class, aggregate.marker());
    Optional<Pam> pam = as(Pam.class, aggregate.marker());
    Optional<Fsam> fsam = as(Fsam.class, aggregate.marker());
    return new AggregateBody(
        aggregate.cirBps(),
        OptionalLong.of(aggregate.burstBytes()),
        aggregate.marker().text(),
        whole(tsw.map(Tsw2cm::averagingMillis).or(() -> fsam.map(Fsam::averagingMillis))),
        whole(fsam.map(Fsam::windowMillis)),
        fsam.map(BodyMapping::weights).orElse(List.of()),
        number(pam.map(Pam::least)),
        number(pam.map(Pam::most)),
        number(pam.map(Pam::probability)),
        whole(pam.map(Pam::weightShift)),
        aggregate.inDscp(),
        aggregate.outDscp());
  }

  private static <T> Optional<T> as(Class<T> type, AggregateMarker marker) {
    return type.isInstance(marker) ? Optional.of(type.cast(marker)) : Optional.empty();
  }

  private static OptionalInt whole(Optional<Integer> number) {
    return number.isPresent() ? OptionalInt.of(number.get()) : OptionalInt.empty();
  }

  private static OptionalDouble number(Optional<Double> number) {
    return number.isPresent() ? OptionalDouble.of(number.get()) : OptionalDouble.empty();
  }

  private static List<FlowWeightBody> weights(Fsam fsam) {
    return fsam.weights().entrySet().stream()
        .map(each -> new FlowWeightBody(each.getKey(), each.getValue()))
        .toList();
  }

  // ---------------------------------------------------------------- rate limits

  /** The rate limit of a body. */
  public static RateLimit rateLimit(String id, RateLimitBody body) {
    return new RateLimit(
        id,
        scope(body.scope()),
        body.downBps(),
        body.upBps(),
        body.burstBytes(),
        body.enforcement(),
        body.gate().orElse(Gate.OPEN),
        body.maxCommittedPercent(),
        LimitTerms.of(
            new LimitTerms.Rates(body.downBps(), body.upBps(), body.burstBytes()),
            body.suspended().orElse(false),
            schedule(body.schedule())),
        body.displayName(),
        new LimitDelay(body.aqm().map(BodyMapping::limitAqm), body.maxDelayMillis()));
  }

  private static Schedule<LimitTerms.Holding> schedule(List<LimitTimeBody> bodies) {
    List<Schedule.Entry<LimitTerms.Holding>> times = new ArrayList<>();
    for (LimitTimeBody each : bodies) {
      times.add(
          new Schedule.Entry<>(
              span(each.until(), each.from(), each.to(), each.zone(), each.days()),
              each.suspended().orElse(false)
                  ? new LimitTerms.Holding.Off()
                  : new LimitTerms.Holding.At(
                      new LimitTerms.Rates(each.downBps(), each.upBps(), each.burstBytes()))));
    }
    return new Schedule<>(times);
  }

  /** The body of a rate limit. */
  public static RateLimitBody body(RateLimit limit, Optional<String> switchName) {
    RateLimit declared = limit.asDeclared();
    Optional<LimitTerms> terms = declared.terms();
    return new RateLimitBody(
        body(declared.scope(), switchName),
        declared.downBps(),
        declared.upBps(),
        declared.burstBytes(),
        declared.enforcement(),
        Optional.of(declared.gate()).filter(gate -> gate != Gate.OPEN),
        declared.maxCommittedPercent(),
        terms.map(LimitTerms::suspended).filter(suspended -> suspended),
        terms.map(of -> limitTimes(of.schedule())).orElse(List.of()),
        declared.displayName(),
        declared.delay().aqm().map(BodyMapping::body),
        declared.delay().maxDelayMillis());
  }

  private static Scope scope(ScopeBody body) {
    if (body.subscriber().isPresent()) {
      return new Scope.OfSubscriber(body.subscriber().get());
    }
    int port = body.port().orElse(0);
    return body.tree().isPresent()
        ? new Scope.OfTree(port, body.tree().getAsInt())
        : new Scope.OfPort(port);
  }

  private static ScopeBody body(Scope scope, Optional<String> switchName) {
    if (scope instanceof Scope.OfSubscriber of) {
      return new ScopeBody(
          Optional.of(of.subscriberId()),
          Optional.empty(),
          OptionalInt.empty(),
          OptionalInt.empty());
    } else if (scope instanceof Scope.OfTree of) {
      return new ScopeBody(
          Optional.empty(), switchName, OptionalInt.of(of.port()), OptionalInt.of(of.tree()));
    }
    return new ScopeBody(
        Optional.empty(),
        switchName,
        OptionalInt.of(((Scope.OfPort) scope).port()),
        OptionalInt.empty());
  }

  private static List<LimitTimeBody> limitTimes(Schedule<LimitTerms.Holding> schedule) {
    List<LimitTimeBody> times = new ArrayList<>();
    for (Schedule.Entry<LimitTerms.Holding> each : schedule.entries()) {
      LimitTimeBody holds = time(each.holds());
      Optional<Span.Daily> daily = daily(each.span());
      times.add(
          new LimitTimeBody(
              until(each.span()),
              daily.map(Span.Daily::from),
              daily.map(Span.Daily::to),
              daily.map(Span.Daily::zone),
              days(daily),
              holds.suspended(),
              holds.downBps(),
              holds.upBps(),
              holds.burstBytes()));
    }
    return times;
  }

  /** The body of what holds, at a time that is not said. */
  private static LimitTimeBody time(LimitTerms.Holding holding) {
    Optional<LimitTerms.Rates> rates =
        holding instanceof LimitTerms.Holding.At at ? Optional.of(at.rates()) : Optional.empty();
    return new LimitTimeBody(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        List.of(),
        rates.isPresent() ? Optional.empty() : Optional.of(true),
        rates.map(LimitTerms.Rates::downBps).orElse(OptionalLong.empty()),
        rates.map(LimitTerms.Rates::upBps).orElse(OptionalLong.empty()),
        rates.map(LimitTerms.Rates::burstBytes).orElse(OptionalInt.empty()));
  }

  // ---------------------------------------------------------------- tariffs

  /** The tariff of a body. */
  public static Tariff tariff(String id, TariffBody body) {
    return new Tariff(
        id,
        body.policy(),
        body.upstreamPolicy(),
        new LimitValues(
            body.downBps(),
            body.upBps(),
            body.burstBytes(),
            body.enforcement(),
            body.gate(),
            new LimitDelay(body.aqm().map(BodyMapping::limitAqm), body.maxDelayMillis())),
        schedule(body.schedule()),
        body.labels().isEmpty() ? Labels.NONE : new Labels(body.labels()),
        body.displayName());
  }

  /** The body of a tariff. */
  public static TariffBody body(Tariff tariff) {
    LimitValues limit = tariff.limit();
    return new TariffBody(
        tariff.policyId(),
        tariff.upstreamPolicyId(),
        limit.downBps(),
        limit.upBps(),
        limit.burstBytes(),
        limit.enforcement(),
        limit.gate(),
        limit.delay().aqm().map(BodyMapping::body),
        limit.delay().maxDelayMillis(),
        limitTimes(tariff.schedule()),
        tariff.labels().byKey(),
        tariff.displayName());
  }

  private static LimitValues values(LimitValuesBody body) {
    return new LimitValues(
        body.downBps(),
        body.upBps(),
        body.burstBytes(),
        body.enforcement(),
        body.gate(),
        new LimitDelay(body.aqm().map(BodyMapping::limitAqm), body.maxDelayMillis()));
  }

  private static LimitValuesBody body(LimitValues values) {
    return new LimitValuesBody(
        values.downBps(),
        values.upBps(),
        values.burstBytes(),
        values.enforcement(),
        values.gate(),
        values.delay().aqm().map(BodyMapping::body),
        values.delay().maxDelayMillis());
  }

  // ---------------------------------------------------------------- times

  private static Span span(
      Optional<Instant> until,
      Optional<LocalTime> from,
      Optional<LocalTime> to,
      Optional<ZoneId> zone,
      List<DayOfWeek> days) {
    return until.isPresent()
        ? new Span.Until(until.get())
        : new Span.Daily(
            from.orElseThrow(),
            to.orElseThrow(),
            zone.orElseThrow(),
            days.isEmpty() ? Span.Daily.EVERY_DAY : Set.copyOf(days));
  }

  private static Optional<Instant> until(Span span) {
    return span instanceof Span.Until until ? Optional.of(until.end()) : Optional.empty();
  }

  private static Optional<Span.Daily> daily(Span span) {
    return span instanceof Span.Daily daily ? Optional.of(daily) : Optional.empty();
  }

  private static List<DayOfWeek> days(Optional<Span.Daily> daily) {
    return daily
        .map(Span.Daily::days)
        .filter(days -> !days.equals(Span.Daily.EVERY_DAY))
        .map(List::copyOf)
        .orElse(List.of());
  }
}
