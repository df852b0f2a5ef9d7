package net.sluice.core.session;

import java.util.function.Consumer;
import java.util.function.IntConsumer;
import net.sluice.core.target.Target;
import net.sluice.core.target.WriteResults;
import net.sluice.intents.plan.Entity;

/** The calls of a {@link Reconciliation} to the session whose target it corrects. */
interface CorrectedSession<E extends Entity> {
  /** Has a part of a session, which is told the session's number, done by the scheduler. */
  void execute(int number, IntConsumer part);

  /** Does a part of a session; an unforeseen failure ends the session. */
  void guarded(int number, Runnable part);

  /** Ends the session of that number. */
  void lose(int number, String reason);

  /** With the lock held: gives up everything that is queued or under way. */
  void giveUp(SessionPhase next);

  /** With the lock held: leaves to the reading what waits and would be written twice. */
  void leaveToReading();

  /** With the lock held: true if nothing that was sent is unanswered. */
  boolean isQuiet();

  /** With the lock held: a reconciliation has ended well, so that the session is a good one. */
  void proven();

  /** With the lock held: number of the last write. */
  long lastWrite();

  /** The target has answered, be it to writes or with what is read. */
  void noteAnswer();

  /** Takes the answer to a write of that session, if it says what was done. */
  Target.WriteHandler answer(int number, Consumer<WriteResults> then);

  /** Queues corrections; {@code repairs} counts what becomes of them, null if nobody does. */
  CorrectionSink<E> correcting(Repairs repairs);

  /** Sends what may be sent. */
  void pump();
}
