package net.sluice.core.target;

import java.util.List;
import java.util.Optional;

/**
 * A switch or an FPGA, as the controller sees it.
 *
 * <p>A target has at most one session at a time. Its callbacks may come on any thread, also within
 * the call that caused them.
 *
 * @param <E> what it holds: {@code SwitchEntry} or {@code FpgaSetting}
 */
public interface Target<E> extends AutoCloseable {
  /** Name for people and status: {@code switch}, {@code fpga-down} or {@code fpga-up}. */
  String name();

  /** The limits of the target. */
  Capabilities capabilities();

  /**
   * Begins a session. The listener is told of its beginning at most once and of its end exactly
   * once, unless {@link #disconnect} ends it first.
   */
  void connect(SessionListener listener);

  /** Ends the session, if there is one; nothing more is told of it. */
  void disconnect();

  /** Sends writes; the handler is called once. Must not block for longer than sending takes. */
  void write(WriteBatch<E> batch, WriteHandler handler);

  /** Reads everything of ours that the target holds. */
  void read(ReadHandler<E> handler);

  /**
   * As {@link #read(ReadHandler)}, for targets that cannot list a large table within the time they
   * have: those are asked for the known entries of such a table, so that an entry of it that nobody
   * knows of is not found.
   */
  default void read(ExpectedEntries<E> known, ReadHandler<E> handler) {
    read(handler);
  }

  /**
   * The agent that works beside the target without the controller, for people: which one, or that
   * there is none. Empty without a session, or if the target has no use for one.
   */
  default Optional<String> agent() {
    return Optional.empty();
  }

  /** Ends the session and gives up all resources. */
  @Override
  void close();

  /**
   * The limits of a target.
   *
   * @param maxBatch most writes of one batch
   * @param maxInFlight most batches in flight
   */
  record Capabilities(int maxBatch, int maxInFlight) {}

  /** Follows a session. */
  interface SessionListener {
    /** The session stands: the target can be read and written. */
    void up();

    /** The session has ended or could not be begun; {@code reason} is for people. */
    void down(String reason);
  }

  /** Receives the answer to a batch. */
  interface WriteHandler {
    /** The target has dealt with every write. */
    void done(WriteResults results);

    /** It is not known which writes were done. */
    void lost(String reason);
  }

  /**
   * Receives what a target holds, piece by piece, in no particular order. The target waits for each
   * call to return before it makes the next.
   */
  interface ReadHandler<E> {
    /** Some of what the target holds. */
    void entries(List<E> entries);

    /**
     * Something in our tables that we would never write.
     *
     * @param reason what is wrong with it, for people
     * @param remove removes it; the handler is called as for a batch of one
     */
    void malformed(String reason, Removal remove);

    /** That was all. */
    void complete();

    /** Reading failed; {@code reason} is for people. */
    void failed(String reason);
  }

  /** Removes something that has no form in domain words. */
  interface Removal {
    /** Sends the removal. */
    void run(WriteHandler handler);
  }
}
