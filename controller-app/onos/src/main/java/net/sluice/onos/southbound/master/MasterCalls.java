package net.sluice.onos.southbound.master;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import net.sluice.core.ControllerException;
import net.sluice.core.target.NotReadyException;
import net.sluice.core.target.RpcErrors;
import net.sluice.core.target.WriteCode;
import net.sluice.core.target.WriteResults;
import net.sluice.core.time.Scheduler;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.onos.southbound.call.SwitchCalls;
import net.sluice.onos.southbound.driver.Pipeconfs;
import net.sluice.onos.southbound.pi.PiEntities;
import org.onosproject.net.pi.runtime.PiEntity;
import org.onosproject.p4runtime.api.P4RuntimeReadClient.ReadRequest;
import org.onosproject.p4runtime.api.P4RuntimeReadClient.ReadResponse;
import org.onosproject.p4runtime.api.P4RuntimeWriteClient.Atomicity;
import org.onosproject.p4runtime.api.P4RuntimeWriteClient.EntityUpdateResponse;
import org.onosproject.p4runtime.api.P4RuntimeWriteClient.UpdateType;
import org.onosproject.p4runtime.api.P4RuntimeWriteClient.WriteRequest;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Update;

/**
 * A session with a switch that this instance is master of, through ONOS's client, for as long as
 * ONOS has that same connection.
 */
public final class MasterCalls implements SwitchCalls {
  /** From a write that came with an election id that is no more, or not yet, the switch's. */
  private static final Duration DENIED_AGAIN = Duration.ofMillis(200);

  /**
   * Most times that a write is sent while the switch denies it for want of primacy and ONOS says
   * that this instance is primary; five seconds.
   */
  private static final int MOST_DENIALS = 25;

  private final Readiness readiness;
  private final Readiness.Ready ready;
  private final PiEntities entities;
  private final EpochLeases.Turn turn;
  private final Runnable unlisten;
  private final Scheduler scheduler;

  /** Batches that wait to be written once more; nothing of them has been done. */
  private final Set<CompletableFuture<Void>> denied = ConcurrentHashMap.newKeySet();

  private volatile boolean closed;

  /** An object to write, of the update at {@code place}. */
  private record PiUpdate(int place, UpdateType type, PiEntity entity) {}

  /**
   * A session that begins now.
   *
   * @param epoch number of the takeover that it is of
   * @param scheduler for what is tried again; left open
   * @throws NotReadyException if the switch cannot be driven from here now
   */
  public MasterCalls(Readiness readiness, EpochLeases leases, long epoch, Scheduler scheduler)
      throws NotReadyException {
    this.readiness = readiness;
    this.ready = readiness.ready();
    this.entities = new PiEntities(Pipeconfs.program(ready.pipeconf().id()).descriptor());
    this.turn = leases.begin(readiness.deviceId(), epoch);
    this.scheduler = scheduler;
    // Also without a listener, as for another instance: a switch that was away may be empty.
    this.unlisten = readiness.listen(turn::lose);
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
    denied.forEach(MasterCalls::end);
  }

  private static void end(CompletableFuture<Void> batch) {
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
      if (!readiness.ready().equals(ready)) {
        return failed("ONOS has connected to the switch anew");
      }
    } catch (NotReadyException e) {
      return failed(e.getMessage());
    }
    return ready
        .client()
        .isPipelineConfigSet(ready.p4DeviceId(), ready.pipeconf())
        .thenCompose(ours -> ours ? CompletableFuture.completedFuture(null) : otherProgram());
  }

  /** The program is not on the switch: says what is known of why. */
  private CompletableFuture<Void> otherProgram() {
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
  public CompletableFuture<WriteResults> write(List<Update> updates) {
    return turn.run(() -> writeNow(updates));
  }

  /** Entries first, and their meters when these are there: a batch has no order. */
  private CompletableFuture<WriteResults> writeNow(List<Update> updates) {
    WriteResults results = new WriteResults(updates.size());
    List<PiUpdate> entries = new ArrayList<>(updates.size());
    List<PiUpdate> meters = new ArrayList<>();
    for (int i = 0; i < updates.size(); i++) {
      int place = i;
      UpdateType type = UpdateType.valueOf(updates.get(i).getType().name());
      try {
        PiEntities.Written written = entities.encode(updates.get(i));
        written.parts().forEach(part -> entries.add(new PiUpdate(place, type, part)));
        if (type != UpdateType.DELETE) {
          written
              .meter()
              .ifPresent(meter -> meters.add(new PiUpdate(place, UpdateType.MODIFY, meter)));
        }
      } catch (InvalidValueException e) {
        results.set(i, WriteCode.REFUSED, e.getMessage());
      }
    }
    return send(entries, results, 1)
        .thenCompose(
            unused -> {
              meters.removeIf(each -> results.code(each.place()) != WriteCode.OK);
              return send(meters, results, 1);
            })
        .thenApply(unused -> results);
  }

  private CompletableFuture<Void> send(List<PiUpdate> batch, WriteResults results, int attempt) {
    if (batch.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    WriteRequest request =
        ready
            .client()
            .write(ready.p4DeviceId(), ready.pipeconf())
            .withAtomicity(Atomicity.CONTINUE_ON_ERROR);
    batch.forEach(each -> request.entity(each.entity(), each.type()));
    return request
        .submit()
        .thenCompose(response -> answered(batch, response.all(), results, attempt));
  }

  private CompletableFuture<Void> answered(
      List<PiUpdate> batch,
      Collection<EntityUpdateResponse> answers,
      WriteResults results,
      int attempt) {
    if (answers.size() != batch.size()) {
      return failed(
          "ONOS answered " + answers.size() + " of " + batch.size() + " updates of a batch");
    }
    for (EntityUpdateResponse each : answers) {
      if (each.throwable() != null && RpcErrors.isSessionLost(each.throwable())) {
        // Nothing of a request that is denied has been done.
        return RpcFailures.isDenied(each.throwable()) && attempt < MOST_DENIALS
            ? inAMoment().thenCompose(unused -> send(batch, results, attempt + 1))
            : failed(RpcErrors.text(each.throwable()));
      }
    }
    Iterator<PiUpdate> updates = batch.iterator();
    answers.forEach(each -> set(results, updates.next().place(), each));
    return CompletableFuture.completedFuture(null);
  }

  /**
   * Completed in a moment, if this instance is primary then. ONOS exchanges election ids while it
   * stays primary, and what is under way then comes with the wrong one.
   */
  private CompletableFuture<Void> inAMoment() {
    CompletableFuture<Void> moment = new CompletableFuture<>();
    denied.add(moment);
    if (closed) {
      end(moment);
    }
    var unused =
        scheduler.schedule(
            DENIED_AGAIN,
            () -> {
              denied.remove(moment);
              readiness
                  .obstacle()
                  .ifPresentOrElse(
                      reason -> moment.completeExceptionally(new ControllerException(reason)),
                      () -> moment.complete(null));
            });
    return moment;
  }

  /** For the two halves of an entry what is worse counts. */
  private static void set(WriteResults results, int place, EntityUpdateResponse answer) {
    WriteCode code = RpcFailures.code(answer);
    if (code.ordinal() > results.code(place).ordinal()) {
      results.set(place, code, RpcFailures.words(answer));
    }
  }

  // ---------------------------------------------------------------- reading

  @Override
  public CompletableFuture<Reading> read(List<Entity> wanted, boolean isTables) {
    boolean isMetered = wanted.stream().anyMatch(each -> each.getTableEntry().hasMeterConfig());
    return turn.run(
        () -> {
          ReadRequest request = ready.client().read(ready.p4DeviceId(), ready.pipeconf());
          for (Entity each : wanted) {
            if (isTables) {
              request.tableEntries(entities.table(each));
            } else {
              request.handles(entities.handles(each, readiness.deviceId()));
            }
            if (isTables && isMetered) {
              request.directMeterCells(entities.table(each));
            }
          }
          return request.submit().thenApply(response -> reading(response, isMetered));
        });
  }

  private Reading reading(ReadResponse response, boolean isMetered) {
    List<Entity> read = entities.decode(response.all(), isMetered, response.isSuccess());
    if (response.isSuccess()) {
      return new Reading(End.COMPLETE, "", read);
    }
    Throwable failure = response.throwable();
    String words =
        failure != null
            ? RpcErrors.text(failure)
            : response.explanation() == null ? "the switch refused a read" : response.explanation();
    return new Reading(RpcFailures.end(failure), words, read);
  }
}
