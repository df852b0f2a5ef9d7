package net.sluice.core.store;

import net.sluice.core.ControllerException;

/** The store cannot be opened, read or written. */
public class StoreException extends ControllerException {
  private static final long serialVersionUID = 1L;

  /** {@code message} names the store and what is wrong. */
  public StoreException(String message) {
    super(message);
  }

  /** {@code message} names the store and what is wrong. */
  public StoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
