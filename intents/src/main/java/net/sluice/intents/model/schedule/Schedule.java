package net.sluice.intents.model.schedule;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import net.sluice.intents.value.InvalidValueException;

/**
 * The times in which something else holds than what is declared beside it. Of several entries whose
 * time it is, the first counts.
 *
 * @param entries at most {@link #MAX_ENTRIES}
 * @param <T> the kind of what holds
 */
public record Schedule<T>(List<Entry<T>> entries) {
  /** Most entries of a schedule. */
  public static final int MAX_ENTRIES = 16;

  private static final String FIELD = "schedule";

  /**
   * One time and what holds in it.
   *
   * @param span the time
   * @param holds what holds
   */
  public record Entry<T>(Span span, T holds) {}

  /**
   * The state of a schedule at one moment.
   *
   * @param holds what holds; empty for what is declared beside the schedule
   * @param until when it is to be asked again, later than that moment; empty if never
   */
  public record Now<T>(Optional<T> holds, Optional<Instant> until) {}

  public Schedule {
    entries = List.copyOf(entries);
    if (entries.size() > MAX_ENTRIES) {
      throw new InvalidValueException(
          FIELD, entries.size() + " entries", "at most " + MAX_ENTRIES + " entries");
    }
  }

  /** A schedule without entries. */
  public static <T> Schedule<T> empty() {
    return new Schedule<>(List.of());
  }

  /** True if it has no entries. */
  public boolean isEmpty() {
    return entries.isEmpty();
  }

  /** Tells what holds at a moment, and until when at least. */
  public Now<T> at(Instant moment) {
    Optional<T> holds = Optional.empty();
    Instant next = Instant.MAX;
    for (Entry<T> entry : entries) {
      if (holds.isEmpty() && entry.span.covers(moment)) {
        holds = Optional.of(entry.holds);
      }
      Instant change = entry.span.nextChange(moment).orElse(Instant.MAX);
      next = change.isBefore(next) ? change : next;
    }
    return new Now<>(holds, next.equals(Instant.MAX) ? Optional.empty() : Optional.of(next));
  }

  /** The values of all entries that {@code of} finds in them, each with its field. */
  public <V> void forEach(Function<T, Optional<V>> of, FieldValues<V> out) {
    for (int i = 0; i < entries.size(); i++) {
      Optional<V> value = of.apply(entries.get(i).holds);
      if (value.isPresent()) {
        out.accept(FIELD + "[" + i + "]", value.get());
      }
    }
  }

  /** Takes values with the field in which they are declared. */
  @FunctionalInterface
  public interface FieldValues<V> {
    /** Takes one. */
    void accept(String field, V value);
  }
}
