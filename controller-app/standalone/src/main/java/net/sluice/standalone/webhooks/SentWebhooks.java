package net.sluice.standalone.webhooks;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import net.sluice.cli.StartFailure;
import net.sluice.core.ControllerException;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.WebhookResource;
import net.sluice.rest.caller.Role;
import net.sluice.rest.events.Webhook;
import net.sluice.rest.events.Webhooks;
import net.sluice.rest.form.WebhookForm;
import net.sluice.rest.json.JsonText;
import net.sluice.standalone.events.ControllerEvents;
import net.sluice.standalone.events.EventId;
import net.sluice.standalone.guard.Authentication;
import net.sluice.standalone.network.AllowedTargets;
import net.sluice.standalone.network.ConnectAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The webhooks of a controller, kept over restarts. How far each is is stored once a second: after
 * the death of the process the events of the last second are sent once more.
 */
public final class SentWebhooks implements Webhooks, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SentWebhooks.class);
  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;

  private final WebhookFiles files;
  private final ControllerEvents events;
  private final AllowedTargets allowed;
  private final Authentication authentication;
  private final WebhookSender sender;
  private final Clock clock;
  private final WebhookTiming timing;
  private final ConcurrentSkipListMap<String, Delivery> all = new ConcurrentSkipListMap<>();
  private final ScheduledExecutorService storing;
  private boolean isFailing;

  private SentWebhooks(
      WebhookFiles files,
      ControllerEvents events,
      WebhookOptions.Settings settings,
      Authentication authentication,
      Clock clock,
      WebhookTiming timing) {
    this.authentication = authentication;
    this.files = files;
    this.events = events;
    this.allowed = settings.allowed();
    this.clock = clock;
    this.timing = timing;
    sender = new WebhookSender(settings, clock, timing);
    storing =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "sluice-webhooks");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Sends the events of a controller from now on.
   *
   * @param directory where webhooks are kept; created with the first of them
   * @param authentication says whether callers who declared webhooks still may
   * @throws StartFailure if one that is kept there cannot be read
   */
  public static SentWebhooks of(
      ControllerEvents events,
      Path directory,
      WebhookOptions.Settings settings,
      Authentication authentication)
      throws StartFailure {
    return of(events, directory, settings, authentication, Clock.systemUTC(), WebhookTiming.REAL);
  }

  static SentWebhooks of(
      ControllerEvents events,
      Path directory,
      WebhookOptions.Settings settings,
      Authentication authentication,
      Clock clock,
      WebhookTiming timing)
      throws StartFailure {
    WebhookFiles files = new WebhookFiles(directory);
    List<StoredWebhook> stored = files.read();
    SentWebhooks webhooks =
        new SentWebhooks(files, events, settings, authentication, clock, timing);
    stored.forEach(webhooks::begin);
    events.whenMore(() -> webhooks.all.values().forEach(Delivery::wake));
    var unused = webhooks.storing.scheduleWithFixedDelay(webhooks::store, 1, 1, TimeUnit.SECONDS);
    return webhooks;
  }

  /** The resource by which they are declared. */
  public Set<Object> resources() {
    return Set.of(new WebhookResource(this));
  }

  private void begin(StoredWebhook from) {
    Delivery delivery =
        new Delivery(
            from,
            events,
            sender,
            () -> from.by().flatMap(name -> authentication.whyNot(name, Role.ADMIN)),
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
          files.write(changed.get());
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

  @Override
  public List<Status> all() {
    return all.values().stream().map(Delivery::status).toList();
  }

  @Override
  public Optional<Status> find(String id) {
    return Optional.ofNullable(all.get(id)).map(Delivery::status);
  }

  @Override
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
      files.write(now);
    } catch (IOException e) {
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
    ConnectAddress at =
        new ConnectAddress(
            host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
            port > 0 ? port : isHttps ? HTTPS_PORT : HTTP_PORT);
    if (!allowed.allowsDeclared(at)) {
      problems.add(
          Problem.of(
              Problem.Code.INVALID,
              "url",
              JsonText.quoted(at.toString().toLowerCase(Locale.ROOT)),
              allowed.allowed()));
    }
    if (declared.secret().isEmpty() && before == null) {
      problems.add(
          Problem.of(
              Problem.Code.MALFORMED,
              WebhookForm.SECRET,
              "absent",
              "one with a webhook that is new"));
    }
    if (!problems.isEmpty()) {
      throw new Refusal(problems);
    }
  }

  @Override
  public synchronized boolean delete(String id) {
    Delivery gone = all.get(id);
    if (gone == null) {
      return false;
    }
    try {
      files.delete(id);
    } catch (IOException e) {
      throw new ControllerException("the webhook cannot be deleted: " + e.getMessage(), e);
    }
    all.remove(id);
    gone.close();
    return true;
  }

  @Override
  public Optional<List<DeadLetter>> deadLetters(String id) {
    return Optional.ofNullable(all.get(id)).map(Delivery::deadLetters);
  }

  @Override
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
