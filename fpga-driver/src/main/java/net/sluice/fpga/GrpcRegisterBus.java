package net.sluice.fpga;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import net.sluice.fpga.v1.BatchRequest;
import net.sluice.fpga.v1.BatchResponse;

/**
 * A bus to registers behind a {@link RegisterBusAgent}. Batches are sent without waiting for the
 * answers of earlier ones. When the connection is lost all batches under way fail, and the next one
 * connects again; if it meets an agent that was started anew it fails too, as the registers may be
 * others.
 */
public final class GrpcRegisterBus implements RegisterBus {
  /** Batches that may be under way. */
  static final int MAX_UNDER_WAY = 1024;

  private final ManagedChannel channel;
  private final long epoch;
  private final Object lock = new Object();
  private Stream stream;
  private boolean closed;

  /** Which start of the agent has answered so far; 0 for none. */
  private long agentStart;

  /** A bus over {@code channel}, which is shut down with it. */
  public GrpcRegisterBus(ManagedChannel channel) {
    this(channel, 0);
  }

  /**
   * A bus of one of several controllers that take turns, over {@code channel}, which is shut down
   * with it.
   *
   * @param epoch higher than that of the controllers before it: once the agent has had a batch of
   *     it, batches of lower epochs fail; 0 for none, which is lower than any
   */
  public GrpcRegisterBus(ManagedChannel channel, long epoch) {
    this.channel = channel;
    this.epoch = epoch;
  }

  @Override
  public CompletionStage<BatchResult> execute(RegisterBatch batch) {
    BatchRequest request = BatchMessages.request(batch, epoch);
    CompletableFuture<BatchResult> result = new CompletableFuture<>();
    synchronized (lock) {
      if (closed) {
        return CompletableFuture.failedFuture(closedException());
      }
      if (stream == null) {
        stream = new Stream();
        ClientCalls.asyncBidiStreamingCall(
            channel.newCall(RegisterBusCall.METHOD, CallOptions.DEFAULT), stream);
      }
      if (stream.underWay.size() == MAX_UNDER_WAY) {
        return CompletableFuture.failedFuture(new RegisterBusException.Busy(MAX_UNDER_WAY));
      }
      stream.underWay.add(new UnderWay(batch, result));
      stream.requests.onNext(request);
    }
    return result;
  }

  @Override
  public void close() {
    Stream last;
    synchronized (lock) {
      closed = true;
      last = stream;
      stream = null;
    }
    if (last != null) {
      last.fail(closedException());
    }
    channel.shutdownNow();
  }

  private static RegisterBusException closedException() {
    return new RegisterBusException("the register bus is closed");
  }

  /** Code and description of a call that failed, and what lies behind it. */
  private static String text(Status status) {
    StringBuilder text = new StringBuilder(status.getCode().toString());
    if (status.getDescription() != null) {
      text.append(": ").append(status.getDescription());
    }
    if (status.getCause() != null && status.getCause().getMessage() != null) {
      text.append(": ").append(status.getCause().getMessage());
    }
    return text.toString();
  }

  private void requireSameStart(long start) {
    synchronized (lock) {
      boolean other = agentStart != 0 && start != agentStart;
      agentStart = start;
      if (other) {
        throw new RegisterBusException(
            "the register agent was started anew: what the registers hold has to be compared");
      }
    }
  }

  private record UnderWay(RegisterBatch batch, CompletableFuture<BatchResult> result) {}

  /** One connection; its batches are answered in the order sent. */
  private final class Stream implements ClientResponseObserver<BatchRequest, BatchResponse> {
    private final Deque<UnderWay> underWay = new ArrayDeque<>();
    private ClientCallStreamObserver<BatchRequest> requests;

    @Override
    public void beforeStart(ClientCallStreamObserver<BatchRequest> requestStream) {
      requests = requestStream;
    }

    @Override
    public void onNext(BatchResponse response) {
      UnderWay first;
      synchronized (lock) {
        first = underWay.poll();
      }
      if (first == null) {
        abandon(new RegisterBusException("the register agent answered what nobody asked"));
        return;
      }
      BatchResult result;
      try {
        requireSameStart(response.getAgentStart());
        result = BatchMessages.result(first.batch(), response);
      } catch (RegisterBusException e) {
        // In this order: who is told may send the next batch at once, which is to connect anew.
        abandon(e);
        first.result().completeExceptionally(e);
        return;
      }
      first.result().complete(result);
    }

    @Override
    public void onError(Throwable cause) {
      fail(
          new RegisterBusException(
              "the register agent is unreachable: " + text(Status.fromThrowable(cause)), cause));
    }

    @Override
    public void onCompleted() {
      fail(new RegisterBusException("the register agent ended the connection"));
    }

    private void abandon(RegisterBusException reason) {
      fail(reason);
      requests.cancel(reason.getMessage(), reason);
    }

    private void fail(RegisterBusException reason) {
      List<UnderWay> failed;
      synchronized (lock) {
        if (stream == this) {
          stream = null;
        }
        failed = List.copyOf(underWay);
        underWay.clear();
      }
      for (UnderWay batch : failed) {
        batch.result().completeExceptionally(reason);
      }
    }
  }
}
