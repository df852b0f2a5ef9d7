package net.sluice.intents.model;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import net.sluice.intents.model.schedule.Schedule;
import net.sluice.intents.model.schedule.Timing;

/**
 * The declaration of a rate limit that is not always the same. The rates in force are those of the
 * {@link RateLimit}.
 *
 * @param otherwise the rates that it has otherwise
 * @param suspended whether it limits nothing for now
 * @param schedule what it does at times
 * @param timing its place in time
 */
public record LimitTerms(
    Rates otherwise, boolean suspended, Schedule<Holding> schedule, Timing timing) {
  /** The behaviour of a limit at times. */
  public sealed interface Holding {
    /** It limits nothing. */
    record Off() implements Holding {}

    /** It has other rates; what they leave out stays as declared. */
    record At(Rates rates) implements Holding {}
  }

  /**
   * Rates as of a {@link RateLimit}, at least one of which is there.
   *
   * @param downBps bit/s towards the subscriber, more than 0
   * @param upBps bit/s from the subscriber, more than 0
   * @param burstBytes bucket size, more than 0
   */
  public record Rates(OptionalLong downBps, OptionalLong upBps, OptionalInt burstBytes) {
    private Rates over(Rates declared) {
      return new Rates(
          downBps.isPresent() ? downBps : declared.downBps,
          upBps.isPresent() ? upBps : declared.upBps,
          burstBytes.isPresent() ? burstBytes : declared.burstBytes);
    }
  }

  private static final Rates NO_RATES =
      new Rates(OptionalLong.empty(), OptionalLong.empty(), OptionalInt.empty());

  public LimitTerms {
    Objects.requireNonNull(otherwise, "otherwise");
    Objects.requireNonNull(schedule, "schedule");
    Objects.requireNonNull(timing, "timing");
  }

  /** The terms of what has just been declared; empty if the limit is always the same. */
  public static Optional<LimitTerms> of(
      Rates otherwise, boolean suspended, Schedule<Holding> schedule) {
    return suspended || !schedule.isEmpty()
        ? Optional.of(new LimitTerms(otherwise, suspended, schedule, Timing.NONE))
        : Optional.empty();
  }

  /** Passes on the rates of every time, with the field that has them before their names. */
  void rates(Schedule.FieldValues<Rates> out) {
    out.accept("", otherwise);
    schedule.forEach(
        holding ->
            holding instanceof Holding.At at
                ? Optional.of(at.rates.over(otherwise))
                : Optional.empty(),
        (field, rates) -> out.accept(field + ".", rates));
  }

  /** Those of a limit that limits nothing, if it does so at some time. */
  Optional<Rates> off() {
    boolean[] isOff = {suspended};
    schedule.forEach(
        holding -> holding instanceof Holding.Off ? Optional.of(true) : Optional.empty(),
        (field, yes) -> isOff[0] = true);
    return isOff[0] ? Optional.of(NO_RATES) : Optional.empty();
  }

  /** The rates that are declared for a moment; none if it limits nothing then. */
  Rates ratesAt(Instant moment) {
    if (suspended) {
      return NO_RATES;
    }
    Optional<Holding> holds = schedule.at(moment).holds();
    if (holds.isEmpty()) {
      return otherwise;
    }
    return holds.get() instanceof Holding.At at ? at.rates.over(otherwise) : NO_RATES;
  }

  /** The same with when something else may come into force, as of a moment. */
  LimitTerms at(Instant moment) {
    return with(Timing.inForce(untilAfter(moment)));
  }

  /** The same, out of force since a moment if not for longer. */
  LimitTerms outAt(Instant moment) {
    return with(timing.outAt(moment, untilAfter(moment)));
  }

  private Optional<Instant> untilAfter(Instant moment) {
    return suspended ? Optional.empty() : schedule.at(moment).until();
  }

  LimitTerms with(Timing other) {
    return new LimitTerms(otherwise, suspended, schedule, other);
  }
}
