package net.sluice.core;

import java.time.Instant;
import java.util.Optional;

/**
 * Status of one declaration at one target.
 *
 * @param target name of the target: {@code switch}, {@code fpga-down} or {@code fpga-up}
 * @param state how far it has got
 * @param since when it got there, to a tenth of a second
 * @param error the target's own words, or why it cannot be reached; empty if all is well
 * @param awaits what it waits for, for people; empty unless {@code PENDING}
 * @param next when the next attempt is made; empty if none is needed or the time is not known
 * @param brokenBatch outcome of its last writes; empty unless a session ended meanwhile, and from
 *     its next write on
 */
public record TargetStatus(
    String target,
    TargetState state,
    Instant since,
    Optional<String> error,
    Optional<String> awaits,
    Optional<Instant> next,
    Optional<BrokenBatch> brokenBatch) {}
