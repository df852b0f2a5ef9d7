package net.sluice.northbound;

import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import net.sluice.core.Controller;
import net.sluice.core.store.NetworkStore;
import net.sluice.core.store.StoreException;
import net.sluice.core.time.ThreadScheduler;
import net.sluice.northbound.answers.KeptAnswers;
import net.sluice.northbound.audit.AuditLog;
import net.sluice.northbound.caller.CallerRoles;
import net.sluice.northbound.events.ControllerEvents;
import net.sluice.northbound.explain.Explanations;
import net.sluice.northbound.explain.SweepJudge;
import net.sluice.northbound.usage.Usage;
import net.sluice.northbound.webhooks.WebhookSettings;
import net.sluice.northbound.webhooks.Webhooks;

/** The services of a controller beside its declarations. Closed before the controller. */
public final class Northbound implements AutoCloseable {
  /** Name of the journal of the audit log. */
  public static final String AUDIT = "audit";

  private static final String EVENTS = "events";

  private final ControllerEvents events;
  private final Webhooks webhooks;
  private final AuditLog audit;
  private final KeptAnswers answers;
  private final Usage usage;
  private final Explanations explanations;

  /**
   * The room and the rights that a host gives.
   *
   * @param eventBytes of events that are kept
   * @param eventClients that may follow the events at a time
   * @param auditBytes of the audit log that are kept
   * @param answers that are kept by their keys
   * @param usage measures what subscribers get, or nothing
   */
  public record Settings(
      long eventBytes,
      int eventClients,
      long auditBytes,
      KeptAnswers.Bounds answers,
      WebhookSettings webhooks,
      CallerRoles callers,
      Usage.Opener usage) {}

  /**
   * Has a store record changes with their commits. Called before a controller is opened over it, so
   * that no change is missed.
   */
  public static void record(NetworkStore store) {
    store.recordChanges(EVENTS, ControllerEvents.ofChanges());
  }

  /**
   * Begins to record and to send what a controller tells.
   *
   * @param store of the controller, which {@link #record}s changes
   * @param now writes what is in force of what an interrupted change has asked for
   * @throws StoreException if what is kept cannot be read
   */
  public Northbound(
      Controller controller, NetworkStore store, Settings settings, AuditLog.Now now, Clock clock) {
    Deque<AutoCloseable> opened = new ArrayDeque<>();
    try {
      events =
          new ControllerEvents(
              store.journal(EVENTS), settings.eventBytes(), settings.eventClients(), clock);
      opened.push(events);
      events.follow(controller);
      webhooks =
          new Webhooks(
              store.documents("webhooks"), events, settings.webhooks(), settings.callers(), clock);
      opened.push(webhooks);
      audit =
          new AuditLog(
              store.journal(AUDIT),
              settings.auditBytes(),
              new ThreadScheduler("sluice-audit"),
              controller::storeFailed,
              now);
      opened.push(audit);
      answers = new KeptAnswers(store.documents("answers"), settings.answers(), clock);
      usage = settings.usage().open(controller, clock);
      usage().judgeBy(new SweepJudge(controller));
      explanations = new Explanations(controller, usage(), clock);
    } catch (RuntimeException e) {
      opened.forEach(each -> closeAfter(e, each));
      throw e;
    }
  }

  private static void closeAfter(RuntimeException failure, AutoCloseable opened) {
    try {
      opened.close();
    } catch (Exception e) {
      failure.addSuppressed(e);
    }
  }

  /** The events. */
  public ControllerEvents events() {
    return events;
  }

  /** The places that events are sent to. */
  public Webhooks webhooks() {
    return webhooks;
  }

  /** The record of who asked for which change. */
  public AuditLog audit() {
    return audit;
  }

  /** The answers to requests with a key. */
  public KeptAnswers answers() {
    return answers;
  }

  /** The traffic of subscribers, now and in the past. */
  public Usage usage() {
    return usage;
  }

  /** Why subscribers get what they get. */
  public Explanations explanations() {
    return explanations;
  }

  /** Sends nothing more, and records what has happened by now. */
  @Override
  public void close() {
    usage.close();
    webhooks.close();
    events.close();
    audit.close();
  }
}
