package net.sluice.northbound.events;

import java.io.IOException;
import java.time.Clock;
import java.util.List;
import net.sluice.core.store.Journal;

/** A place in the journal from which wanted events are read on. Not thread-safe. */
public final class EventCursor {
  /** Parts of the journal that are looked through before others have their turn. */
  private static final int READ_AT_ONCE = 4;

  /** Bytes of them that are read at once. */
  private static final int READ_BYTES = 64 << 10;

  private final Journal journal;
  private final CloudEvents events;
  private final Clock clock;
  private final EventFilter filter;
  private long seen;
  private String gap;

  /** Takes events. */
  public interface Sink {
    /** Takes an event; false if no other is to follow now. */
    boolean take(String id, String json);
  }

  private EventCursor(
      Journal journal, CloudEvents events, Clock clock, EventFilter filter, long seen, String gap) {
    this.journal = journal;
    this.events = events;
    this.clock = clock;
    this.filter = filter;
    this.seen = seen;
    this.gap = gap;
  }

  /** Events that come from now on. */
  static EventCursor fromNowOn(
      Journal journal, CloudEvents events, Clock clock, EventFilter filter) {
    return new EventCursor(journal, events, clock, filter, journal.last(), null);
  }

  private static EventCursor fromFirst(
      Journal journal, CloudEvents events, Clock clock, EventFilter filter, String gap) {
    return new EventCursor(journal, events, clock, filter, journal.first() - 1, gap);
  }

  /**
   * Events after one. If some of these are not there any more, an event tells of the gap.
   *
   * @param id of that event; {@link EventId#BEFORE_ALL} for all that are kept
   */
  static EventCursor after(
      Journal journal, CloudEvents events, Clock clock, EventFilter filter, EventId id) {
    long seq = id.seq();
    if (id.equals(EventId.BEFORE_ALL)) {
      return fromFirst(journal, events, clock, filter, null);
    }
    if (!id.journal().equals(journal.id()) || seq > journal.last()) {
      return fromFirst(
          journal, events, clock, filter, "the events are those of another log by now");
    }
    if (seq + 1 < journal.first()) {
      return fromFirst(journal, events, clock, filter, "events are not kept so long");
    }
    return new EventCursor(journal, events, clock, filter, seq, null);
  }

  /** Number of the last event that was passed, wanted or not. */
  long seen() {
    return seen;
  }

  /** The last event that was passed, wanted or not. */
  public EventId passed() {
    return new EventId(journal.id(), seen);
  }

  /**
   * Reads on.
   *
   * @return whether there is more that has not been looked at
   * @throws IOException if it is not kept any more
   */
  public boolean read(Sink out) throws IOException {
    if (gap != null) {
      String id = events.id(seen);
      String json =
          events.alone(
              seen,
              id + "-gap-" + Long.toString(clock.millis(), 36),
              "events.gap",
              "events",
              clock.instant().toString(),
              "{\"reason\":\"" + gap + "\"}");
      gap = null;
      if (!out.take(id, json)) {
        return true;
      }
    }
    for (int i = 0; i < READ_AT_ONCE; i++) {
      List<Journal.Entry> entries = journal.read(seen + 1, READ_BYTES);
      if (seen + 1 < journal.first()) {
        throw new IOException("the events are not kept any more");
      }
      if (entries.isEmpty()) {
        return false;
      }
      for (Journal.Entry entry : entries) {
        if (!take(entry, out)) {
          return true;
        }
      }
    }
    return true;
  }

  private boolean take(Journal.Entry entry, Sink out) throws IOException {
    for (CloudEvents.Made each : events.of(entry)) {
      if (each.seq() > seen) {
        seen = each.seq();
        if (filter.wants(each.type(), each.subject()) && !out.take(each.id(), each.json())) {
          return false;
        }
      }
    }
    return true;
  }
}
