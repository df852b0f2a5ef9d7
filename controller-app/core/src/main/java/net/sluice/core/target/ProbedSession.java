package net.sluice.core.target;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import net.sluice.core.target.Target.SessionListener;
import net.sluice.core.time.Scheduler;

/**
 * One session with whatever is at the other end, from the attempt to begin it until its end. It is
 * probed while it stands, so that an end that nobody tells of is noticed. Its end is told once,
 * unless {@link #end} brings it about.
 */
public abstract class ProbedSession {
  private final Scheduler scheduler;
  private final Duration probeInterval;
  private final AtomicBoolean ended = new AtomicBoolean();
  private volatile SessionListener listener;

  /**
   * A session not begun yet.
   *
   * @param scheduler for probes and deadlines; left open
   * @param probeInterval from the answer to one probe to the next probe
   */
  protected ProbedSession(Scheduler scheduler, Duration probeInterval) {
    this.scheduler = scheduler;
    this.probeInterval = probeInterval;
  }

  /** Begins the session; {@code told} follows it. To be called once. */
  public final void start(SessionListener told) {
    listener = told;
    begin();
  }

  /** Ends the session, if it has not ended; nothing more is told of it. */
  public final void end() {
    if (ended.compareAndSet(false, true)) {
      release();
    }
  }

  /** True until the session has ended. */
  public final boolean isOpen() {
    return !ended.get();
  }

  /**
   * Asks for whatever makes a session; leads to {@link #up} and {@link #alive}, or {@link #fail}.
   */
  protected abstract void begin();

  /** Asks whether the session stands; leads to {@link #alive} or {@link #fail}. */
  protected abstract void probe();

  /** Gives up what the session holds; called once, when it has ended. */
  protected abstract void release();

  /** The session stands. */
  protected final void up() {
    if (isOpen()) {
      listener.up();
    }
  }

  /** The other end has answered: it is probed again after the interval. */
  protected final void alive() {
    if (isOpen()) {
      scheduler.schedule(
          probeInterval,
          () -> {
            if (isOpen()) {
              probe();
            }
          });
    }
  }

  /** The session has ended or cannot be begun; {@code reason} is for people. */
  protected final void fail(String reason) {
    if (ended.compareAndSet(false, true)) {
      release();
      listener.down(reason);
    }
  }

  /**
   * Passes on an answer, on the scheduler, or why there is none; one of the two.
   *
   * @param deadline how long it may take
   * @param late what {@code failed} is told if it takes longer
   */
  protected final <T> void within(
      Duration deadline,
      CompletionStage<T> answer,
      String late,
      Consumer<String> failed,
      Consumer<? super T> done) {
    AtomicBoolean told = new AtomicBoolean();
    Scheduler.Cancellable timeout =
        scheduler.schedule(
            deadline,
            () -> {
              if (told.compareAndSet(false, true)) {
                failed.accept(late);
              }
            });
    answer.whenComplete(
        (value, failure) ->
            scheduler.execute(
                () -> {
                  if (told.compareAndSet(false, true)) {
                    timeout.cancel();
                    if (failure == null) {
                      done.accept(value);
                    } else {
                      failed.accept(RpcErrors.text(failure));
                    }
                  }
                }));
  }
}
