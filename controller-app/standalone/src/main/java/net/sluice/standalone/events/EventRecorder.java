package net.sluice.standalone.events;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
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
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Change;
import net.sluice.intents.validate.Problem;
import net.sluice.rest.answer.JsonAnswer;

/**
 * Writes what a controller tells into a log. Declarations to which the same happens one after the
 * other share a line.
 */
final class EventRecorder implements ControllerListener, AutoCloseable {
  private static final int IDS_IN_LINE = 500;
  private static final int MAX_WORDS = 2000;

  private final EventLog log;
  private final Runnable written;
  private final List<String> ids = new ArrayList<>();
  private Controller.Registration registration;

  /** Of the declarations in {@link #ids}. */
  private String type = "";

  private Kind kind;
  private String target = "";

  /**
   * A recorder that has nothing to write yet.
   *
   * @param written called when lines have been added
   */
  EventRecorder(EventLog log, Runnable written) {
    this.log = log;
    this.written = written;
  }

  /** Records what happens from now on, after the start and the states of the targets. */
  void follow(Controller controller) {
    boolean wasClosed = log.wasClosed();
    line(
        "controller.started", "", "controller", json -> json.writeBooleanField("clean", wasClosed));
    if (!wasClosed) {
      lost(0, "the controller was not stopped, so that its last events may be missing");
    }
    for (InstallSummary.PerTarget each : controller.summary().targets()) {
      session(each.target(), each.session().name(), each.sessionDetail());
    }
    registration = controller.listen(this);
  }

  @Override
  public boolean keepsRecord() {
    return true;
  }

  @Override
  public void on(ControllerEvent event) {
    if (event instanceof ControllerEvent.ChangeAccepted of) {
      add("declaration." + what(of.change()), of.change().kind(), "", of.change().id());
      return;
    }
    if (event instanceof ControllerEvent.StatusChanged of && of.state() == TargetState.INSTALLED) {
      add("declaration.installed", of.kind(), of.target(), of.id());
      return;
    }
    flush();
    if (event instanceof ControllerEvent.StatusChanged of) {
      line(
          "declaration.failed",
          of.kind().path() + "/",
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
    } else if (event instanceof ControllerEvent.SwitchChanged of) {
      line(of.isThere() ? "switch.put" : "switch.deleted", "switches/", of.name(), null);
    } else if (event instanceof ControllerEvent.EventsLeftOut of) {
      lost(of.count(), "events came faster than they could be recorded");
    }
  }

  private static String what(Change change) {
    if (!(change instanceof Change.Put put)) {
      return "deleted";
    }
    return put.dueAt().isPresent() ? "scheduled" : "put";
  }

  private void add(String what, Kind of, String at, String id) {
    if (!type.equals(what) || kind != of || !target.equals(at) || ids.size() == IDS_IN_LINE) {
      flush();
      type = what;
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
    append(
        type,
        kind.path() + "/",
        ids,
        at.isEmpty() ? null : json -> json.writeStringField("target", at));
    ids.clear();
  }

  private void refused(ControllerEvent.ChangeRefused of) {
    Change change = of.change();
    line(
        "declaration.refused",
        change.kind().path() + "/",
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

  /** A gap in the events; of how many, if that is known. */
  private void lost(long count, String reason) {
    line(
        "events.gap",
        "",
        "events",
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

  private void line(String what, String path, String id, JsonAnswer.Content data) {
    append(what, path, List.of(id), data);
  }

  private void append(String what, String path, List<String> of, JsonAnswer.Content data) {
    if (log.append(of.size(), json -> write(json, what, path, of, data))) {
      long lost = log.takeLost();
      if (lost > 0) {
        lost(lost, "events could not be written");
      }
    }
  }

  private static void write(
      JsonGenerator json, String what, String path, List<String> of, JsonAnswer.Content data)
      throws IOException {
    json.writeStringField("type", what);
    json.writeStringField("path", path);
    json.writeArrayFieldStart("ids");
    for (String id : of) {
      json.writeString(id);
    }
    json.writeEndArray();
    if (data != null) {
      json.writeObjectFieldStart("data");
      data.write(json);
      json.writeEndObject();
    }
  }

  @Override
  public void caughtUp() {
    flush();
    written.run();
  }

  /** Records what has been told by now, and nothing more. */
  @Override
  public void close() {
    registration.close();
  }
}
