package net.sluice.rest.events;

import java.util.Optional;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.caller.Standing;
import net.sluice.rest.http.Endless;

/** The events of a host, as those who follow them over HTTP get them. */
public interface EventFeed {
  /**
   * The events from now on, or after one that was seen already.
   *
   * @param seen id of that; empty for from now on, "0" for all that are kept
   * @param standing asked again and again while they are told; they end when it does
   * @return empty if there are too many listeners
   * @throws Refusal MALFORMED if {@code seen} is no id
   */
  Optional<Endless> after(Optional<String> seen, EventFilter filter, Standing standing)
      throws Refusal;
}
