package net.sluice.standalone.events;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import net.sluice.cli.StartFailure;
import net.sluice.core.Controller;
import net.sluice.rest.EventResource;
import net.sluice.rest.events.EventFilter;

/** The events of a controller: recorded, kept over restarts, and followed by clients. */
public final class ControllerEvents implements AutoCloseable {
  private static final long FILE_BYTES = 4 << 20;
  private static final long ALL_BYTES = 256 << 20;

  private final EventLog log;
  private final CloudEvents events;
  private final Clock clock;
  private final EventStreams streams;
  private final EventRecorder recorder;
  private final List<Runnable> whenMore = new CopyOnWriteArrayList<>();

  private ControllerEvents(EventLog log, int clients, Clock clock) {
    this.log = log;
    this.clock = clock;
    events = new CloudEvents(log.name());
    streams = new EventStreams(log, events, clients, clock);
    recorder = new EventRecorder(log, () -> whenMore.forEach(Runnable::run));
    whenMore(streams::wake);
  }

  /**
   * Records the events of a controller from now on.
   *
   * @param directory where they are kept; created if it does not exist
   * @param connections of the API at a time, three quarters of which may follow the events
   * @throws StartFailure if they cannot be kept there
   */
  public static ControllerEvents of(Controller controller, Path directory, int connections)
      throws StartFailure {
    return of(controller, directory, connections, FILE_BYTES, ALL_BYTES);
  }

  static ControllerEvents of(
      Controller controller, Path directory, int connections, long fileBytes, long allBytes)
      throws StartFailure {
    Clock clock = Clock.systemUTC();
    try {
      EventLog log = EventLog.open(directory, fileBytes, allBytes, clock);
      ControllerEvents events = new ControllerEvents(log, connections / 4 * 3, clock);
      events.recorder.follow(controller);
      return events;
    } catch (IOException | RuntimeException e) {
      throw new StartFailure(
          "the log of events in " + directory + " cannot be opened: " + e.getMessage(), e);
    }
  }

  /** The resources by which clients follow them. */
  public Set<Object> resources() {
    return Set.of(new EventResource(streams));
  }

  /** The wanted events after one. If some are not kept any more, an event tells of the gap. */
  public EventCursor after(EventId seen, EventFilter filter) {
    return EventCursor.after(log, events, clock, filter, seen);
  }

  /** The last event that was recorded. */
  public EventId last() {
    return new EventId(log.name(), log.last());
  }

  /** Has something run, quickly, whenever there are more events. */
  public void whenMore(Runnable run) {
    whenMore.add(run);
  }

  /** Does at once what is done every few seconds. */
  void beat() {
    streams.beat();
  }

  /** Number of clients that follow. */
  int listeners() {
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
    log.close();
  }
}
