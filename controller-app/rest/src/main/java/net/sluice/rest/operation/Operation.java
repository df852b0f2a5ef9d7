package net.sluice.rest.operation;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import net.sluice.core.ControllerException;
import net.sluice.core.declaration.TariffProgress;
import net.sluice.northbound.audit.AuditLog;
import net.sluice.northbound.json.JsonContent;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.guard.Auditing;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.problem.ProblemDetail;
import net.sluice.rest.problem.ProblemType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A request that is answered 202 and goes on. Thread-safe. */
public final class Operation {
  private static final Logger LOG = LoggerFactory.getLogger(Operation.class);

  /** The states of an operation. */
  enum State {
    /** It goes on. */
    RUNNING("running"),
    /** It has ended, with a result. */
    DONE("done"),
    /** It has ended, with a problem. */
    FAILED("failed");

    final String text;

    State(String text) {
      this.text = text;
    }
  }

  private final String id;
  private final String request;
  private final Instant begun;
  private final Operations operations;

  private State state;
  private Optional<Instant> ended = Optional.empty();
  private long lines = -1;
  private Supplier<Optional<TariffProgress>> progress = Optional::empty;
  private int status;
  private byte[] result = new byte[0];
  private Optional<ProblemDetail> problem = Optional.empty();
  private Optional<AuditLog.Entry> noted = Optional.empty();

  /** As an earlier start of the controller has told it; empty if it is of this one. */
  private final Optional<JsonValue> earlier;

  private final boolean isInterrupted;

  /** An operation that begins. */
  Operation(String id, String request, Instant begun, Operations operations) {
    this.id = id;
    this.request = request;
    this.begun = begun;
    this.operations = operations;
    state = State.RUNNING;
    earlier = Optional.empty();
    isInterrupted = false;
  }

  /** An operation that has ended before this start. */
  private Operation(KeptOperation kept, Operations operations) {
    id = kept.id();
    request = kept.request();
    begun = kept.begun();
    this.operations = operations;
    state = kept.isFailed() ? State.FAILED : State.DONE;
    earlier = Optional.of(kept.told());
    isInterrupted = kept.isInterrupted();
  }

  /** An operation of an earlier start; one that had not ended then was interrupted. */
  static Operation earlier(KeptOperation kept, Operations operations) {
    if (!kept.isRunning()) {
      return new Operation(kept, operations);
    }
    Operation interrupted = new Operation(kept.id(), kept.request(), kept.begun(), operations);
    interrupted.state = State.FAILED;
    interrupted.ended = Optional.of(operations.now());
    ProblemDetail why =
        ProblemDetail.of(
            ProblemType.INTERRUPTED,
            "The controller ended before this did: it may have been made, in part or not at all."
                + " Look at what is in force; the audit log has what was in force at the next"
                + " start.");
    interrupted.status = why.status();
    interrupted.problem = Optional.of(why);
    return new Operation(KeptOperation.of(interrupted.told()).orElseThrow(), operations);
  }

  /** Its name. */
  public String id() {
    return id;
  }

  synchronized boolean isRunning() {
    return state == State.RUNNING;
  }

  /** Whether the controller ended before it did. */
  public boolean isInterrupted() {
    return isInterrupted;
  }

  Instant begun() {
    return begun;
  }

  /** Tells how many lines of it are done. */
  public synchronized void progress(long done) {
    lines = done;
  }

  /** Tells how far it is while it goes on, of a tariff; must not wait. */
  public synchronized void progress(Supplier<Optional<TariffProgress>> asked) {
    progress = asked;
  }

  /** Has its outcome in the audit log when it ends. */
  synchronized void audited(AuditLog.Entry entry) {
    noted = Optional.of(entry);
    if (state != State.RUNNING) {
      note();
    }
  }

  /** Ends it with what would have been the answer. */
  public void done(int answered, JsonContent answer) {
    end(State.DONE, answered, JsonContent.bytes(answer), Optional.empty());
  }

  /** Ends it with what would have been the refusal. */
  public void failed(ProblemDetail why) {
    end(State.FAILED, why.status(), new byte[0], Optional.of(why));
  }

  private void end(State how, int answered, byte[] answer, Optional<ProblemDetail> why) {
    synchronized (this) {
      if (state != State.RUNNING) {
        return;
      }
      state = how;
      ended = Optional.of(operations.now());
      status = answered;
      result = answer;
      problem = why;
      note();
    }
    operations.ended(this);
  }

  private void note() {
    try {
      noted.ifPresent(
          entry ->
              entry.ended(
                  json -> {
                    Auditing.writeOutcome(json, status);
                    json.writeStringField("operation", id);
                  }));
    } catch (ControllerException e) {
      LOG.error("the outcome of operation {} is not in the audit log", id);
    }
    noted = Optional.empty();
  }

  /** The bytes of {@link #write}. */
  byte[] told() {
    return JsonContent.bytes(this::write);
  }

  /** Writes how far it is, as a JSON object. */
  public synchronized void write(JsonGenerator json) throws IOException {
    if (earlier.isPresent()) {
      earlier.get().write(json);
      return;
    }
    json.writeStartObject();
    json.writeStringField("id", id);
    json.writeStringField("request", request);
    json.writeStringField("state", state.text);
    json.writeStringField("startedAt", begun.toString());
    if (ended.isPresent()) {
      json.writeStringField("endedAt", ended.get().toString());
    }
    if (lines >= 0) {
      json.writeObjectFieldStart("progress");
      json.writeNumberField("lines", lines);
      json.writeEndObject();
    }
    Optional<TariffProgress> now = state == State.RUNNING ? progress.get() : Optional.empty();
    if (now.isPresent()) {
      json.writeObjectFieldStart("progress");
      json.writeNumberField("lines", now.get().subscribers());
      json.writeNumberField("of", now.get().of());
      json.writeEndObject();
    }
    if (state != State.RUNNING) {
      json.writeNumberField("status", status);
    }
    if (result.length > 0) {
      json.writeFieldName("result");
      json.writeRawValue(new String(result, StandardCharsets.UTF_8));
    }
    if (problem.isPresent()) {
      json.writeFieldName("problem");
      problem.get().write(json);
    }
    json.writeEndObject();
  }

  /** The bytes of an answer without the line end. */
  static byte[] bytes(JsonAnswer answer) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    answer.write(bytes);
    return bytes.toByteArray();
  }
}
