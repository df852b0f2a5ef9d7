package net.sluice.client;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import net.sluice.cli.StartFailure;
import net.sluice.intents.plan.Change;
import net.sluice.northbound.json.JsonContent;
import net.sluice.rest.bulk.ChangeLines;
import net.sluice.rest.condition.RequestCondition;

/**
 * Makes changes by bulk requests. Where the controller wants conditions, a change without one is
 * made of what is declared when it is sent again. The client of Java sends a body whole before it
 * reads of the answer, so each request is so short that what lies between it and the controller
 * holds it.
 */
final class BulkSender {
  private static final int MOST_LINES = 1_000;
  private static final int MOST_BYTES = 128 << 10;

  /** The status of a change whose condition is missing. */
  static final int UNCONDITIONAL = 428;

  /** Takes what was refused. */
  interface Refusals {
    /**
     * Told once for each change that was not made.
     *
     * @param where where the change came from, for people
     * @param status the status of an answer to it alone
     * @param why what the controller said, in sentences
     */
    void refused(String where, Change change, int status, String why);
  }

  private record Sent(String where, Change change, RequestCondition condition) {}

  private final ApiClient api;
  private final Refusals refusals;
  private final List<Sent> sent = new ArrayList<>();
  private final List<Sent> unconditional = new ArrayList<>();
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private long done;

  BulkSender(ApiClient api, Refusals refusals) {
    this.api = api;
    this.refusals = refusals;
  }

  /** Takes one change, which is made by {@link #flush} at the latest. */
  void send(String where, Change change, RequestCondition condition) throws StartFailure {
    byte[] line = line(change, condition);
    if (sent.size() == MOST_LINES || body.size() + line.length > MOST_BYTES) {
      flush();
    }
    sent.add(new Sent(where, change, condition));
    body.write(line, 0, line.length);
  }

  private static byte[] line(Change change, RequestCondition condition) {
    ByteArrayOutputStream line = new ByteArrayOutputStream(256);
    try (JsonGenerator json = JsonContent.generator(line)) {
      ChangeLines.write(json, change, condition);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return line.toByteArray();
  }

  /** Makes the changes taken so far. */
  void flush() throws StartFailure {
    if (sent.isEmpty()) {
      return;
    }
    try (BufferedReader answer =
        new BufferedReader(
            new InputStreamReader(
                api.post("/bulk", ChangeLines.MEDIA_TYPE, body.toByteArray()),
                StandardCharsets.UTF_8))) {
      for (Sent each : sent) {
        String line = answer.readLine();
        if (line == null) {
          throw new IOException("the answer ends before that to " + each.where);
        }
        take(each, ApiClient.MAPPER.readTree(line));
      }
    } catch (IOException e) {
      throw api.failed(e);
    }
    sent.clear();
    body.reset();
    List<Sent> again = List.copyOf(unconditional);
    unconditional.clear();
    Set<List<Object>> changed = new HashSet<>();
    for (Sent each : again) {
      if (!changed.add(List.of(each.change.kind(), each.change.id()))) {
        // What the earlier one leads to is declared by then.
        flush();
        changed.clear();
      }
      send(each.where, each.change, api.asDeclared(each.change));
    }
    flush();
  }

  private void take(Sent of, JsonNode result) {
    int status = result.path("status").asInt();
    if (status == 200) {
      done++;
    } else if (status == UNCONDITIONAL && of.condition.isNone()) {
      unconditional.add(of);
    } else {
      refusals.refused(of.where, of.change, status, why(result.path("problem")));
    }
  }

  private static String why(JsonNode problem) {
    String detail = problem.path("detail").asText("no reason");
    String fields =
        StreamSupport.stream(problem.path("errors").spliterator(), false)
            .filter(error -> !detail.contains(error.path("allowed").asText()))
            .map(
                error ->
                    "%s is %s; allowed: %s"
                        .formatted(
                            error.path("field").asText(),
                            error.path("value").asText(),
                            error.path("allowed").asText()))
            .collect(Collectors.joining(". "));
    return fields.isEmpty() ? detail : detail + " (" + fields + ")";
  }

  /** How many changes were made. */
  long done() {
    return done;
  }
}
