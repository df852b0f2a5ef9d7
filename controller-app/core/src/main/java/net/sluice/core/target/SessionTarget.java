package net.sluice.core.target;

import net.sluice.core.time.Scheduler;

/**
 * A target that is reached by sessions: at most one {@link ProbedSession} at a time, and without it
 * every write and reading is told so.
 *
 * @param <E> what the target holds
 * @param <S> a session with it
 */
public abstract class SessionTarget<E, S extends ProbedSession> implements Target<E> {
  private static final String NOT_CONNECTED = "not connected";

  private final String name;
  private final Capabilities capabilities;
  private final Scheduler scheduler;
  private S session;

  /**
   * A target that is not yet connected.
   *
   * @param name name for status
   * @param scheduler for probes, deadlines and reading; closed with the target
   */
  protected SessionTarget(String name, Capabilities capabilities, Scheduler scheduler) {
    this.name = name;
    this.capabilities = capabilities;
    this.scheduler = scheduler;
  }

  /**
   * A session not begun yet.
   *
   * @throws NotReadyException if there is to be none now
   */
  protected abstract S open() throws NotReadyException;

  /** Writes in a session. */
  protected abstract void write(S current, WriteBatch<E> batch, WriteHandler handler);

  /** Reads in a session. */
  protected abstract void read(S current, ExpectedEntries<E> known, ReadHandler<E> handler);

  /** The session, begun or standing; null if there is none. */
  protected final synchronized S session() {
    return session != null && session.isOpen() ? session : null;
  }

  private synchronized S exchange(S next) {
    S before = session;
    session = next;
    return before;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final Capabilities capabilities() {
    return capabilities;
  }

  @Override
  public final void connect(SessionListener listener) {
    disconnect();
    S opened;
    try {
      opened = open();
    } catch (NotReadyException e) {
      listener.down(e.getMessage());
      return;
    }
    exchange(opened);
    opened.start(listener);
  }

  @Override
  public final void disconnect() {
    S ended = exchange(null);
    if (ended != null) {
      ended.end();
    }
  }

  @Override
  public final void write(WriteBatch<E> batch, WriteHandler handler) {
    S current = session();
    if (current == null) {
      handler.lost(NOT_CONNECTED);
    } else {
      write(current, batch, handler);
    }
  }

  @Override
  public final void read(ReadHandler<E> handler) {
    read(ExpectedEntries.none(), handler);
  }

  @Override
  public final void read(ExpectedEntries<E> known, ReadHandler<E> handler) {
    S current = session();
    if (current == null) {
      handler.failed(NOT_CONNECTED);
    } else {
      read(current, known, handler);
    }
  }

  @Override
  public final void close() {
    disconnect();
    scheduler.close();
  }
}
