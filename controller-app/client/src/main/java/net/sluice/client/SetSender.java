package net.sluice.client;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import net.sluice.cli.StartFailure;
import net.sluice.core.Controller;
import net.sluice.intents.plan.Change;
import net.sluice.northbound.json.JsonContent;
import net.sluice.rest.bulk.ChangeLines;
import net.sluice.rest.bulk.SetExchange;
import net.sluice.rest.condition.RequestCondition;
import net.sluice.rest.condition.Tags;

/** Makes changes together or not at all, by a request for each set of them. */
final class SetSender {
  private static final int CHANGED = 412;
  private static final String CHANGED_WORDS =
      "was changed by others since it was compared; apply again";

  private final ApiClient api;

  SetSender(ApiClient api) {
    this.api = api;
  }

  /** A change with its condition. */
  record Asked(Change change, RequestCondition condition) {}

  /**
   * A change that is refused.
   *
   * @param number its number in the set, from 0
   * @param why in sentences
   */
  record Refused(int number, String why) {}

  /** Whether a request can have so many changes of together so many bytes. */
  static boolean fits(int changes, long bytes) {
    return changes <= Controller.MOST_TOGETHER && bytes <= SetExchange.MAX_BYTES;
  }

  /** The bytes that a change takes. */
  static long bytes(Asked asked) {
    return line(asked).length;
  }

  /**
   * Makes the changes, or with {@code dryRun} asks what would become of them.
   *
   * @return those that are refused; if there are any, nothing is made
   */
  List<Refused> send(List<Asked> all, boolean dryRun) throws StartFailure {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    all.forEach(each -> body.writeBytes(line(each)));
    ApiClient.Answer answer =
        api.answer(
            "/bulk?atomic=true" + (dryRun ? "&dryRun=true" : ""),
            ChangeLines.MEDIA_TYPE,
            body.toByteArray());
    if (status(answer) == BulkSender.UNCONDITIONAL
        && all.stream().anyMatch(each -> each.condition.isNone())) {
      return send(conditional(all), dryRun);
    }
    List<Refused> refused = new ArrayList<>();
    if (answer.problem().isPresent()) {
      for (JsonNode error : answer.problem().get().path("errors")) {
        if (!error.has("line")) {
          throw answer.failure();
        }
        int number = error.path("line").asInt() - 1;
        refused.add(new Refused(number, isChanged(answer, error) ? CHANGED_WORDS : why(error)));
      }
      if (refused.isEmpty()) {
        throw answer.failure();
      }
    }
    return refused;
  }

  private static int status(ApiClient.Answer answer) {
    return answer.problem().map(problem -> problem.path("status").asInt()).orElse(0);
  }

  /** The same changes, those without a condition made of what is declared at the moment. */
  private List<Asked> conditional(List<Asked> all) throws StartFailure {
    List<Asked> conditional = new ArrayList<>();
    for (Asked each : all) {
      conditional.add(
          each.condition.isNone() ? new Asked(each.change, api.asDeclared(each.change)) : each);
    }
    return conditional;
  }

  private static boolean isChanged(ApiClient.Answer answer, JsonNode error) {
    String field = error.path("field").asText();
    return status(answer) == CHANGED && List.of(Tags.IF_MATCH, Tags.IF_NONE_MATCH).contains(field);
  }

  private static String why(JsonNode error) {
    String detail = error.path("detail").asText();
    String allowed = error.path("allowed").asText();
    return detail.contains(allowed)
        ? detail
        : "%s (%s is %s; allowed: %s)"
            .formatted(detail, error.path("field").asText(), error.path("value").asText(), allowed);
  }

  private static byte[] line(Asked asked) {
    ByteArrayOutputStream line = new ByteArrayOutputStream(256);
    try (JsonGenerator json = JsonContent.generator(line)) {
      ChangeLines.write(json, asked.change, asked.condition);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return line.toByteArray();
  }
}
