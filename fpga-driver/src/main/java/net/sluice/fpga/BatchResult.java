package net.sluice.fpga;

import java.util.Optional;

/** Result of a batch: the words read, and the first access that failed. */
public final class BatchResult {
  /**
   * The access that failed.
   *
   * @param index its place in the batch, from 0; the accesses before it have been done
   * @param reason for people
   */
  public record Failure(int index, String reason) {}

  private final int[] words;
  private final int done;
  private final Failure failure;

  BatchResult(int[] words, int done, Failure failure) {
    this.words = words;
    this.done = done;
    this.failure = failure;
  }

  /** Number of accesses done. */
  public int done() {
    return done;
  }

  /** The access that failed, empty if all were done. */
  public Optional<Failure> failure() {
    return Optional.ofNullable(failure);
  }

  /** Number of words read; as many as the batch has reads, unless an access failed. */
  public int wordCount() {
    return words.length;
  }

  /** The word that the batch's read {@code i} got, counting reads only. */
  public int word(int i) {
    return words[i];
  }

  /** The counters from read {@code i} and the one after it. */
  public CounterWord counter(int i) {
    return CounterWord.of(words[i], words[i + 1]);
  }

  /** This result, if all was done. */
  public BatchResult orThrow() {
    if (failure != null) {
      throw new RegisterBusException(
          "register access " + failure.index() + " failed: " + failure.reason());
    }
    return this;
  }
}
