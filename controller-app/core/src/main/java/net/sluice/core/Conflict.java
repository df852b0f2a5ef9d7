package net.sluice.core;

import net.sluice.intents.model.Declaration;

/**
 * A declaration that is stored for a switch and not in force there, because something in force at
 * another switch has its id or its prefixes. It was found when the switch came into the network,
 * and stays until it is declared again or forgotten.
 *
 * @param switchName the switch it is stored for
 * @param declared as it was declared there
 * @param reason what is in its way now, for people; or that nothing is any more
 */
public record Conflict(String switchName, Declaration declared, String reason) {}
