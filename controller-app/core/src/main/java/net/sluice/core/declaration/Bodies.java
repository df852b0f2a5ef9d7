package net.sluice.core.declaration;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.stream.Stream;
import net.sluice.intents.field.Field;
import net.sluice.intents.field.Form;
import net.sluice.intents.field.Given;
import net.sluice.intents.field.OrTrue;
import net.sluice.intents.field.Rules;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.Gate;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Labels;
import net.sluice.intents.model.PlainText;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.model.aggregate.Aggregate;
import net.sluice.intents.model.aggregate.AggregateMarker;
import net.sluice.intents.model.aggregate.AggregateMarker.Fsam;
import net.sluice.intents.model.policy.Aqm;
import net.sluice.intents.model.policy.Aqm.CoDel;
import net.sluice.intents.model.policy.Aqm.Rio;
import net.sluice.intents.model.policy.Aqm.RioCurve;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.model.policy.FlowOrder;
import net.sluice.intents.model.policy.LimitAqm;
import net.sluice.intents.model.policy.LimitDelay;
import net.sluice.intents.model.policy.PointsFunction;
import net.sluice.intents.model.policy.TrafficClass;
import net.sluice.intents.model.policy.TrafficClasses;
import net.sluice.intents.model.policy.WeightFunction;
import net.sluice.intents.model.schedule.Schedule;
import net.sluice.intents.value.Direction;

/**
 * The bodies that declare something, as the API has them and the store keeps them. {@link
 * BodyMapping} makes declarations of them.
 *
 * <p>More than 500 lines, because it is the one list of all that can be declared.
 */
public final class Bodies {
  private static final String A_POLICY = "the id of a policy";
  private static final String POLICY = "The id of an existing policy.";
  private static final String UPSTREAM_POLICY =
      "The id of an existing policy for upstream traffic; without it, policy is for both"
          + " directions.";
  private static final String A_SWITCH = "the name of a switch";
  private static final String SWITCH =
      "The switch that the port is of; needed where there are several.";
  private static final String MAX_PORT = "" + Attachment.MAX_PORT;
  private static final String MAX_TREE = "" + Attachment.MAX_TREE;
  private static final String DOWN = "Rate to the subscribers, bit/s.";
  private static final String UP = "Rate from the subscribers, bit/s.";
  private static final String MIN_BURST = "" + RateLimit.MIN_BURST_BYTES;
  private static final String MAX_BURST = "" + Integer.MAX_VALUE;
  private static final String BURST = "Burst, byte; what enforces the limit may hold less.";
  private static final String ENFORCEMENT = "What enforces it; by default the best that there is.";
  private static final String GATE = "Whether packets pass; open unless given.";
  private static final String LIMIT_AQM =
      "Of subscribers: how packets that wait under it are managed; as the policy's limitAqm unless"
          + " given.";
  private static final String LABELS =
      "Words of the operator's own by key, keys and values formed as ids.";
  private static final String UNTIL = "The end of a time that has begun already.";
  private static final String FROM = "When it begins on each day.";
  private static final String TO = "When it ends; on the day after if that is no later than from.";
  private static final String ZONE = "The zone whose clocks count, of the tz database.";
  private static final String AN_EXAMPLE_ZONE = "Europe/Berlin";
  private static final String DAYS = "The days on which it begins; each day unless given.";
  private static final String DISPLAY_NAME = "Its name for people, in any script.";
  private static final String MAX_DELAY =
      "A packet that would wait longer under a rate limit is dropped, unless eight full packets"
          + " take longer at its rate. Unless given, a limit's is its policy's, and a policy's"
          + " 100.";
  private static final String MAX_MILLIS = "" + LimitDelay.MAX_MILLIS;
  private static final String WHOLE = "a whole number without fraction or exponent";

  private Bodies() {}

  // ---------------------------------------------------------------- policies

  /** An SLA class. */
  @Form(
      name = "Policy",
      says = "An SLA class: what its subscribers' traffic is worth.",
      rules = PolicyBody.OneAqm.class)
  public record PolicyBody(
      @Field(number = 1, says = "The value of traffic by its rate.")
          ThroughputValueBody throughputValue,
      @Field(
              number = 2,
              says =
                  "How the delay of the queues towards its subscribers is managed; without it, as"
                      + " the topology says of the port.")
          Optional<AqmBody> aqm,
      @Field(
              number = 3,
              says =
                  "RIO before the queues towards its subscribers, in place of aqm, where the"
                      + " switch's program has it.")
          Optional<RioBody> rio,
      @Field(
              number = 4,
              says =
                  "Classes of each subscriber's traffic within its rate limit, where FPGAs hold"
                      + " that: exactly one of them without dscp.",
              items = "classes",
              minItems = 1,
              maxItems = TrafficClasses.MAX)
          List<TrafficClass> classes,
      @Field(number = 5, says = DISPLAY_NAME, maxLength = PlainText.MAX_NAME)
          Optional<String> displayName,
      @Field(
              number = 6,
              says =
                  "How packets that wait under a rate limit of its subscribers are managed, unless"
                      + " the limit says it; CoDel with its defaults unless given.")
          Optional<LimitAqmBody> limitAqm,
      @Field(number = 7, says = MAX_DELAY, min = "1", max = MAX_MILLIS, unit = "ms")
          OptionalInt maxDelayMillis,
      @Field(
              number = 8,
              says =
                  "In which order a subscriber's flows pass its rate limit: those that send little"
                      + " before the others, or as their packets come.",
              byDefault = "light-first")
          Optional<FlowOrder> flows,
      @Field(
              number = 9,
              says =
                  "The round-trip time of its subscribers' flows. Where the switch's meters police"
                      + " a rate limit that has no burstBytes, the burst lets one TCP flow reach"
                      + " 95 % of the rate at this time.",
              min = "1",
              max = "" + Policy.MAX_RTT_MILLIS,
              unit = "ms",
              byDefault = "" + Policy.DEFAULT_RTT_MILLIS)
          OptionalInt rttMillis) {
    static final class OneAqm implements Rules {
      @Override
      public void check(Given given) {
        if (given.has("aqm") && given.has(Rio.FIELD)) {
          given.invalid(Rio.FIELD, "given", "absent beside aqm");
        }
      }
    }
  }

  /** A throughput-value function. */
  @Form(
      name = "ThroughputValue",
      says =
          "A throughput-value function: a built-in one, points, a weight, perhaps behind a"
              + " guaranteed rate, or that of another policy.",
      rules = ThroughputValueBody.OneOf.class,
      minFields = 1,
      maxFields = 2)
  public record ThroughputValueBody(
      @Field(number = 1, says = "A built-in function.") Optional<BuiltInFunction> builtIn,
      @Field(
              number = 2,
              says =
                  "Points, each of a higher rate than the one before and of a lower value; between"
                      + " them values lie on straight lines in logarithmic coordinates.",
              items = "points",
              minItems = PointsFunction.MIN_POINTS,
              maxItems = PointsFunction.MAX_POINTS)
          List<PointsFunction.Point> points,
      @Field(
              number = 3,
              says =
                  "With weight: the rate that is served before all shares. Guarantees that do not"
                      + " all fit are kept in the same proportion.",
              min = "1",
              max = "" + WeightFunction.MAX_GUARANTEED_BPS,
              unit = "bit/s")
          OptionalLong guaranteedBps,
      @Field(
              number = 4,
              says =
                  "The share, by which subscribers divide what is left of any bottleneck: with 3"
                      + " three times what 1 gets.",
              min = "0.1",
              max = "1000")
          OptionalDouble weight,
      @Field(
              number = 5,
              says =
                  "The id of an existing policy, whose function this one has, also when that"
                      + " changes.",
              id = true,
              allowed = A_POLICY)
          Optional<String> like) {
    private static final List<String> FORMS = List.of("builtIn", "points", "weight", "like");

    public ThroughputValueBody {
      if (builtIn.isEmpty() && weight.isEmpty() && like.isEmpty()) {
        // Names its fields from the top of the declaration.
        points = new PointsFunction(points).points();
      }
    }

    static final class OneOf implements Rules {
      @Override
      public void check(Given given) {
        List<String> have = FORMS.stream().filter(given::has).toList();
        if (have.size() != 1) {
          given.refuse(
              have.isEmpty() ? "none of them" : String.join(" and ", have),
              "exactly one of the fields builtIn, points, weight, like");
        } else if (given.has("guaranteedBps") && !given.has("weight")) {
          given.invalid(
              "guaranteedBps", given.value("guaranteedBps"), "absent beside " + have.get(0));
        }
      }
    }
  }

  /** How the delay of a queue is managed. */
  @Form(
      name = "Aqm",
      says =
          "How the delay of a queue is managed. With kind none there is no other field; with the"
              + " others targetMicros and intervalMicros are needed.",
      rules = AqmBody.ByKind.class)
  public record AqmBody(
      @Field(
              number = 1,
              says = "The algorithm; which of them, the switch's profile says.",
              values = {"codel-act", "p4-codel", "rfc8289", "none"})
          String kind,
      @Field(
              number = 2,
              says = "The delay to stay below, microseconds, at most intervalMicros.",
              min = "1",
              max = "" + CoDel.MAX_INTERVAL_MICROS,
              checkedByRecord = true)
          OptionalLong targetMicros,
      @Field(
              number = 3,
              says = "How long the delay may be above it, microseconds; for p4-codel 100000.",
              min = "" + CoDel.MIN_INTERVAL_MICROS,
              max = "" + CoDel.MAX_INTERVAL_MICROS,
              checkedByRecord = true)
          OptionalLong intervalMicros,
      @Field(
              number = 4,
              says =
                  "Whether packets of senders that understand ECN are marked instead of dropped.",
              byDefault = "false")
          Optional<Boolean> ecn) {
    static final class ByKind implements Rules {
      @Override
      public void check(Given given) {
        if ("none".equals(given.value("kind"))) {
          given.only("kind");
          return;
        }
        for (String field : List.of("targetMicros", "intervalMicros")) {
          if (!given.has(field)) {
            given.absent(field, WHOLE);
          }
        }
      }

      @Override
      public void require(Record made) {
        Aqm unused = BodyMapping.aqm((AqmBody) made);
      }
    }
  }

  /** How what waits under a rate limit is managed. */
  @Form(
      name = "LimitAqm",
      says =
          "How packets that wait under a rate limit are managed. With kind none there is no other"
              + " field.",
      rules = LimitAqmBody.ByKind.class)
  public record LimitAqmBody(
      @Field(
              number = 1,
              says = "codel (RFC 8289), which drops by the time that packets wait, or none.",
              values = {LimitAqm.CODEL, Aqm.NONE_TEXT})
          String kind,
      @Field(
              number = 2,
              says = "The wait to stay below, microseconds, at most intervalMicros.",
              min = "1",
              max = "" + CoDel.MAX_INTERVAL_MICROS,
              checkedByRecord = true,
              byDefault = "" + LimitAqm.TARGET_MICROS)
          OptionalInt targetMicros,
      @Field(
              number = 3,
              says = "How long the wait may be above it, microseconds.",
              min = "" + CoDel.MIN_INTERVAL_MICROS,
              max = "" + CoDel.MAX_INTERVAL_MICROS,
              checkedByRecord = true,
              byDefault = "" + LimitAqm.INTERVAL_MICROS)
          OptionalInt intervalMicros,
      @Field(
              number = 4,
              says =
                  "Whether packets of senders that understand ECN are marked instead of dropped.",
              byDefault = "true")
          Optional<Boolean> ecn,
      @Field(
              number = 5,
              says =
                  "Whether packets of scalable senders (RFC 9331) take a low-latency way, marked"
                      + " from a wait of about 1 ms on.",
              byDefault = "true")
          Optional<Boolean> l4s) {
    static final class ByKind implements Rules {
      @Override
      public void check(Given given) {
        if (Aqm.NONE_TEXT.equals(given.value("kind"))) {
          given.only("kind");
        }
      }

      @Override
      public void require(Record made) {
        LimitAqm unused = BodyMapping.limitAqm((LimitAqmBody) made);
      }
    }
  }

  /** RIO before a queue. */
  @Form(
      name = "Rio",
      says =
          "RIO before a queue: drops by the codepoint of packets and the averaged number that"
              + " wait.")
  public record RioBody(
      @Field(
              number = 1,
              says = "Codepoint of packets within their contract.",
              min = "0",
              max = "63",
              byDefault = "" + Aggregate.IN_DSCP)
          int inDscp,
      @Field(
              number = 2,
              says = "Packets that may wait.",
              min = "1",
              max = "" + Rio.MAX_PACKETS,
              byDefault = "50")
          int limitPackets,
      @Field(
              number = 3,
              says = "A packet weighs 2^-weightShift in the averages.",
              min = "0",
              max = "16",
              byDefault = "9")
          int weightShift,
      @Field(number = 4, says = "When packets within their contract are dropped.")
          Optional<RioCurve> in,
      @Field(number = 5, says = "When all others are dropped.") Optional<RioCurve> out) {}

  // ---------------------------------------------------------------- subscribers

  /** A subscriber. */
  @Form(
      name = "Subscriber",
      says = "A subscriber: policy, addresses, VLAN tags, attachment.",
      rules = SubscriberBody.Parts.class)
  public record SubscriberBody(
      @Field(
              number = 1,
              says =
                  "The id of an existing policy; needed unless there is a tariff, which it goes"
                      + " before.",
              id = true,
              allowed = A_POLICY)
          Optional<String> policy,
      @Field(number = 2, says = UPSTREAM_POLICY, id = true, allowed = A_POLICY)
          Optional<String> upstreamPolicy,
      @Field(
              number = 3,
              says =
                  "IPv4 or IPv6 prefixes with their length, unicast, overlapping no other prefix of"
                      + " any subscriber; needed unless there is an sVlan.",
              items = "prefixes",
              maxItems = Subscriber.MAX_PREFIXES,
              always = true)
          List<IpPrefix> prefixes,
      @Field(
              number = 4,
              says = "Outer VLAN tag (IEEE 802.1ad).",
              min = "" + VlanTags.MIN,
              max = "" + VlanTags.MAX)
          OptionalInt sVlan,
      @Field(
              number = 5,
              says =
                  "Inner VLAN tag, only with sVlan; the pair is the subscriber's own on its port.",
              min = "" + VlanTags.MIN,
              max = "" + VlanTags.MAX)
          OptionalInt cVlan,
      @Field(number = 6, says = "The place in the access network.") AttachmentBody attachment,
      @Field(number = 7, says = LABELS, items = "labels", maxItems = Labels.MAX_LABELS)
          SortedMap<String, String> labels,
      @Field(number = 8, says = "A contract for all its flows, at least of one direction.")
          Optional<AggregatesBody> aggregate,
      @Field(
              number = 9,
              says =
                  "While it is suspended: true stops its traffic, an object gives it another"
                      + " policy. Its schedule does not count meanwhile.",
              allowed = "true, which stops its traffic, or an object with policy")
          Optional<OrTrue<SuspensionBody>> suspended,
      @Field(
              number = 10,
              says = "Times at which it has another policy; of several the first counts.",
              items = "times",
              maxItems = Schedule.MAX_ENTRIES)
          List<PolicyTimeBody> schedule,
      @Field(number = 11, says = DISPLAY_NAME, maxLength = PlainText.MAX_NAME)
          Optional<String> displayName,
      @Field(
              number = 12,
              says = "The id of an existing tariff, of which it has policies and a rate limit.",
              id = true,
              allowed = "the id of a tariff")
          Optional<String> tariff,
      @Field(number = 13, says = "Values of its limit in place of the tariff's.")
          Optional<LimitValuesBody> overrides) {
    static final class Parts implements Rules {
      @Override
      public void check(Given given) {
        if (!given.has("tariff")) {
          if (!given.has("policy")) {
            given.absent("policy", A_POLICY);
          }
          if (given.has("overrides")) {
            given.invalid("overrides", "given", "absent without a tariff");
          }
        }
        if (given.has("cVlan") && !given.has("sVlan")) {
          given.invalid("sVlan", "absent", "given whenever cVlan is given");
        }
      }
    }
  }

  /** The place of a subscriber. */
  @Form(name = "Attachment", says = "A place in the access network.")
  public record AttachmentBody(
      @Field(
              number = 1,
              name = "switch",
              says = SWITCH,
              id = true,
              allowed = A_SWITCH,
              switchOfNext = true)
          Optional<String> switchName,
      @Field(number = 2, says = "BNG port.", min = "0", max = MAX_PORT) int port,
      @Field(number = 3, says = "OLT tree of that port.", min = "0", max = MAX_TREE) int tree) {}

  /** The treatment of a subscriber that is suspended. */
  @Form(name = "Suspension", says = "What a subscriber gets while it is suspended.")
  public record SuspensionBody(
      @Field(number = 1, says = POLICY, id = true, allowed = A_POLICY) String policy,
      @Field(number = 2, says = UPSTREAM_POLICY, id = true, allowed = A_POLICY)
          Optional<String> upstreamPolicy) {}

  /** A time of a subscriber's schedule. */
  @Form(
      name = "PolicyTime",
      says =
          "A time and the policy in it, or whether traffic is stopped: either until, or from, to"
              + " and zone, by the clocks of that zone.",
      rules = PolicyTimeBody.OneSpan.class)
  public record PolicyTimeBody(
      @Field(number = 1, says = UNTIL) Optional<Instant> until,
      @Field(number = 2, says = FROM) Optional<LocalTime> from,
      @Field(number = 3, says = TO) Optional<LocalTime> to,
      @Field(number = 4, says = ZONE, example = AN_EXAMPLE_ZONE) Optional<ZoneId> zone,
      @Field(number = 5, says = DAYS, items = "days", minItems = 1, unique = true)
          List<DayOfWeek> days,
      @Field(
              number = 6,
              says = "The id of an existing policy; in place of suspended.",
              id = true,
              allowed = A_POLICY)
          Optional<String> policy,
      @Field(number = 7, says = UPSTREAM_POLICY, id = true, allowed = A_POLICY)
          Optional<String> upstreamPolicy,
      @Field(number = 8, says = "Whether its traffic is stopped.", byDefault = "false")
          Optional<Boolean> suspended) {
    static final class OneSpan implements Rules {
      @Override
      public void check(Given given) {
        checkSpan(given);
        boolean hasPolicy = given.has("policy") || given.has("upstreamPolicy");
        boolean stopped = Boolean.TRUE.equals(given.value("suspended"));
        if (stopped == hasPolicy) {
          if (given.isSound()) {
            given.malformed(
                "suspended",
                stopped ? "true beside a policy" : "absent as policy is",
                "either policy, or suspended: true");
          }
        } else if (hasPolicy && !given.has("policy")) {
          given.absent("policy", A_POLICY);
        }
      }
    }
  }

  /** A time is told by its end, or by the clock of each day. */
  private static void checkSpan(Given given) {
    boolean isDaily =
        given.has("from") || given.has("to") || given.has("zone") || given.has("days");
    if (given.has("until") && isDaily) {
      given.malformed("until", "given with a time of the day", "either until, or from, to, zone");
    } else if (!isDaily && !given.has("until")) {
      given.absent("until", Scalar.INSTANT + ", or from, to and zone");
    } else if (isDaily) {
      if (!given.has("from")) {
        given.absent("from", Scalar.TIME_OF_DAY);
      }
      if (!given.has("to")) {
        given.absent("to", Scalar.TIME_OF_DAY);
      }
      if (!given.has("zone")) {
        given.absent("zone", Scalar.ZONE);
      }
    }
  }

  /** The contracts of a subscriber. */
  @Form(
      name = "Aggregates",
      says = "A contract for all flows of a subscriber, in each direction or one.",
      rules = AggregatesBody.One.class,
      minFields = 1)
  public record AggregatesBody(
      @Field(number = 1, says = "Of traffic to the subscriber.") Optional<AggregateBody> down,
      @Field(number = 2, says = "Of traffic from the subscriber.") Optional<AggregateBody> up) {
    static final class One implements Rules {
      @Override
      public void check(Given given) {
        if (given.isEmpty()) {
          given.invalid("", "{}", "at least one of down and up");
        }
      }
    }
  }

  /** The contract of one direction. */
  @Form(
      name = "Aggregate",
      says = "A contract for all flows of one direction; its constants are of some markers.",
      rules = AggregateBody.ByMarker.class)
  public record AggregateBody(
      @Field(
              number = 1,
              says = "Committed rate, bit/s.",
              min = "" + Aggregate.MIN_CIR_BPS,
              max = "" + Aggregate.MAX_CIR_BPS,
              checkedByRecord = true)
          long cirBps,
      @Field(
              number = 2,
              says = "Burst, byte: up to 16 s of the rate; 200 ms of it unless given.",
              min = "" + Aggregate.MIN_BURST_BYTES,
              checkedByRecord = true)
          OptionalLong burstBytes,
      @Field(
              number = 3,
              says = "What tells packets within the rate from others.",
              values = {
                AggregateMarker.TOKEN_BUCKET,
                AggregateMarker.TSW2CM,
                AggregateMarker.PAM,
                AggregateMarker.F_SAM
              })
          String marker,
      @Field(number = 4, says = "Of tsw2cm and f-sam: milliseconds.", min = "50", max = "8000")
          OptionalInt averagingMillis,
      @Field(number = 5, says = "Of f-sam: milliseconds.", min = "10", max = "10000")
          OptionalInt windowMillis,
      @Field(
              number = 6,
              says = "Of f-sam: shares of flows, others have 1.",
              items = "weights",
              maxItems = Fsam.MAX_WEIGHTS)
          List<FlowWeightBody> weights,
      @Field(number = 7, says = "Of pam: part of the burst.", min = "0", max = "1")
          OptionalDouble least,
      @Field(number = 8, says = "Of pam: part of the burst.", min = "0", max = "1")
          OptionalDouble most,
      @Field(number = 9, says = "Of pam: highest probability.", min = "0.01", max = "1")
          OptionalDouble probability,
      @Field(
              number = 10,
              says = "Of pam: a packet weighs 2 to the minus this in the average.",
              min = "0",
              max = "16")
          OptionalInt weightShift,
      @Field(
              number = 11,
              says = "Codepoint of what is within; other than outDscp.",
              min = "0",
              max = "63",
              byDefault = "" + Aggregate.IN_DSCP)
          int inDscp,
      @Field(
              number = 12,
              says = "Codepoint of the others.",
              min = "0",
              max = "63",
              byDefault = "" + Aggregate.OUT_DSCP)
          int outDscp) {
    static final class ByMarker implements Rules {
      private static final List<String> OF_ALL =
          List.of("cirBps", "burstBytes", "marker", "inDscp", "outDscp");
      private static final Map<String, List<String>> CONSTANTS =
          Map.of(
              AggregateMarker.TOKEN_BUCKET,
              List.of(),
              AggregateMarker.TSW2CM,
              List.of("averagingMillis"),
              AggregateMarker.PAM,
              List.of("least", "most", "probability", "weightShift"),
              AggregateMarker.F_SAM,
              List.of("averagingMillis", "windowMillis", "weights"));

      @Override
      public void check(Given given) {
        // Which constants another marker has is not known.
        if (given.value("marker") instanceof String marker) {
          given.only(
              Stream.concat(OF_ALL.stream(), CONSTANTS.get(marker).stream())
                  .toArray(String[]::new));
        }
      }

      @Override
      public void require(Record made) {
        Aggregate unused = BodyMapping.aggregate(Direction.DOWN, (AggregateBody) made);
      }
    }
  }

  /** The share of some flows. */
  @Form(name = "FlowWeight", says = "The share of the flows that come with a codepoint.")
  public record FlowWeightBody(
      @Field(number = 1, says = "The codepoint.", min = "0", max = "63") int dscp,
      @Field(number = 2, says = "Their share.", min = "1", max = "1000") double weight) {
    public FlowWeightBody {
      Fsam.requireWeight(weight);
    }
  }

  // ---------------------------------------------------------------- rate limits

  /** A rate limit. */
  @Form(
      name = "RateLimit",
      says =
          "A limit of a subscriber, an OLT tree or a BNG port; at least one of downBps and upBps is"
              + " needed.",
      rules = RateLimitBody.OneRate.class)
  public record RateLimitBody(
      @Field(number = 1, says = "The traffic that is limited; one limit per scope.")
          ScopeBody scope,
      @Field(number = 2, says = DOWN, min = "1", unit = "bit/s") OptionalLong downBps,
      @Field(number = 3, says = UP, min = "1", unit = "bit/s") OptionalLong upBps,
      @Field(number = 4, says = BURST, min = MIN_BURST, max = MAX_BURST) OptionalInt burstBytes,
      @Field(number = 5, says = ENFORCEMENT) Optional<Enforcement> enforcement,
      @Field(number = 6, says = GATE, byDefault = "open") Optional<Gate> gate,
      @Field(
              number = 7,
              says =
                  "Of trees and ports: the most, in %, that the limits of the subscribers there may"
                      + " add up to.",
              min = "1",
              max = "" + RateLimit.MAX_PERCENT)
          OptionalInt maxCommittedPercent,
      @Field(
              number = 8,
              says =
                  "Whether it limits nothing for now. Its rates are kept, and its schedule does"
                      + " not count meanwhile.",
              byDefault = "false")
          Optional<Boolean> suspended,
      @Field(
              number = 9,
              says =
                  "Times at which it has other rates or is suspended; of several the first counts.",
              items = "times",
              maxItems = Schedule.MAX_ENTRIES)
          List<LimitTimeBody> schedule,
      @Field(number = 10, says = DISPLAY_NAME, maxLength = PlainText.MAX_NAME)
          Optional<String> displayName,
      @Field(number = 11, says = LIMIT_AQM) Optional<LimitAqmBody> aqm,
      @Field(number = 12, says = MAX_DELAY, min = "1", max = MAX_MILLIS, unit = "ms")
          OptionalInt maxDelayMillis) {
    static final class OneRate implements Rules {
      @Override
      public void check(Given given) {
        if (!given.has("downBps") && !given.has("upBps")) {
          given.absent("downBps", "downBps, upBps or both");
        }
      }
    }
  }

  /** The traffic of a rate limit. */
  @Form(
      name = "Scope",
      says = "Either subscriber, or port and perhaps tree; the latter may name the switch.",
      rules = ScopeBody.Either.class)
  public record ScopeBody(
      @Field(
              number = 1,
              says = "The id of an existing subscriber.",
              id = true,
              allowed = "the id of a subscriber")
          Optional<String> subscriber,
      @Field(
              number = 2,
              name = "switch",
              says = SWITCH,
              id = true,
              allowed = A_SWITCH,
              switchOfNext = true)
          Optional<String> switchName,
      @Field(number = 3, says = "BNG port.", min = "0", max = MAX_PORT) OptionalInt port,
      @Field(number = 4, says = "OLT tree of that port.", min = "0", max = MAX_TREE)
          OptionalInt tree) {
    static final class Either implements Rules {
      @Override
      public void check(Given given) {
        boolean ofSubscriber = given.has("subscriber");
        if (ofSubscriber == (given.has("port") || given.has("tree"))) {
          given.refuse(
              ofSubscriber ? "subscriber and port or tree" : "neither subscriber nor port",
              "either the field subscriber, or the field port and optionally tree");
        } else if (ofSubscriber && given.value("switch") != null && given.isSound()) {
          given.invalid(
              "switch",
              "\"" + given.value("switch") + "\"",
              "absent: a subscriber's limit is where the subscriber is");
        } else if (!ofSubscriber && !given.has("port")) {
          given.absent("port", "a whole number, 0 to " + MAX_PORT);
        }
      }
    }
  }

  /** A time of a rate limit's schedule. */
  @Form(
      name = "LimitTime",
      says =
          "A time and what holds in it: either until, or from, to and zone, by the clocks of that"
              + " zone; either suspended, or rates of which those left out stay as declared.",
      rules = LimitTimeBody.OneSpan.class)
  public record LimitTimeBody(
      @Field(number = 1, says = UNTIL) Optional<Instant> until,
      @Field(number = 2, says = FROM) Optional<LocalTime> from,
      @Field(number = 3, says = TO) Optional<LocalTime> to,
      @Field(number = 4, says = ZONE, example = AN_EXAMPLE_ZONE) Optional<ZoneId> zone,
      @Field(number = 5, says = DAYS, items = "days", minItems = 1, unique = true)
          List<DayOfWeek> days,
      @Field(number = 6, says = "Whether nothing is limited.", byDefault = "false")
          Optional<Boolean> suspended,
      @Field(number = 7, says = DOWN, min = "1", unit = "bit/s") OptionalLong downBps,
      @Field(number = 8, says = UP, min = "1", unit = "bit/s") OptionalLong upBps,
      @Field(number = 9, says = "Burst, byte.", min = MIN_BURST, max = MAX_BURST)
          OptionalInt burstBytes) {
    static final class OneSpan implements Rules {
      @Override
      public void check(Given given) {
        checkSpan(given);
        boolean hasRates = given.has("downBps") || given.has("upBps") || given.has("burstBytes");
        boolean off = Boolean.TRUE.equals(given.value("suspended"));
        if (off == hasRates && given.isSound()) {
          given.malformed(
              "suspended",
              off ? "true beside rates" : "absent as rates are",
              "suspended, or some of downBps, upBps, burstBytes");
        }
      }
    }
  }

  // ---------------------------------------------------------------- tariffs

  /** A policy and a rate limit as they are sold. */
  @Form(
      name = "Tariff",
      says =
          "What is sold: a policy, and values of the rate limit that each of its subscribers has of"
              + " its own. Without downBps and upBps there is no limit.")
  public record TariffBody(
      @Field(number = 1, says = POLICY, id = true, allowed = A_POLICY) String policy,
      @Field(number = 2, says = UPSTREAM_POLICY, id = true, allowed = A_POLICY)
          Optional<String> upstreamPolicy,
      @Field(number = 3, says = DOWN, min = "1", unit = "bit/s") OptionalLong downBps,
      @Field(number = 4, says = UP, min = "1", unit = "bit/s") OptionalLong upBps,
      @Field(number = 5, says = BURST, min = MIN_BURST, max = MAX_BURST) OptionalInt burstBytes,
      @Field(number = 6, says = ENFORCEMENT) Optional<Enforcement> enforcement,
      @Field(number = 7, says = GATE, byDefault = "open") Optional<Gate> gate,
      @Field(number = 8, says = LIMIT_AQM) Optional<LimitAqmBody> aqm,
      @Field(number = 9, says = MAX_DELAY, min = "1", max = MAX_MILLIS, unit = "ms")
          OptionalInt maxDelayMillis,
      @Field(
              number = 10,
              says =
                  "Times at which these limits have other rates or are suspended; of several the"
                      + " first counts.",
              items = "times",
              maxItems = Schedule.MAX_ENTRIES)
          List<LimitTimeBody> schedule,
      @Field(number = 11, says = LABELS, items = "labels", maxItems = Labels.MAX_LABELS)
          SortedMap<String, String> labels,
      @Field(number = 12, says = DISPLAY_NAME, maxLength = PlainText.MAX_NAME)
          Optional<String> displayName) {}

  /** Values of a subscriber's limit in place of its tariff's. */
  @Form(
      name = "LimitValues",
      says = "Values of a subscriber's rate limit in place of those of its tariff.")
  public record LimitValuesBody(
      @Field(number = 1, says = DOWN, min = "1", unit = "bit/s") OptionalLong downBps,
      @Field(number = 2, says = UP, min = "1", unit = "bit/s") OptionalLong upBps,
      @Field(number = 3, says = BURST, min = MIN_BURST, max = MAX_BURST) OptionalInt burstBytes,
      @Field(number = 4, says = ENFORCEMENT) Optional<Enforcement> enforcement,
      @Field(number = 5, says = GATE, byDefault = "open") Optional<Gate> gate,
      @Field(number = 6, says = LIMIT_AQM) Optional<LimitAqmBody> aqm,
      @Field(number = 7, says = MAX_DELAY, min = "1", max = MAX_MILLIS, unit = "ms")
          OptionalInt maxDelayMillis) {}

  /** A gate that is to be opened or closed. */
  @Form(name = "GateChange", says = "What the gate of a subscriber's own limit is to be.")
  public record GateBody(@Field(number = 1, says = "Whether packets pass or wait.") Gate gate) {}
}
