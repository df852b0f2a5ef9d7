package net.sluice.northbound.events;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import net.sluice.core.Controller;
import net.sluice.core.store.ChangeRecords;
import net.sluice.core.store.Journal;
import net.sluice.core.store.StoreException;
import net.sluice.intents.validate.Refusal;
import net.sluice.northbound.caller.Standing;

/** The events of a controller: recorded, kept in a journal, and followed by clients. */
public final class ControllerEvents implements AutoCloseable {
  private final Journal journal;
  private final long mostBytes;
  private final CloudEvents events;
  private final Clock clock;
  private final EventStreams streams;
  private final EventRecorder recorder;
  private final List<Runnable> whenMore = new CopyOnWriteArrayList<>();

  /**
   * Nothing is recorded yet.
   *
   * @param mostBytes of events that are kept; the oldest go
   * @param clients that may follow the events at a time
   */
  public ControllerEvents(Journal journal, long mostBytes, int clients, Clock clock) {
    this.journal = journal;
    this.mostBytes = mostBytes;
    this.clock = clock;
    events = new CloudEvents(journal.id());
    streams = new EventStreams(journal, events, clients, clock, this::forgetOld);
    recorder = new EventRecorder(journal, () -> whenMore.forEach(Runnable::run));
    whenMore(streams::wake);
  }

  /** Makes the records that the store adds to the journal with each commit. */
  public static ChangeRecords ofChanges() {
    return EventRecords.OF_CHANGES;
  }

  /** Records what happens from now on, but for changes, after the start and the targets' states. */
  public void follow(Controller controller) {
    recorder.follow(controller);
  }

  private void forgetOld() {
    try {
      journal.trim(mostBytes, Instant.EPOCH);
    } catch (StoreException e) {
      // The next time.
    }
  }

  /**
   * The answer to a client that follows the events from now on, or after one that it has seen.
   *
   * @param seen id of that; empty for from now on, "0" for all that are kept
   * @param standing asked again and again while they are told; they end when it does
   * @return empty if there are too many clients
   * @throws Refusal MALFORMED if {@code seen} is no id
   */
  public Optional<Endless> stream(Optional<String> seen, EventFilter filter, Standing standing)
      throws Refusal {
    return streams.after(seen, filter, standing);
  }

  /** The wanted events after one. If some are not kept any more, an event tells of the gap. */
  public EventCursor after(EventId seen, EventFilter filter) {
    return EventCursor.after(journal, events, clock, filter, seen);
  }

  /** A place before the newest events, or before all that are kept if these are fewer. */
  public EventId beforeNewest(int count) {
    return new EventId(journal.id(), Math.max(journal.first() - 1, journal.last() - count));
  }

  /** The last event that was recorded. */
  public EventId last() {
    return new EventId(journal.id(), journal.last());
  }

  /** Has something run, quickly, whenever there are more events. */
  public void whenMore(Runnable run) {
    whenMore.add(run);
  }

  /** Does at once what is done every few seconds. */
  public void beat() {
    streams.beat();
  }

  /** Number of clients that follow. */
  public int listeners() {
    return streams.clients();
  }

  /** Ends the answers to those who follow, which would never end by themselves. */
  public void endAnswers() {
    streams.close();
  }

  /** Records all that has happened by now, and nothing more. */
  @Override
  public void close() {
    streams.close();
    recorder.close();
  }
}
