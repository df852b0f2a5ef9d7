package net.sluice.rest;

import java.io.IOException;
import java.io.InputStream;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.json.JsonTree;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.json.ObjectReader;
import net.sluice.rest.problem.BodyTooLargeException;

/** Reads the body of a request for a single resource. */
public final class RequestBody {
  /** Longest body, in bytes. */
  public static final int MAX_BYTES = 1 << 20;

  private RequestBody() {}

  /**
   * The body as JSON.
   *
   * @throws Refusal if it is none
   * @throws BodyTooLargeException if it is longer than {@link #MAX_BYTES}
   */
  static JsonValue json(InputStream body) throws Refusal {
    byte[] bytes = bytes(body);
    return JsonTree.read(bytes, 0, bytes.length);
  }

  /** The body as it was sent, see {@link #json}. */
  static byte[] bytes(InputStream body) throws Refusal {
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
