package net.sluice.intents.state;

import java.util.Objects;

/**
 * A subscriber has moved to another switch. The old switch serves it, as it was declared there,
 * until the new one does.
 *
 * @param toSwitch name of the switch that is waited for
 * @param sinceMillis when it was moved, in milliseconds since 1970
 */
public record Leaving(String toSwitch, long sinceMillis) {
  public Leaving {
    Objects.requireNonNull(toSwitch, "toSwitch");
  }

  /** The same with another switch to wait for. */
  public Leaving to(String switchName) {
    return new Leaving(switchName, sinceMillis);
  }
}
