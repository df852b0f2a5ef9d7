package net.sluice.fpga;

import java.util.concurrent.CompletionStage;

/**
 * The way to an FPGA's registers. Batches are done one after the other in the order in which they
 * were given; giving one never waits for another, so that many can be under way.
 */
public interface RegisterBus extends AutoCloseable {
  /**
   * Does the batch.
   *
   * @return the result, also when an access failed: the accesses before it have been done, those
   *     after it have not. The stage fails with {@link RegisterBusException} when it is unknown
   *     which accesses were done, and with {@link RegisterBusException.Busy} when none was because
   *     too many batches wait already. Writing the same again is harmless.
   */
  CompletionStage<BatchResult> execute(RegisterBatch batch);

  /** Gives up the bus; batches under way fail. */
  @Override
  void close();
}
