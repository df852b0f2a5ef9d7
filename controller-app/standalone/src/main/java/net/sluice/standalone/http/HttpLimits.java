package net.sluice.standalone.http;

import java.time.Duration;

/**
 * Bounds of what clients of the API may take up.
 *
 * @param connections most connections at a time; further ones are accepted when one ends
 * @param request longest time from a connection's begin, or the end of its last answer, until the
 *     headers of a request are there, then again until its body is, and without a byte sent or
 *     taken
 * @param bulkPause longest time without a byte of a bulk request
 * @param drain longest time that requests under way have when the server ends
 * @param farewell longest time that open connections have then for a request that is refused
 */
public record HttpLimits(
    int connections, Duration request, Duration bulkPause, Duration drain, Duration farewell) {
  /** The limits without options. */
  public static final HttpLimits DEFAULT =
      new HttpLimits(512, Duration.ofSeconds(30), Duration.ofSeconds(60), Duration.ofSeconds(10));

  /** Limits under which open connections have a second when the server ends. */
  public HttpLimits(int connections, Duration request, Duration bulkPause, Duration drain) {
    this(connections, request, bulkPause, drain, Duration.ofSeconds(1));
  }

  /** Limits under which requests have two seconds when the server ends. */
  public HttpLimits(int connections, Duration request, Duration bulkPause) {
    this(connections, request, bulkPause, Duration.ofSeconds(2));
  }
}
