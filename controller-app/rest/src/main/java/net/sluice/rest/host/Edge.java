package net.sluice.rest.host;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import net.sluice.core.time.Scheduler;
import net.sluice.rest.traces.TraceSettings;

/**
 * Requests that a host lets clients make, and how. Suppliers are asked at each request.
 *
 * @param callers says whose a request is
 * @param allowed the hosts and web pages that requests may name
 * @param bodyDeadline longest time from a request's headers to the end of its body, bulk streams
 *     apart
 * @param closed actions that no client may take
 * @param needsConditions whether declarations are changed only by requests with a condition
 * @param traces how requests are traced; empty if they are not
 * @param scheduler has refusals wait that are to be slow
 */
public record Edge(
    Callers callers,
    Supplier<AllowedCallers> allowed,
    Duration bodyDeadline,
    Supplier<Set<Closable>> closed,
    BooleanSupplier needsConditions,
    Supplier<Optional<TraceSettings>> traces,
    Scheduler scheduler) {}
