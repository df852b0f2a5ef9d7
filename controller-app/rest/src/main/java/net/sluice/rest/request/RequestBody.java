package net.sluice.rest.request;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import javax.servlet.http.HttpServletRequest;
import javax.ws.rs.HttpMethod;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.idempotency.IdempotencyFilter;
import net.sluice.rest.json.JsonTree;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.json.ObjectReader;
import net.sluice.rest.problem.BodyTooLargeException;

/** Reads the body of a request for a single resource. */
public final class RequestBody {
  /** Longest body, in bytes. */
  public static final int MAX_BYTES = 1 << 20;

  /** The path of bulk requests. */
  public static final String BULK = "bulk";

  /** The paths whose bodies are read as they come, however long they are. */
  private static final List<String> STREAMS = List.of("/" + BULK, "/restore");

  private RequestBody() {}

  /**
   * True for a request whose body is read as it comes.
   *
   * @param hasKey whether it is made once: it is known by its whole body then
   */
  public static boolean isStream(String method, String path, boolean hasKey) {
    return method.equals(HttpMethod.POST) && !hasKey && STREAMS.stream().anyMatch(path::endsWith);
  }

  /** The same of a request in a servlet container. */
  public static boolean isStream(HttpServletRequest request) {
    return isStream(
        request.getMethod(),
        request.getRequestURI(),
        request.getHeader(IdempotencyFilter.HEADER) != null);
  }

  /** True for a bulk request. */
  public static boolean isBulk(HttpServletRequest request) {
    return request.getMethod().equals(HttpMethod.POST)
        && request.getRequestURI().endsWith("/" + BULK);
  }

  /**
   * The body as JSON.
   *
   * @throws Refusal if it is none
   * @throws BodyTooLargeException if it is longer than {@link #MAX_BYTES}
   */
  public static JsonValue json(InputStream body) throws Refusal {
    byte[] bytes = bytes(body);
    return JsonTree.read(bytes, 0, bytes.length);
  }

  /** The body as it was sent, see {@link #json}. */
  public static byte[] bytes(InputStream body) throws Refusal {
    byte[] bytes;
    try {
      bytes = body.readNBytes(MAX_BYTES + 1);
    } catch (IOException e) {
      throw ObjectReader.cutOff();
    }
    if (bytes.length > MAX_BYTES) {
      throw new BodyTooLargeException(MAX_BYTES);
    }
    return bytes;
  }
}
