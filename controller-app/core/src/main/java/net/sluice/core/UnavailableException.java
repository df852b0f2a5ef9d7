package net.sluice.core;

import java.time.Duration;

/**
 * The controller takes no changes for a while: its store has failed, or a target's queue is full.
 * It gets over it by itself, so the caller may try again.
 */
public final class UnavailableException extends ControllerException {
  private static final long serialVersionUID = 1L;

  private final Duration retryAfter;

  /**
   * Says why, and when to try again.
   *
   * @param message for people
   * @param retryAfter after which another attempt makes sense; more than 0
   */
  public UnavailableException(String message, Duration retryAfter) {
    super(message);
    this.retryAfter = retryAfter;
  }

  /** As above, with what caused it. */
  public UnavailableException(String message, Duration retryAfter, Throwable cause) {
    super(message, cause);
    this.retryAfter = retryAfter;
  }

  /** Wait after which another attempt makes sense; more than 0. */
  public Duration retryAfter() {
    return retryAfter;
  }
}
