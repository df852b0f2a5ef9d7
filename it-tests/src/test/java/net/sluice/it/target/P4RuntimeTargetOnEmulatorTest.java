package net.sluice.it.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import net.sluice.core.target.CounterSource;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.entry.subscriber.SubscriberData;
import net.sluice.pipeconf.CounterCodec.Point;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.Test;
import p4.v1.P4RuntimeGrpc;
import p4.v1.P4RuntimeOuterClass.ReadRequest;
import p4.v1.P4RuntimeOuterClass.ReadResponse;

final class P4RuntimeTargetOnEmulatorTest extends P4RuntimeTargetContract {
  /** Subscribers of whom one counter is cheaper to read whole. */
  private static final int MANY = 140_000;

  @Override
  SwitchServer startServer() {
    return new EmulatorServer();
  }

  @Test
  void ofManySubscribersCountersAreReadWhole() throws Exception {
    BitSet indices = new BitSet();
    indices.set(1, MANY);
    AtomicInteger cells = new AtomicInteger();
    get(
        ((CounterSource) target())
            .readAll(
                new CounterSource.Wanted(indices, Set.of(Point.OUT)),
                (point, direction, index, packets, bytes) -> {
                  assertThat(point).isEqualTo(Point.OUT);
                  cells.incrementAndGet();
                }));
    assertThat(cells).hasValue((int) program().counters().cells(Set.of(Point.OUT)));
  }

  @Test
  void aWriteGoesInBetweenTheMessagesOfAReadOfCounters() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CompletableFuture<Void> end = new CompletableFuture<>();
    ReadRequest all =
        ReadRequest.newBuilder()
            .setDeviceId(1)
            .addAllEntities(program().counters().readAll(Set.of(Point.OUT)))
            .build();
    P4RuntimeGrpc.newStub(other())
        .read(
            all,
            new ClientResponseObserver<ReadRequest, ReadResponse>() {
              @Override
              public void beforeStart(ClientCallStreamObserver<ReadRequest> call) {
                call.disableAutoRequestWithInitial(1);
              }

              @Override
              public void onNext(ReadResponse some) {
                begun.countDown();
              }

              @Override
              public void onError(Throwable failure) {
                end.completeExceptionally(failure);
              }

              @Override
              public void onCompleted() {
                end.complete(null);
              }
            });
    assertThat(begun.await(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
    SubscriberData data = new SubscriberData(9, 1, 1, 0, false, false);
    assertThat(write(Op.INSERT, List.of(v4(9, data)))).containsOnly("OK");
    // A server that lets no write in gives the reader up first.
    assertThat(end).isNotDone();
  }
}
