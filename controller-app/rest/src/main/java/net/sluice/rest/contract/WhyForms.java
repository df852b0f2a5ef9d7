package net.sluice.rest.contract;

import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The forms of answers that tell why a subscriber gets what it gets. */
public final class WhyForms {
  private WhyForms() {}

  /** The limitation of a subscriber. */
  @Schema(description = "What limits a subscriber. Rates are of frames, bit/s.")
  public record Explanation(
      @Schema(description = "The subscriber's id.") String id,
      @Schema(description = "The end of the time that was measured; absent if nothing was.")
          Optional<Instant> at,
      @Schema(description = "Traffic to the subscriber.") ExplainedTraffic down,
      @Schema(description = "Traffic from the subscriber.") ExplainedTraffic up) {}

  /** The limitation of one direction. */
  @Schema(description = "What limits one direction.")
  public record ExplainedTraffic(
      @Schema(description = "Its own limit as declared.", minimum = "0") Optional<Long> declaredBps,
      @Schema(
              description =
                  "The least that is granted of its own, its tree's and its port's limit.",
              minimum = "0")
          Optional<Long> grantedBps,
      @Schema(description = "What came; absent if it was not measured.", minimum = "0")
          Optional<Long> offeredBps,
      @Schema(description = "What left; absent if it was not measured.", minimum = "0")
          Optional<Long> gotBps,
      @Schema(
              description =
                  "The smaller of its limits and of its share of what is full, or of what is left"
                      + " where nothing is; absent if it is not known.",
              minimum = "0")
          Optional<Long> entitledBps,
      @Schema(
              description = "What limits it; absent if nothing was measured.",
              allowableValues = {
                "own-limit",
                "tree",
                "port",
                "congestion",
                "suspended",
                "out-of-step",
                "port-down",
                "nothing"
              })
          Optional<String> limitedBy,
      @Schema(description = "The same in words.") String sentence,
      @Schema(description = "Where, if it is a port of a switch.") Optional<Where> where) {}

  /** The port that limits. */
  @Schema(description = "The switch port that limits.")
  public record Where(
      @Schema(name = "switch", description = "The switch, of several.") Optional<String> switchName,
      @Schema(description = "The port.", minimum = "0") int port,
      @Schema(
              description =
                  "Of a congested port, the rate of this subscriber whose value is the threshold.",
              minimum = "0")
          Optional<Long> thresholdBps,
      @Schema(description = "Of a congested port, subscribers that leave by it.", minimum = "0")
          Optional<Integer> subscribers) {}

  /** The places that a subscriber's packets pass. */
  @Schema(description = "The places that a subscriber's packets pass, the outermost first.")
  public record Chain(
      @Schema(description = "The subscriber's id.") String id,
      @ArraySchema(arraySchema = @Schema(description = "Of traffic to the subscriber."))
          List<ChainLink> down,
      @ArraySchema(arraySchema = @Schema(description = "Of traffic from the subscriber."))
          List<ChainLink> up) {}

  /** A place. */
  @Schema(description = "A place. Rates are of frames of all that pass there, bit/s.")
  public record ChainLink(
      @Schema(
              description = "What it is: port is the switch's port and the BNG port.",
              allowableValues = {"port", "tree", "subscriber", "class"})
          String level,
      @Schema(description = "Its name, for people.") String name,
      @Schema(description = "What came.", minimum = "0") Optional<Long> offeredBps,
      @Schema(description = "What got through all places.", minimum = "0") Optional<Long> gotBps,
      @Schema(description = "The limit declared there.", minimum = "0") Optional<Long> limitBps,
      @Schema(description = "What is granted of it, or the speed of a switch port.", minimum = "0")
          Optional<Long> grantedBps,
      @Schema(
              description = "The 95th percentile of the wait under shaped limits, ms.",
              minimum = "0")
          Optional<Double> delayMillis,
      @Schema(description = "What did not get through.", minimum = "0")
          Optional<Long> droppedBps) {}

  /** The subscribers of a port. */
  @Schema(description = "Who leaves by a switch port, and has how much, by the last reading.")
  public record PortSharesAnswer(
      @Schema(name = "switch", description = "The switch.") String switchName,
      @Schema(description = "The switch's port.", minimum = "0") int port,
      @Schema(
              types = {"object", "null"},
              description = "Traffic to subscribers; null if none of theirs leaves there.")
          SharedPort down,
      @Schema(
              types = {"object", "null"},
              description = "Traffic from subscribers; null if none of theirs leaves there.")
          SharedPort up) {}

  /** A port in one direction. */
  @Schema(description = "A port in one direction. Rates are of frames, bit/s.")
  public record SharedPort(
      @Schema(description = "When it was summed up.", format = "date-time") String at,
      @Schema(description = "The port's speed.", minimum = "0") long rateBps,
      @Schema(description = "Whether more is offered than it carries.") boolean congested,
      @Schema(description = "Subscribers that leave by it.", minimum = "0") int subscribers,
      @Schema(description = "What they offered.", minimum = "0") long offeredBps,
      @Schema(description = "What they got.", minimum = "0") long gotBps,
      @ArraySchema(arraySchema = @Schema(description = "By policy, the largest part first."))
          List<PolicyShare> policies,
      @ArraySchema(
              arraySchema =
                  @Schema(description = "Those it holds back, at most 20, most lost first."))
          List<HeldBackSubscriber> heldBack) {}

  /** The subscribers of a policy. */
  @Schema(description = "The subscribers of a policy at a port.")
  public record PolicyShare(
      @Schema(description = "The policy's id.") String policy,
      @Schema(description = "How many there are.", minimum = "0") int subscribers,
      @Schema(description = "What they offered.", minimum = "0") long offeredBps,
      @Schema(description = "What they got.", minimum = "0") long gotBps,
      @Schema(
              description =
                  "The rate from which packets of one of them are dropped; absent if all fits.",
              minimum = "0")
          Optional<Long> thresholdBps) {}

  /** A subscriber that a port holds back. */
  @Schema(description = "A subscriber that a port holds back.")
  public record HeldBackSubscriber(
      @Schema(description = "Its id.") String id,
      @Schema(description = "Its policy.") String policy,
      @Schema(description = "What it offered.", minimum = "0") long offeredBps,
      @Schema(description = "What it got.", minimum = "0") long gotBps,
      @Schema(description = "Its share; absent if it is not known.", minimum = "0")
          Optional<Long> entitledBps) {}

  /** The outcome of a simulation. */
  @Schema(description = "Who would get what if changes were made.")
  public record Simulation(
      @Schema(description = "How many subscribers want something.", minimum = "0") int subscribers,
      @Schema(description = "How many of them would get another rate.", minimum = "0") int changed,
      @Schema(
              description = "How many would lose more than the part that was asked about.",
              minimum = "0")
          int losing,
      @ArraySchema(arraySchema = @Schema(description = "What stands against lines."))
          List<SimulationRefusal> refused,
      @ArraySchema(arraySchema = @Schema(description = "The greatest losses first."))
          List<SimulatedSubscriber> items) {}

  /** A refusal. */
  @Schema(description = "What stands against a line; the others are simulated without it.")
  public record SimulationRefusal(
      @Schema(description = "The line.", minimum = "1") long line,
      @Schema(description = "The field.") String field,
      @Schema(description = "Its value.") String value,
      @Schema(description = "What is allowed.") String allowed,
      @Schema(description = "The same in a sentence.") String detail) {}

  /** A subscriber. */
  @Schema(description = "A subscriber with the directions in which it wants something.")
  public record SimulatedSubscriber(
      @Schema(description = "Its id.") String id,
      @Schema(description = "Traffic to the subscriber.") Optional<SimulatedTraffic> down,
      @Schema(description = "Traffic from the subscriber.") Optional<SimulatedTraffic> up) {}

  /** One direction. */
  @Schema(description = "One direction, bit/s of frames.")
  public record SimulatedTraffic(
      @Schema(description = "What it wants; absent of all that it can get.", minimum = "0")
          Optional<Long> wantedBps,
      @Schema(description = "What it gets by what is declared.", minimum = "0") long beforeBps,
      @Schema(description = "What it would get.", minimum = "0") long afterBps,
      @Schema(
              description = "What would limit it.",
              allowableValues = {
                "own-limit",
                "tree",
                "port",
                "congestion",
                "suspended",
                "not-declared",
                "nothing"
              })
          String limitedBy,
      @Schema(description = "Whether it loses more than the part that was asked about.")
          boolean loses) {}
}
