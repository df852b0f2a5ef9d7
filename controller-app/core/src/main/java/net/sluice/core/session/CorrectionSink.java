package net.sluice.core.session;

import net.sluice.core.target.WriteBatch;
import net.sluice.intents.plan.Op;

/**
 * Sink of the writes that a reconciliation finds necessary.
 *
 * @param <E> {@code SwitchEntry} or {@code FpgaSetting}
 */
@FunctionalInterface
public interface CorrectionSink<E> {
  /** Queues a write for {@code owner}; {@code retires} as in {@link WriteBatch#retires}. */
  void write(Op op, E entity, int owner, boolean retires);

  /** Queues a write for {@code owner} that leaves no subscriber index free. */
  default void write(Op op, E entity, int owner) {
    write(op, entity, owner, false);
  }
}
