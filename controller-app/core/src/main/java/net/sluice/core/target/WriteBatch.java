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
  private int size;

  /** Adds a write. */
  public void add(Op op, E entity) {
    if (size == ops.length) {
      ops = Arrays.copyOf(ops, 2 * size);
      entities = Arrays.copyOf(entities, 2 * size);
    }
    ops[size] = op;
    entities[size++] = entity;
  }

  /** Number of writes. */
  public int size() {
    return size;
  }

  /** What the write {@code i} does. */
  public Op op(int i) {
    return ops[i];
  }

  /** What the write {@code i} is about. */
  @SuppressWarnings("unchecked") // only an E is ever added
  public E entity(int i) {
    return (E) entities[i];
  }
}
