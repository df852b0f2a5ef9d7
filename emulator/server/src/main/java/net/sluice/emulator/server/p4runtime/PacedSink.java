package net.sluice.emulator.server.p4runtime;

import com.google.rpc.Code;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import net.sluice.emulator.server.p4runtime.entity.EncodedEntities;
import net.sluice.emulator.server.p4runtime.entity.ReadAnswer;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import p4.v1.P4RuntimeOuterClass.ReadResponse;

/**
 * Sends read responses no faster than the client takes them, so that a table of a million entries
 * is never in memory as messages.
 */
final class PacedSink implements ReadAnswer.Sink {

  /** A client that takes nothing for so long is given up: reads keep writes waiting. */
  private static final int STALL_SECONDS = 20;

  /**
   * Bytes that may wait for the client: enough that the next messages are made while the last ones
   * are under way.
   */
  private static final int AHEAD_BYTES = 1 << 20;

  /** Lets others have their turn between two messages. */
  interface Pause {
    /** Before a message is sent. */
    void begin();

    /**
     * Once it is sent.
     *
     * @throws RpcException if nothing more is to be read
     */
    void end() throws RpcException;
  }

  private final ServerCallStreamObserver<Object> responses;
  private final Semaphore news = new Semaphore(0);
  private Pause pause;

  PacedSink(ServerCallStreamObserver<Object> responses) {
    this.responses = responses;
    responses.setOnReadyThreshold(AHEAD_BYTES);
    responses.setOnReadyHandler(news::release);
    responses.setOnCancelHandler(news::release);
  }

  /** Has a pause with each message from now on. */
  void pause(Pause with) {
    pause = with;
  }

  @Override
  public void send(ReadResponse response) throws RpcException {
    sendAny(response);
  }

  @Override
  public void send(EncodedEntities response) throws RpcException {
    sendAny(response);
  }

  private void sendAny(Object response) throws RpcException {
    if (pause == null) {
      sendNow(response);
      return;
    }
    pause.begin();
    try {
      sendNow(response);
    } finally {
      pause.end();
    }
  }

  private void sendNow(Object response) throws RpcException {
    while (!responses.isReady()) {
      if (responses.isCancelled()) {
        throw new RpcException(Code.CANCELLED, "the client is gone");
      }
      try {
        if (!news.tryAcquire(STALL_SECONDS, TimeUnit.SECONDS)) {
          throw new RpcException(
              Code.ABORTED, "the client has read nothing for " + STALL_SECONDS + " seconds");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new RpcException(Code.UNAVAILABLE, "the server is stopping");
      }
    }
    responses.onNext(response);
  }

  void complete() {
    if (!responses.isCancelled()) {
      responses.onCompleted();
    }
  }

  void fail(Throwable status) {
    if (!responses.isCancelled()) {
      responses.onError(status);
    }
  }
}
