package net.sluice.core.status;

import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import net.sluice.core.session.TargetSession;
import net.sluice.core.session.WriteBarrier;
import net.sluice.intents.plan.Entity;
import net.sluice.intents.plan.MergedWrites.Placed;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.OwnerIds;

/**
 * Hands the writes of changes that are made together to one target, step by step.
 *
 * @param <E> what the target holds
 */
final class StepWriter<E extends Entity> {
  private final TargetSession<E> session;
  private final List<Placed<E>> writes;
  private final IntUnaryOperator doneFor;

  /** The last deletion of each index that is left free, by index. */
  private final Map<Integer, Placed<E>> retiring = new HashMap<>();

  private int next;

  StepWriter(
      TargetSession<E> session, List<Placed<E>> writes, IntUnaryOperator doneFor, BitSet freed) {
    this.session = session;
    this.writes = writes;
    this.doneFor = doneFor;
    for (Placed<E> each : writes) {
      int owner = each.write().owner();
      if (each.write().op() == Op.DELETE
          && OwnerIds.isSubscriber(owner)
          && freed.get(OwnerIds.number(owner))) {
        retiring.put(owner, each);
      }
    }
  }

  /**
   * Hands over the writes of the next step.
   *
   * @param barrier holds them back; null for none
   * @return lifted when they are answered; empty if there are none
   */
  Optional<WriteBarrier> submit(int step, WriteBarrier barrier) {
    int begin = next;
    long last = 0;
    for (; next < writes.size() && writes.get(next).step() == step; next++) {
      Placed<E> each = writes.get(next);
      last =
          session.submit(
              each.write().op(),
              each.write().entity(),
              each.write().owner(),
              doneFor.applyAsInt(each.cause()),
              barrier,
              retiring.get(each.write().owner()) == each);
    }
    if (barrier != null && next > begin) {
      session.barsItself();
    }
    long number = last;
    return next == begin ? Optional.empty() : Optional.of(() -> session.isSettled(number));
  }
}
