package net.sluice.rest.contract;

import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.media.Schema.AdditionalPropertiesValue;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.sluice.intents.model.Aqm.CoDel;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.BuiltInFunction;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.Gate;
import net.sluice.intents.model.Labels;
import net.sluice.intents.model.PointsFunction;
import net.sluice.intents.model.Schedule;
import net.sluice.intents.model.TrafficClasses;
import net.sluice.intents.model.VlanTags;

/** The bodies that declare something, which answers repeat as {@code declared}. */
public final class Declarations {
  /** The form of an id. */
  public static final String ID = "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$";

  private static final String ID_WORDS =
      "1 to 64 characters of A-Z a-z 0-9 . _ - that start with a letter or digit";

  private static final String POLICY = "The id of an existing policy.";
  private static final String UPSTREAM_POLICY =
      "The id of an existing policy for upstream traffic; without it, policy is for both"
          + " directions.";

  private static final String CLOCK = "^([01][0-9]|2[0-3]):[0-5][0-9]$";
  private static final String UNTIL = "The end of a time that has begun already.";
  private static final String FROM = "When it begins on each day.";
  private static final String TO = "When it ends; on the day after if that is no later than from.";
  private static final String ZONE = "The zone whose clocks count, of the tz database.";
  private static final String DAYS = "The days on which it begins; each day unless given.";

  private Declarations() {}

  /** An SLA class. */
  @Schema(
      description = "An SLA class: what its subscribers' traffic is worth.",
      additionalProperties = AdditionalPropertiesValue.FALSE)
  public record Policy(
      @Schema(description = "The value of traffic by its rate.") ThroughputValue throughputValue,
      @Schema(
              description =
                  "How the delay of the queues towards its subscribers is managed; without it, as"
                      + " the topology says of the port.")
          Optional<Aqm> aqm,
      @Schema(
              description =
                  "RIO before the queues towards its subscribers, in place of aqm, where the"
                      + " switch's program has it.")
          Optional<Rio> rio,
      @ArraySchema(
              arraySchema =
                  @Schema(
                      description =
                          "Classes of each subscriber's traffic within its rate limit, where FPGAs"
                              + " hold that: exactly one of them without dscp."),
              minItems = 1,
              maxItems = TrafficClasses.MAX)
          Optional<List<TrafficClass>> classes) {}

  /** A class of traffic. */
  @Schema(
      description =
          "A class of a subscriber's traffic, with a priority or a share. Classes with priorities"
              + " go before all others; shares divide what they leave.",
      additionalProperties = AdditionalPropertiesValue.FALSE)
  public record TrafficClass(
      @Schema(description = "Its name: " + ID_WORDS + ".", pattern = ID) String name,
      @ArraySchema(
              arraySchema =
                  @Schema(
                      description =
                          "Codepoints of its packets; absent of the class of all others."),
              schema = @Schema(minimum = "0", maximum = "63"),
              minItems = 1,
              maxItems = 64)
          Optional<List<Integer>> dscp,
      @Schema(
              description = "Which it is of those that go first, 1 before 2.",
              minimum = "1",
              maximum = "" + net.sluice.intents.model.TrafficClass.MAX_PRIORITY)
          Optional<Integer> priority,
      @Schema(
              description = "Its share, against those of the other classes.",
              minimum = "1",
              maximum = "" + net.sluice.intents.model.TrafficClass.MAX_SHARE)
          Optional<Integer> share) {}

  /** A throughput-value function. */
  @Schema(
      description = "A throughput-value function: a built-in one or points, not both.",
      additionalProperties = AdditionalPropertiesValue.FALSE,
      minProperties = 1,
      maxProperties = 1)
  public record ThroughputValue(
      @Schema(description = "A built-in function.") Optional<BuiltInFunction> builtIn,
      @ArraySchema(
              arraySchema =
                  @Schema(
                      description =
                          "Points, each of a higher rate than the one before and of a lower value;"
                              + " between them values lie on straight lines in logarithmic"
                              + " coordinates."),
              minItems = PointsFunction.MIN_POINTS,
              maxItems = PointsFunction.MAX_POINTS)
          Optional<List<Point>> points) {}

  /** A point of a throughput-value function. */
  @Schema(
      description = "A point of a throughput-value function.",
      additionalProperties = AdditionalPropertiesValue.FALSE)
  public record Point(
      @Schema(
              description = "Rate, bit/s.",
              minimum = "1",
              maximum = "" + PointsFunction.Point.MAX_RATE_BPS)
          long rateBps,
      @Schema(description = "Packet value there.", minimum = "1", maximum = "1000000000")
          double value) {}

  /** How the delay of a queue is managed. */
  @Schema(
      description =
          "How the delay of a queue is managed. With kind none there is no other field; with the"
              + " others targetMicros and intervalMicros are needed.",
      additionalProperties = AdditionalPropertiesValue.FALSE)
  public record Aqm(
      @Schema(
              description = "The algorithm; which of them, the switch's profile says.",
              allowableValues = {"codel-act", "p4-codel", "rfc8289", "none"})
          String kind,
      @Schema(
              description = "The delay to stay below, microseconds, at most intervalMicros.",
              minimum = "1",
              maximum = "" + CoDel.MAX_INTERVAL_MICROS)
          Optional<Long> targetMicros,
      @Schema(
              description =
                  "How long the delay may be above it, microseconds; for p4-codel 100000.",
              minimum = "" + CoDel.MIN_INTERVAL_MICROS,
              maximum = "" + CoDel.MAX_INTERVAL_MICROS)
          Optional<Long> intervalMicros,
      @Schema(
              description =
                  "Whether packets of senders that understand ECN are marked instead of dropped.",
              defaultValue = "false")
          Optional<Boolean> ecn) {}

  /** RIO before a queue. */
  @Schema(
      description =
          "RIO before a queue: drops by the codepoint of packets and the averaged number that"
              + " wait.",
      additionalProperties = AdditionalPropertiesValue.FALSE)
  public record Rio(
      @Schema(
              description = "Codepoint of packets within their contract.",
              minimum = "0",
              maximum = "63",
              defaultValue = "10")
          Optional<Integer> inDscp,
      @Schema(
              description = "Packets that may wait.",
              minimum = "1",
              maximum = "" + net.sluice.intents.model.Aqm.Rio.MAX_PACKETS,
              defaultValue = "50")
          Optional<Integer> limitPackets,
      @Schema(
              description = "A packet weighs 2^-weightShift in the averages.",
              minimum = "0",
              maximum = "16",
              defaultValue = "9")
          Optional<Integer> weightShift,
      @Schema(description = "When packets within their contract are dropped.")
          Optional<RioCurve> in,
      @Schema(description = "When all others are dropped.") Optional<RioCurve> out) {}

  /** A curve of RED. */
  @Schema(
      description =
          "No drops below minPackets waiting, all from maxPackets on, and between them with a"
              + " probability that grows to maxProbability.",
      additionalProperties = AdditionalPropertiesValue.FALSE)
  public record RioCurve(
      @Schema(
              description = "Averaged number of packets, less than maxPackets.",
              minimum = "0",
              maximum = "9999")
          int minPackets,
      @Schema(description = "Averaged number of packets.", minimum = "1", maximum = "10000")
          int maxPackets,
      @Schema(description = "Just below maxPackets.", minimum = "0.01", maximum = "1")
          double maxProbability) {}

  /** A subscriber. */
  @Schema(
      description = "A subscriber: policy, addresses, VLAN tags, attachment.",
      additionalProperties = AdditionalPropertiesValue.FALSE)
  public record Subscriber(
      @Schema(description = POLICY, pattern = ID) String policy,
      @Schema(description = UPSTREAM_POLICY, pattern = ID) Optional<String> upstreamPolicy,
      @ArraySchema(
              arraySchema =
                  @Schema(
                      description =
                          "IPv4 or IPv6 prefixes with their length, unicast, overlapping no other"
                              + " prefix of any subscriber; needed unless there is an sVlan."),
              schema =
                  @Schema(
                      description = "A prefix in CIDR notation, no bit set beyond its length.",
                      example = "192.0.2.0/24"),
              maxItems = net.sluice.intents.model.Subscriber.MAX_PREFIXES)
          Optional<List<String>> prefixes,
      @Schema(
              description = "Outer VLAN tag (IEEE 802.1ad).",
              minimum = "" + VlanTags.MIN,
              maximum = "" + VlanTags.MAX)
          Optional<Integer> sVlan,
      @Schema(
              description =
                  "Inner VLAN tag, only with sVlan; the pair is the subscriber's own on its port.",
              minimum = "" + VlanTags.MIN,
              maximum = "" + VlanTags.MAX)
          Optional<Integer> cVlan,
      @Schema(description = "The place in the access network.") Placed attachment,
      @Schema(
              description = "Words of the operator's own by key, keys and values formed as ids.",
              maxProperties = Labels.MAX_LABELS)
          Optional<Map<String, String>> labels,
      @Schema(description = "A contract for all its flows, at least of one direction.")
          Optional<Aggregates> aggregate,
      @Schema(
              description =
                  "While it is suspended: true stops its traffic, an object gives it another"
                      + " policy, whatever its schedule says.",
              types = {"boolean", "object"},
              oneOf = {Boolean.class, Suspension.class})
          Optional<Object> suspended,
      @ArraySchema(
              arraySchema =
                  @Schema(
                      description =
                          "Times at which it has another policy; of several the first counts."),
              maxItems = Schedule.MAX_ENTRIES)
          Optional<List<PolicyTime>> schedule) {}

  /** The treatment of a subscriber that is suspended. */
  @Schema(
      name = "Suspension",
      description = "What a subscriber gets while it is suspended.",
      additionalProperties = AdditionalPropertiesValue.FALSE)
  public record Suspension(
      @Schema(description = POLICY, pattern = ID) String policy,
      @Schema(description = UPSTREAM_POLICY, pattern = ID) Optional<String> upstreamPolicy) {}

  /** A time of a subscriber's schedule. */
  @Schema(
      description =
          "A time and the policy in it, or whether traffic is stopped: either until, or from, to"
              + " and zone, by the clocks of that zone.",
      additionalProperties = AdditionalPropertiesValue.FALSE)
  public record PolicyTime(
      @Schema(description = UNTIL) Optional<Instant> until,
      @Schema(description = FROM, pattern = CLOCK) Optional<String> from,
      @Schema(description = TO, pattern = CLOCK) Optional<String> to,
      @Schema(description = ZONE, example = "Europe/Berlin") Optional<String> zone,
      @ArraySchema(
              arraySchema = @Schema(description = DAYS),
              schema = @Schema(allowableValues = {"mon", "tue", "wed", "thu", "fri", "sat", "sun"}),
              minItems = 1,
              uniqueItems = true)
          Optional<List<String>> days,
      @Schema(description = "The id of an existing policy; in place of suspended.", pattern = ID)
          Optional<String> policy,
      @Schema(description = UPSTREAM_POLICY, pattern = ID) Optional<String> upstreamPolicy,
      @Schema(description = "Whether its traffic is stopped.", defaultValue = "false")
          Optional<Boolean> suspended) {}

  /** The contracts of a subscriber. */
  @Schema(
      description = "A contract for all flows of a subscriber, in each direction or one.",
      additionalProperties = AdditionalPropertiesValue.FALSE,
      minProperties = 1)
  public record Aggregates(
      @Schema(description = "Of traffic to the subscriber.") Optional<Aggregate> down,
      @Schema(description = "Of traffic from the subscriber.") Optional<Aggregate> up) {}

  /** The contract of one direction. */
  @Schema(
      description = "A contract for all flows of one direction; its constants are of some markers.",
      additionalProperties = AdditionalPropertiesValue.FALSE)
  public record Aggregate(
      @Schema(
              description = "Committed rate, bit/s.",
              minimum = "" + net.sluice.intents.model.Aggregate.MIN_CIR_BPS,
              maximum = "" + net.sluice.intents.model.Aggregate.MAX_CIR_BPS)
          long cirBps,
      @Schema(
              description = "Burst, byte: up to 16 s of the rate; 200 ms of it unless given.",
              minimum = "" + net.sluice.intents.model.Aggregate.MIN_BURST_BYTES)
          Optional<Long> burstBytes,
      @Schema(
              description = "What tells packets within the rate from others.",
              allowableValues = {"token-bucket", "tsw2cm", "pam", "f-sam"})
          String marker,
      @Schema(description = "Of tsw2cm and f-sam: milliseconds.", minimum = "50", maximum = "8000")
          Optional<Integer> averagingMillis,
      @Schema(description = "Of f-sam: milliseconds.", minimum = "10", maximum = "10000")
          Optional<Integer> windowMillis,
      @ArraySchema(
              arraySchema = @Schema(description = "Of f-sam: shares of flows, others have 1."),
              maxItems = 16)
          Optional<List<FlowWeight>> weights,
      @Schema(description = "Of pam: part of the burst.", minimum = "0", maximum = "1")
          Optional<Double> least,
      @Schema(description = "Of pam: part of the burst.", minimum = "0", maximum = "1")
          Optional<Double> most,
      @Schema(description = "Of pam: highest probability.", minimum = "0.01", maximum = "1")
          Optional<Double> probability,
      @Schema(
              description = "Of pam: a packet weighs 2 to the minus this in the average.",
              minimum = "0",
              maximum = "16")
          Optional<Integer> weightShift,
      @Schema(
              description = "Codepoint of what is within; other than outDscp.",
              minimum = "0",
              maximum = "63")
          Optional<Integer> inDscp,
      @Schema(description = "Codepoint of the others.", minimum = "0", maximum = "63")
          Optional<Integer> outDscp) {}

  /** The share of some flows. */
  @Schema(
      description = "The share of the flows that come with a codepoint.",
      additionalProperties = AdditionalPropertiesValue.FALSE)
  public record FlowWeight(
      @Schema(description = "The codepoint.", minimum = "0", maximum = "63") int dscp,
      @Schema(description = "Their share.", minimum = "1", maximum = "1000") double weight) {}

  /** The place of a subscriber. */
  @Schema(
      name = "Attachment",
      description = "A place in the access network.",
      additionalProperties = AdditionalPropertiesValue.FALSE)
  public record Placed(
      @Schema(
              name = "switch",
              description = "The switch that the port is of; needed where there are several.",
              pattern = ID)
          Optional<String> switchName,
      @Schema(description = "BNG port.", minimum = "0", maximum = "" + Attachment.MAX_PORT)
          int port,
      @Schema(
              description = "OLT tree of that port.",
              minimum = "0",
              maximum = "" + Attachment.MAX_TREE)
          int tree) {}

  /** A rate limit. */
  @Schema(
      description =
          "A limit of a subscriber, an OLT tree or a BNG port; at least one of downBps and upBps is"
              + " needed.",
      additionalProperties = AdditionalPropertiesValue.FALSE)
  public record RateLimit(
      @Schema(description = "The traffic that is limited; one limit per scope.") Scope scope,
      @Schema(description = "Rate to the subscribers, bit/s.", minimum = "1")
          Optional<Long> downBps,
      @Schema(description = "Rate from the subscribers, bit/s.", minimum = "1")
          Optional<Long> upBps,
      @Schema(
              description = "Burst, byte; what enforces the limit may hold less.",
              minimum = "1",
              maximum = "" + Integer.MAX_VALUE)
          Optional<Integer> burstBytes,
      @Schema(description = "What enforces it; by default the best that there is.")
          Optional<Enforcement> enforcement,
      @Schema(description = "Whether packets pass; open unless given.", defaultValue = "open")
          Optional<Gate> gate,
      @Schema(
              description =
                  "Of trees and ports: the most, in %, that the limits of the subscribers there may"
                      + " add up to.",
              minimum = "1",
              maximum = "" + net.sluice.intents.model.RateLimit.MAX_PERCENT)
          Optional<Integer> maxCommittedPercent,
      @Schema(
              description =
                  "Whether it limits nothing for now, whatever its schedule says; its rates are"
                      + " kept.",
              defaultValue = "false")
          Optional<Boolean> suspended,
      @ArraySchema(
              arraySchema =
                  @Schema(
                      description =
                          "Times at which it has other rates or is suspended; of several the first"
                              + " counts."),
              maxItems = Schedule.MAX_ENTRIES)
          Optional<List<LimitTime>> schedule) {}

  /** A time of a rate limit's schedule. */
  @Schema(
      description =
          "A time and what holds in it: either until, or from, to and zone, by the clocks of that"
              + " zone; either suspended, or rates of which those left out stay as declared.",
      additionalProperties = AdditionalPropertiesValue.FALSE)
  public record LimitTime(
      @Schema(description = UNTIL) Optional<Instant> until,
      @Schema(description = FROM, pattern = CLOCK) Optional<String> from,
      @Schema(description = TO, pattern = CLOCK) Optional<String> to,
      @Schema(description = ZONE, example = "Europe/Berlin") Optional<String> zone,
      @ArraySchema(
              arraySchema = @Schema(description = DAYS),
              schema = @Schema(allowableValues = {"mon", "tue", "wed", "thu", "fri", "sat", "sun"}),
              minItems = 1,
              uniqueItems = true)
          Optional<List<String>> days,
      @Schema(description = "Whether nothing is limited.", defaultValue = "false")
          Optional<Boolean> suspended,
      @Schema(description = "Rate to the subscribers, bit/s.", minimum = "1")
          Optional<Long> downBps,
      @Schema(description = "Rate from the subscribers, bit/s.", minimum = "1")
          Optional<Long> upBps,
      @Schema(description = "Burst, byte.", minimum = "1", maximum = "" + Integer.MAX_VALUE)
          Optional<Integer> burstBytes) {}

  /** The traffic of a rate limit. */
  @Schema(
      description = "Either subscriber, or port and perhaps tree; the latter may name the switch.",
      additionalProperties = AdditionalPropertiesValue.FALSE)
  public record Scope(
      @Schema(description = "The id of an existing subscriber.", pattern = ID)
          Optional<String> subscriber,
      @Schema(
              name = "switch",
              description = "The switch that the port is of; needed where there are several.",
              pattern = ID)
          Optional<String> switchName,
      @Schema(description = "BNG port.", minimum = "0", maximum = "" + Attachment.MAX_PORT)
          Optional<Integer> port,
      @Schema(
              description = "OLT tree of that port.",
              minimum = "0",
              maximum = "" + Attachment.MAX_TREE)
          Optional<Integer> tree) {}

  /** A gate that is to be opened or closed. */
  @Schema(
      description = "What the gate of a subscriber's own limit is to be.",
      additionalProperties = AdditionalPropertiesValue.FALSE)
  public record GateChange(@Schema(description = "Whether packets pass or wait.") Gate gate) {}

  /** One line of a bulk request or an export. */
  @Schema(
      description = "One line of a bulk request or an export.",
      additionalProperties = AdditionalPropertiesValue.FALSE)
  public record BulkChange(
      @Schema(
              description = "What is done with the declaration.",
              allowableValues = {"put", "delete"})
          String op,
      @Schema(description = "The kind of the declaration.") net.sluice.intents.model.Kind kind,
      @Schema(description = "Its id: " + ID_WORDS + ".", pattern = ID) String id,
      @Schema(
              description = "With put: the declaration, as PUT of its kind takes it.",
              oneOf = {Policy.class, Subscriber.class, RateLimit.class})
          Optional<Object> value,
      @Schema(
              description =
                  "With put, of what is not always the same: what of it is in force where it was"
                      + " exported, as in answers, without until. A declaration that is new comes to"
                      + " be like that, and what it declares for now some seconds later, so that"
                      + " all lines of an export are taken.",
              types = {"object"})
          Optional<Object> inForce,
      @Schema(
              description =
                  "The change is made only if the declaration has this ETag, written without"
                      + " quotes; * for any declaration.")
          Optional<String> ifMatch,
      @Schema(
              description =
                  "The change is made only if the declaration does not have this ETag; * if there"
                      + " is to be none.")
          Optional<String> ifNoneMatch) {}
}
