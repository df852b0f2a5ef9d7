package net.sluice.core.session;

import net.sluice.core.target.WriteBatch;
import net.sluice.core.target.WriteCode;
import net.sluice.core.trace.Trace;
import net.sluice.intents.plan.Entity;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.OwnerIds;

/**
 * A write that waits to be sent or answered.
 *
 * @param owner what it is done for, see {@link OwnerIds}
 * @param deletion the deletion it is a part of; {@link OwnerIds#NONE} for none
 * @param key number of what it writes to, see {@link Entity#keyNumber}
 * @param sequence its place among all writes of the session, from 1
 * @param attempt how often it is being tried, from 1
 * @param barrier holds it back; null for none
 * @param retires whether it leaves a subscriber index free, see {@link WriteBatch#retires}
 * @param repairs counts what becomes of it, if a comparison led to it; otherwise null
 * @param trace the request that it is done for; null unless that is followed
 * @param <E> {@code SwitchEntry} or {@code FpgaSetting}
 */
record PendingWrite<E>(
    Op op,
    E entity,
    int owner,
    int deletion,
    long key,
    long sequence,
    int attempt,
    WriteBarrier barrier,
    boolean retires,
    Repairs repairs,
    Trace trace) {
  /** After that many attempts the target contradicts itself. */
  private static final int MAX_ATTEMPTS = 4;

  /** True if the answer means that the target is as the write wants it. */
  boolean isDone(WriteCode answer) {
    return answer == WriteCode.OK || (answer == WriteCode.NOT_FOUND && op == Op.DELETE);
  }

  /**
   * The write that gets over an answer: a modification of what is there already, an insertion of
   * what is not; null if there is none.
   */
  PendingWrite<E> retried(WriteCode answer) {
    if (attempt == MAX_ATTEMPTS) {
      return null;
    }
    if (answer == WriteCode.ALREADY_EXISTS && op == Op.INSERT) {
      return as(Op.MODIFY);
    }
    return answer == WriteCode.NOT_FOUND && op == Op.MODIFY ? as(Op.INSERT) : null;
  }

  private PendingWrite<E> as(Op other) {
    return new PendingWrite<>(
        other,
        entity,
        owner,
        deletion,
        key,
        sequence,
        attempt + 1,
        barrier,
        retires,
        repairs,
        trace);
  }
}
