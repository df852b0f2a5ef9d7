package net.sluice.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.sluice.cli.StartFailure;
import net.sluice.intents.plan.Change;
import net.sluice.rest.condition.RequestCondition;

/** Requests to the API of a controller; each waits for its answer. */
final class ApiClient {
  static final ObjectMapper MAPPER = new ObjectMapper();

  private static final int MAX_PROBLEM_BYTES = 1 << 20;
  private static final Pattern NEXT = Pattern.compile("<[^?>]*(\\?[^>]*)>; *rel=\"next\"");

  private final HttpClient http;
  private final String base;
  private final Optional<String> authorization;

  /**
   * A client without requests so far.
   *
   * @param base where the API is, without a slash at the end
   * @param authorization the field of that name in each request
   */
  ApiClient(HttpClient http, String base, Optional<String> authorization) {
    this.http = http;
    this.base = base;
    this.authorization = authorization;
  }

  /** GET of a path that begins with a slash; the answer is to be closed. */
  InputStream get(String path) throws StartFailure {
    return send(HttpRequest.newBuilder(uri(path)).GET());
  }

  /** The whole answer to GET of a path. */
  JsonNode read(ApiPath path) throws StartFailure {
    try (InputStream answer = get(path.toString())) {
      return MAPPER.readTree(answer);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /**
   * A page of a list.
   *
   * @param body to be closed
   * @param next the query of the next page, with its question mark
   */
  record Page(InputStream body, Optional<String> next) {}

  /** GET of a page; its field {@code Link} says which one is next (RFC 8288). */
  Page page(String path) throws StartFailure {
    HttpResponse<InputStream> response = response(HttpRequest.newBuilder(uri(path)).GET());
    return new Page(
        body(response),
        response.headers().allValues("Link").stream()
            .map(NEXT::matcher)
            .filter(Matcher::matches)
            .map(link -> link.group(1))
            .findFirst());
  }

  /** The condition under which a change is made of what is declared at the moment. */
  RequestCondition asDeclared(Change change) throws StartFailure {
    String path = "/" + change.kind().path() + "/" + change.id() + "?fields=id";
    HttpResponse<InputStream> response = response(HttpRequest.newBuilder(uri(path)).GET());
    try (InputStream body = response.body()) {
      byte[] answer = body.readNBytes(MAX_PROBLEM_BYTES);
      Optional<String> tag = response.headers().firstValue("ETag");
      if (response.statusCode() == 200 && tag.isPresent()) {
        return RequestCondition.tagged(tag.get().replace("\"", ""));
      } else if (response.statusCode() == 404) {
        return RequestCondition.ABSENT;
      }
      throw failure(response.statusCode(), answer);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** POST without a body. */
  InputStream post(String path) throws StartFailure {
    return send(HttpRequest.newBuilder(uri(path)).POST(HttpRequest.BodyPublishers.noBody()));
  }

  /** POST of a body. */
  InputStream post(String path, String mediaType, byte[] body) throws StartFailure {
    return send(
        HttpRequest.newBuilder(uri(path))
            .header("Content-Type", mediaType)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body)));
  }

  /** POST of a file. */
  InputStream post(String path, String mediaType, Path file) throws StartFailure {
    try {
      return send(
          HttpRequest.newBuilder(uri(path))
              .header("Content-Type", mediaType)
              .POST(HttpRequest.BodyPublishers.ofFile(file)));
    } catch (FileNotFoundException e) {
      throw new StartFailure(file + " cannot be read", e);
    }
  }

  /**
   * An answer that may be a refusal.
   *
   * @param problem empty if it is none
   * @param failure what it is if nothing better can be said of it
   */
  record Answer(Optional<JsonNode> problem, StartFailure failure) {}

  /** POST of a body that may be refused; what it is answered with otherwise is not read. */
  Answer answer(String path, String mediaType, byte[] body) throws StartFailure {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(path))
            .header("Content-Type", mediaType)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body));
    try {
      HttpResponse<InputStream> response = response(request);
      try (InputStream answer = response.body()) {
        if (response.statusCode() == 200) {
          long unused = answer.transferTo(OutputStream.nullOutputStream());
          return new Answer(Optional.empty(), null);
        }
        byte[] problem = answer.readNBytes(MAX_PROBLEM_BYTES);
        return new Answer(
            Optional.of(MAPPER.readTree(problem)), failure(response.statusCode(), problem));
      }
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private URI uri(String path) {
    return URI.create(base + path);
  }

  private InputStream send(HttpRequest.Builder request) throws StartFailure {
    return body(response(request));
  }

  private InputStream body(HttpResponse<InputStream> response) throws StartFailure {
    if (response.statusCode() == 200) {
      return response.body();
    }
    try (InputStream problem = response.body()) {
      throw failure(response.statusCode(), problem.readNBytes(1 << 16));
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private StartFailure failure(int status, byte[] problem) {
    return new StartFailure(
        "the API at %s answers %d: %s".formatted(base, status, detail(problem)));
  }

  private HttpResponse<InputStream> response(HttpRequest.Builder request) throws StartFailure {
    authorization.ifPresent(text -> request.header("Authorization", text));
    try {
      return http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    } catch (ConnectException e) {
      throw new StartFailure(
          "the API at " + base + " cannot be reached; name another one with --api", e);
    } catch (IOException e) {
      throw failed(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed(new IOException("interrupted", e));
    }
  }

  /** The failure of a request whose answer broke off. */
  StartFailure failed(IOException cause) {
    String reason = cause.getMessage() == null ? cause.toString() : cause.getMessage();
    return new StartFailure("the API at " + base + " does not answer: " + reason, cause);
  }

  private static String detail(byte[] problem) {
    try {
      JsonNode detail = MAPPER.readTree(problem).path("detail");
      return detail.isTextual() ? detail.textValue() : "no reason";
    } catch (IOException e) {
      return "no reason";
    }
  }
}
