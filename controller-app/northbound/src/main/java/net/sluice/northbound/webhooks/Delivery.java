package net.sluice.northbound.webhooks;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import net.sluice.core.time.WatchedThread;
import net.sluice.northbound.events.ControllerEvents;
import net.sluice.northbound.events.EventCursor;
import net.sluice.northbound.events.EventId;
import net.sluice.northbound.webhooks.Webhooks.DeadLetter;
import net.sluice.northbound.webhooks.Webhooks.State;
import net.sluice.northbound.webhooks.Webhooks.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sending of a webhook's events, in their order, on a thread of its own. Events wait in the log
 * while the other side is away; what it answers and does not take is given up after some attempts,
 * so that one event that it cannot read does not hold up all others.
 */
final class Delivery implements AutoCloseable {
  /** Most requests whose events were given up that are kept. */
  static final int MAX_DEAD_LETTERS = 1000;

  private static final Logger LOG = LoggerFactory.getLogger(Delivery.class);
  private static final String ONE = "application/cloudevents+json";
  private static final String SEVERAL = "application/cloudevents-batch+json";
  private static final Duration LONGEST = Duration.ofMinutes(5);

  /** So often it is looked whether whoever declared it may again. */
  private static final Duration ASKED_AGAIN = Duration.ofSeconds(10);

  /** Of what is refused (4xx): 1 + 2 + 4 + 8 s. */
  private static final int ATTEMPTS_REFUSED = 5;

  /** Of what fails there (5xx, 408, 429): 29 minutes. */
  private static final int ATTEMPTS_FAILED = 13;

  private final Webhook declared;
  private final Optional<String> by;
  private final Supplier<Optional<String>> whyNot;
  private final ControllerEvents events;
  private final WebhookSender sender;
  private final Clock clock;
  private final UnaryOperator<Duration> waits;
  private final WatchedThread thread;

  private final Deque<DeadLetter> dead = new ArrayDeque<>();
  private final Deque<DeadLetter> again = new ArrayDeque<>();
  private EventId done;
  private EventId startAt;
  private int attempts;
  private String error;
  private boolean wasDisabled;
  private boolean isMore = true;
  private boolean isChanged;
  private boolean isClosed;
  private WebhookSender.Attempt sending;

  /**
   * Events of a request.
   *
   * @param first id of the first
   * @param last id of the last
   */
  private record Batch(List<String> bodies, String first, String last) {
    private String id() {
      return bodies.size() == 1 ? first : first + "~" + last;
    }

    private String body(int maxEvents) {
      return maxEvents == 1 ? bodies.get(0) : "[" + String.join(",", bodies) + "]";
    }
  }

  /**
   * Goes on from where {@code from} is.
   *
   * @param whyNot why whoever declared it may not have events sent by now; empty if it may
   * @param waits how long to wait where that time is due; the same but in tests
   */
  Delivery(
      StoredWebhook from,
      ControllerEvents events,
      WebhookSender sender,
      Supplier<Optional<String>> whyNot,
      Clock clock,
      UnaryOperator<Duration> waits) {
    this.declared = from.declared();
    this.by = from.by();
    this.whyNot = whyNot;
    this.events = events;
    this.sender = sender;
    this.clock = clock;
    this.waits = waits;
    this.done = from.done();
    this.startAt = from.done();
    dead.addAll(from.deadLetters());
    thread = WatchedThread.of("sluice-webhook-" + declared.id(), this::run);
  }

  /** Of the webhook. */
  String id() {
    return declared.id();
  }

  /** Begins to send. */
  void start() {
    thread.start();
  }

  /** As it is to be stored. */
  synchronized StoredWebhook stored() {
    List<DeadLetter> kept = new ArrayList<>(again);
    kept.addAll(dead);
    return new StoredWebhook(declared, by, done, kept);
  }

  /** As it is to be stored, if that has changed since this was asked last. */
  synchronized Optional<StoredWebhook> changed() {
    boolean was = isChanged;
    isChanged = false;
    return was ? Optional.of(stored()) : Optional.empty();
  }

  /** How far it is. */
  synchronized Status status() {
    Optional<String> disabled = whyNot.get();
    return new Status(
        declared,
        by,
        disabled.isPresent() ? State.DISABLED : attempts > 0 ? State.RETRYING : State.DELIVERING,
        done.equals(EventId.BEFORE_ALL) ? Optional.empty() : Optional.of(done.toString()),
        attempts,
        disabled.or(() -> Optional.ofNullable(error)),
        dead.stream().mapToLong(DeadLetter::events).sum());
  }

  /** The events that were given up. */
  synchronized List<DeadLetter> deadLetters() {
    return List.copyOf(dead);
  }

  /** There may be more events. */
  synchronized void wake() {
    isMore = true;
    notifyAll();
  }

  /** Sends all events after one. */
  synchronized void restartAfter(EventId id) {
    startAt = id;
    endAttempt();
  }

  /** Ends what is being sent or waited for. */
  private synchronized void endAttempt() {
    if (sending != null) {
      sending.cancel();
    }
    wake();
  }

  /** Sends once more what was given up. */
  synchronized void sendAgain() {
    again.addAll(dead);
    dead.clear();
    wake();
  }

  /** It could not be stored. */
  synchronized void storeAgain() {
    isChanged = true;
  }

  private void run() {
    EventCursor cursor = null;
    while (!isClosed()) {
      try {
        if (isDisabled()) {
          pause(ASKED_AGAIN, true);
          continue;
        }
        EventId from = takeStart();
        if (from != null) {
          cursor = events.after(from, declared.filter());
        }
        DeadLetter once = nextAgain();
        if (once != null) {
          sendOnce(once);
        } else {
          sendNext(cursor);
        }
      } catch (IOException e) {
        // The events are not kept any more, which a new beginning tells as a gap.
        LOG.warn("webhook {}: {}", declared.id(), e.getMessage());
        cursor = events.after(cursor.passed(), declared.filter());
      } catch (RuntimeException e) {
        LOG.error("webhook {} goes on after a fault", declared.id(), e);
        fault(e);
      }
    }
  }

  /** Whether whoever declared it may not; what is to be sent is sent once it may again. */
  private boolean isDisabled() {
    Optional<String> why = whyNot.get();
    if (why.isPresent() && !wasDisabled) {
      LOG.warn("webhook {}: nothing is sent, because {}", declared.id(), why.get());
    }
    wasDisabled = why.isPresent();
    return wasDisabled;
  }

  /** Begins again after what is done, as soon as anything is sent. */
  private synchronized void beginAgain() {
    startAt = startAt == null ? done : startAt;
  }

  private synchronized boolean isClosed() {
    return isClosed;
  }

  private synchronized void fault(RuntimeException e) {
    beginAgain();
    attempts++;
    error = e.toString();
    pause(LONGEST, true);
  }

  /** Waits, less if it is over or, unless {@code isFault}, something else is to be done. */
  private synchronized void pause(Duration time, boolean isFault) {
    long end = System.nanoTime() + waits.apply(time).toNanos();
    for (long left = end - System.nanoTime();
        left > 0 && !isClosed && (isFault || startAt == null);
        left = end - System.nanoTime()) {
      await(left / 1_000_000 + 1);
    }
  }

  private synchronized void await(long millis) {
    try {
      wait(millis);
    } catch (InterruptedException e) {
      // Nothing interrupts this thread but the end of the process.
      isClosed = true;
    }
  }

  private synchronized EventId takeStart() {
    EventId from = startAt;
    startAt = null;
    if (from != null) {
      done = from;
      attempts = 0;
      error = null;
      isChanged = true;
    }
    return from;
  }

  private synchronized DeadLetter nextAgain() {
    return again.peek();
  }

  /** Sends the next events, or waits for some. */
  private void sendNext(EventCursor cursor) throws IOException {
    synchronized (this) {
      isMore = false;
    }
    List<String> bodies = new ArrayList<>();
    String[] ids = new String[2];
    boolean isLeft = true;
    while (isLeft && bodies.size() < declared.maxEvents() && !isClosed()) {
      isLeft =
          cursor.read(
              (id, json) -> {
                bodies.add(json);
                ids[0] = ids[0] == null ? id : ids[0];
                ids[1] = id;
                return bodies.size() < declared.maxEvents();
              });
    }
    if (!bodies.isEmpty() && !send(new Batch(bodies, ids[0], ids[1]))) {
      return;
    }
    synchronized (this) {
      EventId passed = cursor.passed();
      if (startAt == null && !passed.equals(done)) {
        done = passed;
        isChanged = true;
      }
      while (!isLeft && !isMore && !isClosed) {
        await(0);
      }
    }
  }

  /** Sends events that were given up. */
  private void sendOnce(DeadLetter letter) {
    Optional<EventId> first = EventId.parse(letter.first());
    Optional<EventId> last = EventId.parse(letter.last());
    List<Sendable> kept =
        first.isPresent() && last.isPresent() ? read(first.get(), last.get()) : List.of();
    if (kept.isEmpty()) {
      LOG.warn(
          "webhook {}: events from {} to {} are not kept any more and are not sent again",
          declared.id(),
          letter.first(),
          letter.last());
    }
    for (int i = 0; i < kept.size(); i += declared.maxEvents()) {
      List<Sendable> some = kept.subList(i, Math.min(kept.size(), i + declared.maxEvents()));
      Batch batch =
          new Batch(
              some.stream().map(Sendable::json).toList(),
              some.get(0).id(),
              some.get(some.size() - 1).id());
      if (!send(batch)) {
        return;
      }
    }
    synchronized (this) {
      again.poll();
      isChanged = true;
    }
  }

  /** An event. */
  private record Sendable(String id, String json) {}

  /** The wanted events from one to another; none if some are not kept any more. */
  private List<Sendable> read(EventId first, EventId last) {
    EventCursor cursor =
        events.after(new EventId(first.journal(), first.seq() - 1), declared.filter());
    List<Sendable> read = new ArrayList<>();
    boolean[] isLost = new boolean[1];
    try {
      boolean isLeft = true;
      while (isLeft && cursor.passed().seq() < last.seq() && !isLost[0]) {
        isLeft =
            cursor.read(
                (id, json) -> {
                  Optional<EventId> of = EventId.parse(id);
                  isLost[0] |= of.isEmpty();
                  if (of.isPresent() && of.get().seq() <= last.seq()) {
                    read.add(new Sendable(id, json));
                  }
                  return of.isPresent() && of.get().seq() < last.seq();
                });
      }
    } catch (IOException e) {
      return List.of();
    }
    return isLost[0] ? List.of() : read;
  }

  /** Sends until it is taken or given up; false if something else is to be done before. */
  private boolean send(Batch batch) {
    for (int attempt = 1; ; attempt++) {
      if (isDisabled()) {
        beginAgain();
        return false;
      }
      WebhookSender.Attempt now;
      synchronized (this) {
        if (isClosed || startAt != null) {
          return false;
        }
        now =
            sender.attempt(
                declared.url(),
                declared.secret().orElseThrow(),
                batch.id(),
                declared.maxEvents() == 1 ? ONE : SEVERAL,
                batch.body(declared.maxEvents()));
        sending = now;
      }
      WebhookSender.Sent sent = now.make();
      synchronized (this) {
        sending = null;
        if (sent instanceof WebhookSender.Sent.Unanswered && (isClosed || startAt != null)) {
          return false;
        }
      }
      int most = Integer.MAX_VALUE;
      String reason = null;
      if (sent instanceof WebhookSender.Sent.Refused refused) {
        int status = refused.status();
        boolean isTheirs = status < 500 && status != 408 && status != 425 && status != 429;
        most = isTheirs ? ATTEMPTS_REFUSED : ATTEMPTS_FAILED;
        reason = "status " + status;
      } else if (sent instanceof WebhookSender.Sent.Unanswered unanswered) {
        reason = unanswered.reason();
      }
      boolean isOver = reason == null || attempt >= most;
      synchronized (this) {
        attempts = isOver ? 0 : attempt;
        error = isOver ? null : reason;
      }
      if (isOver) {
        if (reason != null) {
          giveUp(batch, reason);
        }
        return true;
      }
      if (attempt == 1) {
        LOG.warn("webhook {}: {}; it is tried again", declared.id(), reason);
      }
      pause(backoff(attempt), false);
    }
  }

  private static Duration backoff(int attempt) {
    Duration time = Duration.ofSeconds(1L << Math.min(attempt - 1, 20));
    return time.compareTo(LONGEST) < 0 ? time : LONGEST;
  }

  private synchronized void giveUp(Batch batch, String reason) {
    LOG.warn(
        "webhook {} did not take {} events from {} on and was given up: {}",
        declared.id(),
        batch.bodies().size(),
        batch.first(),
        reason);
    while (dead.size() >= MAX_DEAD_LETTERS) {
      DeadLetter lost = dead.poll();
      LOG.warn("webhook {}: the dead letter from {} on is left", declared.id(), lost.first());
    }
    dead.add(
        new DeadLetter(
            batch.first(),
            batch.last(),
            batch.bodies().size(),
            clock.instant().truncatedTo(ChronoUnit.MILLIS),
            reason));
    isChanged = true;
  }

  /** Ends; what is being sent is sent again by whoever goes on from {@link #stored}. */
  @Override
  public void close() {
    synchronized (this) {
      isClosed = true;
    }
    endAttempt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
