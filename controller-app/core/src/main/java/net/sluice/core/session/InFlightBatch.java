package net.sluice.core.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import net.sluice.core.target.WriteBatch;
import net.sluice.core.target.WriteCode;
import net.sluice.core.target.WriteResults;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.OwnerIds;

/**
 * The writes of one batch in flight.
 *
 * @param session number of the session it belongs to
 * @param writes those of the outbox
 * @param own one of the session's own, which comes after them, see {@link RevisionKeeper}
 * @param <E> {@code SwitchEntry} or {@code FpgaSetting}
 */
record InFlightBatch<E>(int session, List<PendingWrite<E>> writes, Optional<PendingWrite<E>> own) {
  /** The writes as the target takes them. */
  WriteBatch<E> batch() {
    WriteBatch<E> batch = new WriteBatch<>();
    for (PendingWrite<E> write : writes) {
      batch.add(write.op(), write.entity(), write.retires());
    }
    own.ifPresent(write -> batch.add(write.op(), write.entity(), write.retires()));
    return batch;
  }

  /**
   * Notes on the board what became of each write of the outbox.
   *
   * @param refused told of each write that the target refused
   * @return the writes that get over their answer, in order
   */
  List<PendingWrite<E>> settle(
      WriteResults results, StatusBoard board, Consumer<PendingWrite<E>> refused) {
    List<PendingWrite<E>> retries = new ArrayList<>(0);
    synchronized (board) {
      for (int i = 0; i < writes.size(); i++) {
        PendingWrite<E> write = writes.get(i);
        WriteCode code = results.code(i);
        PendingWrite<E> retry = write.retried(code);
        if (write.isDone(code)) {
          board.settled(write.owner());
          board.settled(write.deletion());
          if (write.repairs() != null) {
            write.repairs().done();
          }
        } else if (retry != null) {
          retries.add(retry);
        } else {
          String words = results.message(i);
          String error = words.isEmpty() ? code.toString() : words;
          board.failed(write.owner(), error);
          if (write.deletion() != OwnerIds.NONE) {
            board.failed(write.deletion(), error);
          }
          if (write.op() == Op.DELETE) {
            // Still there, even if the owner goes or is rewritten.
            board.refusedUnowned(words);
          }
          if (write.repairs() != null) {
            write.repairs().failed();
          }
          refused.accept(write);
        }
      }
    }
    return retries;
  }
}
