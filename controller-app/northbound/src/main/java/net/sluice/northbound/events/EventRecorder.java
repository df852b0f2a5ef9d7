package net.sluice.northbound.events;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.sluice.core.Controller;
import net.sluice.core.ControllerEvent;
import net.sluice.core.ControllerListener;
import net.sluice.core.InstallSummary;
import net.sluice.core.ReconcileReport;
import net.sluice.core.StoreHealth;
import net.sluice.core.TargetState;
import net.sluice.core.store.Journal;
import net.sluice.core.store.StoreException;
import net.sluice.core.traffic.NextHopStatus;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Change;
import net.sluice.intents.validate.Problem;
import net.sluice.northbound.json.JsonContent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds what a controller tells to a journal, but for the changes that were accepted: the store adds
 * these with their commit. Declarations to which the same happens one after the other share a
 * record.
 */
final class EventRecorder implements ControllerListener, AutoCloseable {
  private static final int MAX_WORDS = 2000;

  private static final Logger LOG = LoggerFactory.getLogger(EventRecorder.class);

  private final Journal journal;
  private final Runnable written;
  private final List<Journal.Item> items = new ArrayList<>();
  private final List<String> ids = new ArrayList<>();
  private Controller.Registration registration;

  /** Of the declarations in {@link #ids}, which are installed at {@link #target}. */
  private Kind kind;

  private String target = "";
  private long lost;

  /**
   * A recorder that has nothing to write yet.
   *
   * @param written called when events have been added
   */
  EventRecorder(Journal journal, Runnable written) {
    this.journal = journal;
    this.written = written;
  }

  /** Records what happens from now on, after the start and the states of the targets. */
  void follow(Controller controller) {
    boolean isWhole = journal.isWhole();
    line("controller.started", "", "controller", json -> json.writeBooleanField("clean", isWhole));
    if (!isWhole) {
      lost(0, "the controller was not stopped, so that its last events may be missing");
    }
    for (InstallSummary.PerTarget each : controller.summary().targets()) {
      session(each.target(), each.session().name(), each.sessionDetail());
    }
    append();
    registration = controller.listen(this);
  }

  @Override
  public boolean keepsRecord() {
    return true;
  }

  @Override
  public void on(ControllerEvent event) {
    if (event instanceof ControllerEvent.ChangeAccepted) {
      return;
    }
    if (event instanceof ControllerEvent.StatusChanged of && of.state() == TargetState.INSTALLED) {
      installed(of.kind(), of.target(), of.id());
      return;
    }
    flush();
    if (event instanceof ControllerEvent.StatusChanged of) {
      line(
          "declaration.failed",
          EventRecords.path(of.kind()),
          of.id(),
          json -> {
            json.writeStringField("target", of.target());
            json.writeStringField("error", words(of.error().orElse("")));
          });
    } else if (event instanceof ControllerEvent.ChangeRefused of) {
      refused(of);
    } else if (event instanceof ControllerEvent.SessionChanged of) {
      session(of.target(), of.state().name(), of.detail());
    } else if (event instanceof ControllerEvent.Reconciled of) {
      compared(of.report());
    } else if (event instanceof ControllerEvent.StoreChanged of) {
      store(of.health());
    } else if (event instanceof ControllerEvent.NextHopChanged of) {
      nextHop(of.switchName(), of.hop());
    } else if (event instanceof ControllerEvent.SwitchChanged of) {
      line(of.isThere() ? "switch.put" : "switch.deleted", "switches/", of.name(), null);
    } else if (event instanceof ControllerEvent.EventsLeftOut of) {
      lost(of.count(), "events came faster than they could be recorded");
    }
  }

  private void installed(Kind of, String at, String id) {
    if (kind != of || !target.equals(at) || ids.size() == EventRecords.MOST_IDS) {
      flush();
      kind = of;
      target = at;
    }
    ids.add(id);
  }

  private void flush() {
    if (ids.isEmpty()) {
      return;
    }
    String at = target;
    items.add(
        EventRecords.of(
            "declaration.installed",
            EventRecords.path(kind),
            List.copyOf(ids),
            json -> json.writeStringField("target", at)));
    ids.clear();
  }

  private void refused(ControllerEvent.ChangeRefused of) {
    Change change = of.change();
    line(
        "declaration.refused",
        EventRecords.path(change.kind()),
        change.id(),
        json -> {
          json.writeStringField("op", change instanceof Change.Put ? "put" : "delete");
          json.writeStringField(
              "reason",
              of.problems().stream().anyMatch(each -> each.code() == Problem.Code.CAPACITY)
                  ? "full"
                  : "not acceptable");
          json.writeStringField("detail", words(Problem.sentences(of.problems())));
        });
  }

  private void session(String of, String state, Optional<String> detail) {
    line(
        "target.session",
        "targets/",
        of,
        json -> {
          json.writeStringField("state", state);
          if (detail.isPresent()) {
            json.writeStringField("detail", words(detail.get()));
          }
        });
  }

  private void compared(ReconcileReport report) {
    boolean differed = report.wrong() + report.unknown() + report.rewritten() > 0;
    line(
        differed ? "target.drift-mended" : "target.compared",
        "targets/",
        report.target(),
        json -> {
          json.writeNumberField("read", report.read());
          json.writeNumberField("changed", report.wrong());
          json.writeNumberField("foreign", report.unknown());
          json.writeNumberField("rewritten", report.rewritten());
          json.writeNumberField("tookMillis", report.elapsed().toMillis());
        });
  }

  private void store(StoreHealth health) {
    line(
        "store.state",
        "",
        "store",
        json -> {
          json.writeStringField("state", health.isWritable() ? "WRITABLE" : "FAILED");
          if (health instanceof StoreHealth.Failed failed) {
            json.writeStringField("error", words(failed.reason()));
          }
        });
  }

  private void nextHop(String switchName, NextHopStatus hop) {
    line(
        "next-hop." + hop.state().text(),
        "targets/",
        switchName,
        json -> {
          json.writeNumberField("port", hop.port());
          json.writeStringField("address", hop.address());
          if (hop.mac().isPresent()) {
            json.writeStringField("mac", NextHopStatus.macText(hop.mac().getAsLong()));
          } else {
            json.writeStringField("nextRequest", hop.nextRequest().toString());
          }
        });
  }

  private void lost(long count, String reason) {
    items.add(gap(count, reason));
  }

  /** A gap in the events; of how many, if that is known. */
  private static Journal.Item gap(long count, String reason) {
    return EventRecords.of(
        "events.gap",
        "",
        List.of("events"),
        json -> {
          if (count > 0) {
            json.writeNumberField("missing", count);
          }
          json.writeStringField("reason", reason);
        });
  }

  private static String words(String text) {
    return text.length() <= MAX_WORDS ? text : text.substring(0, MAX_WORDS) + " ...";
  }

  private void line(String type, String path, String id, JsonContent data) {
    items.add(EventRecords.of(type, path, List.of(id), data));
  }

  /** Adds what was collected; what cannot be added is lost, and told once something can. */
  private void append() {
    flush();
    if (lost > 0 && !items.isEmpty()) {
      long missing = lost;
      items.add(0, gap(missing, "events could not be written"));
    }
    if (items.isEmpty()) {
      return;
    }
    try {
      var unused = journal.append(items);
      lost = 0;
    } catch (StoreException e) {
      if (lost == 0) {
        LOG.error("events cannot be recorded and are lost: {}", e.getMessage());
      } else {
        items.remove(0);
      }
      lost += items.stream().mapToLong(Journal.Item::count).sum();
    }
    items.clear();
  }

  @Override
  public void caughtUp() {
    append();
    written.run();
  }

  /** Records what has been told by now, and nothing more. */
  @Override
  public void close() {
    if (registration != null) {
      registration.close();
    }
  }
}
