package net.sluice.emulator.server.p4runtime;

import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.ServerCallHandler;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import net.sluice.emulator.server.p4runtime.entity.EncodedEntities;
import p4.v1.P4RuntimeGrpc;
import p4.v1.P4RuntimeOuterClass.ReadRequest;
import p4.v1.P4RuntimeOuterClass.ReadResponse;

/** The Read method with answers that are {@link ReadResponse} or {@link EncodedEntities}. */
final class ReadMethod {

  private static final Marshaller<ReadResponse> MESSAGES =
      P4RuntimeGrpc.getReadMethod().getResponseMarshaller();

  private ReadMethod() {}

  /** A service with that method in place of its own. */
  static ServerServiceDefinition in(
      ServerServiceDefinition service,
      BiConsumer<ReadRequest, ServerCallStreamObserver<Object>> read) {
    MethodDescriptor<ReadRequest, Object> method =
        P4RuntimeGrpc.getReadMethod().<ReadRequest, Object>toBuilder(
                P4RuntimeGrpc.getReadMethod().getRequestMarshaller(), new Either())
            .build();
    ServerCallHandler<ReadRequest, Object> handler =
        ServerCalls.asyncServerStreamingCall(
            (request, responses) ->
                read.accept(request, (ServerCallStreamObserver<Object>) responses));
    List<ServerMethodDefinition<?, ?>> methods = new ArrayList<>();
    for (ServerMethodDefinition<?, ?> each : service.getMethods()) {
      boolean isRead =
          each.getMethodDescriptor().getFullMethodName().equals(method.getFullMethodName());
      methods.add(isRead ? ServerMethodDefinition.create(method, handler) : each);
    }
    ServiceDescriptor.Builder descriptor =
        ServiceDescriptor.newBuilder(service.getServiceDescriptor().getName())
            .setSchemaDescriptor(service.getServiceDescriptor().getSchemaDescriptor());
    methods.forEach(each -> descriptor.addMethod(each.getMethodDescriptor()));
    ServerServiceDefinition.Builder all = ServerServiceDefinition.builder(descriptor.build());
    methods.forEach(all::addMethod);
    return all.build();
  }

  /** Writes both; a server reads none. */
  private static final class Either implements Marshaller<Object> {
    @Override
    public InputStream stream(Object response) {
      return response instanceof EncodedEntities encoded
          ? encoded.stream()
          : MESSAGES.stream((ReadResponse) response);
    }

    @Override
    public Object parse(InputStream response) {
      return MESSAGES.parse(response);
    }
  }
}
