package net.sluice.intents.compile;

import java.util.Optional;
import net.sluice.intents.model.Aqm;
import net.sluice.intents.model.PortQueue;
import net.sluice.intents.state.PolicyState;

/**
 * A class queue whose delay is managed.
 *
 * @param queue the queue
 * @param aqm how it is managed
 * @param policy the policy that says so, one of several that agree; empty if the topology does
 */
public record ManagedQueue(PortQueue queue, Aqm.CoDel aqm, Optional<PolicyState> policy) {}
