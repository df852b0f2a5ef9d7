package net.sluice.emulator.server.p4runtime.entity;

import net.sluice.emulator.server.p4runtime.status.RpcException;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Update;

/**
 * One kind of P4Runtime entity (section 9): its write with the way to take it back, its read, and
 * the id that roles are checked against. Entities handed in are of this kind.
 */
public interface EntityKind {

  /** A read that has been checked. */
  @FunctionalInterface
  interface Query {
    /**
     * Answers.
     *
     * @throws RpcException if the client is gone or does not read
     */
    void answer(ReadAnswer answer) throws RpcException;
  }

  /**
   * The P4Info id that a role needs access to; 0 for an entity that is of no part of the program,
   * and for all entities of the kind in a read.
   */
  int p4Id(Entity entity);

  /**
   * Applies an update, completely or not at all, with the switch's lock held.
   *
   * @param undo takes how to take the update back; null if nobody will want that
   * @throws RpcException if the update is refused
   */
  void write(Update.Type type, Entity entity, UndoLog undo) throws RpcException;

  /**
   * Checks what a read asks for, with the switch's lock held: what takes long is for the query.
   *
   * @throws RpcException if it is refused
   */
  Query read(Entity filter) throws RpcException;
}
