package net.sluice.core.session;

import java.time.Clock;
import net.sluice.core.ControllerConfig;
import net.sluice.core.target.Target;
import net.sluice.core.time.Scheduler;
import net.sluice.intents.plan.Entity;

/** The parts of a session of a target, for the classes that do some of its work. */
record SessionParts<E extends Entity>(
    Target<E> target,
    StatusBoard board,
    Scheduler scheduler,
    Clock clock,
    ControllerConfig config,
    ReconcileSource<E> source,
    SessionListener listener,
    LockedPhase state,
    Outbox<E> outbox) {}
