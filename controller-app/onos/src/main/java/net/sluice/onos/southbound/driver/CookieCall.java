package net.sluice.onos.southbound.driver;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import p4.v1.P4RuntimeOuterClass.GetForwardingPipelineConfigRequest;
import p4.v1.P4RuntimeOuterClass.GetForwardingPipelineConfigRequest.ResponseType;
import p4.v1.P4RuntimeOuterClass.GetForwardingPipelineConfigResponse;

/**
 * Asks a switch for the cookie of the program that it runs. ONOS's own client gives the same answer
 * for a switch with another program and for one that does not answer.
 */
final class CookieCall {
  /** The deadline of ONOS's own calls. */
  private static final int DEADLINE_SECONDS = 10;

  /**
   * Written out, as the generated stubs need a newer gRPC than ONOS has, and with a marshaller that
   * knows only streams of bytes, as ONOS's gRPC has another protobuf.
   */
  static final MethodDescriptor<
          GetForwardingPipelineConfigRequest, GetForwardingPipelineConfigResponse>
      METHOD =
          MethodDescriptor
              .<GetForwardingPipelineConfigRequest, GetForwardingPipelineConfigResponse>newBuilder()
              .setType(MethodType.UNARY)
              .setFullMethodName("p4.v1.P4Runtime/GetForwardingPipelineConfig")
              .setRequestMarshaller(marshaller(GetForwardingPipelineConfigRequest.parser()))
              .setResponseMarshaller(marshaller(GetForwardingPipelineConfigResponse.parser()))
              .build();

  private CookieCall() {}

  /**
   * The cookie of the program on a switch; empty if the switch says that it has no program. Fails
   * if the switch does not answer.
   *
   * @param deviceId the switch's P4Runtime device id
   */
  static CompletableFuture<OptionalLong> ask(Channel channel, long deviceId) {
    CompletableFuture<OptionalLong> result = new CompletableFuture<>();
    ClientCalls.asyncUnaryCall(
        channel.newCall(
            METHOD, CallOptions.DEFAULT.withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS)),
        GetForwardingPipelineConfigRequest.newBuilder()
            .setDeviceId(deviceId)
            .setResponseType(ResponseType.COOKIE_ONLY)
            .build(),
        new StreamObserver<>() {
          @Override
          public void onNext(GetForwardingPipelineConfigResponse answer) {
            result.complete(
                answer.hasConfig()
                    ? OptionalLong.of(answer.getConfig().getCookie().getCookie())
                    : OptionalLong.empty());
          }

          @Override
          public void onError(Throwable failure) {
            switch (Status.fromThrowable(failure).getCode()) {
              // The codes of servers that have no program yet.
              case FAILED_PRECONDITION, NOT_FOUND -> result.complete(OptionalLong.empty());
              default -> result.completeExceptionally(failure);
            }
          }

          @Override
          public void onCompleted() {
            result.completeExceptionally(
                Status.INTERNAL.withDescription("no answer in it").asRuntimeException());
          }
        });
    return result;
  }

  private static <T extends MessageLite> Marshaller<T> marshaller(Parser<T> parser) {
    return new Marshaller<>() {
      @Override
      public InputStream stream(T message) {
        return new ByteArrayInputStream(message.toByteArray());
      }

      @Override
      public T parse(InputStream bytes) {
        try {
          return parser.parseFrom(bytes);
        } catch (InvalidProtocolBufferException e) {
          throw Status.INTERNAL
              .withDescription("no message of P4Runtime: " + e.getMessage())
              .withCause(e)
              .asRuntimeException();
        }
      }
    };
  }
}
