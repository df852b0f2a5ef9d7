package net.sluice.intents.state;

import net.sluice.intents.model.Policy;

/** A policy and its slot in the switch, 1..63. */
public record PolicyState(Policy policy, int slot) {}
