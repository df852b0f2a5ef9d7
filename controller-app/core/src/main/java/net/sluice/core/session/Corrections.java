package net.sluice.core.session;

import net.sluice.intents.plan.Op;

/**
 * Takes the writes that a reconciliation finds necessary.
 *
 * @param <E> {@code SwitchEntry} or {@code FpgaSetting}
 */
@FunctionalInterface
public interface Corrections<E> {
  /** Queues a write for {@code owner}. */
  void write(Op op, E entity, int owner);
}
