package net.sluice.fpga;

import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;
import net.sluice.fpga.v1.BatchRequest;
import net.sluice.fpga.v1.BatchResponse;

/**
 * Serves the registers of one FPGA to {@link GrpcRegisterBus}, from the host the FPGA is plugged
 * into. Batches of all connections are done one at a time; a batch with a wrong address is refused
 * before its first access, and so is one of a controller that has been taken over from, until the
 * agent is started anew. Each answer tells which start of the agent gave it, so that clients notice
 * a restart.
 */
public final class RegisterBusAgent implements AutoCloseable {
  private final Server server;

  private RegisterBusAgent(Server server) {
    this.server = server;
  }

  /**
   * Starts serving.
   *
   * @param builder of a server that knows where to listen
   * @throws IOException if it cannot listen there
   */
  public static RegisterBusAgent start(LocalBus bus, ServerBuilder<?> builder) throws IOException {
    return new RegisterBusAgent(builder.addService(service(new BatchRunner(bus))).build().start());
  }

  /** The port it listens on. */
  public int port() {
    return server.getPort();
  }

  /** Stops at once; connections break. */
  @Override
  public void close() {
    server.shutdownNow();
  }

  /** Waits until it is closed. */
  public void awaitTermination() throws InterruptedException {
    server.awaitTermination();
  }

  private static ServerServiceDefinition service(BatchRunner runner) {
    // 0 stands for an agent that does not tell.
    long start = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
    return ServerServiceDefinition.builder(RegisterBusCall.SERVICE)
        .addMethod(
            RegisterBusCall.METHOD,
            ServerCalls.asyncBidiStreamingCall(
                responses ->
                    new Connection(
                        runner, start, (ServerCallStreamObserver<BatchResponse>) responses)))
        .build();
  }

  /** Takes the next batch only when the answer to the last one could be sent. */
  private static final class Connection implements StreamObserver<BatchRequest> {
    private final BatchRunner runner;
    private final long start;
    private final ServerCallStreamObserver<BatchResponse> responses;
    private boolean asked;

    Connection(BatchRunner runner, long start, ServerCallStreamObserver<BatchResponse> responses) {
      this.runner = runner;
      this.start = start;
      this.responses = responses;
      responses.disableAutoRequest();
      responses.setOnReadyHandler(this::askIfReady);
    }

    @Override
    public void onNext(BatchRequest request) {
      asked = false;
      BatchResponse answer;
      try {
        answer = answer(request);
      } catch (RegisterBusException e) {
        // Ends the connection: the client has to look at what the registers hold.
        responses.onError(Status.UNAVAILABLE.withDescription(e.getMessage()).asException());
        return;
      }
      responses.onNext(answer.toBuilder().setAgentStart(start).build());
      askIfReady();
    }

    @Override
    public void onError(Throwable cause) {
      // The client is gone, and with it everyone who would want to know.
    }

    @Override
    public void onCompleted() {
      responses.onCompleted();
    }

    private BatchResponse answer(BatchRequest request) {
      RegisterBatch batch;
      try {
        batch = BatchMessages.batch(request);
      } catch (BatchMessages.RefusedException e) {
        return e.response();
      }
      try {
        return BatchMessages.response(runner.run(batch, request.getEpoch()));
      } catch (BatchRunner.FencedException e) {
        return BatchMessages.fenced(e.getMessage());
      }
    }

    // Called by gRPC on one thread at a time, like everything here.
    private void askIfReady() {
      if (!asked && responses.isReady()) {
        asked = true;
        responses.request(1);
      }
    }
  }
}
