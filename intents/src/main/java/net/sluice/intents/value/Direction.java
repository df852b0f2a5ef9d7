package net.sluice.intents.value;

import java.util.Locale;

/**
 * Direction of traffic seen from the network: {@code DOWN} to the subscriber, {@code UP} from it.
 */
public enum Direction {
  /** Towards the subscriber; the subscriber is the destination. */
  DOWN,
  /** From the subscriber; the subscriber is the source. */
  UP;

  private final String text = name().toLowerCase(Locale.ROOT);

  /** {@code down} or {@code up}, for field names and messages. */
  public String text() {
    return text;
  }

  /** Number used on the wire: 0 for down, 1 for up. */
  public int code() {
    return ordinal();
  }
}
