package net.sluice.emulator.server.p4runtime.request;

import com.google.rpc.Code;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import net.sluice.emulator.server.p4runtime.program.Binding;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.server.p4runtime.variant.ServerVariant;
import net.sluice.emulator.v1model.V1modelSwitch;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.GetForwardingPipelineConfigRequest;
import p4.v1.P4RuntimeOuterClass.GetForwardingPipelineConfigResponse;

/**
 * The forwarding pipeline configs of a switch: the one that packets go through, and possibly one
 * that was saved and waits to be committed. Reads and writes go to the saved one while there is
 * one; committing it puts it in force with what was written to it.
 */
public final class PipelineConfigs {

  private final V1modelSwitch device;
  private final ServerVariant kind;
  private Binding committed;
  private Binding saved;
  private final List<Consumer<Binding>> listeners = new ArrayList<>();

  /** Held while a config is compiled, which takes a core and hundreds of megabytes. */
  private final Lock compiling = new ReentrantLock();

  /** Compiled for a client that did not wait for it; null if there is none. */
  private Binding unclaimed;

  public PipelineConfigs(V1modelSwitch device, ServerVariant kind) {
    this.device = device;
    this.kind = kind;
  }

  /**
   * Compiles a config without changing anything. May be called by any thread.
   *
   * @throws RpcException INVALID_ARGUMENT if the switch cannot realise it
   */
  public Binding verify(ForwardingPipelineConfig config) throws RpcException {
    return verify(config, () -> false);
  }

  /**
   * Compiles a config for a client, one config at a time. A client that does not wait so long gets
   * it without that when it asks again, so that a slow machine loads a program, too.
   *
   * @param isGone whether the client waits no more
   * @throws RpcException INVALID_ARGUMENT if the switch cannot realise it, CANCELLED if the client
   *     is gone
   */
  public Binding verify(ForwardingPipelineConfig config, BooleanSupplier isGone)
      throws RpcException {
    compiling.lock();
    try {
      requireThere(isGone);
      Binding compiled =
          unclaimed != null && unclaimed.config().equals(config)
              ? unclaimed
              : kind.bind(config, device);
      unclaimed = compiled;
      requireThere(isGone);
      unclaimed = null;
      return compiled;
    } finally {
      compiling.unlock();
    }
  }

  private static void requireThere(BooleanSupplier isGone) throws RpcException {
    if (isGone.getAsBoolean()) {
      throw new RpcException(Code.CANCELLED, "the client waits no more for its config");
    }
  }

  /** Keeps a config for a later commit. */
  public void save(Binding binding) {
    saved = binding;
  }

  /** Puts a config in force. */
  public void commit(Binding binding) {
    device.install(binding.program());
    committed = binding;
    saved = null;
    for (Consumer<Binding> listener : listeners) {
      listener.accept(binding);
    }
  }

  /** Adds somebody who hears of every config that is put in force. */
  public void onCommit(Consumer<Binding> listener) {
    listeners.add(listener);
  }

  /**
   * Puts a config in force with the forwarding state of the one before.
   *
   * @throws RpcException INVALID_ARGUMENT if it has no place for that; then nothing has changed
   */
  public void reconcile(Binding binding) throws RpcException {
    device.lock().lock();
    try {
      if (committed != null) {
        binding.types().adopt(committed.types());
        ForwardingStateTransfer.carryOver(committed, binding, device);
      }
      commit(binding);
    } finally {
      device.lock().unlock();
    }
  }

  /**
   * Puts the saved config in force.
   *
   * @throws RpcException NOT_FOUND if there is none
   */
  public void commitSaved() throws RpcException {
    if (saved == null) {
      throw new RpcException(Code.NOT_FOUND, "there is no saved config to commit");
    }
    commit(saved);
  }

  /**
   * The config that reads and writes refer to.
   *
   * @throws RpcException FAILED_PRECONDITION if there is none yet
   */
  public Binding current() throws RpcException {
    Binding current = saved != null ? saved : committed;
    if (current == null) {
      throw new RpcException(
          Code.FAILED_PRECONDITION, "no forwarding pipeline config has been set");
    }
    return current;
  }

  /**
   * The parts of the current config that were asked for; without config if there is none yet.
   *
   * @throws RpcException FAILED_PRECONDITION if the server's kind refuses that
   */
  public GetForwardingPipelineConfigResponse get(
      GetForwardingPipelineConfigRequest.ResponseType parts) throws RpcException {
    GetForwardingPipelineConfigResponse.Builder response =
        GetForwardingPipelineConfigResponse.newBuilder();
    if (kind.refusesToTellNoConfig()) {
      current();
    }
    Binding current = saved != null ? saved : committed;
    if (current == null) {
      return response.build();
    }
    ForwardingPipelineConfig config = current.config();
    return switch (parts) {
      case ALL -> response.setConfig(config).build();
      case COOKIE_ONLY ->
          response.setConfig(config.toBuilder().clearP4Info().clearP4DeviceConfig()).build();
      case P4INFO_AND_COOKIE ->
          response.setConfig(config.toBuilder().clearP4DeviceConfig()).build();
      case DEVICE_CONFIG_AND_COOKIE -> response.setConfig(config.toBuilder().clearP4Info()).build();
      default ->
          throw RpcException.invalid(
              "response_type is " + parts + "; it must be one of the specification's");
    };
  }
}
