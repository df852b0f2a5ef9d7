package net.sluice.fpga;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import net.sluice.fpga.v1.BatchRequest;
import net.sluice.fpga.v1.BatchResponse;

/**
 * The one call of the register bus service. Written out, with nothing of gRPC but what has been in
 * it for years and a marshaller that knows only streams of bytes, so that it runs on whatever
 * version of gRPC its host has, beside whatever version of protobuf that brings.
 */
public final class RegisterBusCall {
  /** The service that it is of. */
  public static final String SERVICE = "sluice.fpga.v1.RegisterBus";

  /** Batches one way, the answer to each the other way. */
  public static final MethodDescriptor<BatchRequest, BatchResponse> METHOD =
      MethodDescriptor.<BatchRequest, BatchResponse>newBuilder()
          .setType(MethodType.BIDI_STREAMING)
          .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "Execute"))
          .setRequestMarshaller(marshaller(BatchRequest.parser()))
          .setResponseMarshaller(marshaller(BatchResponse.parser()))
          .build();

  private RegisterBusCall() {}

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
              .withDescription("no message of the register bus")
              .withCause(e)
              .asRuntimeException();
        }
      }
    };
  }
}
