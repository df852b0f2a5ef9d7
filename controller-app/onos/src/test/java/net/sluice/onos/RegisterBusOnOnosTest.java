package net.sluice.onos;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import net.sluice.fpga.BatchResult;
import net.sluice.fpga.GrpcRegisterBus;
import net.sluice.fpga.RegisterBatch;
import net.sluice.fpga.RegisterBusCall;
import net.sluice.fpga.v1.BatchRequest;
import net.sluice.fpga.v1.BatchResponse;
import org.junit.jupiter.api.Test;

/** The register bus's client on the version of gRPC that ONOS 2.7.0 has. */
class RegisterBusOnOnosTest {
  @Test
  void batchesAreSentAndAnswered() throws Exception {
    List<BatchRequest> received = new CopyOnWriteArrayList<>();
    assertThat(RegisterBusCall.METHOD.getFullMethodName())
        .isEqualTo("sluice.fpga.v1.RegisterBus/Execute");
    Server agent =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(
                ServerServiceDefinition.builder(RegisterBusCall.SERVICE)
                    .addMethod(
                        RegisterBusCall.METHOD,
                        ServerCalls.asyncBidiStreamingCall(
                            responses ->
                                new StreamObserver<BatchRequest>() {
                                  @Override
                                  public void onNext(BatchRequest request) {
                                    received.add(request);
                                    responses.onNext(
                                        BatchResponse.newBuilder()
                                            .setDone(3)
                                            .addValue(42)
                                            .addValue(-1)
                                            .build());
                                  }

                                  @Override
                                  public void onError(Throwable cause) {}

                                  @Override
                                  public void onCompleted() {
                                    responses.onCompleted();
                                  }
                                }))
                    .build())
            .build()
            .start();
    try (GrpcRegisterBus bus =
        new GrpcRegisterBus(
            NettyChannelBuilder.forAddress("127.0.0.1", agent.getPort()).usePlaintext().build())) {
      RegisterBatch batch = RegisterBatch.builder().write(8, 42).read(8).read(12).build();
      BatchResult result = bus.execute(batch).toCompletableFuture().get(60, TimeUnit.SECONDS);
      assertThat(result.done()).isEqualTo(3);
      assertThat(result.word(0)).isEqualTo(42);
      assertThat(result.word(1)).isEqualTo(-1);
      assertThat(received).singleElement().matches(request -> request.getAddressCount() == 3);
    } finally {
      agent.shutdownNow();
    }
  }
}
