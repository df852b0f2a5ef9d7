package net.sluice.emulator.server.p4runtime.stream;

import com.google.rpc.Code;
import java.util.EnumMap;
import java.util.Map;
import net.sluice.emulator.server.p4runtime.program.Binding;
import net.sluice.emulator.server.p4runtime.request.PipelineConfigs;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import p4.v1.P4RuntimeOuterClass.StreamMessageRequest;
import p4.v1.P4RuntimeOuterClass.StreamMessageRequest.UpdateCase;

/**
 * Dispatches the messages that controllers send on their streams; arbitration is not among them. A
 * refused message is answered with a stream error and changes nothing.
 */
public final class StreamRequests {

  /** Takes messages of one kind from primary controllers. */
  interface Handler {

    /**
     * Acts on a message. Called by several threads, but never beside a write or a change of the
     * config.
     *
     * @param binding the config that reads and writes refer to
     * @throws RpcException if it is refused; the controller gets code and message in a stream error
     */
    void handle(Binding binding, StreamMessageRequest message) throws RpcException;
  }

  private final PipelineConfigs configs;
  private final Map<UpdateCase, Handler> handlers = new EnumMap<>(UpdateCase.class);

  public StreamRequests(PipelineConfigs configs) {
    this.configs = configs;
  }

  /** Makes a handler responsible for a kind of message. */
  public StreamRequests on(UpdateCase kind, Handler handler) {
    handlers.put(kind, handler);
    return this;
  }

  /**
   * Acts on a message.
   *
   * @param primary whether the controller is primary in its role
   * @throws RpcException UNIMPLEMENTED if nobody takes this kind, PERMISSION_DENIED if the
   *     controller is not primary, FAILED_PRECONDITION without a config, and what the handler says
   */
  void handle(StreamMessageRequest message, boolean primary) throws RpcException {
    UpdateCase kind = message.getUpdateCase();
    if (kind == UpdateCase.UPDATE_NOT_SET) {
      throw RpcException.invalid(
          "the stream message has no update; it must be arbitration, packet or digest_ack");
    }
    Handler handler = handlers.get(kind);
    if (handler == null) {
      throw new RpcException(Code.UNIMPLEMENTED, kind + " messages are not supported");
    }
    if (!primary) {
      throw new RpcException(
          Code.PERMISSION_DENIED,
          kind + " messages are for primary controllers; this one is not primary");
    }
    handler.handle(configs.current(), message);
  }
}
