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
import net.sluice.emulator.v1model.V1modelSwitch;

/**
 * Traces of a switch's packets over gRPC. Nothing is sent on packet threads, and flow control is
 * the client's.
 */
public final class TracerService extends TracerGrpc.TracerImplBase {

  private final V1modelSwitch device;
  private final Executor senders;

  /**
   * @param senders threads that traces are sent on
   */
  public TracerService(V1modelSwitch device, Executor senders) {
    this.device = device;
    this.senders = senders;
  }

  @Override
  public void follow(TraceFilter filter, StreamObserver<TraceMessage> responses) {
    TraceSession session;
    try {
      session = device.tracing().open(filter);
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
          TraceMessage.newBuilder()
              .setStarted(Started.newBuilder().setDeviceId(device.deviceId()))
              .build());
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
