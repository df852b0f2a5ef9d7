package net.sluice.northbound.webhooks;

import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import net.sluice.core.ControllerException;
import net.sluice.core.store.Documents;
import net.sluice.core.store.StoreException;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.northbound.caller.CallerRoles;
import net.sluice.northbound.caller.Role;
import net.sluice.northbound.events.ControllerEvents;
import net.sluice.northbound.events.EventId;
import net.sluice.northbound.json.JsonText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The webhooks of a controller, kept over restarts. How far each is is stored once a second: after
 * the death of the process the events of the last second are sent once more.
 */
public final class Webhooks implements AutoCloseable {
  /** Most webhooks at a time. */
  public static final int MOST = 64;

  /** The progress of a webhook. */
  public enum State {
    /** Everything has been sent, or is being sent. */
    DELIVERING,
    /** The last attempt failed; it is tried again. */
    RETRYING,
    /** Nothing is sent: whoever declared it may not declare webhooks any more. */
    DISABLED
  }

  /**
   * A webhook and how far it is.
   *
   * @param declared without its secret
   * @param declaredBy name of the caller that has declared it last; empty if that is not known
   * @param lastEvent id of the last event that needs no attempt any more; empty for none so far
   * @param attempts that failed, of what is to be sent next
   * @param error why the last one failed, or nothing is sent; empty if nothing is the matter
   * @param deadLetters number of events that were given up and can be sent again
   */
  public record Status(
      Webhook declared,
      Optional<String> declaredBy,
      State state,
      Optional<String> lastEvent,
      int attempts,
      Optional<String> error,
      long deadLetters) {}

  /**
   * Events that the other side did not take.
   *
   * @param first id of the first of them
   * @param last id of the last; those in between that the webhook does not want are none of them
   * @param events their number
   * @param at when they were given up
   */
  public record DeadLetter(String first, String last, int events, Instant at, String reason) {}

  private static final Logger LOG = LoggerFactory.getLogger(Webhooks.class);
  private static final String SECRET = "secret";
  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;

  private final Documents documents;
  private final ControllerEvents events;
  private final Destinations allowed;
  private final CallerRoles callers;
  private final WebhookSender sender;
  private final Clock clock;
  private final WebhookTiming timing;
  private final ConcurrentSkipListMap<String, Delivery> all = new ConcurrentSkipListMap<>();
  private final ScheduledExecutorService storing;
  private boolean isFailing;

  /**
   * Sends events from now on.
   *
   * @param documents where webhooks are kept
   * @param callers says whether callers who declared webhooks still may
   * @throws StoreException if those that are kept cannot be read
   */
  public Webhooks(
      Documents documents,
      ControllerEvents events,
      WebhookSettings settings,
      CallerRoles callers,
      Clock clock) {
    this.documents = documents;
    this.events = events;
    this.allowed = settings.allowed();
    this.callers = callers;
    this.clock = clock;
    this.timing = settings.timing();
    List<StoredWebhook> stored = read(documents);
    sender = new WebhookSender(settings, clock);
    storing =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "sluice-webhooks");
              thread.setDaemon(true);
              return thread;
            });
    stored.forEach(this::begin);
    events.whenMore(() -> all.values().forEach(Delivery::wake));
    var unused = storing.scheduleWithFixedDelay(this::store, 1, 1, TimeUnit.SECONDS);
  }

  private static List<StoredWebhook> read(Documents documents) {
    List<StoredWebhook> stored = new ArrayList<>();
    for (String id : documents.names()) {
      Optional<Documents.Stored> found = documents.get(id);
      if (found.isPresent()) {
        try {
          stored.add(StoredWebhook.of(id, found.get().bytes()));
        } catch (IOException e) {
          throw new StoreException("webhook " + id + ": " + e.getMessage(), e);
        }
      }
    }
    return stored;
  }

  private void begin(StoredWebhook from) {
    Delivery delivery =
        new Delivery(
            from,
            events,
            sender,
            () -> from.by().flatMap(name -> callers.whyNot(name, Role.ADMIN)),
            clock,
            timing.waits());
    all.put(from.declared().id(), delivery);
    delivery.start();
  }

  private synchronized void store() {
    for (Delivery each : all.values()) {
      try {
        Optional<StoredWebhook> changed = each.changed();
        if (changed.isPresent()) {
          documents.put(each.id(), changed.get().bytes());
        }
        isFailing = false;
      } catch (IOException | RuntimeException | Error e) {
        // An executor runs what has failed no more.
        if (!isFailing) {
          LOG.error("how far webhooks are cannot be stored: {}", e.toString());
        }
        isFailing = true;
        each.storeAgain();
      }
    }
  }

  /** All, by id. */
  public List<Status> all() {
    return all.values().stream().map(Delivery::status).toList();
  }

  /** The one of an id. */
  public Optional<Status> find(String id) {
    return Optional.ofNullable(all.get(id)).map(Delivery::status);
  }

  /**
   * Declares one. One that is new gets the events from now on, another goes on where it is.
   *
   * @param by name of the caller, as long as whose role allows it events are sent
   * @return whether it is new
   * @throws Refusal INVALID if it may not lead there, MALFORMED if it is new and has no secret,
   *     CAPACITY if there are {@link #MOST}
   */
  public synchronized boolean put(Webhook declared, String by) throws Refusal {
    Delivery before = all.get(declared.id());
    requireAllowed(declared, before);
    if (before == null && all.size() >= MOST) {
      throw new Refusal(
          List.of(
              Problem.of(Problem.Code.CAPACITY, "webhooks", all.size() + 1, "at most " + MOST)));
    }
    StoredWebhook was = null;
    if (before != null) {
      before.close();
      was = before.stored();
    }
    StoredWebhook now =
        new StoredWebhook(
            new Webhook(
                declared.id(),
                declared.url(),
                declared.secret().isPresent() ? declared.secret() : was.declared().secret(),
                declared.filter(),
                declared.maxEvents()),
            Optional.of(by),
            was == null ? events.last() : was.done(),
            was == null ? List.of() : was.deadLetters());
    try {
      documents.put(now.declared().id(), now.bytes());
    } catch (IOException | StoreException e) {
      if (was != null) {
        begin(was);
      }
      throw new ControllerException("the webhook cannot be stored: " + e.getMessage(), e);
    }
    begin(now);
    return before == null;
  }

  private void requireAllowed(Webhook declared, Delivery before) throws Refusal {
    List<Problem> problems = new ArrayList<>();
    String host = declared.url().getHost();
    boolean isHttps = declared.url().getScheme().equals("https");
    int port = declared.url().getPort();
    String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    int connected = port > 0 ? port : isHttps ? HTTPS_PORT : HTTP_PORT;
    if (!allowed.allowsDeclared(bare, connected)) {
      problems.add(
          Problem.of(
              Problem.Code.INVALID,
              "url",
              JsonText.quoted(host.toLowerCase(Locale.ROOT) + ":" + connected),
              allowed.allowed()));
    }
    if (declared.secret().isEmpty() && before == null) {
      problems.add(
          Problem.of(Problem.Code.MALFORMED, SECRET, "absent", "one with a webhook that is new"));
    }
    if (!problems.isEmpty()) {
      throw new Refusal(problems);
    }
  }

  /** Forgets one; false if there is none. */
  public synchronized boolean delete(String id) {
    Delivery gone = all.get(id);
    if (gone == null) {
      return false;
    }
    try {
      documents.delete(id);
    } catch (StoreException e) {
      throw new ControllerException("the webhook cannot be deleted: " + e.getMessage(), e);
    }
    all.remove(id);
    gone.close();
    return true;
  }

  /** The events that were given up, the oldest first; empty if there is no such webhook. */
  public Optional<List<DeadLetter>> deadLetters(String id) {
    return Optional.ofNullable(all.get(id)).map(Delivery::deadLetters);
  }

  /**
   * Sends events again: all after one, or those that were given up.
   *
   * @param after id of an event, or "0" for all that are kept; empty for those that were given up
   * @return false if there is no such webhook
   * @throws Refusal MALFORMED if {@code after} is no id
   */
  public boolean replay(String id, Optional<String> after) throws Refusal {
    Optional<EventId> from = after.flatMap(EventId::parse);
    if (after.isPresent() && from.isEmpty()) {
      throw new Refusal(
          List.of(
              Problem.of(
                  Problem.Code.MALFORMED,
                  "after",
                  JsonText.quoted(after.get()),
                  "the id of an event, or 0 for all that are kept")));
    }
    Delivery delivery = all.get(id);
    if (delivery == null) {
      return false;
    }
    if (from.isPresent()) {
      delivery.restartAfter(from.get());
    } else {
      delivery.sendAgain();
    }
    return true;
  }

  /** Sends nothing more, and stores how far each is. */
  @Override
  public void close() {
    storing.shutdownNow();
    all.values().forEach(Delivery::close);
    store();
    sender.close();
  }
}
