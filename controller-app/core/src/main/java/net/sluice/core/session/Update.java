package net.sluice.core.session;

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

  Update(Op op, E entity, int owner, long key, long sequence, int attempt, Gate gate) {
    this.op = op;
    this.entity = entity;
    this.owner = owner;
    this.key = key;
    this.sequence = sequence;
    this.attempt = attempt;
    this.gate = gate;
  }

  Update<E> retriedAs(Op other) {
    return new Update<>(other, entity, owner, key, sequence, attempt + 1, gate);
  }
}
