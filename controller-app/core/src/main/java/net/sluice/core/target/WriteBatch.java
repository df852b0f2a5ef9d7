package net.sluice.core.target;

import java.util.Arrays;
import net.sluice.intents.plan.Op;

/**
 * Writes that go to a target together, in order. For an FPGA the operation has no meaning: every
 * write sets.
 *
 * @param <E> {@code SwitchEntry} or {@code FpgaSetting}
 */
public final class WriteBatch<E> {
  private Op[] ops = new Op[16];
  private Object[] entities = new Object[16];
  private boolean[] retiring = new boolean[16];
  private int size;
  private int retiringCount;

  /** Adds a write. */
  public void add(Op op, E entity) {
    add(op, entity, false);
  }

  /**
   * Adds a write.
   *
   * @param retires true if the deletion leaves the entity's subscriber index free, so that what was
   *     counted under it must not be taken for the next subscriber's
   */
  public void add(Op op, E entity, boolean retires) {
    if (size == ops.length) {
      ops = Arrays.copyOf(ops, 2 * size);
      entities = Arrays.copyOf(entities, 2 * size);
      retiring = Arrays.copyOf(retiring, 2 * size);
    }
    ops[size] = op;
    retiring[size] = retires;
    retiringCount += retires ? 1 : 0;
    entities[size++] = entity;
  }

  /** Number of writes. */
  public int size() {
    return size;
  }

  /** The operation of write {@code i}. */
  public Op op(int i) {
    return ops[i];
  }

  /** Whether write {@code i} leaves its subscriber index free. */
  public boolean retires(int i) {
    return retiring[i];
  }

  /** Number of writes that leave a subscriber index free. */
  public int retiringCount() {
    return retiringCount;
  }

  /** The entity of write {@code i}. */
  @SuppressWarnings("unchecked") // only an E is ever added
  public E entity(int i) {
    return (E) entities[i];
  }
}
