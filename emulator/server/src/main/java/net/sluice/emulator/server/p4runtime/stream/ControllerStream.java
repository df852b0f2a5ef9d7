package net.sluice.emulator.server.p4runtime.stream;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.function.BooleanSupplier;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.server.p4runtime.status.RpcStatus;
import net.sluice.emulator.server.p4runtime.status.StreamErrors;
import p4.v1.P4RuntimeOuterClass.StreamMessageRequest;
import p4.v1.P4RuntimeOuterClass.StreamMessageResponse;

/**
 * One controller's stream. Its claims and its end are dealt with under the write lock of the
 * service's state, its other messages under the read lock; what is sent to it may come from any
 * thread.
 */
public final class ControllerStream
    implements StreamObserver<StreamMessageRequest>, Arbitration.Channel {

  /** Bytes that may wait for a controller before news is withheld from it. */
  private static final int READY_BYTES = 8 << 20;

  private final ServerCallStreamObserver<StreamMessageResponse> responses;
  private final ReadWriteLock state;
  private final Arbitration arbitration;
  private final StreamRequests requests;
  private final Arbitration.Client client;
  private final BooleanSupplier stopping;

  /** Written under the state's write lock and this object's monitor: either is enough to read. */
  private boolean ended;

  public ControllerStream(
      ServerCallStreamObserver<StreamMessageResponse> responses,
      ReadWriteLock state,
      Arbitration arbitration,
      StreamRequests requests,
      BooleanSupplier stopping) {
    this.stopping = stopping;
    this.responses = responses;
    this.state = state;
    this.arbitration = arbitration;
    this.requests = requests;
    this.client = new Arbitration.Client(this);
    responses.setOnReadyThreshold(READY_BYTES);
    // With a handler set, sending to a controller that has just gone is not an error.
    responses.setOnCancelHandler(this::end);
  }

  @Override
  public synchronized void send(StreamMessageResponse message) {
    // Once the server stops there may be nobody left who could send it.
    if (!ended && !stopping.getAsBoolean()) {
      responses.onNext(message);
    }
  }

  @Override
  public boolean isReady() {
    return responses.isReady();
  }

  @Override
  public void onNext(StreamMessageRequest message) {
    if (message.getUpdateCase() == StreamMessageRequest.UpdateCase.ARBITRATION) {
      arbitrate(message);
      return;
    }
    Lock lock = state.readLock();
    lock.lock();
    try {
      requests.handle(message, arbitration.isPrimary(client));
    } catch (RpcException e) {
      if (isReady()) {
        send(StreamErrors.of(message, e));
      }
    } finally {
      lock.unlock();
    }
  }

  private void arbitrate(StreamMessageRequest message) {
    Lock lock = state.writeLock();
    lock.lock();
    try {
      if (!ended) {
        arbitration.update(client, message.getArbitration());
      }
    } catch (RpcException e) {
      if (markEnded()) {
        arbitration.disconnect(client);
        responses.onError(RpcStatus.of(e));
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void onError(Throwable broken) {
    end();
  }

  @Override
  public void onCompleted() {
    if (end()) {
      responses.onCompleted();
    }
  }

  private boolean end() {
    Lock lock = state.writeLock();
    lock.lock();
    try {
      boolean first = markEnded();
      if (first) {
        arbitration.disconnect(client);
      }
      return first;
    } finally {
      lock.unlock();
    }
  }

  private synchronized boolean markEnded() {
    boolean first = !ended;
    ended = true;
    return first;
  }
}
