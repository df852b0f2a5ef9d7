package net.sluice.emulator.server.p4runtime.request;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import net.sluice.emulator.server.p4runtime.entity.EntityKind;
import net.sluice.emulator.server.p4runtime.entity.ReadAnswer;
import net.sluice.emulator.server.p4runtime.program.Binding;
import net.sluice.emulator.server.p4runtime.program.EntityKinds;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.switching.SwitchClock;
import p4.v1.P4RuntimeOuterClass.Entity;

/**
 * Answers one read request, each element by its {@link EntityKind}. The caller makes sure that
 * nothing is written meanwhile.
 */
public final class Reader {

  private final EntityKinds kinds;
  private final ReentrantLock packets;
  private final ReadAnswer answer;
  private RoleConfig role;

  /** A reader for a switch that is in no network: time stands still. */
  public Reader(Binding binding, ReentrantLock packets, ReadAnswer.Sink sink) {
    this(binding, packets, () -> SwitchClock.STOPPED, sink);
  }

  /**
   * A reader.
   *
   * @param packets the switch's lock
   * @param clock the time that its packets live in
   */
  public Reader(
      Binding binding, ReentrantLock packets, Supplier<SwitchClock> clock, ReadAnswer.Sink sink) {
    kinds = new EntityKinds(binding, clock);
    this.packets = packets;
    answer = new ReadAnswer(packets, this::sees, binding.rules().chunk(), sink);
  }

  /**
   * Reads for a role.
   *
   * @param config what it may do; null for everything
   */
  public Reader as(RoleConfig config) {
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
  public RpcException[] read(List<Entity> entities) throws RpcException {
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
