package net.sluice.onos.southbound;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import net.sluice.core.ControllerException;
import net.sluice.core.SubscriberCounters;
import net.sluice.core.target.CounterSource;
import net.sluice.core.target.KnownEntries;
import net.sluice.core.target.Target;
import net.sluice.core.target.WriteBatch;
import net.sluice.core.target.WriteCode;
import net.sluice.core.target.WriteResults;
import net.sluice.core.time.Scheduler;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.pipeconf.SwitchPipeline;
import org.onosproject.net.pi.runtime.PiCounterCell;
import org.onosproject.net.pi.runtime.PiHandle;
import org.onosproject.net.pi.runtime.PiTableEntry;
import org.onosproject.p4runtime.api.P4RuntimeReadClient.ReadRequest;
import org.onosproject.p4runtime.api.P4RuntimeWriteClient.Atomicity;
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
public final class OnosSwitchTarget implements Target<SwitchEntry>, CounterSource {
  private static final Logger LOG = LoggerFactory.getLogger(OnosSwitchTarget.class);

  /** Sizes that were measured to do best through ONOS's client. */
  private static final Capabilities CAPABILITIES = new Capabilities(1_000, 8);

  private static final Duration PROBE_INTERVAL = Duration.ofSeconds(5);

  /** Twice the time after which ONOS gives a call up. */
  private static final Duration ANSWER_DEADLINE = Duration.ofSeconds(20);

  /** Stands for an update that is none of the batch's. */
  private static final int COUNTER = -1;

  private final String name;
  private final SwitchAccess access;
  private final PiEntries entries;
  private final PiCounters counters;
  private final Scheduler scheduler;
  private Session session;

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
    this.name = name;
    this.access = access;
    this.entries = new PiEntries(pipeline);
    this.counters = new PiCounters(pipeline, entries.names());
    this.scheduler = scheduler;
  }

  /** A time during which the switch can be driven. */
  private final class Session {
    final SwitchAccess.Ready ready;
    final SessionListener listener;

    Session(SwitchAccess.Ready ready, SessionListener listener) {
      this.ready = ready;
      this.listener = listener;
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
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Capabilities capabilities() {
    return CAPABILITIES;
  }

  private synchronized Session current() {
    return session;
  }

  // ---------------------------------------------------------------- connecting

  @Override
  public void connect(SessionListener listener) {
    disconnect();
    Session begun;
    try {
      begun = new Session(access.ready(), listener);
    } catch (SwitchAccess.NotReady e) {
      listener.down(e.getMessage());
      return;
    }
    synchronized (this) {
      session = begun;
    }
    access.listen(reason -> fail(begun, reason));
    checkProgram(begun, listener::up);
  }

  /** Asks whether the switch runs our program; then does {@code next} and goes on asking. */
  private void checkProgram(Session checked, Runnable next) {
    if (checked != current()) {
      return;
    }
    SwitchAccess.Ready ready = checked.ready;
    within(
        ready.client().isPipelineConfigSet(ready.p4DeviceId(), ready.pipeconf()),
        "the switch has not told for "
            + ANSWER_DEADLINE.toSeconds()
            + " s whether it runs its program",
        reason -> fail(checked, reason),
        runs -> {
          if (!runs) {
            tellProgram(checked);
          } else if (checked == current()) {
            next.run();
            scheduler.schedule(PROBE_INTERVAL, () -> probe(checked));
          }
        });
  }

  private void probe(Session probed) {
    if (probed != current()) {
      return;
    }
    try {
      SwitchAccess.Ready now = access.ready();
      if (now.client() != probed.ready.client() || !now.equals(probed.ready)) {
        fail(probed, "ONOS has connected to the switch anew");
        return;
      }
    } catch (SwitchAccess.NotReady e) {
      fail(probed, e.getMessage());
      return;
    }
    checkProgram(probed, () -> {});
  }

  /** Our program is not on the switch: says what is known of why. */
  private void tellProgram(Session checked) {
    SwitchAccess.Ready ready = checked.ready;
    String wanted = ready.pipeconf().id().id();
    within(
        ready.client().isAnyPipelineConfigSet(ready.p4DeviceId()),
        "the switch does not answer",
        reason -> fail(checked, reason),
        any ->
            fail(
                checked,
                any
                    ? "the switch runs another program than pipeconf "
                        + wanted
                        + ", which ONOS has not loaded yet or the switch refuses"
                    : "the switch runs no program or does not answer: ONOS has not loaded pipeconf "
                        + wanted
                        + " yet, or the switch refuses it"));
  }

  private void fail(Session failed, String reason) {
    synchronized (this) {
      if (session != failed) {
        return;
      }
      session = null;
    }
    access.listen(null);
    failed.listener.down(reason);
  }

  @Override
  public void disconnect() {
    synchronized (this) {
      if (session == null) {
        return;
      }
      session = null;
    }
    access.listen(null);
  }

  /** Passes on what comes, on the scheduler, or tells that nothing came in time; one of the two. */
  private <T> void within(
      CompletableFuture<T> answer, String late, Consumer<String> failed, Consumer<T> done) {
    boolean[] ended = new boolean[1];
    Scheduler.Cancellable deadline =
        scheduler.schedule(
            ANSWER_DEADLINE,
            () -> {
              if (!ended[0]) {
                ended[0] = true;
                failed.accept(late);
              }
            });
    answer.whenComplete(
        (value, failure) ->
            scheduler.execute(
                () -> {
                  if (!ended[0]) {
                    ended[0] = true;
                    deadline.cancel();
                    if (failure != null) {
                      failed.accept(RpcFailures.text(failure));
                    } else {
                      done.accept(value);
                    }
                  }
                }));
  }

  // ---------------------------------------------------------------- writing

  @Override
  public void write(WriteBatch<SwitchEntry> batch, WriteHandler handler) {
    Session writing = current();
    if (writing == null) {
      handler.lost("not connected");
      return;
    }
    WriteRequest request = writing.writeRequest();
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
      send(request, places, results, handler);
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

  private void send(
      WriteRequest request, List<Integer> places, WriteResults results, WriteHandler handler) {
    within(
        request.submit(),
        "the switch has not answered a write for " + ANSWER_DEADLINE.toSeconds() + " s",
        handler::lost,
        response -> answer(response.all(), places, results, handler));
  }

  private void answer(
      Collection<EntityUpdateResponse> answers,
      List<Integer> places,
      WriteResults results,
      WriteHandler handler) {
    if (answers.size() != places.size()) {
      handler.lost(
          "ONOS answered " + answers.size() + " of " + places.size() + " updates of a batch");
      return;
    }
    for (EntityUpdateResponse each : answers) {
      if (each.throwable() != null && RpcFailures.isLost(each.throwable())) {
        handler.lost(RpcFailures.text(each.throwable()));
        return;
      }
    }
    Iterator<Integer> place = places.iterator();
    for (EntityUpdateResponse each : answers) {
      set(results, place.next(), each);
    }
    handler.done(results);
  }

  private void set(WriteResults results, int place, EntityUpdateResponse answer) {
    WriteCode code = RpcFailures.code(answer);
    if (code == WriteCode.OK) {
      return;
    }
    String words =
        answer.throwable() == null
            ? RpcFailures.words(answer)
            : RpcFailures.text(answer.throwable());
    if (place == COUNTER) {
      LOG.warn("{}: a counter cannot be set to zero: {}", name, words);
    } else if (code.ordinal() > results.code(place).ordinal()) {
      // Of the two halves of an entry what is worse counts.
      results.set(place, code, words);
    }
  }

  // ---------------------------------------------------------------- reading

  @Override
  public void read(ReadHandler<SwitchEntry> handler) {
    read(KnownEntries.none(), handler);
  }

  @Override
  public void read(KnownEntries<SwitchEntry> known, ReadHandler<SwitchEntry> handler) {
    Session reading = current();
    if (reading == null) {
      handler.failed("not connected");
      return;
    }
    new BoundedReading(
            name,
            access.deviceId(),
            entries,
            reading::readRequest,
            known,
            new BoundedReading.Out() {
              @Override
              public boolean isWanted() {
                return reading == current();
              }

              @Override
              public void malformed(TableContent.Malformed malformed) {
                handler.malformed(malformed.reason(), done -> remove(malformed.entry(), done));
              }

              @Override
              public ReadHandler<SwitchEntry> handler() {
                return handler;
              }
            },
            this::within)
        .start(scheduler);
  }

  private void remove(PiTableEntry entry, WriteHandler handler) {
    Session writing = current();
    if (writing == null) {
      handler.lost("not connected");
      return;
    }
    send(writing.writeRequest().delete(handle(entry)), List.of(0), new WriteResults(1), handler);
  }

  @Override
  public CompletableFuture<SubscriberCounters> readCounters(int subscriberIndex) {
    CompletableFuture<SubscriberCounters> result = new CompletableFuture<>();
    Session reading = current();
    if (reading == null) {
      result.completeExceptionally(new ControllerException("the switch is not connected"));
      return result;
    }
    within(
        reading
            .readRequest()
            .handles(counters.handles(access.deviceId(), subscriberIndex))
            .submit(),
        "the switch has not told its counters",
        reason -> result.completeExceptionally(new ControllerException(reason)),
        response -> {
          if (response.isSuccess()) {
            result.complete(counters.sum(response.all(PiCounterCell.class)));
          } else {
            result.completeExceptionally(
                new ControllerException(
                    response.throwable() == null
                        ? response.explanation()
                        : RpcFailures.text(response.throwable()),
                    response.throwable()));
          }
        });
    return result;
  }

  @Override
  public void close() {
    disconnect();
    scheduler.close();
  }
}
