package net.sluice.fpga;

import java.io.IOException;
import java.util.Arrays;

/** Does batches on a local bus, one at a time however many threads bring them. */
final class BatchRunner {
  private final LocalBus bus;

  BatchRunner(LocalBus bus) {
    this.bus = bus;
  }

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
    return new BatchResult(words, batch.size(), null);
  }
}
