package net.sluice.onos.southbound;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import net.sluice.core.ControllerException;
import net.sluice.core.target.NotReadyException;
import net.sluice.core.target.RpcErrors;
import net.sluice.core.target.WriteCode;
import net.sluice.core.time.Scheduler;
import org.onosproject.net.pi.runtime.PiEntity;
import org.onosproject.p4runtime.api.P4RuntimeReadClient.ReadRequest;
import org.onosproject.p4runtime.api.P4RuntimeReadClient.ReadResponse;
import org.onosproject.p4runtime.api.P4RuntimeWriteClient.Atomicity;
import org.onosproject.p4runtime.api.P4RuntimeWriteClient.EntityUpdateResponse;
import org.onosproject.p4runtime.api.P4RuntimeWriteClient.WriteRequest;

/**
 * A session with a switch that this instance is master of, through ONOS's client, for as long as
 * ONOS has that same connection.
 */
public final class LocalSwitchClient implements SwitchClient {
  /** From a write that came with an election id that is no more, or not yet, the switch's. */
  static final Duration DENIED_AGAIN = Duration.ofMillis(200);

  /**
   * Most times that a write is sent while the switch denies it for want of primacy and ONOS says
   * that this instance is primary; five seconds.
   */
  private static final int MOST_DENIALS = 25;

  private final SwitchAccess access;
  private final SwitchAccess.Ready ready;
  private final EpochLeases.Turn turn;
  private final Runnable unlisten;
  private final Scheduler scheduler;

  /** Batches that are to be written once more in a moment; nothing of them has been done. */
  private final Set<CompletableFuture<?>> denied = ConcurrentHashMap.newKeySet();

  private volatile boolean closed;

  /**
   * A session that begins now.
   *
   * @param epoch number of the takeover that it is of
   * @param scheduler for what is tried again; left open
   * @throws NotReadyException if the switch cannot be driven from here now
   */
  public LocalSwitchClient(SwitchAccess access, EpochLeases turns, long epoch, Scheduler scheduler)
      throws NotReadyException {
    this.access = access;
    this.ready = access.ready();
    this.turn = turns.begin(access.deviceId(), epoch);
    this.scheduler = scheduler;
    // Also without a listener, as for another instance: a switch that was away may be empty.
    this.unlisten = access.listen(turn::lose);
  }

  @Override
  public void listen(Consumer<String> lost) {
    turn.listen(lost);
  }

  @Override
  public void close() {
    closed = true;
    unlisten.run();
    listen(null);
    // The scheduler may end with the session, and the next one waits for what this one has sent.
    denied.forEach(LocalSwitchClient::ended);
  }

  private static void ended(CompletableFuture<?> batch) {
    batch.completeExceptionally(new ControllerException("the session has ended"));
  }

  private static <T> CompletableFuture<T> failed(String reason) {
    return CompletableFuture.failedFuture(new ControllerException(reason));
  }

  // ---------------------------------------------------------------- readiness

  @Override
  public CompletableFuture<Void> check() {
    return turn.run(this::checkNow);
  }

  private CompletableFuture<Void> checkNow() {
    try {
      SwitchAccess.Ready now = access.ready();
      if (now.client() != ready.client() || !now.equals(ready)) {
        return failed("ONOS has connected to the switch anew");
      }
    } catch (NotReadyException e) {
      return failed(e.getMessage());
    }
    return ready
        .client()
        .isPipelineConfigSet(ready.p4DeviceId(), ready.pipeconf())
        .thenCompose(ours -> ours ? CompletableFuture.completedFuture(null) : tellOtherProgram());
  }

  /** Our program is not on the switch: says what is known of why. */
  private CompletableFuture<Void> tellOtherProgram() {
    String wanted = ready.pipeconf().id().id();
    return ready
        .client()
        .isAnyPipelineConfigSet(ready.p4DeviceId())
        .thenCompose(
            any ->
                failed(
                    any
                        ? "the switch runs another program than pipeconf "
                            + wanted
                            + ", which ONOS has not loaded yet or the switch refuses"
                        : "the switch runs no program or does not answer: ONOS has not loaded"
                            + " pipeconf "
                            + wanted
                            + " yet, or the switch refuses it"));
  }

  // ---------------------------------------------------------------- writing

  @Override
  public CompletableFuture<List<PiAnswer>> write(List<PiUpdate> updates) {
    return turn.run(
        () -> {
          CompletableFuture<List<PiAnswer>> result = new CompletableFuture<>();
          write(updates, result, 1);
          return result;
        });
  }

  private void write(List<PiUpdate> updates, CompletableFuture<List<PiAnswer>> to, int attempt) {
    WriteRequest request =
        ready
            .client()
            .write(ready.p4DeviceId(), ready.pipeconf())
            .withAtomicity(Atomicity.CONTINUE_ON_ERROR);
    for (PiUpdate update : updates) {
      switch (update.op()) {
        case INSERT -> request.insert(update.entity());
        case MODIFY -> request.modify(update.entity());
        case DELETE -> request.delete(update.entity().handle(access.deviceId()));
      }
    }
    request
        .submit()
        .whenComplete(
            (response, failure) -> {
              if (failure == null) {
                answered(updates, response.all(), to, attempt);
              } else {
                to.completeExceptionally(new ControllerException(RpcErrors.text(failure), failure));
              }
            });
  }

  private void answered(
      List<PiUpdate> updates,
      Collection<EntityUpdateResponse> answers,
      CompletableFuture<List<PiAnswer>> to,
      int attempt) {
    if (answers.size() != updates.size()) {
      to.completeExceptionally(
          new ControllerException(
              "ONOS answered " + answers.size() + " of " + updates.size() + " updates of a batch"));
      return;
    }
    for (EntityUpdateResponse each : answers) {
      if (each.throwable() != null && RpcErrors.isSessionLost(each.throwable())) {
        // Nothing of a request that is denied has been done.
        if (RpcFailures.isDenied(each.throwable()) && attempt < MOST_DENIALS) {
          again(updates, to, attempt + 1);
        } else {
          to.completeExceptionally(new ControllerException(RpcErrors.text(each.throwable())));
        }
        return;
      }
    }
    to.complete(answers.stream().map(LocalSwitchClient::answer).toList());
  }

  /**
   * Writes once more in a moment, after the switch has denied it for want of primacy: ONOS
   * exchanges election ids while this instance stays primary, and what is under way then comes with
   * the wrong one. Where this instance is primary no more, that is told instead.
   */
  private void again(List<PiUpdate> updates, CompletableFuture<List<PiAnswer>> to, int attempt) {
    denied.add(to);
    if (closed) {
      ended(to);
      return;
    }
    var unused =
        scheduler.schedule(
            DENIED_AGAIN,
            () -> {
              denied.remove(to);
              if (closed) {
                ended(to);
                return;
              }
              access
                  .obstacle()
                  .ifPresentOrElse(
                      reason -> to.completeExceptionally(new ControllerException(reason)),
                      () -> write(updates, to, attempt));
            });
  }

  private static PiAnswer answer(EntityUpdateResponse answer) {
    WriteCode code = RpcFailures.code(answer);
    if (code == WriteCode.OK) {
      return PiAnswer.OK;
    }
    return new PiAnswer(
        code,
        answer.throwable() == null
            ? RpcFailures.words(answer)
            : RpcErrors.text(answer.throwable()));
  }

  // ---------------------------------------------------------------- reading

  @Override
  public CompletableFuture<PiReading> read(PiReadRequest question) {
    return turn.run(() -> readNow(question));
  }

  private CompletableFuture<PiReading> readNow(PiReadRequest question) {
    ReadRequest request = ready.client().read(ready.p4DeviceId(), ready.pipeconf());
    if (question instanceof PiReadRequest.Tables tables) {
      request.tableEntries(tables.ids());
    } else if (question instanceof PiReadRequest.Keys keys) {
      request.handles(keys.handles());
    }
    return request.submit().thenApply(LocalSwitchClient::reading);
  }

  private static PiReading reading(ReadResponse response) {
    List<PiEntity> entities = new ArrayList<>(response.all());
    if (response.isSuccess()) {
      return new PiReading(ReadEnd.COMPLETE, "", entities);
    }
    Throwable failure = response.throwable();
    ReadEnd end =
        RpcFailures.isTimeout(failure)
            ? ReadEnd.CUT
            : RpcFailures.isNotFound(failure) ? ReadEnd.NOT_FOUND : ReadEnd.FAILED;
    String words =
        failure != null
            ? RpcErrors.text(failure)
            : response.explanation() == null ? "the switch refused a read" : response.explanation();
    return new PiReading(end, words, entities);
  }
}
