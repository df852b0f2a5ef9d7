package net.sluice.rest.usage;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import javax.ws.rs.core.UriInfo;
import net.sluice.core.SwitchStatus;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.northbound.usage.Measured;
import net.sluice.northbound.usage.Usage;
import net.sluice.northbound.usage.UsageSeries;
import net.sluice.rest.request.Query;

/** The time that a request asks the usage of. */
public final class UsageQuery {
  static final String FROM = "from";
  static final String TO = "to";
  private static final String STEP = "step";

  /** Most points of an answer. */
  private static final int MOST_POINTS = 2_000;

  /** Points that an answer has about where no step is given. */
  private static final int SOME_POINTS = 360;

  private static final long[] STEPS = {60, 300, 3_600, 86_400};
  private static final Duration LONGEST_AGO = Duration.ofDays(396);
  private static final Duration BY_DEFAULT = Duration.ofHours(1);
  private static final String TIME = "a date and time of RFC 3339, such as 2026-01-02T03:04:05Z";

  private final Usage usage;
  private final Instant from;
  private final Instant to;
  private final long step;

  private UsageQuery(Usage usage, Instant from, Instant to, long step) {
    this.usage = usage;
    this.from = from;
    this.to = to;
    this.step = step;
  }

  /**
   * Reads the parameters of a request.
   *
   * @throws Refusal if one is not acceptable, or nothing is measured
   */
  static UsageQuery of(UriInfo uri, Usage usage) throws Refusal {
    Query query = new Query(uri, FROM, TO, STEP);
    long step = query.number(STEP, 0, STEPS[0], STEPS[STEPS.length - 1]);
    Usage.Window window = window(query, usage, BY_DEFAULT);
    Instant begin = window.from();
    Instant end = window.to();
    long seconds = Duration.between(begin, end).toSeconds();
    long least = (seconds + MOST_POINTS - 1) / MOST_POINTS;
    if (step != 0 && step < least) {
      throw refusal(STEP, step, least + " to " + STEPS[STEPS.length - 1] + " for that time");
    }
    return new UsageQuery(usage, begin, end, step == 0 ? step(seconds) : step);
  }

  /**
   * The time from {@code from} to {@code to}, of a query of which all else has been looked at.
   *
   * @param byDefault how long before its end it begins
   * @throws Refusal as {@link #of}
   */
  static Usage.Window window(Query query, Usage usage, Duration byDefault) throws Refusal {
    Optional<Instant> from = query.parsed(FROM, TIME, UsageQuery::time);
    Optional<Instant> to = query.parsed(TO, TIME, UsageQuery::time);
    query.refuseIfUnsound();
    requireMeasured(usage);
    Instant now = usage.now();
    Instant end = to.filter(each -> each.isBefore(now)).orElse(now);
    Instant begin = from.orElse(end.minus(byDefault));
    if (!begin.isBefore(end)) {
      throw refusal(FROM, begin, "a time before " + end);
    }
    if (begin.isBefore(now.minus(LONGEST_AGO))) {
      throw refusal(FROM, begin, "at most " + LONGEST_AGO.toDays() + " days ago");
    }
    return new Usage.Window(begin, end);
  }

  /**
   * Nothing can be told where nothing is measured.
   *
   * @throws Refusal if so
   */
  public static void requireMeasured(Usage usage) throws Refusal {
    if (usage.sweeps().isEmpty()) {
      throw new Refusal(
          List.of(
              new Problem(
                  Problem.Code.CONFLICT,
                  "path",
                  "usage",
                  "only where usage is measured",
                  "Usage is not measured here: the controller's setting usage-interval is 0, or"
                      + " what it keeps could not be opened.")));
    }
  }

  private static Optional<Instant> time(String text) {
    try {
      return Optional.of(OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  private static Refusal refusal(String field, Object value, String allowed) {
    return new Refusal(List.of(Problem.of(Problem.Code.INVALID, field, value, allowed)));
  }

  private static long step(long seconds) {
    for (long each : STEPS) {
      if (seconds / each <= SOME_POINTS) {
        return each;
      }
    }
    return STEPS[STEPS.length - 1];
  }

  /** The points of something. */
  UsageSeries points(Measured which) {
    return usage.points(which, from, to, Duration.ofSeconds(step));
  }

  /**
   * The number of a path's part.
   *
   * @throws Refusal if it is none, or none that there is
   */
  static int number(String field, String text, int most) throws Refusal {
    if (!text.matches("[0-9]{1,4}") || Integer.parseInt(text) > most) {
      throw refusal(field, text, "0 to " + most);
    }
    return Integer.parseInt(text);
  }

  /**
   * Checks the name of a switch.
   *
   * @throws Refusal if there is none of that name
   */
  static void requireSwitch(String name, List<SwitchStatus> switches) throws Refusal {
    List<String> names = switches.stream().map(SwitchStatus::name).toList();
    if (!names.contains(name)) {
      throw new Refusal(
          List.of(
              new Problem(
                  Problem.Code.NOT_FOUND,
                  "switch",
                  name,
                  String.join(", ", names),
                  "There is no switch " + name + ".")));
    }
  }
}
