package net.sluice.emulator.server.p4runtime.status;

import com.google.rpc.Code;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;

/**
 * Turns refusals into gRPC statuses, as section "Error Reporting Messages" of the P4Runtime
 * specification has them.
 */
public final class RpcStatus {

  private RpcStatus() {}

  /** The status of a whole request. */
  public static StatusRuntimeException of(RpcException e) {
    return of(e.code(), e.getMessage());
  }

  /** The status of a whole request. */
  public static StatusRuntimeException of(Code code, String message) {
    return StatusProto.toStatusRuntimeException(
        com.google.rpc.Status.newBuilder().setCode(code.getNumber()).setMessage(message).build());
  }

  /**
   * The status of a batch of which something failed: UNKNOWN, with one detail for every element.
   *
   * @param errors by element; null for what succeeded
   */
  public static StatusRuntimeException ofBatch(RpcException[] errors) {
    return StatusProto.toStatusRuntimeException(BatchErrors.status(errors), new Metadata());
  }
}
