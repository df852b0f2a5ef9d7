package net.sluice.fpga;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * A bus to registers in this process. Batches are done on an executor in the order given; with the
 * executor {@code Runnable::run} each is done before {@link #execute} returns.
 */
public final class LocalRegisterBus implements RegisterBus {
  /** Batches that may wait. */
  static final int MAX_WAITING = 1024;

  private record Waiting(RegisterBatch batch, CompletableFuture<BatchResult> result) {}

  private final BatchRunner runner;
  private final Executor executor;
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private boolean running;
  private boolean closed;

  /**
   * A bus that works on {@code executor}, on one of its threads at a time, and closes {@code bus}.
   */
  public LocalRegisterBus(LocalBus bus, Executor executor) {
    this.runner = new BatchRunner(bus);
    this.executor = executor;
  }

  @Override
  public CompletionStage<BatchResult> execute(RegisterBatch batch) {
    CompletableFuture<BatchResult> result = new CompletableFuture<>();
    synchronized (waiting) {
      if (closed) {
        return CompletableFuture.failedFuture(closedException());
      }
      if (waiting.size() == MAX_WAITING) {
        return CompletableFuture.failedFuture(new RegisterBusException.Busy(MAX_WAITING));
      }
      waiting.add(new Waiting(batch, result));
      if (running) {
        return result;
      }
      running = true;
    }
    try {
      executor.execute(this::work);
    } catch (RejectedExecutionException e) {
      fail(
          takeWaiting(false),
          new RegisterBusException("the register bus's executor is shut down", e));
    }
    return result;
  }

  @Override
  public void close() {
    fail(takeWaiting(true), closedException());
    runner.close();
  }

  private void work() {
    while (true) {
      Waiting next;
      synchronized (waiting) {
        next = waiting.poll();
        if (next == null) {
          running = false;
          return;
        }
      }
      BatchResult result;
      try {
        result = runner.run(next.batch());
      } catch (RegisterBusException e) {
        next.result().completeExceptionally(e);
        continue;
      } catch (RuntimeException | Error e) {
        next.result().completeExceptionally(new RegisterBusException("the registers failed", e));
        continue;
      }
      next.result().complete(result);
    }
  }

  /** Empties the queue: for good when closing, else because nobody works on it. */
  private List<Waiting> takeWaiting(boolean closing) {
    synchronized (waiting) {
      if (closing) {
        closed = true;
      } else {
        running = false;
      }
      List<Waiting> taken = List.copyOf(waiting);
      waiting.clear();
      return taken;
    }
  }

  private static void fail(List<Waiting> batches, RegisterBusException reason) {
    for (Waiting batch : batches) {
      batch.result().completeExceptionally(reason);
    }
  }

  private static RegisterBusException closedException() {
    return new RegisterBusException("the register bus is closed");
  }
}
