package net.sluice.onos.southbound;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import net.sluice.core.target.NotReadyException;
import net.sluice.core.target.ProbedSession;
import net.sluice.core.time.Scheduler;
import org.onosproject.p4runtime.api.P4RuntimeReadClient.ReadRequest;
import org.onosproject.p4runtime.api.P4RuntimeWriteClient.Atomicity;
import org.onosproject.p4runtime.api.P4RuntimeWriteClient.WriteRequest;

/**
 * A time during which ONOS is connected to the switch, this instance is its master, and the switch
 * runs our program.
 */
final class OnosSession extends ProbedSession {
  /** Twice the time after which ONOS gives a call up. */
  static final Duration ANSWER_DEADLINE = Duration.ofSeconds(20);

  /** From a write that came with an election id that is no more, or not yet, the switch's. */
  static final Duration DENIED_AGAIN = Duration.ofMillis(200);

  private static final Duration PROBE_INTERVAL = Duration.ofSeconds(5);

  private final SwitchAccess access;
  private final SwitchAccess.Ready ready;
  private final Scheduler scheduler;

  /**
   * A session not begun yet.
   *
   * @throws NotReadyException if the switch cannot be driven from here now
   */
  OnosSession(SwitchAccess access, Scheduler scheduler) throws NotReadyException {
    super(scheduler, PROBE_INTERVAL);
    this.access = access;
    this.scheduler = scheduler;
    this.ready = access.ready();
  }

  WriteRequest writeRequest() {
    return ready
        .client()
        .write(ready.p4DeviceId(), ready.pipeconf())
        .withAtomicity(Atomicity.CONTINUE_ON_ERROR);
  }

  ReadRequest readRequest() {
    return ready.client().read(ready.p4DeviceId(), ready.pipeconf());
  }

  /** Passes on an answer, or why there is none; one of the two. */
  <T> void within(
      CompletionStage<T> answer, String late, Consumer<String> failed, Consumer<? super T> done) {
    within(ANSWER_DEADLINE, answer, late, failed, done);
  }

  /**
   * Does something once more in a moment, after the switch has denied it for want of primacy: ONOS
   * exchanges election ids while this instance stays primary, and what is under way then comes with
   * the wrong one. Where this instance is primary no more, {@code failed} is told why instead.
   */
  void again(Runnable attempt, Consumer<String> failed) {
    scheduler.schedule(
        DENIED_AGAIN,
        () -> {
          if (isOpen()) {
            access.obstacle().ifPresentOrElse(failed, attempt);
          } else {
            failed.accept("the session has ended");
          }
        });
  }

  @Override
  protected void begin() {
    access.listen(this::fail);
    checkProgram(
        () -> {
          up();
          alive();
        });
  }

  @Override
  protected void probe() {
    try {
      SwitchAccess.Ready now = access.ready();
      if (now.client() != ready.client() || !now.equals(ready)) {
        fail("ONOS has connected to the switch anew");
        return;
      }
    } catch (NotReadyException e) {
      fail(e.getMessage());
      return;
    }
    checkProgram(this::alive);
  }

  @Override
  protected void release() {
    access.listen(null);
  }

  /** Asks whether the switch runs our program. */
  private void checkProgram(Runnable runs) {
    within(
        ready.client().isPipelineConfigSet(ready.p4DeviceId(), ready.pipeconf()),
        "the switch has not told for "
            + ANSWER_DEADLINE.toSeconds()
            + " s whether it runs its program",
        this::fail,
        ours -> {
          if (ours) {
            runs.run();
          } else {
            tellProgram();
          }
        });
  }

  /** Our program is not on the switch: says what is known of why. */
  private void tellProgram() {
    String wanted = ready.pipeconf().id().id();
    within(
        ready.client().isAnyPipelineConfigSet(ready.p4DeviceId()),
        "the switch does not answer",
        this::fail,
        any ->
            fail(
                any
                    ? "the switch runs another program than pipeconf "
                        + wanted
                        + ", which ONOS has not loaded yet or the switch refuses"
                    : "the switch runs no program or does not answer: ONOS has not loaded pipeconf "
                        + wanted
                        + " yet, or the switch refuses it"));
  }
}
