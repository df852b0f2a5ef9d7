package net.sluice.rest.bulk;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.StreamingOutput;
import net.sluice.core.Controller;
import net.sluice.core.ControllerException;
import net.sluice.core.Outcome;
import net.sluice.core.SetOutcome;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.northbound.audit.AuditLog;
import net.sluice.northbound.json.JsonContent;
import net.sluice.rest.guard.Auditing;
import net.sluice.rest.json.ObjectReader;
import net.sluice.rest.problem.BodyTooLargeException;
import net.sluice.rest.problem.ProblemDetail;
import net.sluice.rest.problem.ProblemDetail.FieldError;

/** A bulk request whose changes are made together or not at all. */
public final class SetExchange {
  /** Longest body, in bytes. */
  public static final int MAX_BYTES = 16 << 20;

  /** So many lines are told by a refusal. */
  static final int MOST_TOLD = 100;

  /** So many of these are told in its detail. */
  private static final int MOST_IN_DETAIL = 5;

  private static final int BUFFER_BYTES = 64 << 10;

  private final Controller controller;
  private final boolean needsConditions;
  private final List<BulkLine> lines;

  private SetExchange(Controller controller, boolean needsConditions, List<BulkLine> lines) {
    this.controller = controller;
    this.needsConditions = needsConditions;
    this.lines = lines;
  }

  /**
   * Reads the lines to their end.
   *
   * @param needsConditions whether lines without a condition are refused, unless it is a dry run
   * @throws Refusal if they are too many, or the client does not send all of them
   * @throws BodyTooLargeException if they are longer than {@link #MAX_BYTES}
   */
  public static SetExchange read(Controller controller, boolean needsConditions, InputStream body)
      throws Refusal {
    List<BulkLine> lines = new ArrayList<>();
    LineSplitter splitter = new LineSplitter(lines::add);
    byte[] buffer = new byte[BUFFER_BYTES];
    long bytes = 0;
    try {
      for (int n = body.read(buffer); n >= 0; n = body.read(buffer)) {
        bytes += n;
        if (bytes > MAX_BYTES) {
          throw new BodyTooLargeException(MAX_BYTES);
        }
        splitter.take(buffer, n);
      }
      splitter.end();
    } catch (IOException e) {
      throw ObjectReader.cutOff();
    }
    if (lines.size() > Controller.MOST_TOGETHER) {
      throw new Refusal(
          List.of(
              Problem.of(
                  Problem.Code.INVALID,
                  ObjectReader.DOCUMENT,
                  lines.size() + " lines",
                  "at most " + Controller.MOST_TOGETHER + " with atomic=true")));
    }
    return new SetExchange(controller, needsConditions, lines);
  }

  /**
   * The answer.
   *
   * @param problem why nothing was made; empty if all was
   * @param lines writes the results of the lines
   */
  public record Answer(Optional<ProblemDetail> problem, StreamingOutput lines) {
    /** The answer as a response. */
    public Response response() {
      return problem
          .map(ProblemDetail::response)
          .orElseGet(() -> Response.ok(lines, ChangeLines.MEDIA_TYPE).build());
    }

    /** Writes the results of the lines. */
    public void write(OutputStream output) throws IOException {
      lines.write(output);
    }

    private static Answer refusing(ProblemDetail problem) {
      return new Answer(Optional.of(problem), output -> {});
    }
  }

  /**
   * Makes the changes, or tells what would become of them.
   *
   * @param auditing the log that has them before they are made
   * @throws ControllerException if they cannot be made for a reason that is not theirs
   */
  public Answer make(boolean dryRun, Optional<Auditing> auditing) {
    List<BulkLine> sound = new ArrayList<>(lines.size());
    Map<Long, List<Problem>> refused = new TreeMap<>();
    for (BulkLine line : lines) {
      BulkLine asked =
          line.isSound()
              ? BulkExchange.conditional(controller, needsConditions && !dryRun, line)
              : line;
      if (asked.isSound()) {
        sound.add(asked);
      } else {
        refused.put(asked.number(), asked.problems());
      }
    }
    Optional<AuditLog.Entry> noted = dryRun ? Optional.empty() : auditing.map(by -> note(by));
    if (!refused.isEmpty()) {
      return ended(noted, Answer.refusing(problem(refused)));
    }
    SetOutcome outcome;
    try {
      outcome = controller.applyTogether(sound.stream().map(BulkLine::change).toList(), dryRun);
    } catch (RuntimeException e) {
      noted.ifPresent(entry -> end(entry, Response.Status.SERVICE_UNAVAILABLE.getStatusCode()));
      throw e;
    }
    for (int i = 0; i < sound.size(); i++) {
      if (outcome.outcomes().get(i) instanceof Outcome.Refused of) {
        refused.put(sound.get(i).number(), of.problems());
      }
    }
    return ended(
        noted,
        outcome.isMade()
            ? new Answer(
                Optional.empty(), output -> write(output, sound, outcome.outcomes(), dryRun))
            : Answer.refusing(problem(refused)));
  }

  private static void write(
      OutputStream output, List<BulkLine> lines, List<Outcome> outcomes, boolean dryRun)
      throws IOException {
    try (JsonGenerator json =
        JsonContent.generator(new BufferedOutputStream(output, BUFFER_BYTES))) {
      for (int i = 0; i < lines.size(); i++) {
        Outcome.Accepted accepted = (Outcome.Accepted) outcomes.get(i);
        BulkExchange.writeAccepted(json, lines.get(i), accepted, dryRun);
      }
    }
  }

  // ---------------------------------------------------------------- the audit log

  /** Has all changes in one line, durable before they are begun. */
  private AuditLog.Entry note(Auditing by) {
    AuditLog.Entry noted =
        by.log()
            .asked(
                json -> {
                  by.who().write(json);
                  json.writeBooleanField("atomic", true);
                  json.writeArrayFieldStart("changes");
                  for (BulkLine line : lines) {
                    if (line.change() != null) {
                      BulkExchange.writeAsked(json, controller, line);
                    }
                  }
                  json.writeEndArray();
                });
    noted.awaitDurable();
    return noted;
  }

  private static Answer ended(Optional<AuditLog.Entry> noted, Answer answer) {
    int status = answer.problem().map(ProblemDetail::status).orElse(200);
    noted.ifPresent(entry -> end(entry, status));
    return answer;
  }

  /** The changes are durable as they were asked; the next start notes what came of them. */
  private static void end(AuditLog.Entry noted, int status) {
    noted.ended(json -> Auditing.writeOutcome(json, status));
  }

  // ---------------------------------------------------------------- refusals

  private ProblemDetail problem(Map<Long, List<Problem>> refused) {
    ProblemDetail all = ProblemDetail.of(refused.values().stream().flatMap(List::stream).toList());
    List<FieldError> errors = new ArrayList<>();
    refused.entrySet().stream()
        .limit(MOST_TOLD)
        .forEach(each -> each.getValue().forEach(of -> errors.add(error(each.getKey(), of))));
    String told =
        refused.entrySet().stream()
            .limit(MOST_IN_DETAIL)
            .map(
                each ->
                    "Line "
                        + each.getKey()
                        + ": "
                        + each.getValue().stream()
                            .map(Problem::detail)
                            .collect(Collectors.joining(" ")))
            .collect(Collectors.joining(" "));
    return new ProblemDetail(
        all.type(),
        all.status(),
        "Refused lines: %d of %d; nothing is changed. %s"
            .formatted(refused.size(), lines.size(), told),
        errors,
        Optional.empty());
  }

  private static FieldError error(long line, Problem of) {
    return new FieldError(
        of.field(),
        of.value(),
        of.allowed(),
        Optional.of(new ProblemDetail.Line(line, of.detail())));
  }
}
