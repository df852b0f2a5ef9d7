package net.sluice.standalone.guard;

import java.time.Instant;
import net.sluice.northbound.caller.Role;

/** A program or person that may call the API, as the file of tokens has it. */
record KnownCaller(String name, Role role, Credential credential, Instant added) {}
