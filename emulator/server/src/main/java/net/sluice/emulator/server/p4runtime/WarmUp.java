package net.sluice.emulator.server.p4runtime;

import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.ServerCredentials;
import io.grpc.TlsChannelCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.grpc.stub.StreamObserver;
import java.net.SocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import p4.v1.P4RuntimeGrpc;
import p4.v1.P4RuntimeOuterClass.CapabilitiesRequest;
import p4.v1.P4RuntimeOuterClass.MasterArbitrationUpdate;
import p4.v1.P4RuntimeOuterClass.StreamMessageRequest;
import p4.v1.P4RuntimeOuterClass.StreamMessageResponse;

/**
 * The first stream of a process. It loads and links what every later one needs; without it the
 * first controller waits for that, over two seconds on a busy machine, and some give up.
 *
 * <p>Its claim names no election id: a controller that is never primary (P4Runtime, section "Client
 * Arbitration and Controller Replication"). When it has gone the switch knows no more than before.
 */
final class WarmUp {
  private static final int SECONDS = 5;
  private static final AtomicBoolean DONE = new AtomicBoolean();

  private WarmUp() {}

  /**
   * Warms this process up unless that has been done. A server that cannot be reached from here, or
   * asks for a client's certificate, stays cold, and is no worse for it.
   *
   * @param credentials the server's
   */
  static void once(long deviceId, SocketAddress address, ServerCredentials credentials) {
    if (DONE.getAndSet(true)) {
      return;
    }
    try {
      run(deviceId, address, credentials);
    } catch (ExecutionException | TimeoutException e) {
      System.getLogger(WarmUp.class.getName())
          .log(System.Logger.Level.DEBUG, "no warm-up of P4Runtime", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether this process has been warmed up. */
  static boolean isDone() {
    return DONE.get();
  }

  /** Opens a stream and asks for the capabilities; returns the answer to the claim. */
  static StreamMessageResponse run(
      long deviceId, SocketAddress address, ServerCredentials credentials)
      throws ExecutionException, TimeoutException, InterruptedException {
    // Whoever answers: nothing is told to it.
    ChannelCredentials any =
        credentials instanceof InsecureServerCredentials
            ? InsecureChannelCredentials.create()
            : TlsChannelCredentials.newBuilder()
                .trustManager(InsecureTrustManagerFactory.INSTANCE.getTrustManagers())
                .build();
    ManagedChannel channel = NettyChannelBuilder.forAddress(address, any).directExecutor().build();
    try {
      Answers answers = new Answers();
      StreamObserver<StreamMessageRequest> requests =
          P4RuntimeGrpc.newStub(channel).streamChannel(answers);
      requests.onNext(
          StreamMessageRequest.newBuilder()
              .setArbitration(MasterArbitrationUpdate.newBuilder().setDeviceId(deviceId))
              .build());
      StreamMessageResponse answer = answers.first.get(SECONDS, TimeUnit.SECONDS);
      P4RuntimeGrpc.newFutureStub(channel)
          .capabilities(CapabilitiesRequest.getDefaultInstance())
          .get(SECONDS, TimeUnit.SECONDS);
      requests.onCompleted();
      answers.ended.get(SECONDS, TimeUnit.SECONDS);
      return answer;
    } finally {
      channel.shutdownNow();
    }
  }

  /** Takes the messages on the stream. */
  private static final class Answers implements StreamObserver<StreamMessageResponse> {
    private final CompletableFuture<StreamMessageResponse> first = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    @Override
    public void onNext(StreamMessageResponse message) {
      first.complete(message);
    }

    @Override
    public void onError(Throwable failure) {
      first.completeExceptionally(failure);
      ended.completeExceptionally(failure);
    }

    @Override
    public void onCompleted() {
      ended.complete(null);
    }
  }
}
