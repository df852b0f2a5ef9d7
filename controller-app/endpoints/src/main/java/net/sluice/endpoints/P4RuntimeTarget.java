package net.sluice.endpoints;

import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import net.sluice.core.ControllerException;
import net.sluice.core.QueueCounters;
import net.sluice.core.Servers.SwitchEndpoint;
import net.sluice.core.SubscriberCounters;
import net.sluice.core.SubscriberCounters.Marked;
import net.sluice.core.target.CounterSource;
import net.sluice.core.target.ExpectedEntries;
import net.sluice.core.target.NotReadyException;
import net.sluice.core.target.QueueReadings;
import net.sluice.core.target.RpcErrors;
import net.sluice.core.target.SessionTarget;
import net.sluice.core.target.SubscriberReadings;
import net.sluice.core.target.WriteBatch;
import net.sluice.core.target.WriteCode;
import net.sluice.core.target.WriteResults;
import net.sluice.core.time.Scheduler;
import net.sluice.core.time.ThreadScheduler;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.model.PortQueue;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.SwitchEntry.AggregateEntry;
import net.sluice.intents.plan.Table;
import net.sluice.pipeconf.SwitchPipeline;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import p4.v1.P4RuntimeOuterClass.CounterEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.ReadRequest;
import p4.v1.P4RuntimeOuterClass.ReadResponse;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.WriteRequest;
import p4.v1.P4RuntimeOuterClass.WriteResponse;

/** A switch behind a P4Runtime server (specification 1.3), unencrypted. */
public final class P4RuntimeTarget extends SessionTarget<SwitchEntry, P4RuntimeSession>
    implements CounterSource {
  private static final Logger LOG = LoggerFactory.getLogger(P4RuntimeTarget.class);

  /** Batches of the size and number that P4Runtime servers were measured to do best with. */
  private static final Capabilities CAPABILITIES = new Capabilities(5_000, 16);

  /** Stands for an update that is none of the batch's. */
  private static final int COUNTER = -1;

  private static final Duration READ_STALL = Duration.ofSeconds(30);
  private static final int WRITE_SECONDS = 30;
  private static final int COUNTER_SECONDS = 5;

  private final SwitchEndpoint endpoint;
  private final SwitchPipeline pipeline;
  private final Reach reach;
  private final Scheduler scheduler;
  private final AtomicLong electionId;

  /** A switch that is not yet connected. */
  public P4RuntimeTarget(String name, SwitchEndpoint endpoint, SwitchPipeline pipeline) {
    this(name, endpoint, pipeline, new Reach.Anything());
  }

  /** The same with what its sessions may connect to. */
  P4RuntimeTarget(String name, SwitchEndpoint endpoint, SwitchPipeline pipeline, Reach reach) {
    this(name, endpoint, pipeline, reach, new ThreadScheduler("sluice-probe-" + name));
  }

  /** The same with a scheduler for probes, which is closed with the target. */
  public P4RuntimeTarget(
      String name, SwitchEndpoint endpoint, SwitchPipeline pipeline, Scheduler scheduler) {
    this(name, endpoint, pipeline, new Reach.Anything(), scheduler);
  }

  private P4RuntimeTarget(
      String name,
      SwitchEndpoint endpoint,
      SwitchPipeline pipeline,
      Reach reach,
      Scheduler scheduler) {
    super(name, CAPABILITIES, scheduler);
    this.endpoint = endpoint;
    this.pipeline = pipeline;
    this.reach = reach;
    this.scheduler = scheduler;
    this.electionId = new AtomicLong(endpoint.electionId());
  }

  @Override
  protected P4RuntimeSession open() throws NotReadyException {
    return new P4RuntimeSession(name(), endpoint, reach, electionId, pipeline, scheduler);
  }

  /** The election id in use: the configured one, or a higher one that it took to be primary. */
  public long electionId() {
    return electionId.get();
  }

  @Override
  public Optional<String> agent() {
    P4RuntimeSession standing = session();
    return standing == null ? Optional.empty() : standing.agent();
  }

  // ---------------------------------------------------------------- writing

  @Override
  protected void write(
      P4RuntimeSession session, WriteBatch<SwitchEntry> batch, WriteHandler handler) {
    WriteRequest.Builder request = writeRequest(session);
    WriteResults results = new WriteResults(batch.size());
    // The batch's place of each update, or that of a counter.
    int counters = 0;
    for (int i = 0; i < batch.size(); i++) {
      counters += cleared(batch, i).size();
    }
    int[] places = new int[batch.size() + counters];
    boolean direct = counters == 0;
    for (int i = 0; i < batch.size(); i++) {
      try {
        Update update = pipeline.entries().update(batch.op(i), batch.entity(i));
        places[request.getUpdatesCount()] = i;
        request.addUpdates(update);
      } catch (InvalidValueException e) {
        results.set(i, WriteCode.REFUSED, e.getMessage());
        direct = false;
      }
      for (Update update : cleared(batch, i)) {
        places[request.getUpdatesCount()] = COUNTER;
        request.addUpdates(update);
      }
    }
    if (request.getUpdatesCount() == 0) {
      handler.done(results);
    } else {
      send(session, request.build(), direct ? handler : merged(results, places, handler));
    }
  }

  /** The counters whose subscriber or aggregate a write ends: the next one begins with zero. */
  private List<Update> cleared(WriteBatch<SwitchEntry> batch, int i) {
    if (batch.op(i) != Op.DELETE) {
      return List.of();
    }
    List<Update> updates = new ArrayList<>();
    if (batch.retires(i) && batch.entity(i).subscriberIndex() != 0) {
      updates.addAll(pipeline.counters().clear(batch.entity(i).subscriberIndex()));
    }
    if (batch.entity(i) instanceof AggregateEntry of) {
      updates.addAll(pipeline.counters().clearAggregate(of.aggregate()));
    }
    return updates;
  }

  /** Joins what the switch answers with what was not even sent. */
  private WriteHandler merged(WriteResults results, int[] places, WriteHandler handler) {
    return new WriteHandler() {
      @Override
      public void done(WriteResults answer) {
        for (int i = 0; i < places.length; i++) {
          if (answer.code(i) == WriteCode.OK) {
            continue;
          }
          if (places[i] == COUNTER) {
            LOG.warn("{}: a counter cannot be set to zero: {}", name(), answer.message(i));
          } else {
            results.set(places[i], answer.code(i), answer.message(i));
          }
        }
        handler.done(results);
      }

      @Override
      public void lost(String reason) {
        handler.lost(reason);
      }
    };
  }

  private WriteRequest.Builder writeRequest(P4RuntimeSession session) {
    return WriteRequest.newBuilder()
        .setDeviceId(endpoint.deviceId())
        .setElectionId(session.electionId())
        .setAtomicity(WriteRequest.Atomicity.CONTINUE_ON_ERROR);
  }

  private static void send(P4RuntimeSession session, WriteRequest request, WriteHandler handler) {
    session
        .stub(WRITE_SECONDS)
        .write(
            request,
            new P4RuntimeSession.Single<WriteResponse>() {
              @Override
              void answered(WriteResponse answer) {
                handler.done(WriteResults.allOk());
              }

              @Override
              void failed(Throwable failure) {
                P4RuntimeErrors.answer(failure, request.getUpdatesCount(), handler);
              }
            });
  }

  // ---------------------------------------------------------------- reading

  @Override
  protected void read(
      P4RuntimeSession session,
      ExpectedEntries<SwitchEntry> known,
      ReadHandler<SwitchEntry> handler) {
    ReadRequest.Builder request = ReadRequest.newBuilder().setDeviceId(endpoint.deviceId());
    for (Table table : pipeline.entries().tables()) {
      request.addAllEntities(pipeline.entries().readAll(table));
    }
    // Some servers cannot read clone sessions: whoever wants none need not know.
    if (known.count(Table.MIRROR) > 0) {
      request.addAllEntities(pipeline.entries().readAll(Table.MIRROR));
    }
    P4RuntimeReading stream =
        new P4RuntimeReading(pipeline.entries(), handler, entity -> removal(session, entity));
    session.stub().read(request.build(), stream);
    watch(stream);
  }

  private void watch(P4RuntimeReading stream) {
    scheduler.schedule(
        READ_STALL,
        () -> {
          if (stream.isEnded()) {
            return;
          }
          if (stream.isStalled()) {
            stream.giveUp("the switch has sent nothing for " + READ_STALL.toSeconds() + " s");
          } else {
            watch(stream);
          }
        });
  }

  private Removal removal(P4RuntimeSession session, Entity entity) {
    WriteRequest request =
        writeRequest(session)
            .addUpdates(Update.newBuilder().setType(Update.Type.DELETE).setEntity(entity))
            .build();
    return handler -> send(session, request, handler);
  }

  @Override
  public CompletableFuture<SubscriberCounters> readCounters(int subscriberIndex) {
    List<Entity> wanted = pipeline.counters().read(subscriberIndex);
    return readCells(wanted).thenApply(cells -> SubscriberReadings.of(pipeline.counters(), cells));
  }

  @Override
  public CompletableFuture<Map<Direction, Marked>> readAggregates(Map<Direction, Integer> numbers) {
    List<Entity> wanted = new ArrayList<>();
    numbers.values().forEach(number -> wanted.addAll(pipeline.counters().readAggregate(number)));
    return readCells(wanted)
        .thenApply(cells -> SubscriberReadings.marked(pipeline.counters(), cells, numbers));
  }

  @Override
  public CompletableFuture<List<QueueCounters>> readQueues(List<PortQueue> queues) {
    List<Entity> wanted = new ArrayList<>();
    queues.forEach(q -> wanted.addAll(pipeline.counters().readQueue(q.port(), q.queue())));
    return readCells(wanted)
        .thenApply(cells -> QueueReadings.of(pipeline.counters(), cells, queues));
  }

  private CompletableFuture<List<CounterEntry>> readCells(List<Entity> wanted) {
    CompletableFuture<List<CounterEntry>> result = new CompletableFuture<>();
    P4RuntimeSession reading = session();
    if (reading == null) {
      result.completeExceptionally(new ControllerException("the switch is not connected"));
      return result;
    }
    ReadRequest.Builder request =
        ReadRequest.newBuilder().setDeviceId(endpoint.deviceId()).addAllEntities(wanted);
    List<CounterEntry> cells = new ArrayList<>();
    reading
        .stub(COUNTER_SECONDS)
        .read(
            request.build(),
            new StreamObserver<ReadResponse>() {
              @Override
              public void onNext(ReadResponse answer) {
                answer.getEntitiesList().forEach(cell -> cells.add(cell.getCounterEntry()));
              }

              @Override
              public void onError(Throwable failure) {
                result.completeExceptionally(
                    new ControllerException(RpcErrors.text(failure), failure));
              }

              @Override
              public void onCompleted() {
                result.complete(cells);
              }
            });
    return result;
  }
}
