package net.sluice.northbound.events;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import net.sluice.core.store.Journal;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.northbound.caller.Role;
import net.sluice.northbound.caller.Standing;
import net.sluice.northbound.json.JsonContent;
import net.sluice.northbound.json.JsonText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The clients that follow the events. Each reads it from its own place on, as fast as it takes what
 * is sent: nothing is kept for a client but that place. One that falls behind what is kept ends.
 */
final class EventStreams implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EventStreams.class);
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
  private static final int SENT_BYTES = 32 << 10;

  private static final int HEARTBEAT_SECONDS = 10;

  private final Journal journal;
  private final CloudEvents events;
  private final Clock clock;
  private final int most;
  private final Runnable nowAndThen;
  private final Set<Client> clients = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean isWoken = new AtomicBoolean();
  private final ScheduledThreadPoolExecutor thread;
  private volatile boolean isClosed;

  /**
   * No clients yet.
   *
   * @param most of them at a time
   * @param nowAndThen is run every few seconds, too
   */
  EventStreams(Journal journal, CloudEvents events, int most, Clock clock, Runnable nowAndThen) {
    this.journal = journal;
    this.events = events;
    this.most = most;
    this.clock = clock;
    this.nowAndThen = nowAndThen;
    thread =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread made = new Thread(task, "sluice-event-streams");
              made.setDaemon(true);
              return made;
            });
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    var unused =
        thread.scheduleWithFixedDelay(
            this::beat, HEARTBEAT_SECONDS, HEARTBEAT_SECONDS, TimeUnit.SECONDS);
  }

  /**
   * The events from now on, or after one that was seen already.
   *
   * @param seen id of that; empty for from now on, "0" for all that are kept
   * @param standing asked again and again while they are told; they end when it does
   * @return empty if there are too many listeners
   * @throws Refusal MALFORMED if {@code seen} is no id
   */
  Optional<Endless> after(Optional<String> seen, EventFilter filter, Standing standing)
      throws Refusal {
    if (isClosed || clients.size() >= most) {
      return Optional.empty();
    }
    if (seen.isEmpty() || seen.get().isEmpty()) {
      return Optional.of(
          new Client(EventCursor.fromNowOn(journal, events, clock, filter), standing));
    }
    Optional<EventId> id = EventId.parse(seen.get());
    if (id.isEmpty()) {
      throw new Refusal(
          List.of(
              Problem.of(
                  Problem.Code.MALFORMED,
                  "Last-Event-ID",
                  JsonText.quoted(seen.get()),
                  "the id of an event, or 0 for all that are kept")));
    }
    return Optional.of(
        new Client(EventCursor.after(journal, events, clock, filter, id.get()), standing));
  }

  /** Number of clients. */
  int clients() {
    return clients.size();
  }

  /** Something was added to the journal. */
  void wake() {
    if (!clients.isEmpty() && isWoken.compareAndSet(false, true)) {
      execute(
          () -> {
            isWoken.set(false);
            clients.forEach(Client::more);
          });
    }
  }

  /** Has each client told that it still follows, or that it may no more. */
  void beat() {
    nowAndThen.run();
    for (Client client : clients) {
      try {
        client.beat();
      } catch (RuntimeException | Error e) {
        // One that fails keeps no other from being asked, and an executor runs it no more.
        LOG.warn("a client that follows the events could not be told anything", e);
      }
    }
  }

  private void execute(Runnable task) {
    if (!isClosed) {
      thread.execute(task);
    }
  }

  /** A client that follows. */
  private final class Client implements Endless {
    private final EventCursor cursor;
    private final Standing standing;

    /** Number in the last id that was sent. */
    private long told;

    private volatile Runnable more = () -> {};
    private volatile boolean isBeatDue;
    private boolean isOver;

    Client(EventCursor cursor, Standing standing) {
      this.cursor = cursor;
      this.standing = standing;
    }

    @Override
    public void begin(Runnable whenMore) {
      more = whenMore;
      clients.add(this);
    }

    private void more() {
      more.run();
    }

    private void beat() {
      isBeatDue = true;
      more.run();
    }

    @Override
    public ByteBuffer next() throws IOException {
      if (isClosed || isOver) {
        return null;
      }
      Optional<String> ended = isBeatDue ? standing.endedFor(Role.READ) : Optional.empty();
      if (ended.isPresent()) {
        isOver = true;
        return ByteBuffer.wrap(last(ended.get()));
      }
      StringBuilder out = new StringBuilder();
      boolean isMore =
          cursor.read(
              (id, json) -> {
                out.append("id: ").append(id).append("\ndata: ").append(json).append("\n\n");
                return out.length() < SENT_BYTES;
              });
      if (out.length() > 0) {
        told = cursor.seen();
      } else if (isMore) {
        // Nothing wanted so far: others first.
        execute(this::more);
      } else if (isBeatDue) {
        isBeatDue = false;
        // An id without data is remembered, and no event.
        out.append(told == cursor.seen() ? ":\n\n" : "id: " + events.id(cursor.seen()) + "\n\n");
        told = cursor.seen();
      }
      return out.length() == 0
          ? NOTHING
          : ByteBuffer.wrap(out.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** An event of a name, so that no client takes it for one of the controller's. */
    private byte[] last(String reason) {
      String data =
          new String(
              JsonContent.bytes(
                  json -> {
                    json.writeStartObject();
                    json.writeStringField("reason", reason);
                    json.writeEndObject();
                  }),
              StandardCharsets.UTF_8);
      return ("event: closed\ndata: " + data + "\n\n").getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
      clients.remove(this);
    }
  }

  /** Ends all answers. */
  @Override
  public void close() {
    isClosed = true;
    clients.forEach(Client::more);
    thread.shutdown();
  }
}
