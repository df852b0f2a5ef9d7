package net.sluice.rest.operation;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import net.sluice.core.Controller;
import net.sluice.core.ControllerEvent;
import net.sluice.core.TargetDrift;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.answer.TargetWriter;
import net.sluice.rest.problem.ProblemDetail;
import net.sluice.rest.problem.ProblemType;

/** Ends operations when their targets have been compared and corrected. */
public final class TargetFollower {
  /** So long a target may take, its session lost and come back included. */
  static final int MOST_MINUTES = 60;

  /** Has a target compared. */
  public interface Asking {
    /**
     * Asks for it.
     *
     * @throws Refusal if it is refused
     */
    void ask() throws Refusal;
  }

  private TargetFollower() {}

  /**
   * Has a target compared, and ends an operation with how it differed.
   *
   * @throws Refusal if that is refused; the operation has failed then
   */
  public static void follow(
      Controller controller, String target, Operation operation, Asking asking) throws Refusal {
    CompletableFuture<TargetDrift> compared = new CompletableFuture<>();
    Controller.Registration following =
        controller.listen(
            event -> {
              if (event instanceof ControllerEvent.Reconciled reconciled
                  && reconciled.target().equals(target)) {
                look(controller, target, operation, compared);
              }
            });
    // Not on the thread that tells events, on which nothing may wait for events.
    var unused =
        compared
            .orTimeout(MOST_MINUTES, TimeUnit.MINUTES)
            .whenCompleteAsync(
                (drift, failure) -> {
                  following.close();
                  if (failure == null) {
                    operation.done(200, json -> TargetWriter.write(json, drift));
                  } else {
                    operation.failed(
                        failure instanceof Refusal refusal
                            ? ProblemDetail.of(refusal.problems())
                            : ProblemDetail.of(
                                ProblemType.UNAVAILABLE,
                                target
                                    + " was not compared within "
                                    + MOST_MINUTES
                                    + " minutes; its session goes on trying."));
                  }
                });
    try {
      asking.ask();
    } catch (Refusal | RuntimeException e) {
      compared.completeExceptionally(e);
      throw e;
    }
  }

  /** A comparison that was begun before may end first. */
  private static void look(
      Controller controller,
      String target,
      Operation operation,
      CompletableFuture<TargetDrift> compared) {
    try {
      TargetDrift drift = controller.drift(target);
      if (drift.compared().at().filter(at -> !at.isBefore(operation.begun())).isPresent()) {
        compared.complete(drift);
      }
    } catch (Refusal e) {
      compared.completeExceptionally(e);
    }
  }
}
