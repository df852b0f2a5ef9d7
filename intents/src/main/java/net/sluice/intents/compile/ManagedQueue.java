package net.sluice.intents.compile;

import java.util.Optional;
import net.sluice.intents.model.PortQueue;
import net.sluice.intents.model.policy.Aqm;
import net.sluice.intents.state.PolicyState;

/**
 * A class queue that is managed.
 *
 * @param queue the queue
 * @param aqm how it is managed, not {@link Aqm#NONE}
 * @param policy the policy that says so, one of several that agree; empty if the topology does
 */
public record ManagedQueue(PortQueue queue, Aqm aqm, Optional<PolicyState> policy) {}
