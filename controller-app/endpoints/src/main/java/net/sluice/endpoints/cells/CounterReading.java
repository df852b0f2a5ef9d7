package net.sluice.endpoints.cells;

import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import net.sluice.core.ControllerException;
import net.sluice.core.target.RpcErrors;
import net.sluice.core.time.Scheduler;
import p4.v1.P4RuntimeOuterClass.ReadRequest;

/**
 * Takes counter cells from a switch no faster than they are due, so that neither side is busy with
 * them alone, and while a change is under way later still.
 */
public final class CounterReading implements ClientResponseObserver<ReadRequest, CounterChunk> {
  /** How late a reading may be before it goes on beside changes. */
  private static final long PATIENCE_NANOS = Duration.ofMillis(500).toNanos();

  private static final Duration LATER = Duration.ofMillis(1);

  private final CounterChunk.Visitor visitor;
  private final double nanosPerCell;
  private final Scheduler scheduler;
  private final LongSupplier nanos;
  private final BooleanSupplier isBusy;
  private final CompletableFuture<Void> end = new CompletableFuture<>();
  private ClientCallStreamObserver<ReadRequest> call;
  private long begun;
  private long cells;

  /**
   * A reading that has not begun.
   *
   * @param visitor called by one thread at a time
   * @param nanosPerCell how long each cell may take; 0 to take them as they come
   * @param nanos a time that only goes on
   * @param isBusy whether the switch has a change to make first
   */
  public CounterReading(
      CounterChunk.Visitor visitor,
      double nanosPerCell,
      Scheduler scheduler,
      LongSupplier nanos,
      BooleanSupplier isBusy) {
    this.visitor = visitor;
    this.nanosPerCell = nanosPerCell;
    this.scheduler = scheduler;
    this.nanos = nanos;
    this.isBusy = isBusy;
  }

  /** Completed when all cells are passed on; exceptionally if they cannot be read. */
  public CompletableFuture<Void> end() {
    return end;
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<ReadRequest> stream) {
    call = stream;
    begun = nanos.getAsLong();
    stream.disableAutoRequestWithInitial(1);
  }

  @Override
  public void onNext(CounterChunk answer) {
    cells += answer.visit(visitor);
    askForMore();
  }

  private void askForMore() {
    long wait = begun + (long) (cells * nanosPerCell) - nanos.getAsLong();
    boolean isPaced = nanosPerCell > 0;
    if (isPaced && wait > 0) {
      scheduler.schedule(Duration.ofNanos(wait), this::askForMore);
    } else if (isPaced && wait > -PATIENCE_NANOS && isBusy.getAsBoolean()) {
      scheduler.schedule(LATER, this::askForMore);
    } else {
      call.request(1);
    }
  }

  @Override
  public void onError(Throwable failure) {
    end.completeExceptionally(new ControllerException(RpcErrors.text(failure), failure));
  }

  @Override
  public void onCompleted() {
    end.complete(null);
  }
}
