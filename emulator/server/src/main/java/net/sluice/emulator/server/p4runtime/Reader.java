package net.sluice.emulator.server.p4runtime;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import net.sluice.emulator.switching.SwitchClock;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.ReadResponse;

/**
 * Answers one read request, each element by its {@link EntityKind}. The caller makes sure that
 * nothing is written meanwhile.
 */
final class Reader {

  /** Where chunks go. */
  interface Sink {
    /**
     * Sends a message, waiting for the client to be ready for it.
     *
     * @throws RpcException if the client is gone or does not read
     */
    void send(ReadResponse response) throws RpcException;
  }

  private final EntityKinds kinds;
  private final ReentrantLock packets;
  private final ReadAnswer answer;
  private RoleConfig role;

  /** A reader for a switch that is in no network: time stands still. */
  Reader(Binding binding, ReentrantLock packets, Sink sink) {
    this(binding, packets, () -> SwitchClock.STOPPED, sink);
  }

  /**
   * A reader.
   *
   * @param packets the switch's lock
   * @param clock the time that its packets live in
   */
  Reader(Binding binding, ReentrantLock packets, Supplier<SwitchClock> clock, Sink sink) {
    kinds = new EntityKinds(binding, clock);
    this.packets = packets;
    answer = new ReadAnswer(packets, this::sees, binding.kind().chunk(), sink);
  }

  /**
   * Reads for a role.
   *
   * @param config what it may do; null for everything
   */
  Reader as(RoleConfig config) {
    role = config;
    return this;
  }

  private boolean sees(Entity entity) {
    return role == null || role.sees(kinds.p4Id(entity));
  }

  /**
   * Answers every element of a request.
   *
   * @return the errors by element, or null if there are none
   * @throws RpcException if the client is gone
   */
  RpcException[] read(List<Entity> entities) throws RpcException {
    RpcException[] errors = null;
    for (int i = 0; i < entities.size(); i++) {
      RpcException error = readOne(entities.get(i));
      if (error != null) {
        errors = errors == null ? new RpcException[entities.size()] : errors;
        errors[i] = error;
      }
    }
    answer.flush();
    return errors;
  }

  /** The error of one element, or null; a client that is gone ends the whole request instead. */
  private RpcException readOne(Entity entity) throws RpcException {
    EntityKind.Query query;
    try {
      EntityKind kind = kinds.of(entity, "request");
      if (role != null) {
        role.check(kind.p4Id(entity));
      }
      packets.lock();
      try {
        query = kind.read(entity);
      } finally {
        packets.unlock();
      }
    } catch (RpcException e) {
      return e;
    }
    query.answer(answer);
    return null;
  }
}
