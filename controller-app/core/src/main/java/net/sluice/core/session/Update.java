package net.sluice.core.session;

import net.sluice.core.target.WriteBatch;
import net.sluice.intents.plan.Op;

/** A write waiting to be sent or answered. */
final class Update<E> {
  /** After that many attempts the target contradicts itself. */
  static final int MAX_ATTEMPTS = 4;

  final Op op;
  final E entity;
  final int owner;
  final long key;
  final long sequence;
  final int attempt;
  final Gate gate;

  /** Whether it leaves a subscriber index free, see {@link WriteBatch#retires}. */
  final boolean retires;

  Update(
      Op op,
      E entity,
      int owner,
      long key,
      long sequence,
      int attempt,
      Gate gate,
      boolean retires) {
    this.op = op;
    this.entity = entity;
    this.owner = owner;
    this.key = key;
    this.sequence = sequence;
    this.attempt = attempt;
    this.gate = gate;
    this.retires = retires;
  }

  Update<E> retriedAs(Op other) {
    return new Update<>(other, entity, owner, key, sequence, attempt + 1, gate, retires);
  }
}
