package net.sluice.pipeconf.profile;

import net.sluice.intents.value.InvalidValueException;

/**
 * How a switch's meters that are no part of a table take and tell their configuration. Sluice's
 * program has meters of tables' entries only, which are written and read with them: this tells
 * whoever plans one with others what the target makes of them.
 *
 * @param update which updates they accept
 * @param rateTolerancePermille by how much a rate may read back lower than it was set, in parts of
 *     a thousand: targets keep rates in units of their own
 */
public record MeterBehaviour(Update update, int rateTolerancePermille) {
  /** Which updates a meter accepts. */
  public enum Update {
    /** As table entries: deleting one resets it. */
    INSERT_MODIFY_DELETE,
    /** Only changes; the default configuration in place of a deletion. */
    MODIFY_ONLY
  }

  public MeterBehaviour {
    if (rateTolerancePermille < 0 || rateTolerancePermille > 100) {
      throw new InvalidValueException(
          "meter.rate-tolerance-permille", rateTolerancePermille, "0 to 100");
    }
  }
}
