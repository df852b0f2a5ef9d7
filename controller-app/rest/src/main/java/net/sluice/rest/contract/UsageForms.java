package net.sluice.rest.contract;

import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Optional;
import net.sluice.intents.value.Direction;

/** The forms of usage, for the published document. */
final class UsageForms {
  private UsageForms() {}

  /** Usage over a time. */
  @Schema(description = "What something got over a time.")
  public record UsageSeriesAnswer(
      @Schema(description = "What it is of: an id, or switch/port or switch/port/tree.") String id,
      @Schema(description = "Begin of the first point's time.", format = "date-time") String from,
      @Schema(description = "End of the last point's time.", format = "date-time") String to,
      @Schema(description = "Time of each point, seconds.", minimum = "60") long stepSeconds,
      @ArraySchema(arraySchema = @Schema(description = "The points, oldest first."))
          List<UsagePointAnswer> points) {}

  /** A point. */
  @Schema(description = "A point; a direction of which nothing is known is null.")
  public record UsagePointAnswer(
      @Schema(description = "The end of its time.", format = "date-time") String at,
      @Schema(
              types = {"object", "null"},
              description = "Traffic to the subscribers.")
          UsageRates down,
      @Schema(
              types = {"object", "null"},
              description = "Traffic from the subscribers.")
          UsageRates up) {}

  /** Rates of one direction. */
  @Schema(description = "Mean rates of one direction, bit/s of frames.")
  public record UsageRates(
      @Schema(description = "What entered the switch.", minimum = "0") long offeredBps,
      @Schema(description = "What left it.", minimum = "0") long gotBps,
      @Schema(description = "What meters dropped.", minimum = "0") long policedBps,
      @Schema(
              description = "What found no room under a shaped limit, or would wait too long.",
              minimum = "0")
          long overflowedBps,
      @Schema(description = "What a suspension dropped.", minimum = "0") long suspendedBps,
      @Schema(description = "What CoDel of a shaped limit dropped.", minimum = "0") long droppedBps,
      @Schema(
              types = {"object", "null"},
              description = "Waits under shaped limits; null where no packet was under one.")
          UsageDelay delayMillis) {}

  /** Percentiles of waits. */
  @Schema(description = "Percentiles of waits, milliseconds; 100 stands for more, too.")
  public record UsageDelay(
      @Schema(description = "Of half of the packets.", minimum = "0") double p50,
      @Schema(description = "Of 95 %.", minimum = "0") double p95,
      @Schema(description = "Of 99 %.", minimum = "0") double p99) {}

  /** The subscribers with most. */
  @Schema(description = "The subscribers that have most of something, by the last reading.")
  public record Top(
      @Schema(
              description = "What they are ordered by.",
              allowableValues = {"rate", "drops", "delay"})
          String by,
      @Schema(
              description = "The direction.",
              allowableValues = {"down", "up"})
          String direction,
      @Schema(
              types = {"string", "null"},
              description = "The end of the time that the rates are of; null before the first.",
              format = "date-time")
          String at,
      @ArraySchema(arraySchema = @Schema(description = "The first has most."))
          List<TopSubscriber> top) {}

  /** A subscriber with its rates. */
  @Schema(description = "A subscriber with its rates in that direction, bit/s of frames.")
  public record TopSubscriber(
      @Schema(description = "The subscriber's id.") String id,
      @Schema(description = "What entered the switch.", minimum = "0") long offeredBps,
      @Schema(description = "What left it.", minimum = "0") long gotBps,
      @Schema(description = "What meters dropped.", minimum = "0") long policedBps,
      @Schema(
              description = "What found no room under a shaped limit, or would wait too long.",
              minimum = "0")
          long overflowedBps,
      @Schema(description = "What a suspension dropped.", minimum = "0") long suspendedBps,
      @Schema(description = "What CoDel of a shaped limit dropped.", minimum = "0") long droppedBps,
      @Schema(
              types = {"object", "null"},
              description = "Waits under shaped limits; null where no packet was under one.")
          UsageDelay delayMillis) {}

  /** Counters of many. */
  @Schema(description = "The counters of subscribers, by id.")
  public record CounterList(
      @ArraySchema(arraySchema = @Schema(description = "Those that could be read."))
          List<Answers.Counters> items,
      @ArraySchema(arraySchema = @Schema(description = "Ids of those that could not."))
          Optional<List<String>> unread,
      @Schema(description = "The id after which the list goes on; absent at its end.")
          Optional<String> next) {}

  /** Traffic of addresses that no subscriber has. */
  @Schema(description = "Traffic of addresses that no subscriber has.")
  public record Unknown(
      @ArraySchema(
              arraySchema =
                  @Schema(description = "Each port at which such packets entered lately."))
          List<UnknownAtPort> unknown,
      @ArraySchema(arraySchema = @Schema(description = "Switches that cannot tell."))
          Optional<List<Statuses.Unread>> unread) {}

  /** The same at a port. */
  @Schema(description = "Traffic that entered a port and that no subscriber has.")
  public record UnknownAtPort(
      @Schema(name = "switch", description = "Of several switches, which.")
          Optional<String> switchName,
      @Schema(description = "The switch port.", minimum = "0") int port,
      @Schema(description = "Which way it goes.") Direction direction,
      @Schema(description = "Begin of the time that it is of.", format = "date-time") String from,
      @Schema(description = "End of that time.", format = "date-time") String to,
      @Schema(description = "All of it, bit/s of frames, as the switch counted it.", minimum = "0")
          long bps,
      @Schema(description = "The same in packets a second.", minimum = "0") long packetsPerSecond,
      @ArraySchema(arraySchema = @Schema(description = "The addresses, that with most first."))
          List<UnknownAddress> addresses) {}

  /** An address that no subscriber has. */
  @Schema(description = "An address that no subscriber has.")
  public record UnknownAddress(
      @Schema(description = "Of the way up where packets come from, of the way down where they go.")
          String address,
      @Schema(description = "Its part, bit/s of frames, estimated from copies.", minimum = "0")
          long bps,
      @Schema(description = "How far that may be off, bit/s.", minimum = "0") long errorBps) {}

  /** The report of one subscriber. */
  @Schema(description = "What a subscriber got of what it was entitled to, over a time.")
  public record SlaReportAnswer(
      @Schema(description = "The subscriber's id.") String id,
      @Schema(description = "Begin of that time, by what is kept.", format = "date-time")
          String from,
      @Schema(description = "Its end.", format = "date-time") String to,
      @Schema(description = "Traffic to the subscriber.") ReportedTraffic down,
      @Schema(description = "Traffic from the subscriber.") ReportedTraffic up,
      @ArraySchema(arraySchema = @Schema(description = "The times of which nothing is known."))
          List<ReportedGap> gaps) {}

  /** The reports of several. */
  @Schema(description = "What subscribers got of what they were entitled to, by id.")
  public record SlaReportList(
      @Schema(description = "Begin of that time, by what is kept.", format = "date-time")
          String from,
      @Schema(description = "Its end.", format = "date-time") String to,
      @ArraySchema(arraySchema = @Schema(description = "A report of each."))
          List<SlaReportItem> items,
      @Schema(description = "The id after which the list goes on; absent at its end.")
          Optional<String> next) {}

  /** The report of one of several. */
  @Schema(description = "What a subscriber got of what it was entitled to.")
  public record SlaReportItem(
      @Schema(description = "The subscriber's id.") String id,
      @Schema(description = "Traffic to the subscriber.") ReportedTraffic down,
      @Schema(description = "Traffic from the subscriber.") ReportedTraffic up,
      @ArraySchema(arraySchema = @Schema(description = "The times of which nothing is known."))
          List<ReportedGap> gaps) {}

  /** One direction of a report. */
  @Schema(description = "One direction over the time.")
  public record ReportedTraffic(
      @Schema(description = "The time of which something is known.", minimum = "0")
          long measuredSeconds,
      @Schema(
              description = "The part of it in which it was suspended, and entitled to nothing.",
              minimum = "0")
          long suspendedSeconds,
      @Schema(
              description = "The part of it in which it got less than it was entitled to.",
              minimum = "0")
          long shortSeconds,
      @Schema(
              types = {"number", "null"},
              description =
                  "The share of the measured time in which it got what it was entitled to, percent;"
                      + " null where nothing was measured.",
              minimum = "0",
              maximum = "100")
          Double metPercent,
      @Schema(
              types = {"object", "null"},
              description = "Waits under shaped limits; null where no packet was under one.")
          UsageDelay delayMillis,
      @ArraySchema(
              arraySchema = @Schema(description = "The times in which it was short, oldest first."))
          List<ReportedBreach> breaches) {}

  /** A breach. */
  @Schema(description = "A time in which a subscriber got less than it was entitled to.")
  public record ReportedBreach(
      @Schema(description = "Its begin.", format = "date-time") String from,
      @Schema(description = "Its end.", format = "date-time") String to,
      @Schema(description = "How much of that it was short.", minimum = "1") long seconds,
      @Schema(description = "How finely begin and end are known.", minimum = "60") long stepSeconds,
      @Schema(
              description = "What limited it.",
              allowableValues = {
                "own-limit",
                "tree",
                "port",
                "congestion",
                "out-of-step",
                "port-down",
                "nothing"
              })
          String cause,
      @Schema(description = "What it was entitled to; absent if that is not known.", minimum = "1")
          Optional<Long> entitledBps,
      @Schema(description = "What it got.", minimum = "0") long gotBps) {}

  /** A gap. */
  @Schema(description = "A time of which nothing is known.")
  public record ReportedGap(
      @Schema(description = "Its begin.", format = "date-time") String from,
      @Schema(description = "Its end.", format = "date-time") String to) {}
}
