package net.sluice.fpga;

import java.io.IOException;
import java.util.Arrays;

/** Does batches on a local bus, one at a time however many threads bring them. */
final class BatchRunner {
  /** A batch of a controller that another one has taken over from; nothing of it was done. */
  static final class FencedException extends Exception {
    private static final long serialVersionUID = 1L;

    FencedException(long highest, long epoch) {
      super(
          "another controller, of epoch "
              + Long.toUnsignedString(highest)
              + ", has taken the registers over; this one's epoch is "
              + (epoch == 0 ? "0, which is none" : Long.toUnsignedString(epoch))
              + ". To take them back, start it with a higher one (the election id at its switch),"
              + " or start the register agent anew");
    }
  }

  private final LocalBus bus;
  private long highestEpoch;

  BatchRunner(LocalBus bus) {
    this.bus = bus;
  }

  /**
   * Does the batch, unless there was one of a higher epoch.
   *
   * @param epoch of the controller; 0 for none, which is lower than any
   */
  synchronized BatchResult run(RegisterBatch batch, long epoch) throws FencedException {
    if (Long.compareUnsigned(epoch, highestEpoch) < 0) {
      throw new FencedException(highestEpoch, epoch);
    }
    highestEpoch = epoch;
    return run(batch);
  }

  /** Closes the bus when the batch under way is done. */
  synchronized void close() {
    bus.close();
  }

  /**
   * Does the batch.
   *
   * @throws RegisterBusException if it is unknown whether its writes have arrived
   */
  synchronized BatchResult run(RegisterBatch batch) {
    int[] words = new int[batch.readCount()];
    int read = 0;
    for (int i = 0; i < batch.size(); i++) {
      try {
        if (batch.isWrite(i)) {
          bus.writeWord(batch.address(i), batch.value(i));
        } else {
          words[read] = bus.readWord(batch.address(i));
          read++;
        }
      } catch (IOException e) {
        String access = batch.isWrite(i) ? "write to " : "read of ";
        String reason = access + RegisterBatch.hex(batch.address(i)) + ": " + e.getMessage();
        return new BatchResult(Arrays.copyOf(words, read), i, new BatchResult.Failure(i, reason));
      }
    }
    flush(batch);
    return new BatchResult(words, batch.size(), null);
  }

  private void flush(RegisterBatch batch) {
    if (batch.readCount() == batch.size()) {
      return;
    }
    try {
      bus.flush();
    } catch (IOException e) {
      throw new RegisterBusException(
          "it is unknown whether the batch's writes have arrived: " + e.getMessage(), e);
    }
  }
}
