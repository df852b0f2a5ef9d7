package net.sluice.endpoints;

import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import net.sluice.core.ControllerException;
import net.sluice.core.Servers.SwitchEndpoint;
import net.sluice.core.target.ExpectedEntries;
import net.sluice.core.target.LinePackets;
import net.sluice.core.target.NotReadyException;
import net.sluice.core.target.RpcErrors;
import net.sluice.core.target.SwitchTarget;
import net.sluice.core.target.WriteResults;
import net.sluice.core.time.Scheduler;
import net.sluice.core.time.ThreadScheduler;
import net.sluice.endpoints.cells.CounterChunk;
import net.sluice.endpoints.cells.CounterReading;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.pipeconf.CounterSink;
import net.sluice.pipeconf.PacketCodec;
import net.sluice.pipeconf.SwitchPipeline;
import p4.v1.P4RuntimeGrpc.P4RuntimeStub;
import p4.v1.P4RuntimeOuterClass.CounterEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.PacketIn;
import p4.v1.P4RuntimeOuterClass.ReadRequest;
import p4.v1.P4RuntimeOuterClass.ReadResponse;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.WriteRequest;
import p4.v1.P4RuntimeOuterClass.WriteResponse;

/** A switch behind a P4Runtime server (specification 1.3), unencrypted. */
public final class P4RuntimeTarget extends SwitchTarget<P4RuntimeSession> implements LinePackets {
  /** Batches of the size and number that P4Runtime servers were measured to do best with. */
  private static final Capabilities CAPABILITIES = new Capabilities(5_000, 16);

  private static final Duration READ_STALL = Duration.ofSeconds(30);
  private static final int WRITE_SECONDS = 30;
  private static final int COUNTER_SECONDS = 5;
  private static final int ALL_COUNTERS_SECONDS = 60;

  /** A million subscribers are read in 5 s, and less would leave less to changes. */
  private static final Duration ALL_COUNTERS_OVER = Duration.ofSeconds(4);

  private final SwitchEndpoint endpoint;
  private final SwitchPipeline pipeline;
  private final Reach reach;
  private final Scheduler scheduler;
  private final AtomicLong electionId;
  private final Optional<PacketCodec> packets;

  /** Writes that the switch has not answered yet. */
  private final AtomicInteger writing = new AtomicInteger();

  private volatile Receiver receiver = (port, reason, frame) -> {};

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
    super(name, CAPABILITIES, pipeline.entries(), pipeline.counters(), scheduler);
    this.endpoint = endpoint;
    this.pipeline = pipeline;
    this.reach = reach;
    this.scheduler = scheduler;
    this.electionId = new AtomicLong(endpoint.electionId());
    this.packets = PacketCodec.of(pipeline.p4Info());
  }

  @Override
  protected P4RuntimeSession open() throws NotReadyException {
    return new P4RuntimeSession(
        name(), endpoint, reach, electionId, pipeline, scheduler, this::received);
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

  // ---------------------------------------------------------------- packets

  @Override
  public void send(int port, byte[] frame) {
    P4RuntimeSession standing = session();
    if (standing != null && packets.isPresent()) {
      standing.send(packets.get().out(port, frame));
    }
  }

  @Override
  public void receive(Receiver next) {
    receiver = next;
  }

  private void received(PacketIn packet) {
    packets
        .flatMap(codec -> codec.in(packet))
        .ifPresent(in -> receiver.receive(in.port(), in.reason(), in.frame()));
  }

  // ---------------------------------------------------------------- writing

  @Override
  protected void send(P4RuntimeSession session, List<Update> updates, WriteHandler handler) {
    writing.incrementAndGet();
    session
        .stub(WRITE_SECONDS)
        .write(
            WriteRequest.newBuilder()
                .setDeviceId(endpoint.deviceId())
                .setElectionId(session.electionId())
                .setAtomicity(WriteRequest.Atomicity.CONTINUE_ON_ERROR)
                .addAllUpdates(updates)
                .build(),
            new P4RuntimeSession.Single<WriteResponse>() {
              @Override
              void answered(WriteResponse answer) {
                writing.decrementAndGet();
                handler.done(WriteResults.allOk());
              }

              @Override
              void failed(Throwable failure) {
                writing.decrementAndGet();
                P4RuntimeErrors.answer(failure, updates.size(), handler);
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

  @Override
  protected boolean readsWholeCounters() {
    return true;
  }

  @Override
  protected CompletableFuture<Void> passCells(
      P4RuntimeSession reading, List<Entity> wanted, long wholeCells, CounterSink sink) {
    CounterReading paced =
        new CounterReading(
            (id, cell, packets, bytes) -> pipeline.counters().pass(id, cell, packets, bytes, sink),
            wholeCells > 0 ? (double) ALL_COUNTERS_OVER.toNanos() / wholeCells : 0,
            scheduler,
            System::nanoTime,
            () -> writing.get() > 0);
    P4RuntimeStub stub = reading.readings(ALL_COUNTERS_SECONDS);
    ClientCalls.asyncServerStreamingCall(
        stub.getChannel().newCall(CounterChunk.read(), stub.getCallOptions()),
        ReadRequest.newBuilder().setDeviceId(endpoint.deviceId()).addAllEntities(wanted).build(),
        paced);
    return paced.end();
  }

  @Override
  protected CompletableFuture<List<CounterEntry>> readCells(
      P4RuntimeSession reading, List<Entity> wanted) {
    CompletableFuture<List<CounterEntry>> result = new CompletableFuture<>();
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
