package net.sluice.standalone.events;

import java.io.IOException;
import java.time.Clock;
import net.sluice.rest.events.EventFilter;

/** A place in a log from which wanted events are read on. Not thread-safe. */
public final class EventCursor {
  /** Parts of the log that are looked through before others have their turn. */
  private static final int READ_AT_ONCE = 4;

  private final EventLog log;
  private final CloudEvents events;
  private final Clock clock;
  private final EventFilter filter;
  private EventLog.Position at;
  private long seen;
  private String gap;

  /** Takes events. */
  public interface Sink {
    /** Takes an event; false if no other is to follow now. */
    boolean take(String id, String json);
  }

  private EventCursor(
      EventLog log,
      CloudEvents events,
      Clock clock,
      EventFilter filter,
      EventLog.Position at,
      long seen,
      String gap) {
    this.log = log;
    this.events = events;
    this.clock = clock;
    this.filter = filter;
    this.at = at;
    this.seen = seen;
    this.gap = gap;
  }

  /** Events that come from now on. */
  static EventCursor fromNowOn(EventLog log, CloudEvents events, Clock clock, EventFilter filter) {
    return new EventCursor(log, events, clock, filter, log.end(), log.last(), null);
  }

  private static EventCursor fromFirst(
      EventLog log, CloudEvents events, Clock clock, EventFilter filter, String gap) {
    long first = log.first();
    return new EventCursor(log, events, clock, filter, log.before(first), first - 1, gap);
  }

  /**
   * Events after one. If some of these are not there any more, an event tells of the gap.
   *
   * @param id of that event; {@link EventId#BEFORE_ALL} for all that are kept
   */
  static EventCursor after(
      EventLog log, CloudEvents events, Clock clock, EventFilter filter, EventId id) {
    long seq = id.seq();
    if (id.equals(EventId.BEFORE_ALL)) {
      return fromFirst(log, events, clock, filter, null);
    }
    if (!id.log().equals(log.name()) || seq > log.last()) {
      return fromFirst(log, events, clock, filter, "the events are those of another log by now");
    }
    if (seq + 1 < log.first()) {
      return fromFirst(log, events, clock, filter, "events are not kept so long");
    }
    return new EventCursor(log, events, clock, filter, log.before(seq + 1), seq, null);
  }

  /** Number of the last event that was passed, wanted or not. */
  long seen() {
    return seen;
  }

  /** The last event that was passed, wanted or not. */
  public EventId passed() {
    return new EventId(log.name(), seen);
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
      EventLog.Lines read = log.read(at);
      if (read.lines().isEmpty() && read.next().equals(at)) {
        return false;
      }
      for (EventLog.Line line : read.lines()) {
        if (line.last() > seen && !take(line, out)) {
          at = line.position();
          return true;
        }
      }
      at = read.next();
    }
    return true;
  }

  private boolean take(EventLog.Line line, Sink out) throws IOException {
    for (CloudEvents.Made each : events.of(line)) {
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
