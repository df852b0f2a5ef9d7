package net.sluice.rest.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import net.sluice.rest.SluiceApplication;
import net.sluice.rest.problem.ProblemType;
import net.sluice.testing.AnswerCheck;

/**
 * Holds every answer that a test gets from the API against the published document: status, media
 * type and each field of the body.
 */
public final class ContractCheck implements AnswerCheck {
  /** Of requests that are no operation of the document. */
  private static final List<Integer> UNKNOWN = List.of(200, 400, 401, 403, 404, 405, 421, 429, 503);

  @Override
  public void check(String method, URI uri, int status, String mediaType, String body) {
    int at = uri.getRawPath().indexOf(SluiceApplication.BASE_PATH + "/");
    // A HEAD has no body, and the page of the document is for people.
    if (at < 0 || method.equals("HEAD") || uri.getRawPath().contains("/docs")) {
      return;
    }
    // ONOS's own login refuses before the API is asked.
    if (uri.getRawPath().startsWith("/onos/") && (status == 401 || status == 403)) {
      return;
    }
    String path = uri.getRawPath().substring(at + SluiceApplication.BASE_PATH.length());
    String what = method + " " + path + " " + status + " " + mediaType + " " + body;
    Optional<JsonNode> operation = Contract.operation(method, path);
    if (operation.isEmpty()) {
      assertThat(UNKNOWN).as(what).contains(status);
      if (status >= 400) {
        JsonNode problem = Contract.DOCUMENT.at("/components/responses/NotFound");
        checkBody(problem, mediaType, body, what);
      }
      return;
    }
    JsonNode responses = operation.get().get("responses");
    JsonNode response = responses.get(Integer.toString(status));
    if (response == null && status / 100 == 4) {
      response = responses.get("4XX");
      assertThat(body)
          .as("status is not in the document: %s", what)
          .contains(ProblemType.HTTP.uri());
    }
    assertThat(response).as("status is not in the document: %s", what).isNotNull();
    // A caller that asks for some fields gets no others.
    if (!String.valueOf(uri.getRawQuery()).contains("fields=")) {
      checkBody(Contract.resolved(response), mediaType, body, what);
    }
  }

  private static void checkBody(JsonNode response, String mediaType, String body, String what) {
    JsonNode content = response.path("content");
    if (content.isEmpty()) {
      assertThat(body).as(what).isEmpty();
      return;
    }
    JsonNode of = content.get(mediaType.replaceFirst("\\s*;.*", ""));
    assertThat(of).as("media type is not in the document: %s", what).isNotNull();
    if (of.has("x-item-schema")) {
      body.lines()
          .forEach(
              line ->
                  assertThat(Contract.errors(of.get("x-item-schema"), line)).as(what).isEmpty());
    } else if (mediaType.contains("json")) {
      assertThat(Contract.errors(of.get("schema"), body)).as(what).isEmpty();
    }
  }
}
