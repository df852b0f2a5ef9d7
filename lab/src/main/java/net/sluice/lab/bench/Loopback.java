package net.sluice.lab.bench;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import net.sluice.embedded.DefaultTopology;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.entry.subscriber.SubscriberData;
import net.sluice.intents.plan.entry.subscriber.SubscriberPrefixEntry;
import net.sluice.pipeconf.V1ModelPipeline;
import net.sluice.pipeconf.table.EntryCodec;
import p4.v1.P4RuntimeGrpc;
import p4.v1.P4RuntimeOuterClass.WriteRequest;
import p4.v1.P4RuntimeOuterClass.WriteResponse;

/**
 * The baseline of writing to a switch: the same requests over gRPC to a server that decodes and
 * answers them, and does nothing with them.
 */
final class Loopback {
  private static final int MAX_MESSAGE_BYTES = 64 << 20;

  private Loopback() {}

  /** Serves on a free port of the loopback address. */
  static Server serve() throws IOException {
    return NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .maxInboundMessageSize(MAX_MESSAGE_BYTES)
        .addService(
            new P4RuntimeGrpc.P4RuntimeImplBase() {
              @Override
              public void write(WriteRequest request, StreamObserver<WriteResponse> answer) {
                answer.onNext(WriteResponse.getDefaultInstance());
                answer.onCompleted();
              }
            })
        .build()
        .start();
  }

  /** Sends one request again and again, in batches and windows like {@link EntryWriter}'s. */
  static double entriesPerSecond(String host, int port, int entries)
      throws IOException, InterruptedException {
    ManagedChannel channel = NettyChannelBuilder.forAddress(host, port).usePlaintext().build();
    try {
      P4RuntimeGrpc.P4RuntimeStub stub = P4RuntimeGrpc.newStub(channel);
      WriteRequest request = request(Math.min(entries, EntryWriter.BATCH));
      Semaphore window = new Semaphore(EntryWriter.WINDOW);
      AtomicReference<Throwable> failure = new AtomicReference<>();
      long start = System.nanoTime();
      long sent = 0;
      for (; sent < entries; sent += request.getUpdatesCount()) {
        window.acquire();
        stub.write(request, new Released(window, failure));
      }
      window.acquire(EntryWriter.WINDOW);
      if (failure.get() != null) {
        throw new IOException("the loopback failed: " + failure.get(), failure.get());
      }
      return sent * 1e9 / (System.nanoTime() - start);
    } finally {
      channel.shutdownNow();
    }
  }

  private static WriteRequest request(int updates) {
    WriteRequest.Builder request = WriteRequest.newBuilder().setDeviceId(1);
    EntryCodec entries = V1ModelPipeline.load().entries();
    for (int i = 0; i < updates; i++) {
      request.addUpdates(
          entries.update(
              Op.INSERT,
              new SubscriberPrefixEntry(
                  BenchSubscribers.EASY.prefixes(i).get(0),
                  new SubscriberData(i + 1, 1, DefaultTopology.ACCESS_PORT, 0, false, false))));
    }
    return request.build();
  }

  /** Makes room for the next request when one is answered. */
  private record Released(Semaphore window, AtomicReference<Throwable> failure)
      implements StreamObserver<WriteResponse> {
    @Override
    public void onNext(WriteResponse answer) {}

    @Override
    public void onError(Throwable error) {
      failure.set(error);
      window.release();
    }

    @Override
    public void onCompleted() {
      window.release();
    }
  }
}
