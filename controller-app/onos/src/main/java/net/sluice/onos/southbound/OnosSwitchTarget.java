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
import net.sluice.core.target.SessionTarget;
import net.sluice.core.target.WriteBatch;
import net.sluice.core.target.WriteCode;
import net.sluice.core.target.WriteResults;
import net.sluice.core.time.Scheduler;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.model.PortQueue;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.onos.southbound.SwitchClient.PiAnswer;
import net.sluice.onos.southbound.SwitchClient.PiReadRequest;
import net.sluice.onos.southbound.SwitchClient.PiUpdate;
import net.sluice.onos.southbound.SwitchClient.ReadEnd;
import net.sluice.pipeconf.SwitchPipeline;
import org.onosproject.net.pi.runtime.PiCounterCell;
import org.onosproject.net.pi.runtime.PiCounterCellHandle;
import org.onosproject.net.pi.runtime.PiTableEntry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A switch behind ONOS's P4Runtime client.
 *
 * <p>ONOS connects to it, elects its master and loads its pipeconf; a session here is the time
 * during which all that is done and one instance is master, this one or another. ONOS ends every
 * call after ten seconds, so batches are small and reading goes piece by piece, see {@link
 * BoundedReading}.
 */
public final class OnosSwitchTarget extends SessionTarget<SwitchEntry, OnosSession>
    implements CounterSource {
  private static final Logger LOG = LoggerFactory.getLogger(OnosSwitchTarget.class);

  /** Sizes that were measured to do best through ONOS's client. */
  private static final Capabilities CAPABILITIES = new Capabilities(1_000, 8);

  /** Stands for an update that is none of the batch's. */
  private static final int COUNTER = -1;

  private final SwitchConnector way;
  private final PiEntries entries;
  private final PiCounters counters;
  private final Scheduler scheduler;

  /**
   * A switch that is not yet connected.
   *
   * @param name name for status
   * @param way the way to it
   * @param pipeline the program it runs
   * @param scheduler for probes, deadlines and reading; closed with the target
   */
  public OnosSwitchTarget(
      String name, SwitchConnector way, SwitchPipeline pipeline, Scheduler scheduler) {
    super(name, CAPABILITIES, scheduler);
    this.way = way;
    this.entries = new PiEntries(pipeline);
    this.counters = new PiCounters(pipeline, entries.names());
    this.scheduler = scheduler;
  }

  @Override
  protected OnosSession open() throws NotReadyException {
    return new OnosSession(way, scheduler);
  }

  // ---------------------------------------------------------------- writing

  @Override
  protected void write(OnosSession session, WriteBatch<SwitchEntry> batch, WriteHandler handler) {
    WriteResults results = new WriteResults(batch.size());
    List<PiUpdate> updates = new ArrayList<>(batch.size());
    // Which of the batch's writes each update is of.
    List<Integer> places = new ArrayList<>(batch.size());
    for (int i = 0; i < batch.size(); i++) {
      try {
        for (PiTableEntry entry : entries.encode(batch.entity(i))) {
          updates.add(new PiUpdate(batch.op(i), entry));
          places.add(i);
        }
      } catch (InvalidValueException e) {
        results.set(i, WriteCode.REFUSED, e.getMessage());
      }
      if (batch.retires(i)) {
        for (PiCounterCell cell : counters.cleared(batch.entity(i))) {
          updates.add(new PiUpdate(Op.MODIFY, cell));
          places.add(COUNTER);
        }
      }
    }
    if (updates.isEmpty()) {
      handler.done(results);
    } else {
      send(session, updates, places, results, handler);
    }
  }

  private void send(
      OnosSession session,
      List<PiUpdate> updates,
      List<Integer> places,
      WriteResults results,
      WriteHandler handler) {
    session.within(
        session.client().write(updates),
        "the switch has not answered a write for " + OnosSession.ANSWER_DEADLINE.toSeconds() + " s",
        handler::lost,
        answers -> {
          Iterator<Integer> place = places.iterator();
          answers.forEach(each -> set(results, place.next(), each));
          handler.done(results);
        });
  }

  private void set(WriteResults results, int place, PiAnswer answer) {
    if (answer.code() == WriteCode.OK) {
      return;
    }
    if (place == COUNTER) {
      LOG.warn("{}: a counter cannot be set to zero: {}", name(), answer.message());
    } else if (answer.code().ordinal() > results.code(place).ordinal()) {
      // Of the two halves of an entry what is worse counts.
      results.set(place, answer.code(), answer.message());
    }
  }

  // ---------------------------------------------------------------- reading

  @Override
  protected void read(
      OnosSession session, ExpectedEntries<SwitchEntry> known, ReadHandler<SwitchEntry> handler) {
    new BoundedReading(
            name(),
            way.deviceId(),
            entries,
            session.client(),
            known,
            new BoundedReading.Out() {
              @Override
              public boolean isWanted() {
                return session.isOpen();
              }

              @Override
              public void malformed(TableContent.Malformed malformed) {
                handler.malformed(
                    malformed.reason(), done -> remove(session, malformed.entry(), done));
              }

              @Override
              public ReadHandler<SwitchEntry> handler() {
                return handler;
              }
            },
            session::within)
        .start(scheduler);
  }

  private void remove(OnosSession session, PiTableEntry entry, WriteHandler handler) {
    send(
        session, List.of(new PiUpdate(Op.DELETE, entry)), List.of(0), new WriteResults(1), handler);
  }

  @Override
  public CompletableFuture<SubscriberCounters> readCounters(int subscriberIndex) {
    return readCells(counters.handles(way.deviceId(), subscriberIndex)).thenApply(counters::sum);
  }

  @Override
  public CompletableFuture<List<QueueCounters>> readQueues(List<PortQueue> queues) {
    return readCells(counters.handles(way.deviceId(), queues))
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
        reading.client().read(new PiReadRequest.Keys(List.copyOf(cells))),
        "the switch has not told its counters",
        reason -> result.completeExceptionally(new ControllerException(reason)),
        answer -> {
          if (answer.end() == ReadEnd.COMPLETE) {
            result.complete(
                answer.entities().stream()
                    .filter(PiCounterCell.class::isInstance)
                    .map(PiCounterCell.class::cast)
                    .toList());
          } else {
            result.completeExceptionally(new ControllerException(answer.reason()));
          }
        });
    return result;
  }
}
