package net.sluice.intents.plan;

import java.util.Optional;

/**
 * A write to a target.
 *
 * @param op relative to what the target holds before the plan; {@link Op#MODIFY} at an FPGA
 * @param entity what the target holds afterwards; for a delete what it held
 * @param owner whose status the write counts for, see {@link OwnerIds}
 * @param previous at an FPGA the setting before; empty at a switch
 * @param grant requested and granted; empty if the entity represents the declaration exactly or
 *     stands for no declared number, and for a delete
 * @param <E> what the target holds
 */
public record Write<E extends Entity>(
    Op op, E entity, int owner, Optional<E> previous, Optional<Grant> grant) {
  /** A write to a switch that represents its declaration exactly. */
  public Write(Op op, E entity, int owner) {
    this(op, entity, owner, Optional.empty(), Optional.empty());
  }
}
