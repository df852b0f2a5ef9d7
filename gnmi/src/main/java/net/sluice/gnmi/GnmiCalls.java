package net.sluice.gnmi;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import net.sluice.gnmi.wire.CapabilityRequest;
import net.sluice.gnmi.wire.CapabilityResponse;
import net.sluice.gnmi.wire.GetRequest;
import net.sluice.gnmi.wire.GetResponse;
import net.sluice.gnmi.wire.SetRequest;
import net.sluice.gnmi.wire.SetResponse;
import net.sluice.gnmi.wire.SubscribeRequest;
import net.sluice.gnmi.wire.SubscribeResponse;

/**
 * The four calls of the gNMI service, for clients. Unlike the generated stubs they use nothing of
 * gRPC but what has been in it for years, and a marshaller that knows only streams of bytes, so
 * that they run on whatever version of gRPC their host has, beside whatever version of protobuf
 * that brings.
 */
public final class GnmiCalls {
  private static final String SERVICE = "gnmi.gNMI";

  /** The server's models, encodings and version. */
  public static final MethodDescriptor<CapabilityRequest, CapabilityResponse> CAPABILITIES =
      method(
          "Capabilities",
          MethodType.UNARY,
          CapabilityRequest.parser(),
          CapabilityResponse.parser());

  /** Values as they are now. */
  public static final MethodDescriptor<GetRequest, GetResponse> GET =
      method("Get", MethodType.UNARY, GetRequest.parser(), GetResponse.parser());

  /** One transaction of changes. */
  public static final MethodDescriptor<SetRequest, SetResponse> SET =
      method("Set", MethodType.UNARY, SetRequest.parser(), SetResponse.parser());

  /** Values as they change, or again and again. */
  public static final MethodDescriptor<SubscribeRequest, SubscribeResponse> SUBSCRIBE =
      method(
          "Subscribe",
          MethodType.BIDI_STREAMING,
          SubscribeRequest.parser(),
          SubscribeResponse.parser());

  private GnmiCalls() {}

  private static <Q extends MessageLite, A extends MessageLite> MethodDescriptor<Q, A> method(
      String name, MethodType type, Parser<Q> requests, Parser<A> responses) {
    return MethodDescriptor.<Q, A>newBuilder()
        .setType(type)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
        .setRequestMarshaller(marshaller(requests))
        .setResponseMarshaller(marshaller(responses))
        .build();
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
              .withDescription("no message of gNMI: " + e.getMessage())
              .withCause(e)
              .asRuntimeException();
        }
      }
    };
  }
}
