package net.sluice.emulator.v1model.trace;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import net.sluice.emulator.trace.v1.Started;
import net.sluice.emulator.trace.v1.Trace;
import net.sluice.emulator.trace.v1.TraceFilter;
import net.sluice.emulator.trace.v1.TraceMessage;
import net.sluice.emulator.trace.v1.TracerGrpc;

/**
 * Traces of a switch's packets over gRPC. Nothing is sent on packet threads, and flow control is
 * the client's.
 */
public final class TracerService extends TracerGrpc.TracerImplBase {

  private final Tracing tracing;
  private final long deviceId;
  private final Executor senders;

  /**
   * @param deviceId the switch's P4Runtime device id
   * @param senders threads that traces are sent on
   */
  public TracerService(Tracing tracing, long deviceId, Executor senders) {
    this.tracing = tracing;
    this.deviceId = deviceId;
    this.senders = senders;
  }

  @Override
  public void follow(TraceFilter filter, StreamObserver<TraceMessage> responses) {
    TraceSession session;
    try {
      session = tracing.open(filter);
    } catch (IllegalArgumentException e) {
      responses.onError(
          Status.INVALID_ARGUMENT.withDescription(e.getMessage()).asRuntimeException());
      return;
    }
    new Sender(session, (ServerCallStreamObserver<TraceMessage>) responses).start();
  }

  /** Sends one session's traces. */
  private final class Sender {

    private final TraceSession session;
    private final ServerCallStreamObserver<TraceMessage> client;
    private final AtomicBoolean woken = new AtomicBoolean();
    private boolean completed;

    Sender(TraceSession session, ServerCallStreamObserver<TraceMessage> client) {
      this.session = session;
      this.client = client;
    }

    void start() {
      client.setOnCancelHandler(session::close);
      client.setOnReadyHandler(this::wake);
      client.onNext(
          TraceMessage.newBuilder().setStarted(Started.newBuilder().setDeviceId(deviceId)).build());
      session.setListener(this::wake);
      wake();
    }

    private void wake() {
      if (woken.compareAndSet(false, true)) {
        senders.execute(this::send);
      }
    }

    private synchronized void send() {
      woken.set(false);
      while (!completed && !client.isCancelled() && client.isReady()) {
        // Read first: traces that come in between are found in the next round.
        boolean ended = session.isEnded();
        Optional<Trace> trace = session.poll();
        if (trace.isPresent()) {
          client.onNext(
              TraceMessage.newBuilder()
                  .setTrace(trace.get())
                  .setDroppedTraces(session.dropped())
                  .build());
        } else if (ended) {
          completed = true;
          session.close();
          client.onCompleted();
        } else {
          return;
        }
      }
    }
  }
}
