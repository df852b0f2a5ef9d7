package net.sluice.rest.bulk;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.ws.rs.core.StreamingOutput;
import net.sluice.core.Controller;
import net.sluice.core.ControllerException;
import net.sluice.core.Declared;
import net.sluice.core.Outcome;
import net.sluice.intents.plan.Change;
import net.sluice.northbound.audit.AuditLog;
import net.sluice.northbound.caller.Role;
import net.sluice.northbound.caller.Standing;
import net.sluice.northbound.json.JsonContent;
import net.sluice.rest.answer.AnswerWriter;
import net.sluice.rest.condition.RequestCondition;
import net.sluice.rest.condition.Tags;
import net.sluice.rest.form.DeclarationForm;
import net.sluice.rest.guard.Auditing;
import net.sluice.rest.guard.InForce;
import net.sluice.rest.problem.Incidents;
import net.sluice.rest.problem.ProblemDetail;
import net.sluice.rest.problem.ProblemType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One bulk request being served: a thread of its own reads and decodes lines while the caller's
 * applies them and writes the results. What has been read when the caller gets round to it is
 * applied together, so that a slow client sees each result at once and a fast one pays for a store
 * commit once in some thousand lines.
 *
 * <p>More than 500 lines, because two threads hand the lines of one request to each other.
 */
public final class BulkExchange implements StreamingOutput, Auditing.Changing {
  private static final Logger LOG = LoggerFactory.getLogger(BulkExchange.class);
  private static final int READ_BYTES = 64 * 1024;
  static final int MAX_BATCHES_WAITING = 16;
  private static final int MAX_CHANGES_AT_ONCE = 10_000;

  /** So many changes are a line of the audit log. */
  private static final int NOTED_TOGETHER = 100;

  private final Controller controller;
  private final Incidents incidents;
  private final InputStream input;
  private final boolean dryRun;
  private final boolean needsConditions;
  private final BlockingQueue<Batch> batches = new ArrayBlockingQueue<>(MAX_BATCHES_WAITING);

  private final ExecutorService auditor =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "sluice-bulk-audit");
            thread.setDaemon(true);
            return thread;
          });

  private Optional<Auditing> auditing = Optional.empty();
  private Standing standing = Standing.LASTING;
  private long unapplied;
  private String whyUnapplied = "";

  /** Lines read together; the last one of a stream is marked, perhaps with why it ended early. */
  private record Batch(List<BulkLine> lines, boolean isLast, Throwable failure) {}

  /**
   * Serves the lines of {@code input}.
   *
   * @param dryRun whether nothing is changed
   * @param needsConditions whether lines without a condition are refused, unless it is a dry run
   */
  public BulkExchange(
      Controller controller,
      Incidents incidents,
      InputStream input,
      boolean dryRun,
      boolean needsConditions) {
    this.controller = controller;
    this.incidents = incidents;
    this.input = input;
    this.dryRun = dryRun;
    this.needsConditions = needsConditions;
  }

  /** From now on changes are only made while the caller may make them. */
  public void requireStanding(Standing ofCaller) {
    standing = ofCaller;
  }

  @Override
  public void audited(Auditing by) {
    auditing = Optional.of(by);
  }

  @Override
  public void write(OutputStream output) throws IOException {
    Thread reader = new Thread(this::read, "sluice-bulk-reader");
    reader.setDaemon(true);
    reader.start();
    Together now = null;
    try (JsonGenerator json = JsonContent.generator(new BufferedOutputStream(output, READ_BYTES))) {
      now = taken();
      while (now != null) {
        // The log takes the next changes while these are made.
        Together next = auditing.isEmpty() || now.isLast || batches.isEmpty() ? null : taken();
        if (next != null) {
          next.noteDuring(now);
        }
        Together served = now;
        now = next;
        serve(json, served);
        if (served.failure != null) {
          throw new IOException("the lines could not be read to their end", served.failure);
        }
        if (now == null && batches.isEmpty()) {
          json.flush();
        }
        if (now == null && !served.isLast) {
          now = taken();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while serving a bulk request", e);
    } finally {
      // If the results cannot be written, nothing takes what the reader still puts into the queue.
      reader.interrupt();
      if (now != null) {
        now.abandon();
      }
      endAuditing();
      if (unapplied > 0) {
        LOG.warn("{} bulk changes were not applied: {}", unapplied, whyUnapplied);
      }
    }
  }

  /** Returns when the log has the outcomes of what is not made. */
  private void endAuditing() {
    auditor.shutdown();
    boolean wasInterrupted = Thread.interrupted();
    try {
      boolean unused = auditor.awaitTermination(1, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      wasInterrupted = true;
    }
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Takes the lines that have been read by now, at least one batch, for which it waits. */
  private Together taken() throws InterruptedException {
    List<BulkLine> lines = new ArrayList<>();
    Batch batch = batches.take();
    lines.addAll(batch.lines());
    while (!batch.isLast() && lines.size() < MAX_CHANGES_AT_ONCE && !batches.isEmpty()) {
      batch = batches.take();
      lines.addAll(batch.lines());
    }
    return new Together(lines, batch.isLast(), batch.failure());
  }

  private void read() {
    try {
      readLines();
    } catch (InterruptedException e) {
      LOG.debug("bulk request abandoned", e);
    }
  }

  private void readLines() throws InterruptedException {
    List<BulkLine> lines = new ArrayList<>();
    try {
      LineSplitter splitter = new LineSplitter(line -> lines.add(line));
      byte[] buffer = new byte[READ_BYTES];
      for (int n = input.read(buffer); n >= 0; n = input.read(buffer)) {
        splitter.take(buffer, n);
        if (!lines.isEmpty()) {
          batches.put(new Batch(List.copyOf(lines), false, null));
          lines.clear();
        }
      }
      splitter.end();
      batches.put(new Batch(List.copyOf(lines), true, null));
    } catch (IOException | RuntimeException | Error e) {
      // The line that was cut off is not a line; those before it stand. Whatever it was, the thread
      // that writes the results must come to know.
      batches.put(new Batch(List.copyOf(lines), true, e));
    }
  }

  /** Serves lines in order; a condition counts where the lines before its own are made. */
  private void serve(JsonGenerator json, Together read) throws IOException {
    if (!read.isConditional()) {
      serveTogether(json, read);
      return;
    }
    List<BulkLine> together = new ArrayList<>();
    Set<List<Object>> changed = new HashSet<>();
    for (BulkLine line : read.lines) {
      if (!line.isSound()) {
        together.add(line);
        continue;
      }
      List<Object> name = name(line);
      if (!line.condition().isNone() && changed.contains(name)) {
        serveTogether(json, new Together(together, false, null));
        together = new ArrayList<>();
        changed.clear();
      }
      changed.add(name);
      together.add(conditional(controller, needsConditions(), line));
    }
    serveTogether(json, new Together(together, false, null));
  }

  private static List<Object> name(BulkLine line) {
    return List.of(line.change().kind(), line.change().id());
  }

  private boolean needsConditions() {
    return needsConditions && !dryRun;
  }

  /** A line whose change is of what is in force, if its condition holds of that. */
  static BulkLine conditional(Controller controller, boolean needsConditions, BulkLine line) {
    Change change = line.change();
    String what = change.kind().words() + " " + change.id();
    if (line.condition().isNone()) {
      return needsConditions ? line.refused(RequestCondition.missing(what)) : line;
    }
    Optional<Declared> now = controller.find(change.kind(), change.id());
    return line.condition()
        .problem(what, now.map(Tags::tag))
        .map(line::refused)
        .orElseGet(() -> line.with(change.under(RequestCondition.asFound(now))));
  }

  /** Writes each result as soon as it is known, so that no plan is kept longer than its result. */
  private void serveTogether(JsonGenerator json, Together together) throws IOException {
    Results results = new Results(json, together.lines);
    List<Change> changes = together.sound.stream().map(BulkLine::change).toList();
    try {
      if (dryRun) {
        requireStanding();
        changes.forEach(change -> results.take(controller.dryRun(change)));
      } else if (!changes.isEmpty()) {
        together.awaitNoted();
        requireStanding();
        controller.applyAll(changes, results::take);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } catch (StandingEnded e) {
      results.failure(ProblemDetail.of(ProblemType.UNAUTHORIZED, e.getMessage() + "."));
    } catch (ControllerException e) {
      // A store that does not answer fails all that follows: the log tells of it once.
      whyUnapplied = unapplied == 0 ? e.getMessage() : whyUnapplied;
      unapplied += results.left();
      LOG.debug("bulk changes failed here", e);
      results.failure(ProblemDetail.of(ProblemType.UNAVAILABLE, String.valueOf(e.getMessage())));
    } catch (RuntimeException e) {
      results.failure(incidents.report("applying " + results.left() + " bulk changes", e));
    }
    results.rest();
    together.ended(results.statuses);
  }

  private void requireStanding() {
    standing
        .endedFor(Role.OPERATE)
        .ifPresent(
            why -> {
              throw new StandingEnded(why);
            });
  }

  /** The caller may not change anything any more. */
  private static final class StandingEnded extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StandingEnded(String why) {
      super(why, null, false, false);
    }
  }

  /** Lines that are served together, and what the audit log has of them. */
  private final class Together {
    private final List<BulkLine> lines;
    private final boolean isLast;
    private final Throwable failure;
    private final List<BulkLine> sound;
    private final List<AuditLog.Entry> noted = new ArrayList<>();
    private Future<?> noting;

    /** {@code failure}: why the lines end here before their end; null if they do not. */
    Together(List<BulkLine> lines, boolean isLast, Throwable failure) {
      this.lines = lines;
      this.isLast = isLast;
      this.failure = failure;
      sound = lines.stream().filter(BulkLine::isSound).toList();
    }

    boolean isConditional() {
      return needsConditions() || lines.stream().anyMatch(line -> !line.condition().isNone());
    }

    /** Begins to note them, if what the log has of them does not depend on what others change. */
    void noteDuring(Together others) {
      Set<List<Object>> changed = new HashSet<>();
      others.sound.forEach(line -> changed.add(name(line)));
      if (!dryRun
          && !isConditional()
          && standing.endedFor(Role.OPERATE).isEmpty()
          && sound.stream().noneMatch(line -> changed.contains(name(line)))) {
        noting = auditor.submit(this::note);
      }
    }

    /** Returns when the log has the changes, durable before they are begun. */
    void awaitNoted() {
      if (noting == null) {
        requireStanding();
        note();
        return;
      }
      try {
        noting.get();
      } catch (ExecutionException e) {
        if (e.getCause() instanceof RuntimeException failed) {
          throw failed;
        }
        throw new IllegalStateException(e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new ControllerException("interrupted while changes were noted", e);
      }
    }

    private void note() {
      if (auditing.isEmpty()) {
        return;
      }
      Auditing by = auditing.get();
      for (int i = 0; i < sound.size(); i += NOTED_TOGETHER) {
        List<BulkLine> some = sound.subList(i, Math.min(sound.size(), i + NOTED_TOGETHER));
        noted.add(
            by.log()
                .asked(
                    json -> {
                      by.who().write(json);
                      json.writeArrayFieldStart("changes");
                      for (BulkLine line : some) {
                        writeAsked(json, controller, line);
                      }
                      json.writeEndArray();
                    }));
      }
      if (!noted.isEmpty()) {
        noted.get(noted.size() - 1).awaitDurable();
      }
    }

    /** Notes the outcomes, by the statuses of the sound lines. */
    void ended(List<Integer> statuses) {
      for (int i = 0; i < noted.size(); i++) {
        int begin = i * NOTED_TOGETHER;
        int end = Math.min(sound.size(), begin + NOTED_TOGETHER);
        end(noted.get(i), sound.subList(begin, end), statuses.subList(begin, end));
      }
    }

    /** None of them is made, since the results of those before cannot be written. */
    void abandon() {
      auditor.execute(
          () -> ended(Collections.nCopies(sound.size(), ProblemType.UNAVAILABLE.status())));
    }
  }

  static void writeAsked(JsonGenerator json, Controller controller, BulkLine line)
      throws IOException {
    Change change = line.change();
    json.writeStartObject();
    json.writeNumberField("line", line.number());
    json.writeStringField("op", change instanceof Change.Put ? "put" : "delete");
    json.writeStringField("kind", change.kind().text());
    json.writeStringField("id", change.id());
    json.writeFieldName("before");
    InForce.write(json, controller, change.kind(), change.id());
    if (change instanceof Change.Put put) {
      json.writeFieldName("after");
      DeclarationForm.write(json, put.declaration(), put.switchName());
    }
    json.writeEndObject();
  }

  /** Notes the outcomes; the changes are acknowledged already, and durable as they were asked. */
  private static void end(AuditLog.Entry noted, List<BulkLine> lines, List<Integer> statuses) {
    try {
      noted.ended(
          json -> {
            json.writeStringField("outcome", "ended");
            json.writeArrayFieldStart("notMade");
            for (int i = 0; i < lines.size(); i++) {
              if (statuses.get(i) != 200) {
                json.writeStartObject();
                json.writeNumberField("line", lines.get(i).number());
                json.writeNumberField("status", statuses.get(i));
                json.writeEndObject();
              }
            }
            json.writeEndArray();
          });
    } catch (ControllerException e) {
      LOG.error("the outcome of {} bulk changes is not in the audit log", lines.size());
    }
  }

  /** Writes the results of lines in the lines' order. */
  private final class Results {
    private final JsonGenerator json;
    private final List<BulkLine> lines;

    /** Of the sound lines. */
    private final List<Integer> statuses = new ArrayList<>();

    private int next;
    private ProblemDetail failure;

    Results(JsonGenerator json, List<BulkLine> lines) {
      this.json = json;
      this.lines = lines;
    }

    /** Takes the outcome of the next sound line. */
    void take(Outcome outcome) {
      try {
        unsound();
        statuses.add(writeOutcome(json, lines.get(next++), outcome));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private void unsound() throws IOException {
      for (; next < lines.size() && !lines.get(next).isSound(); next++) {
        writeProblem(json, lines.get(next), ProblemDetail.of(lines.get(next).problems()));
      }
    }

    /** Answers all changes that are left with this problem. */
    void failure(ProblemDetail problem) {
      failure = problem;
    }

    long left() {
      return lines.stream().skip(next).filter(BulkLine::isSound).count();
    }

    void rest() throws IOException {
      for (unsound(); next < lines.size(); unsound()) {
        statuses.add(writeProblem(json, lines.get(next++), failure));
      }
    }
  }

  /** The line's status. */
  private int writeOutcome(JsonGenerator json, BulkLine line, Outcome outcome) throws IOException {
    if (outcome instanceof Outcome.Refused refused) {
      return writeProblem(json, line, ProblemDetail.of(refused.problems()));
    }
    if (outcome instanceof Outcome.Unmade unmade) {
      return writeProblem(json, line, ProblemDetail.of(ProblemType.UNAVAILABLE, unmade.reason()));
    }
    Outcome.Accepted accepted = (Outcome.Accepted) outcome;
    writeAccepted(json, line, accepted, dryRun);
    return 200;
  }

  static void writeAccepted(
      JsonGenerator json, BulkLine line, Outcome.Accepted accepted, boolean dryRun)
      throws IOException {
    start(json, line, 200);
    if (dryRun) {
      AnswerWriter.writeDryRunFields(json, accepted);
    } else if (!accepted.plan().notes().isEmpty()) {
      AnswerWriter.writeNotes(json, accepted.plan().notes());
    }
    end(json);
  }

  private static int writeProblem(JsonGenerator json, BulkLine line, ProblemDetail problem)
      throws IOException {
    start(json, line, problem.status());
    json.writeFieldName("problem");
    problem.write(json);
    end(json);
    return problem.status();
  }

  private static void start(JsonGenerator json, BulkLine line, int status) throws IOException {
    json.writeStartObject();
    json.writeNumberField("line", line.number());
    if (line.change() != null) {
      json.writeStringField("id", line.change().id());
    }
    json.writeNumberField("status", status);
  }

  private static void end(JsonGenerator json) throws IOException {
    json.writeEndObject();
    json.writeRaw('\n');
  }
}
