package net.sluice.intents.profile;

import java.util.Set;
import net.sluice.intents.model.policy.Aqm;
import net.sluice.intents.model.policy.AqmKind;
import net.sluice.intents.value.InvalidValueException;

/**
 * How a switch can manage its egress queues.
 *
 * @param kinds the algorithms it has; none if it manages no queue
 * @param queues class queues that it can manage, all ports together
 * @param queuesPerPort class queues of a port, 1 to {@link #MAX_QUEUES_PER_PORT}
 * @param rio whether it has RIO before as many queues
 */
public record AqmProfile(Set<AqmKind> kinds, int queues, int queuesPerPort, boolean rio) {
  /** Class queues of a port that the program tells apart. */
  public static final int MAX_QUEUES_PER_PORT = 8;

  /** Of a switch that manages no queue. */
  public static final AqmProfile NONE = new AqmProfile(Set.of(), 0, 1);

  public AqmProfile {
    kinds = Set.copyOf(kinds);
    if (queues < 0) {
      throw new InvalidValueException("queues", queues, "0 or more");
    }
    if (queuesPerPort < 1 || queuesPerPort > MAX_QUEUES_PER_PORT) {
      throw new InvalidValueException(
          "queuesPerPort", queuesPerPort, "1 to " + MAX_QUEUES_PER_PORT);
    }
  }

  /** Of a switch without RIO. */
  public AqmProfile(Set<AqmKind> kinds, int queues, int queuesPerPort) {
    this(kinds, queues, queuesPerPort, false);
  }

  /** The same with RIO. */
  public AqmProfile withRio() {
    return new AqmProfile(kinds, queues, queuesPerPort, true);
  }

  /** True if the switch has that algorithm and room for a queue. */
  public boolean has(AqmKind kind) {
    return queues > 0 && kinds.contains(kind);
  }

  /** True if the switch can manage a queue so. */
  public boolean has(Aqm aqm) {
    if (aqm instanceof Aqm.CoDel codel) {
      return has(codel.kind());
    }
    return !(aqm instanceof Aqm.Rio) || rio && queues > 0;
  }

  /** The allowed kinds, for messages. */
  public String allowed() {
    return kinds.isEmpty() || queues == 0
        ? "none: the switch's program manages no queue"
        : AqmKind.texts(kinds) + ", none";
  }
}
