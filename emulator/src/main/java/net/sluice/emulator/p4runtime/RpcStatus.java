package net.sluice.emulator.p4runtime;

import com.google.protobuf.Any;
import com.google.rpc.Code;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.util.Arrays;
import p4.v1.P4RuntimeOuterClass.Error;

/**
 * Turns refusals into gRPC statuses, as section "Error Reporting Messages" of the P4Runtime
 * specification has them.
 */
final class RpcStatus {

  /**
   * Part of the trailer that a client needs room for besides the details; see {@code
   * maxInboundMetadataSize} of gRPC clients.
   */
  private static final Error OK = Error.newBuilder().setCanonicalCode(Code.OK_VALUE).build();

  private RpcStatus() {}

  /** The status of a whole request. */
  static StatusRuntimeException of(RpcException e) {
    return of(e.code(), e.getMessage());
  }

  /** The status of a whole request. */
  static StatusRuntimeException of(Code code, String message) {
    return StatusProto.toStatusRuntimeException(
        com.google.rpc.Status.newBuilder().setCode(code.getNumber()).setMessage(message).build());
  }

  /**
   * The status of a batch of which something failed: UNKNOWN, with one detail for every element.
   *
   * @param errors by element; null for what succeeded
   */
  static StatusRuntimeException ofBatch(RpcException[] errors) {
    com.google.rpc.Status.Builder status =
        com.google.rpc.Status.newBuilder()
            .setCode(Code.UNKNOWN_VALUE)
            .setMessage(
                Arrays.stream(errors).filter(e -> e != null).count()
                    + " of "
                    + errors.length
                    + " failed");
    Any ok = Any.pack(OK);
    for (RpcException e : errors) {
      status.addDetails(
          e == null
              ? ok
              : Any.pack(
                  Error.newBuilder()
                      .setCanonicalCode(e.code().getNumber())
                      .setMessage(e.getMessage())
                      .build()));
    }
    return StatusProto.toStatusRuntimeException(status.build(), new Metadata());
  }
}
