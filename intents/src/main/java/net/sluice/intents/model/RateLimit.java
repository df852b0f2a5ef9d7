package net.sluice.intents.model;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Predicate;
import net.sluice.intents.model.policy.LimitDelay;
import net.sluice.intents.model.schedule.Schedule;
import net.sluice.intents.model.schedule.Timing;
import net.sluice.intents.value.Direction;
import net.sluice.intents.value.Ids;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.intents.value.Ranges;

/**
 * A rate limit as declared. At least one direction has a rate, unless it is suspended for now.
 *
 * @param id identifier, see {@link Ids}
 * @param scope what is limited
 * @param downBps limit towards the subscriber in bit/s, more than 0
 * @param upBps limit from the subscriber in bit/s, more than 0
 * @param burstBytes bucket size asked for, in bytes, more than 0; the target's range is checked
 *     when compiling
 * @param enforcement what it is to be enforced by; empty to leave that to the compiler
 * @param gate whether packets pass at all, in the directions in which they wait in a queue
 * @param maxCommittedPercent of a tree's or port's: the most that the limits of its subscribers may
 *     add up to, in percent of this one's rate, 1 to {@value #MAX_PERCENT}; empty for any
 * @param terms of one that is not always the same
 * @param displayName its name for people, see {@link PlainText}
 * @param delay what it says of the delay that it may make
 */
public record RateLimit(
    String id,
    Scope scope,
    OptionalLong downBps,
    OptionalLong upBps,
    OptionalInt burstBytes,
    Optional<Enforcement> enforcement,
    Gate gate,
    OptionalInt maxCommittedPercent,
    Optional<LimitTerms> terms,
    Optional<String> displayName,
    LimitDelay delay)
    implements Declaration {
  /** Largest {@code maxCommittedPercent}: a thousand times the rate. */
  public static final int MAX_PERCENT = 100_000;

  /** Least burst that any target holds, in bytes: one packet of the largest size. */
  public static final int MIN_BURST_BYTES = 1_600;

  public RateLimit {
    Ids.require("id", Tariff.subscriberOf(id).orElse(id));
    Objects.requireNonNull(scope, "scope");
    Objects.requireNonNull(terms, "terms");
    if (terms.isEmpty()) {
      requireRates("", downBps, upBps, burstBytes);
    } else {
      terms
          .get()
          .rates(
              (field, rates) ->
                  requireRates(field, rates.downBps(), rates.upBps(), rates.burstBytes()));
    }
    Objects.requireNonNull(enforcement, "enforcement");
    Objects.requireNonNull(gate, "gate");
    if (maxCommittedPercent.isPresent()) {
      if (scope instanceof Scope.OfSubscriber) {
        throw new InvalidValueException(
            "maxCommittedPercent",
            maxCommittedPercent.getAsInt(),
            "absent: a subscriber has no limits below its own");
      }
      Ranges.require("maxCommittedPercent", maxCommittedPercent.getAsInt(), 1, MAX_PERCENT);
    }
    displayName.ifPresent(name -> PlainText.require("displayName", name, PlainText.MAX_NAME));
    if (delay.any() && !(scope instanceof Scope.OfSubscriber)) {
      String allowed =
          "absent: what waits under a limit of a tree or port is managed by subscriber";
      if (delay.aqm().isPresent()) {
        throw new InvalidValueException("aqm", delay.aqm().get().text(), allowed);
      }
      throw new InvalidValueException("maxDelayMillis", delay.maxDelayMillis().getAsInt(), allowed);
    }
  }

  /** A limit that says nothing of delay, and has no name for people. */
  public RateLimit(
      String id,
      Scope scope,
      OptionalLong downBps,
      OptionalLong upBps,
      OptionalInt burstBytes,
      Optional<Enforcement> enforcement,
      Gate gate,
      OptionalInt maxCommittedPercent,
      Optional<LimitTerms> terms) {
    this(
        id,
        scope,
        downBps,
        upBps,
        burstBytes,
        enforcement,
        gate,
        maxCommittedPercent,
        terms,
        Optional.empty(),
        LimitDelay.UNSAID);
  }

  /** A limit that is always the same. */
  public RateLimit(
      String id,
      Scope scope,
      OptionalLong downBps,
      OptionalLong upBps,
      OptionalInt burstBytes,
      Optional<Enforcement> enforcement,
      Gate gate,
      OptionalInt maxCommittedPercent) {
    this(
        id,
        scope,
        downBps,
        upBps,
        burstBytes,
        enforcement,
        gate,
        maxCommittedPercent,
        Optional.empty());
  }

  /** A limit whose gate is open. */
  public RateLimit(
      String id,
      Scope scope,
      OptionalLong downBps,
      OptionalLong upBps,
      OptionalInt burstBytes,
      Optional<Enforcement> enforcement) {
    this(id, scope, downBps, upBps, burstBytes, enforcement, Gate.OPEN, OptionalInt.empty());
  }

  /** A limit that does not say what it is to be enforced by. */
  public RateLimit(
      String id, Scope scope, OptionalLong downBps, OptionalLong upBps, OptionalInt burstBytes) {
    this(id, scope, downBps, upBps, burstBytes, Optional.empty());
  }

  @Override
  public Kind kind() {
    return Kind.RATE_LIMIT;
  }

  /** The same with another gate. */
  public RateLimit withGate(Gate other) {
    return new RateLimit(
        id,
        scope,
        downBps,
        upBps,
        burstBytes,
        enforcement,
        other,
        maxCommittedPercent,
        terms,
        displayName,
        delay);
  }

  /** The same, to be enforced by something else. */
  public RateLimit withEnforcement(Optional<Enforcement> other) {
    return new RateLimit(
        id,
        scope,
        downBps,
        upBps,
        burstBytes,
        other,
        gate,
        maxCommittedPercent,
        terms,
        displayName,
        delay);
  }

  /** The same with another {@code maxCommittedPercent}. */
  public RateLimit withMaxCommittedPercent(OptionalInt other) {
    return new RateLimit(
        id, scope, downBps, upBps, burstBytes, enforcement, gate, other, terms, displayName, delay);
  }

  /** The same with other rates in force, and its place in time, if it is not always the same. */
  public RateLimit withRates(LimitTerms.Rates rates, Timing timing) {
    return terms.isEmpty() ? this : with(rates, terms.get().with(timing));
  }

  /** The limit of one direction in bit/s. */
  public OptionalLong rateBps(Direction direction) {
    return direction == Direction.DOWN ? downBps : upBps;
  }

  /** The same with another name for people. */
  public RateLimit withDisplayName(Optional<String> newDisplayName) {
    return new RateLimit(
        id,
        scope,
        downBps,
        upBps,
        burstBytes,
        enforcement,
        gate,
        maxCommittedPercent,
        terms,
        newDisplayName,
        delay);
  }

  /** The same in the directions that {@code kept} accepts; empty if it sets none of these. */
  public Optional<RateLimit> only(Predicate<Direction> kept) {
    boolean down = downBps.isPresent() && kept.test(Direction.DOWN);
    boolean up = upBps.isPresent() && kept.test(Direction.UP);
    if (!down && !up) {
      return Optional.empty();
    }
    if (down == downBps.isPresent() && up == upBps.isPresent()) {
      return Optional.of(this);
    }
    return Optional.of(
        new RateLimit(
            id,
            scope,
            down ? downBps : OptionalLong.empty(),
            up ? upBps : OptionalLong.empty(),
            burstBytes,
            enforcement,
            gate,
            maxCommittedPercent,
            terms,
            displayName,
            delay));
  }

  /** True if it limits nothing for now. */
  public boolean isOff() {
    return downBps.isEmpty() && upBps.isEmpty();
  }

  @Override
  public RateLimit at(Instant moment) {
    return terms.isEmpty() ? this : with(terms.get().ratesAt(moment), terms.get().at(moment));
  }

  @Override
  public RateLimit outAt(Instant moment) {
    return new RateLimit(
        id,
        scope,
        downBps,
        upBps,
        burstBytes,
        enforcement,
        gate,
        maxCommittedPercent,
        terms.map(each -> each.outAt(moment)),
        displayName,
        delay);
  }

  @Override
  public Optional<RateLimit> treatedAs(Declaration other) {
    RateLimit was = (RateLimit) other;
    if (terms.isEmpty()) {
      return Optional.empty();
    }
    boolean isAlike =
        was.terms.filter(each -> each.with(terms.get().timing()).equals(terms.get())).isPresent();
    RateLimit same =
        with(
            new LimitTerms.Rates(was.downBps, was.upBps, was.burstBytes),
            isAlike ? was.terms.get() : terms.get());
    return isAlike || treatments().contains(same) ? Optional.of(same) : Optional.empty();
  }

  @Override
  public List<RateLimit> treatments() {
    List<RateLimit> treatments = new ArrayList<>();
    variants((field, variant) -> treatments.add(variant));
    terms.flatMap(LimitTerms::off).ifPresent(off -> treatments.add(with(off, terms.get())));
    return treatments;
  }

  @Override
  public Optional<Instant> outSince() {
    return terms.isEmpty() ? Optional.empty() : terms.get().timing().outSince();
  }

  @Override
  public Optional<Instant> changesAt() {
    return terms.isEmpty() ? Optional.empty() : terms.get().timing().until();
  }

  @Override
  public boolean isTimed() {
    return terms.isPresent();
  }

  @Override
  public RateLimit asDeclared() {
    return terms.isEmpty() ? this : with(terms.get().otherwise(), terms.get().with(Timing.NONE));
  }

  private RateLimit with(LimitTerms.Rates rates, LimitTerms newTerms) {
    return new RateLimit(
        id,
        scope,
        rates.downBps(),
        rates.upBps(),
        rates.burstBytes(),
        enforcement,
        gate,
        maxCommittedPercent,
        Optional.of(newTerms),
        displayName,
        delay);
  }

  /**
   * Passes on the limit as it may come into force, once for each time that has rates, with the
   * field that these are declared in before their names.
   */
  public void variants(Schedule.FieldValues<RateLimit> out) {
    if (terms.isEmpty()) {
      out.accept("", this);
    } else {
      terms.get().rates((field, rates) -> out.accept(field, with(rates, terms.get())));
    }
  }

  /** The highest rate that it may come to have in a direction; 0 if it never limits that. */
  public long mostBps(Direction direction) {
    return terms.isEmpty()
        ? rateBps(direction).orElse(0)
        : ratesOfAllTimes(direction).stream().mapToLong(rate -> rate).max().orElse(0);
  }

  /** The lowest rate that it may come to have in a direction; empty if it never limits that. */
  public OptionalLong leastBps(Direction direction) {
    return terms.isEmpty()
        ? rateBps(direction)
        : ratesOfAllTimes(direction).stream().mapToLong(rate -> rate).min();
  }

  private List<Long> ratesOfAllTimes(Direction direction) {
    List<Long> all = new ArrayList<>();
    variants((field, limit) -> limit.rateBps(direction).ifPresent(all::add));
    return all;
  }

  private static void requireRates(
      String before, OptionalLong downBps, OptionalLong upBps, OptionalInt burstBytes) {
    requirePositive(before, "downBps", downBps);
    requirePositive(before, "upBps", upBps);
    if (downBps.isEmpty() && upBps.isEmpty()) {
      throw new InvalidValueException(before + "downBps", "absent", "downBps, upBps or both");
    }
    if (burstBytes.isPresent() && burstBytes.getAsInt() <= 0) {
      throw new InvalidValueException(before + "burstBytes", burstBytes.getAsInt(), "more than 0");
    }
  }

  private static void requirePositive(String before, String field, OptionalLong rateBps) {
    if (rateBps.isPresent() && rateBps.getAsLong() <= 0) {
      throw new InvalidValueException(before + field, rateBps.getAsLong(), "more than 0 bit/s");
    }
  }
}
