package net.sluice.emulator.server.p4runtime.request;

import com.google.rpc.Code;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import net.sluice.emulator.server.p4runtime.entity.EntityKind;
import net.sluice.emulator.server.p4runtime.entity.UndoLog;
import net.sluice.emulator.server.p4runtime.program.Binding;
import net.sluice.emulator.server.p4runtime.program.EntityKinds;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.switching.SwitchClock;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.WriteRequest.Atomicity;

/**
 * Applies batches of updates to a binding's program, each update checked completely before it
 * changes anything. One thread at a time. Each update is written by its {@link EntityKind}; what a
 * batch may have to take back goes to an {@link UndoLog}.
 */
public final class Writer {

  /** Updates per hold of the switch's lock, so that packets are never held up for long. */
  private static final int SLICE = 128;

  private final ReentrantLock packets;
  private final EntityKinds kinds;
  private RoleConfig role;

  /** A writer for a switch that is in no network: time stands still. */
  public Writer(Binding binding, ReentrantLock packets) {
    this(binding, packets, () -> SwitchClock.STOPPED);
  }

  /**
   * A writer.
   *
   * @param packets the switch's lock
   * @param clock the time that its packets live in
   */
  public Writer(Binding binding, ReentrantLock packets, Supplier<SwitchClock> clock) {
    this.packets = packets;
    this.kinds = new EntityKinds(binding, clock);
  }

  /**
   * Writes for a role from now on.
   *
   * @param config what it may do; null for everything
   */
  public Writer as(RoleConfig config) {
    role = config;
    return this;
  }

  /**
   * Applies a batch, every update whatever became of the others. Answers the errors by update, or
   * null if there are none.
   */
  public RpcException[] apply(List<Update> updates) {
    RpcException[] errors = null;
    for (int from = 0; from < updates.size(); from += SLICE) {
      packets.lock();
      try {
        for (int i = from; i < Math.min(updates.size(), from + SLICE); i++) {
          try {
            apply(updates.get(i), null);
          } catch (RpcException e) {
            errors = errors == null ? new RpcException[updates.size()] : errors;
            errors[i] = e;
          }
        }
      } finally {
        packets.unlock();
      }
    }
    return errors;
  }

  /**
   * Applies a batch with one of the specification's kinds of atomicity. Answers the errors by
   * update, or null if there are none.
   *
   * @throws RpcException if there is no such kind
   */
  public RpcException[] apply(List<Update> updates, Atomicity atomicity) throws RpcException {
    return switch (atomicity) {
      case CONTINUE_ON_ERROR -> apply(updates);
      case ROLLBACK_ON_ERROR -> applyAll(updates, SLICE);
      // No packet comes between: the lock is held from the first update to the last.
      case DATAPLANE_ATOMIC -> applyAll(updates, updates.size());
      default ->
          throw RpcException.invalid(
              "atomicity is %s; it must be CONTINUE_ON_ERROR, ROLLBACK_ON_ERROR or"
                  + " DATAPLANE_ATOMIC",
              atomicity);
    };
  }

  /** All of a batch, or nothing of it. */
  private RpcException[] applyAll(List<Update> updates, int slice) {
    UndoLog undo = new UndoLog();
    for (int from = 0; from < updates.size(); from += slice) {
      packets.lock();
      try {
        for (int i = from; i < Math.min(updates.size(), from + slice); i++) {
          try {
            apply(updates.get(i), undo);
          } catch (RpcException e) {
            undo.undo();
            return allBut(updates.size(), i, e);
          }
        }
      } finally {
        packets.unlock();
      }
    }
    return null;
  }

  private static RpcException[] allBut(int size, int failed, RpcException reason) {
    RpcException[] errors = new RpcException[size];
    for (int i = 0; i < size; i++) {
      errors[i] =
          i == failed
              ? reason
              : new RpcException(
                  Code.ABORTED,
                  "%s: update %s of the batch was refused"
                      .formatted(i < failed ? "taken back" : "not tried", failed + 1));
    }
    return errors;
  }

  private void apply(Update update, UndoLog undo) throws RpcException {
    Entity entity = update.getEntity();
    Update.Type type = update.getType();
    if (type != Update.Type.INSERT && type != Update.Type.MODIFY && type != Update.Type.DELETE) {
      throw RpcException.invalid(
          "update type is " + type + "; it must be INSERT, MODIFY or DELETE");
    }
    EntityKind kind = kinds.of(entity, "update");
    if (role != null) {
      role.check(kind.p4Id(entity));
    }
    kind.write(type, entity, undo);
  }
}
