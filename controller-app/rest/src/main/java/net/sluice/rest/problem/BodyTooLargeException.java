package net.sluice.rest.problem;

import javax.ws.rs.ClientErrorException;
import javax.ws.rs.core.Response;

/** A request's body is longer than the API reads. */
public final class BodyTooLargeException extends ClientErrorException {
  private static final long serialVersionUID = 1L;

  private final int maxBytes;

  /** A body of more than {@code maxBytes} bytes. */
  public BodyTooLargeException(int maxBytes) {
    super(Response.Status.REQUEST_ENTITY_TOO_LARGE);
    this.maxBytes = maxBytes;
  }

  /** Longest body that is read, in bytes. */
  public int maxBytes() {
    return maxBytes;
  }
}
