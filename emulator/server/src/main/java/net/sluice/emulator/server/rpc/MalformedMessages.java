package net.sluice.emulator.server.rpc;

import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/**
 * Answers requests that are no messages of the protocol with INVALID_ARGUMENT and what is wrong
 * with them; by itself gRPC ends such a call without a reason.
 */
public final class MalformedMessages implements ServerInterceptor {

  private MalformedMessages() {}

  /** A service whose clients are told why a request cannot be read. */
  public static ServerServiceDefinition named(ServerServiceDefinition service) {
    // Behind the interceptor messages are still bytes, so that it is there when they are read.
    return ServerInterceptors.intercept(
        ServerInterceptors.useInputStreamMessages(service), new MalformedMessages());
  }

  @Override
  public <A, B> ServerCall.Listener<A> interceptCall(
      ServerCall<A, B> call, Metadata headers, ServerCallHandler<A, B> next) {
    return new SimpleForwardingServerCallListener<A>(next.startCall(call, headers)) {
      private boolean closed;

      @Override
      public void onMessage(A message) {
        if (closed) {
          return;
        }
        try {
          super.onMessage(message);
        } catch (StatusRuntimeException unreadable) {
          closed = true;
          Throwable cause = unreadable.getCause();
          call.close(
              Status.INVALID_ARGUMENT.withDescription(
                  "the request is no message of "
                      + call.getMethodDescriptor().getFullMethodName()
                      + ": "
                      + (cause == null ? unreadable.getMessage() : cause.getMessage())),
              new Metadata());
          // The service hears that its client is gone, and forgets it.
          super.onCancel();
        }
      }

      @Override
      public void onHalfClose() {
        if (!closed) {
          super.onHalfClose();
        }
      }

      @Override
      public void onCancel() {
        if (!closed) {
          super.onCancel();
        }
      }

      @Override
      public void onComplete() {
        if (!closed) {
          super.onComplete();
        }
      }
    };
  }
}
