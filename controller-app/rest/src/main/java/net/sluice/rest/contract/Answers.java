package net.sluice.rest.contract;

import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.sluice.core.BrokenBatch;
import net.sluice.core.TargetState;
import net.sluice.core.declaration.Bodies.PolicyBody;
import net.sluice.core.declaration.Bodies.RateLimitBody;
import net.sluice.core.declaration.Bodies.SubscriberBody;
import net.sluice.core.declaration.Bodies.TariffBody;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.policy.AqmKind;
import net.sluice.intents.plan.FpgaLevel;
import net.sluice.intents.value.Direction;

/**
 * The answers to requests about declarations.
 *
 * <p>More than 500 lines, because it is the one list of what clients are answered about them.
 */
public final class Answers {
  private static final String NOTES =
      "For people: why granted differs from requested, and what else a change does.";
  private static final String TARGETS = "How far each target is that has to hold something.";

  private static final String IN_FORCE =
      "What is in force now; present where suspended or schedule are.";
  private static final String UNTIL =
      "When the schedule is looked at next; absent if nothing changes by it.";

  private Answers() {}

  /** A policy in force. */
  @Schema(description = "A policy in force.")
  public record PolicyAnswer(
      @Schema(description = "Its id.") String id,
      @Schema(description = "The declaration, in the form it can be put again.")
          PolicyBody declared,
      @Schema(description = "Nothing, of a policy.") Granted requested,
      @Schema(description = "Nothing, of a policy.") Granted granted,
      @ArraySchema(arraySchema = @Schema(description = NOTES)) List<String> notes,
      @ArraySchema(arraySchema = @Schema(description = TARGETS)) List<Installation> targets) {}

  /** A subscriber in force. */
  @Schema(description = "A subscriber in force.")
  public record SubscriberAnswer(
      @Schema(description = "Its id.") String id,
      @Schema(description = "The declaration, in the form it can be put again.")
          SubscriberBody declared,
      @Schema(description = IN_FORCE) Optional<PolicyInForce> inForce,
      @Schema(description = "Nothing, of a subscriber.") Granted requested,
      @Schema(description = "Nothing, of a subscriber.") Granted granted,
      @ArraySchema(
              arraySchema =
                  @Schema(
                      description =
                          "The rate limits it is under; absent in lists, and if there is none."))
          Optional<List<LimitInForce>> limits,
      @Schema(description = "The lowest granted rate of each direction; absent as limits is.")
          Optional<Effective> effective,
      @ArraySchema(arraySchema = @Schema(description = NOTES)) List<String> notes,
      @ArraySchema(arraySchema = @Schema(description = TARGETS)) List<Installation> targets,
      @ArraySchema(
              arraySchema =
                  @Schema(description = "Switches that serve it until another one holds it."))
          Optional<List<Leaving>> leaving) {}

  /** A rate limit in force. */
  @Schema(description = "A rate limit in force.")
  public record RateLimitAnswer(
      @Schema(description = "Its id.") String id,
      @Schema(description = "The declaration, in the form it can be put again.")
          RateLimitBody declared,
      @Schema(description = IN_FORCE) Optional<RatesInForce> inForce,
      @Schema(description = "Each number that a target represents, as asked for.")
          Granted requested,
      @Schema(description = "The same numbers as they are, and what enforces each direction.")
          Granted granted,
      @ArraySchema(arraySchema = @Schema(description = NOTES)) List<String> notes,
      @ArraySchema(arraySchema = @Schema(description = TARGETS)) List<Installation> targets,
      @ArraySchema(
              arraySchema =
                  @Schema(description = "Switches that enforce it until another one does."))
          Optional<List<Leaving>> leaving) {}

  /** A tariff in force. */
  @Schema(description = "A tariff in force.")
  public record TariffAnswer(
      @Schema(description = "Its id.") String id,
      @Schema(description = "The declaration, in the form it can be put again.")
          TariffBody declared,
      @Schema(description = "Nothing, of a tariff.") Granted requested,
      @Schema(description = "Nothing, of a tariff.") Granted granted,
      @ArraySchema(arraySchema = @Schema(description = NOTES)) List<String> notes,
      @ArraySchema(arraySchema = @Schema(description = TARGETS)) List<Installation> targets) {}

  /** The policy of a subscriber now. */
  @Schema(description = "What a subscriber has now.")
  public record PolicyInForce(
      @Schema(description = "Its policy; absent while its traffic is stopped.")
          Optional<String> policy,
      @Schema(description = "That of its upstream traffic, where one is named for that alone.")
          Optional<String> upstreamPolicy,
      @Schema(description = "Present while its traffic is stopped.") Optional<Boolean> suspended,
      @Schema(description = UNTIL) Optional<Instant> until) {}

  /** The rates of a limit now. */
  @Schema(description = "What a limit does now.")
  public record RatesInForce(
      @Schema(description = "Present if it limits nothing.") Optional<Boolean> suspended,
      @Schema(description = "Rate to the subscribers, bit/s.", minimum = "1")
          Optional<Long> downBps,
      @Schema(description = "Rate from the subscribers, bit/s.", minimum = "1")
          Optional<Long> upBps,
      @Schema(description = "Burst, byte.", minimum = "1") Optional<Integer> burstBytes,
      @Schema(description = UNTIL) Optional<Instant> until) {}

  /** Numbers that targets represent. */
  @Schema(description = "Numbers that targets represent; absent where there is no such number.")
  public record Granted(
      @Schema(description = "Rate to the subscribers, bit/s.", minimum = "0")
          Optional<Long> downBps,
      @Schema(description = "Rate from the subscribers, bit/s.", minimum = "0")
          Optional<Long> upBps,
      @Schema(description = "Burst to the subscribers, byte.", minimum = "0")
          Optional<Long> downBurstBytes,
      @Schema(description = "Burst from the subscribers, byte.", minimum = "0")
          Optional<Long> upBurstBytes,
      @Schema(description = "What enforces the rate to the subscribers; in granted only.")
          Optional<Enforcement> downLimiter,
      @Schema(description = "What enforces the rate from the subscribers; in granted only.")
          Optional<Enforcement> upLimiter,
      @Schema(description = "Others that could enforce the rate to the subscribers.")
          Optional<OtherLimiters> downOtherLimiters,
      @Schema(description = "Others that could enforce the rate from the subscribers.")
          Optional<OtherLimiters> upOtherLimiters) {}

  /** Rates that other limiters of the same direction would grant. */
  @Schema(description = "Rates that other limiters would grant; absent of one that cannot hold it.")
  public record OtherLimiters(
      @Schema(description = "By the FPGA, bit/s.", minimum = "0") Optional<Long> fpga,
      @Schema(description = "By the switch's shaping, bit/s.", minimum = "0") Optional<Long> shape,
      @Schema(description = "By the switch's meters, bit/s.", minimum = "0")
          Optional<Long> police) {}

  /** A rate limit that a subscriber is under. */
  @Schema(description = "A rate limit that a subscriber is under.")
  public record LimitInForce(
      @Schema(
              description = "Whose limit it is.",
              allowableValues = {"subscriber", "tree", "port"})
          String level,
      @Schema(description = "The limit's id.") String rateLimit,
      @Schema(description = "Its numbers as asked for.") Granted requested,
      @Schema(description = "The same numbers as they are.") Granted granted) {}

  /** The rates that a subscriber gets at most. */
  @Schema(description = "The rates that a subscriber gets at most; absent where there is no limit.")
  public record Effective(
      @Schema(description = "Rate to it, bit/s.", minimum = "0") Optional<Long> downBps,
      @Schema(description = "Rate from it, bit/s.", minimum = "0") Optional<Long> upBps) {}

  /** How far a target is with a declaration. */
  @Schema(description = "How far a target is with a declaration.")
  public record Installation(
      @Schema(
              description =
                  "The target: switch, fpga-down or fpga-up, in a network with the name"
                      + " of its switch.")
          String target,
      @Schema(
              description =
                  "INSTALLED: the target holds it. PENDING: on its way, or waiting for the target."
                      + " FAILED: the target refused; it is tried again.")
          TargetState state,
      @Schema(description = "When it got into that state.") Instant since,
      @Schema(description = "The target's words, or why it cannot be reached.")
          Optional<String> error,
      @Schema(description = "While PENDING: what is waited for, for people.")
          Optional<String> awaits,
      @Schema(description = "When the next attempt is made.") Optional<Instant> next,
      @Schema(
              description =
                  "Of writes that were under way when the target's session ended. UNKNOWN: which"
                      + " have arrived is not known before the target has been read back. RESUMED:"
                      + " the rest was written, none was undone. Absent from the next write on.")
          Optional<BrokenBatch> brokenBatch) {}

  /** A switch that serves a subscriber until another one does. */
  @Schema(description = "A switch that serves what is declared at another one by now.")
  public record Leaving(
      @Schema(name = "switch", description = "The switch that is left.") String switchName,
      @Schema(description = "Since when.") Instant since,
      @Schema(description = "The switch that has to hold it first.") String waitsFor) {}

  /** The rest of a declaration that was deleted. */
  @Schema(description = "What is left of a declaration that was deleted.")
  public record Deleting(
      @Schema(description = "Its id.") String id,
      @Schema(description = "Always true.") boolean deleting,
      @ArraySchema(arraySchema = @Schema(description = "The targets that still hold some of it."))
          List<Installation> targets) {}

  /** Policies of a list. */
  @Schema(description = "A part of the list of policies, ordered by id.")
  public record PolicyPage(
      @Schema(description = "Number of all; absent of a list that is filtered.", minimum = "0")
          Optional<Long> total,
      @ArraySchema(arraySchema = @Schema(description = "The items.")) List<PolicyAnswer> items,
      @Schema(description = "The cursor of the next page; absent at the end.")
          Optional<String> next) {}

  /** Subscribers of a list. */
  @Schema(description = "A part of the list of subscribers, ordered by id.")
  public record SubscriberPage(
      @Schema(description = "Number of all; absent of a list that is filtered.", minimum = "0")
          Optional<Long> total,
      @ArraySchema(arraySchema = @Schema(description = "The items.")) List<SubscriberAnswer> items,
      @Schema(description = "The cursor of the next page; absent at the end.")
          Optional<String> next) {}

  /** Rate limits of a list. */
  @Schema(description = "A part of the list of rate limits, ordered by id.")
  public record RateLimitPage(
      @Schema(description = "Number of all; absent of a list that is filtered.", minimum = "0")
          Optional<Long> total,
      @ArraySchema(arraySchema = @Schema(description = "The items.")) List<RateLimitAnswer> items,
      @Schema(description = "The cursor of the next page; absent at the end.")
          Optional<String> next) {}

  /** Tariffs of a list. */
  @Schema(description = "A part of the list of tariffs, ordered by id.")
  public record TariffPage(
      @Schema(description = "Number of all; absent of a list that is filtered.", minimum = "0")
          Optional<Long> total,
      @ArraySchema(arraySchema = @Schema(description = "The items.")) List<TariffAnswer> items,
      @Schema(description = "The cursor of the next page; absent at the end.")
          Optional<String> next) {}

  /** The effect that a change would have. */
  @Schema(description = "The effect that a change would have.")
  public record DryRun(
      @Schema(description = "The declaration's id.") String id,
      @Schema(description = "Always true.") boolean dryRun,
      @Schema(
              description = "The declaration, as PUT of its kind takes it; absent of a deletion.",
              oneOf = {
                PolicyBody.class,
                SubscriberBody.class,
                RateLimitBody.class,
                TariffBody.class
              })
          Optional<Object> declared,
      @Schema(
              description = IN_FORCE,
              anyOf = {PolicyInForce.class, RatesInForce.class})
          Optional<Object> inForce,
      @Schema(description = "Each number that a target represents, as asked for.")
          Granted requested,
      @Schema(description = "The same numbers as they would be.") Granted granted,
      @ArraySchema(arraySchema = @Schema(description = NOTES)) List<String> notes,
      @Schema(description = "By target, the writes in the order in which they would be sent.")
          Map<String, List<PlannedWrite>> plan) {}

  /** A curve of RED in the switch's numbers. */
  @Schema(description = "A curve of RED in the switch's numbers.")
  public record RedCurve(
      @Schema(description = "Averaged packets below which none is dropped, in 2^-16.") long least,
      @Schema(description = "From which on all are, in 2^-16.") long most,
      @Schema(description = "Growth of the probability by each packet between, in 2^-24.")
          int slope) {}

  /** A queue of an FPGA. */
  @Schema(description = "A queue of an FPGA.")
  public record QueueAddress(
      @Schema(description = "BNG port.") int port,
      @Schema(description = "OLT tree.") int tree,
      @Schema(description = "Customer of the tree.") int customer) {}

  /** One write of a plan. */
  @Schema(description = "One write of a plan; which fields it has, its table or setting says.")
  public record PlannedWrite(
      @Schema(
              description = "SET for an FPGA, the others for the switch.",
              allowableValues = {"INSERT", "MODIFY", "DELETE", "SET"})
          String op,
      @Schema(description = "The table of the switch.") Optional<String> table,
      @Schema(description = "Match of ipv4-prefix and ipv6-prefix.") Optional<String> prefix,
      @Schema(description = "Which table of several that is.") Optional<Integer> tableNumber,
      @Schema(description = "Switch port that packets come in by.") Optional<Integer> ingressPort,
      @Schema(description = "Outer VLAN tag.") Optional<Integer> sVlan,
      @Schema(description = "Inner VLAN tag.") Optional<Integer> cVlan,
      @Schema(description = "Number of the subscriber in the switch.")
          Optional<Integer> subscriberIndex,
      @Schema(description = "Number of the policy in the switch.") Optional<Integer> policySlot,
      @Schema(description = "Number of the rate's bin.") Optional<Integer> rateBin,
      @Schema(description = "Packet value of the bin.") Optional<Integer> packetValue,
      @Schema(description = "Switch port that packets leave by.") Optional<Integer> egressPort,
      @Schema(description = "Whether packets to the subscriber are shaped.")
          Optional<Boolean> shapeDown,
      @Schema(description = "Whether packets from the subscriber are shaped.")
          Optional<Boolean> shapeUp,
      @Schema(
              description =
                  "Whether the subscriber has VLAN tags, so that upstream these alone tell it.")
          Optional<Boolean> hasLine,
      @Schema(
              description =
                  "Of queue-aqm and queue-rio the number of the class queue, of a subscriber's"
                      + " entries its queue in the FPGA.",
              types = {"integer", "object"},
              oneOf = {Integer.class, QueueAddress.class})
          Optional<Object> queue,
      @Schema(description = "Direction of a meter or limit.") Optional<Direction> direction,
      @Schema(description = "BNG port or, of queue-aqm and queue-rio, switch port.")
          Optional<Integer> port,
      @Schema(description = "OLT tree.") Optional<Integer> tree,
      @Schema(description = "Customer of the tree.") Optional<Integer> customer,
      @Schema(description = "How a queue is managed.") Optional<AqmKind> kind,
      @Schema(description = "Delay to stay below, microseconds.") Optional<Long> targetMicros,
      @Schema(description = "How long it may be above, microseconds.")
          Optional<Long> intervalMicros,
      @Schema(description = "Whether packets are marked instead of dropped.") Optional<Boolean> ecn,
      @Schema(description = "Of queue-rio the packets that may wait.")
          Optional<Integer> limitPackets,
      @Schema(description = "Weight of a packet in its averages, 2^-shift.")
          Optional<Integer> weightShift,
      @Schema(description = "Its averages halve every 2^shift us that the queue is empty.")
          Optional<Integer> idleShift,
      @Schema(description = "Its curve of packets within their contract.") Optional<RedCurve> in,
      @Schema(description = "Its curve of the others.") Optional<RedCurve> out,
      @Schema(description = "Number of an aggregate in the switch.") Optional<Integer> aggregate,
      @Schema(
              description = "Its marker.",
              allowableValues = {"token-bucket", "tsw2cm", "pam", "f-sam"})
          Optional<String> marker,
      @Schema(
              description = "The contract in the switch's numbers.",
              additionalPropertiesSchema = Long.class)
          Optional<Map<String, Long>> marking,
      @Schema(description = "Codepoint of packets within the contract.") Optional<Integer> inDscp,
      @Schema(description = "Codepoint of the others.") Optional<Integer> outDscp,
      @Schema(
              description =
                  "Of flow-weight and traffic-class the codepoint that packets come with.")
          Optional<Integer> dscp,
      @Schema(description = "1,024 times the logarithm to base 2 of a weight.")
          Optional<Integer> weightLog,
      @Schema(description = "Rate of a meter or limit, bit/s; absent where everything passes.")
          Optional<Long> rateBps,
      @Schema(description = "Burst of a meter, byte; absent where everything passes.")
          Optional<Long> burstBytes,
      @Schema(
              description = "Of an FPGA: what is set.",
              allowableValues = {
                "rate",
                "bucketSize",
                "burst",
                "codel",
                "depth",
                "queueDepth",
                "classes"
              })
          Optional<String> setting,
      @Schema(description = "Of an FPGA: whose bucket.") Optional<FpgaLevel> level,
      @Schema(description = "Of queueDepth and traffic-class: class of the queues.")
          Optional<Integer> queueClass,
      @ArraySchema(
              arraySchema =
                  @Schema(
                      description =
                          "Of classes what each has afterwards, from class 0: 15 goes before all"
                              + " others, 1 to 14 is a share."))
          Optional<List<Integer>> classes,
      @ArraySchema(arraySchema = @Schema(description = "What each has before."))
          Optional<List<Integer>> previousClasses,
      @Schema(description = "Rate afterwards; 262143 is not limited.") Optional<Integer> word,
      @Schema(description = "Rate before.") Optional<Integer> previousWord,
      @Schema(
              description =
                  "Size afterwards, byte; of burst 0 for that of the level, of depth for the"
                      + " class's.")
          Optional<Long> bytes,
      @Schema(description = "Size before, byte.") Optional<Long> previousBytes,
      @Schema(description = "Of codel the target afterwards, ticks of the FPGA; 0 for the class's.")
          Optional<Integer> targetTicks,
      @Schema(description = "Of codel the interval afterwards, ticks.")
          Optional<Integer> intervalTicks,
      @Schema(description = "Target before, ticks.") Optional<Integer> previousTargetTicks,
      @Schema(description = "Interval before, ticks.") Optional<Integer> previousIntervalTicks,
      @Schema(description = "The declared number that the write represents.")
          Optional<Double> requested,
      @Schema(description = "That number as it is.") Optional<Double> granted,
      @Schema(
              description = "The unit of requested and granted.",
              allowableValues = {"bit/s", "byte", "value"})
          Optional<String> unit) {}

  /** The outcome of one line of a bulk request. */
  @Schema(description = "The outcome of one line of a bulk request.")
  public record BulkResult(
      @Schema(description = "Number of the line, from 1.", minimum = "1") long line,
      @Schema(description = "The declaration's id, if the line could be read.") Optional<String> id,
      @Schema(description = "200 if done, else the problem's.") int status,
      @Schema(description = "Why it was not done.") Optional<Problem> problem,
      @Schema(description = "With dryRun: always true.") Optional<Boolean> dryRun,
      @Schema(
              description = "With dryRun: the declaration; absent of a deletion.",
              oneOf = {
                PolicyBody.class,
                SubscriberBody.class,
                RateLimitBody.class,
                TariffBody.class
              })
          Optional<Object> declared,
      @Schema(
              description = IN_FORCE,
              anyOf = {PolicyInForce.class, RatesInForce.class})
          Optional<Object> inForce,
      @Schema(description = "With dryRun, see DryRun.") Optional<Granted> requested,
      @Schema(description = "With dryRun, see DryRun.") Optional<Granted> granted,
      @ArraySchema(arraySchema = @Schema(description = NOTES)) Optional<List<String>> notes,
      @Schema(description = "With dryRun, see DryRun.")
          Optional<Map<String, List<PlannedWrite>>> plan) {}

  /** A refusal or failure (RFC 9457). */
  @Schema(description = "A refusal or failure (RFC 9457).")
  public record Problem(
      @Schema(description = "Its kind, urn:sluice:problem: and a name.", format = "uri")
          String type,
      @Schema(description = "The kind for people.") String title,
      @Schema(description = "The answer's HTTP status.", minimum = "400", maximum = "599")
          int status,
      @Schema(description = "What happened, in sentences for people.") String detail,
      @ArraySchema(arraySchema = @Schema(description = "What is wrong with which field."))
          List<FieldError> errors,
      @Schema(description = "Of a fault of the controller: what its log calls it.")
          Optional<String> incident) {}

  /** The error in one field. */
  @Schema(description = "What is wrong with one field.")
  public record FieldError(
      @Schema(
              description = "The line that it is in, of changes that are made together.",
              minimum = "1")
          Optional<Long> line,
      @Schema(
              description =
                  "A path such as prefixes[2] or attachment.tree, a query parameter or a header;"
                      + " body is the whole body.")
          String field,
      @Schema(description = "What was given, for people.") String value,
      @Schema(description = "What is accepted, for people.") String allowed,
      @Schema(description = "What is wrong with the line, in sentences for people.")
          Optional<String> detail) {}

  /** The curve of a policy. */
  @Schema(
      description =
          "The packet value of a policy by rate: on straight lines in logarithmic coordinates"
              + " between the points.")
  public record Curve(
      @Schema(description = "The policy's id.") String id,
      @ArraySchema(arraySchema = @Schema(description = "By rising rate."))
          List<CurvePoint> points) {}

  /** A point of a curve. */
  @Schema(description = "A point of a curve.")
  public record CurvePoint(
      @Schema(description = "Rate, bit/s.", minimum = "1") long rateBps,
      @Schema(description = "Packet value there.", minimum = "1", maximum = "1000000000")
          double value) {}

  /** The counters of a subscriber. */
  @Schema(description = "The counters of a subscriber, since the switch's program was loaded.")
  public record Counters(
      @Schema(description = "The subscriber's id.") String id,
      @Schema(description = "Traffic to the subscriber.") Traffic down,
      @Schema(description = "Traffic from the subscriber.") Traffic up,
      @Schema(description = "Of a subscriber with a contract: what was marked since it began.")
          Optional<MarkedTraffic> aggregate) {}

  /** Traffic that contracts mark. */
  @Schema(description = "Traffic that contracts mark, of each direction that has one.")
  public record MarkedTraffic(
      @Schema(description = "Traffic to the subscriber.") Optional<Marked> down,
      @Schema(description = "Traffic from the subscriber.") Optional<Marked> up) {}

  /** Traffic of one direction that a contract marks. */
  @Schema(description = "Traffic of one direction that a contract marks.")
  public record Marked(
      @Schema(description = "Packets within the rate.", minimum = "0") long packetsInProfile,
      @Schema(description = "Bytes of these.", minimum = "0") long bytesInProfile,
      @Schema(description = "The other packets.", minimum = "0") long packetsOutOfProfile,
      @Schema(description = "Bytes of these.", minimum = "0") long bytesOutOfProfile) {}

  /** The traffic of one direction. */
  @Schema(description = "Traffic of one direction; null where the program does not count it.")
  public record Traffic(
      @Schema(
              types = {"integer", "null"},
              description = "Packets classified as the subscriber's.")
          Long packetsIn,
      @Schema(
              types = {"integer", "null"},
              description = "Bytes of these frames.")
          Long bytesIn,
      @Schema(description = "Packets that left the switch.") long packetsOut,
      @Schema(description = "Bytes of these frames.") long bytesOut,
      @Schema(
              types = {"integer", "null"},
              description = "Packets that a meter dropped.")
          Long packetsPoliced,
      @Schema(
              types = {"integer", "null"},
              description = "Bytes of these frames.")
          Long bytesPoliced,
      @Schema(
              types = {"integer", "null"},
              description =
                  "Packets dropped under a limit that the switch shapes, for want of room to wait"
                      + " or because they would have waited longer than it allows.")
          Long packetsOverflowed,
      @Schema(
              types = {"integer", "null"},
              description = "Bytes of these frames.")
          Long bytesOverflowed,
      @Schema(
              types = {"integer", "null"},
              description = "Packets dropped while the subscriber was suspended.")
          Long packetsSuspended,
      @Schema(
              types = {"integer", "null"},
              description = "Bytes of these frames.")
          Long bytesSuspended,
      @Schema(
              types = {"object", "null"},
              description = "Packets under limits that the switch shapes.")
          Shaped shaped) {}

  /** The packets of one direction under limits that the switch shapes. */
  @Schema(description = "Packets of one direction under limits that the switch shapes.")
  public record Shaped(
      @Schema(
              description =
                  "Packets that went before what waited: of light flows and of scalable senders.",
              minimum = "0")
          long packetsFirst,
      @Schema(description = "Bytes of these.", minimum = "0") long bytesFirst,
      @Schema(description = "Packets marked by ECN instead of dropped.", minimum = "0")
          long packetsMarked,
      @Schema(description = "Bytes of these.", minimum = "0") long bytesMarked,
      @Schema(description = "Packets that CoDel dropped.", minimum = "0") long packetsDropped,
      @Schema(description = "Bytes of these.", minimum = "0") long bytesDropped,
      @Schema(description = "The packets let in, by how long they wait, from short to long.")
          List<Waited> waits) {}

  /** Packets by how long they wait. */
  @Schema(description = "Packets that wait longer than those of the element before.")
  public record Waited(
      @Schema(
              types = {"integer", "null"},
              description = "The longest wait of these; null of the last element.")
          Integer upToMillis,
      @Schema(description = "Packets.", minimum = "0") long packets,
      @Schema(description = "Bytes of these.", minimum = "0") long bytes) {}
}
