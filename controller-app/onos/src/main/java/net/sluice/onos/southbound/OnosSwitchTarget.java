package net.sluice.onos.southbound;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import net.sluice.core.ControllerException;
import net.sluice.core.QueueCounters;
import net.sluice.core.SubscriberCounters;
import net.sluice.core.target.CounterSource;
import net.sluice.core.target.ExpectedEntries;
import net.sluice.core.target.NotReadyException;
import net.sluice.core.target.RpcErrors;
import net.sluice.core.target.SessionTarget;
import net.sluice.core.target.WriteBatch;
import net.sluice.core.target.WriteCode;
import net.sluice.core.target.WriteResults;
import net.sluice.core.time.Scheduler;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.SwitchEntry.PortQueue;
import net.sluice.pipeconf.SwitchPipeline;
import org.onosproject.net.pi.runtime.PiCounterCell;
import org.onosproject.net.pi.runtime.PiCounterCellHandle;
import org.onosproject.net.pi.runtime.PiHandle;
import org.onosproject.net.pi.runtime.PiTableEntry;
import org.onosproject.p4runtime.api.P4RuntimeWriteClient.EntityUpdateResponse;
import org.onosproject.p4runtime.api.P4RuntimeWriteClient.WriteRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A switch behind ONOS's P4Runtime client.
 *
 * <p>ONOS connects to it, elects its master and loads its pipeconf; a session here is the time
 * during which all that is done and this instance is master. ONOS ends every call after ten
 * seconds, so batches are small and reading goes piece by piece, see {@link BoundedReading}.
 */
public final class OnosSwitchTarget extends SessionTarget<SwitchEntry, OnosSession>
    implements CounterSource {
  private static final Logger LOG = LoggerFactory.getLogger(OnosSwitchTarget.class);

  /** Sizes that were measured to do best through ONOS's client. */
  private static final Capabilities CAPABILITIES = new Capabilities(1_000, 8);

  /**
   * Most times that a write is sent while the switch denies it for want of primacy and ONOS says
   * that this instance is primary; five seconds.
   */
  private static final int MOST_DENIALS = 25;

  /** Stands for an update that is none of the batch's. */
  private static final int COUNTER = -1;

  private final SwitchAccess access;
  private final PiEntries entries;
  private final PiCounters counters;
  private final Scheduler scheduler;

  /**
   * A switch that is not yet connected.
   *
   * @param name name for status
   * @param access the way to it
   * @param pipeline the program it runs
   * @param scheduler for probes, deadlines and reading; closed with the target
   */
  public OnosSwitchTarget(
      String name, SwitchAccess access, SwitchPipeline pipeline, Scheduler scheduler) {
    super(name, CAPABILITIES, scheduler);
    this.access = access;
    this.entries = new PiEntries(pipeline);
    this.counters = new PiCounters(pipeline, entries.names());
    this.scheduler = scheduler;
  }

  @Override
  protected OnosSession open() throws NotReadyException {
    return new OnosSession(access, scheduler);
  }

  // ---------------------------------------------------------------- writing

  @Override
  protected void write(OnosSession session, WriteBatch<SwitchEntry> batch, WriteHandler handler) {
    write(session, batch, handler, 1);
  }

  private void write(
      OnosSession session, WriteBatch<SwitchEntry> batch, WriteHandler handler, int attempt) {
    WriteRequest request = session.writeRequest();
    WriteResults results = new WriteResults(batch.size());
    List<Integer> places = new ArrayList<>(batch.size());
    for (int i = 0; i < batch.size(); i++) {
      try {
        for (PiTableEntry entry : entries.encode(batch.entity(i))) {
          add(request, batch.op(i), entry);
          places.add(i);
        }
      } catch (InvalidValueException e) {
        results.set(i, WriteCode.REFUSED, e.getMessage());
      }
      if (batch.retires(i)) {
        for (PiCounterCell cell : counters.cleared(batch.entity(i))) {
          request.modify(cell);
          places.add(COUNTER);
        }
      }
    }
    if (places.isEmpty()) {
      handler.done(results);
    } else {
      send(
          session,
          request,
          new Awaited(places, results, handler, attempt),
          () -> write(session, batch, handler, attempt + 1));
    }
  }

  private void add(WriteRequest request, Op op, PiTableEntry entry) {
    switch (op) {
      case INSERT -> request.insert(entry);
      case MODIFY -> request.modify(entry);
      case DELETE -> request.delete(handle(entry));
    }
  }

  private PiHandle handle(PiTableEntry entry) {
    return entry.handle(access.deviceId());
  }

  /**
   * What waits for the answer to a request.
   *
   * @param places which of the batch's updates each of the request's is
   * @param attempt how many times the batch has been sent, 1 or more
   */
  private record Awaited(
      List<Integer> places, WriteResults results, WriteHandler handler, int attempt) {}

  /** Sends a request; {@code again} makes and sends the same once more. */
  private void send(OnosSession session, WriteRequest request, Awaited awaited, Runnable again) {
    session.within(
        request.submit(),
        "the switch has not answered a write for " + OnosSession.ANSWER_DEADLINE.toSeconds() + " s",
        awaited.handler()::lost,
        response -> answer(session, response.all(), awaited, again));
  }

  private void answer(
      OnosSession session,
      Collection<EntityUpdateResponse> answers,
      Awaited awaited,
      Runnable again) {
    WriteHandler handler = awaited.handler();
    if (answers.size() != awaited.places().size()) {
      handler.lost(
          "ONOS answered "
              + answers.size()
              + " of "
              + awaited.places().size()
              + " updates of a batch");
      return;
    }
    for (EntityUpdateResponse each : answers) {
      if (each.throwable() != null && RpcErrors.isSessionLost(each.throwable())) {
        // Nothing of a request that is denied has been done.
        if (RpcFailures.isDenied(each.throwable()) && awaited.attempt() < MOST_DENIALS) {
          session.again(again, handler::lost);
        } else {
          handler.lost(RpcErrors.text(each.throwable()));
        }
        return;
      }
    }
    Iterator<Integer> place = awaited.places().iterator();
    for (EntityUpdateResponse each : answers) {
      set(awaited.results(), place.next(), each);
    }
    handler.done(awaited.results());
  }

  private void set(WriteResults results, int place, EntityUpdateResponse answer) {
    WriteCode code = RpcFailures.code(answer);
    if (code == WriteCode.OK) {
      return;
    }
    String words =
        answer.throwable() == null ? RpcFailures.words(answer) : RpcErrors.text(answer.throwable());
    if (place == COUNTER) {
      LOG.warn("{}: a counter cannot be set to zero: {}", name(), words);
    } else if (code.ordinal() > results.code(place).ordinal()) {
      // Of the two halves of an entry what is worse counts.
      results.set(place, code, words);
    }
  }

  // ---------------------------------------------------------------- reading

  @Override
  protected void read(
      OnosSession session, ExpectedEntries<SwitchEntry> known, ReadHandler<SwitchEntry> handler) {
    new BoundedReading(
            name(),
            access.deviceId(),
            entries,
            session::readRequest,
            known,
            new BoundedReading.Out() {
              @Override
              public boolean isWanted() {
                return session.isOpen();
              }

              @Override
              public void malformed(TableContent.Malformed malformed) {
                handler.malformed(
                    malformed.reason(), done -> remove(session, malformed.entry(), done, 1));
              }

              @Override
              public ReadHandler<SwitchEntry> handler() {
                return handler;
              }
            },
            session::within)
        .start(scheduler);
  }

  private void remove(OnosSession session, PiTableEntry entry, WriteHandler handler, int attempt) {
    send(
        session,
        session.writeRequest().delete(handle(entry)),
        new Awaited(List.of(0), new WriteResults(1), handler, attempt),
        () -> remove(session, entry, handler, attempt + 1));
  }

  @Override
  public CompletableFuture<SubscriberCounters> readCounters(int subscriberIndex) {
    return readCells(counters.handles(access.deviceId(), subscriberIndex)).thenApply(counters::sum);
  }

  @Override
  public CompletableFuture<List<QueueCounters>> readQueues(List<PortQueue> queues) {
    return readCells(counters.handles(access.deviceId(), queues))
        .thenApply(cells -> counters.ofQueues(cells, queues));
  }

  private CompletableFuture<Collection<PiCounterCell>> readCells(List<PiCounterCellHandle> cells) {
    CompletableFuture<Collection<PiCounterCell>> result = new CompletableFuture<>();
    OnosSession reading = session();
    if (reading == null) {
      result.completeExceptionally(new ControllerException("the switch is not connected"));
      return result;
    }
    reading.within(
        reading.readRequest().handles(cells).submit(),
        "the switch has not told its counters",
        reason -> result.completeExceptionally(new ControllerException(reason)),
        response -> {
          if (response.isSuccess()) {
            result.complete(response.all(PiCounterCell.class));
          } else {
            result.completeExceptionally(
                new ControllerException(
                    response.throwable() == null
                        ? response.explanation()
                        : RpcErrors.text(response.throwable()),
                    response.throwable()));
          }
        });
    return result;
  }
}
