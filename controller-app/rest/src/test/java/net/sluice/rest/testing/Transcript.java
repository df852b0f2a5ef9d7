package net.sluice.rest.testing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.net.http.HttpResponse;
import net.sluice.rest.SluiceApplication;

/** Requests and their answers as text, for golden files. */
public final class Transcript {
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
  private static final int MAX_BODY = 400;

  private final TestServer server;
  private final StringBuilder text = new StringBuilder();

  /** A transcript of what is sent through it to {@code server}. */
  public Transcript(TestServer server) {
    this.server = server;
  }

  /** Sends a request with a JSON body. */
  public JsonNode json(String method, String path, String body)
      throws IOException, InterruptedException {
    return send(method, path, "application/json", body);
  }

  /** Sends a request; see {@link TestServer#send}. */
  public JsonNode send(
      String method, String path, String contentType, String body, String... headers)
      throws IOException, InterruptedException {
    text.append("> ").append(method).append(' ').append(path).append('\n');
    if (body != null) {
      text.append("> ").append(contentType == null ? "(no type)" : contentType).append('\n');
      text.append(body.length() > MAX_BODY ? body.substring(0, MAX_BODY) + "..." : body);
      text.append(body.endsWith("\n") ? "" : "\n");
    }
    for (int i = 0; i < headers.length; i += 2) {
      text.append("> ").append(headers[i]).append(": ").append(headers[i + 1]).append('\n');
    }
    HttpResponse<String> response = server.send(method, path, contentType, body, headers);
    text.append("< ").append(response.statusCode());
    response.headers().firstValue("Content-Type").ifPresent(t -> text.append(' ').append(t));
    response.headers().firstValue("Allow").ifPresent(a -> text.append(" Allow: ").append(a));
    response.headers().firstValue("Retry-After").ifPresent(r -> text.append(" Retry-After: " + r));
    text.append('\n');
    JsonNode last = MissingNode.getInstance();
    if (response.headers().firstValue("Content-Type").orElse("").endsWith("ndjson")) {
      text.append(response.body());
    } else if (!response.body().isEmpty()) {
      last = MAPPER.readTree(response.body());
      text.append(pretty(last)).append('\n');
    }
    text.append('\n');
    return last;
  }

  /** A line of explanation. */
  public void note(String words) {
    text.append("# ").append(words).append('\n');
  }

  /** As it would be under the standalone controller's path, with incidents of prefix test. */
  @Override
  public String toString() {
    return text.toString()
        .replace(server.base().getPath(), SluiceApplication.BASE_PATH)
        .replaceAll("(incident(?:\" ?: ?\"| ))[0-9a-z]+-([0-9]+)", "$1test-$2");
  }

  private static String pretty(JsonNode node) throws JsonProcessingException {
    return MAPPER.writeValueAsString(node);
  }
}
