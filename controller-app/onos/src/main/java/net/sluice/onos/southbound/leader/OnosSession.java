package net.sluice.onos.southbound.leader;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import net.sluice.core.target.NotReadyException;
import net.sluice.core.target.ProbedSession;
import net.sluice.core.time.Scheduler;
import net.sluice.onos.southbound.call.SwitchCalls;

/**
 * A time during which ONOS is connected to the switch, the instance that is its master is the same,
 * and the switch runs its program.
 */
final class OnosSession extends ProbedSession {
  /** Twice the time after which ONOS gives a call up. */
  static final Duration ANSWER_DEADLINE = Duration.ofSeconds(20);

  private static final Duration PROBE_INTERVAL = Duration.ofSeconds(5);

  private final SwitchCalls calls;

  /**
   * A session not begun yet.
   *
   * @throws NotReadyException if the switch cannot be driven now
   */
  OnosSession(SwitchCalls.Opener route, Scheduler scheduler) throws NotReadyException {
    super(scheduler, PROBE_INTERVAL);
    this.calls = route.open();
  }

  SwitchCalls calls() {
    return calls;
  }

  /** Passes on an answer, or why there is none; one of the two. */
  <T> void within(
      CompletionStage<T> answer, String late, Consumer<String> failed, Consumer<? super T> done) {
    within(ANSWER_DEADLINE, answer, late, failed, done);
  }

  @Override
  protected void begin() {
    calls.listen(this::fail);
    check(
        () -> {
          up();
          alive();
        });
  }

  @Override
  protected void probe() {
    check(this::alive);
  }

  @Override
  protected void release() {
    calls.close();
  }

  private void check(Runnable stands) {
    within(
        calls.check(),
        "the switch has not told for "
            + ANSWER_DEADLINE.toSeconds()
            + " s whether it runs its program",
        this::fail,
        unused -> stands.run());
  }
}
