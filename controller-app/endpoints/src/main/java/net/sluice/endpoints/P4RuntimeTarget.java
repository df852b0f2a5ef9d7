package net.sluice.endpoints;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import net.sluice.core.ControllerConfig.SwitchEndpoint;
import net.sluice.core.ControllerException;
import net.sluice.core.SubscriberCounters;
import net.sluice.core.target.CounterSource;
import net.sluice.core.target.Target;
import net.sluice.core.target.WriteBatch;
import net.sluice.core.target.WriteCode;
import net.sluice.core.target.WriteResults;
import net.sluice.core.time.Scheduler;
import net.sluice.core.time.ThreadScheduler;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.pipeconf.CounterCodec.Point;
import net.sluice.pipeconf.SwitchPipeline;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import p4.v1.P4RuntimeGrpc;
import p4.v1.P4RuntimeGrpc.P4RuntimeStub;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.GetForwardingPipelineConfigRequest;
import p4.v1.P4RuntimeOuterClass.GetForwardingPipelineConfigResponse;
import p4.v1.P4RuntimeOuterClass.MasterArbitrationUpdate;
import p4.v1.P4RuntimeOuterClass.ReadRequest;
import p4.v1.P4RuntimeOuterClass.ReadResponse;
import p4.v1.P4RuntimeOuterClass.SetForwardingPipelineConfigRequest;
import p4.v1.P4RuntimeOuterClass.SetForwardingPipelineConfigResponse;
import p4.v1.P4RuntimeOuterClass.StreamMessageRequest;
import p4.v1.P4RuntimeOuterClass.StreamMessageResponse;
import p4.v1.P4RuntimeOuterClass.TableEntry;
import p4.v1.P4RuntimeOuterClass.Uint128;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.WriteRequest;
import p4.v1.P4RuntimeOuterClass.WriteResponse;

/**
 * A switch behind a P4Runtime server (specification 1.3), unencrypted.
 *
 * <p>A session is a stream on which the server has told that this client is primary, with the
 * pipeline's program running; the program is loaded only if the server's cookie is another one,
 * because loading it empties the tables.
 */
public final class P4RuntimeTarget implements Target<SwitchEntry>, CounterSource {
  private static final Logger LOG = LoggerFactory.getLogger(P4RuntimeTarget.class);

  /** Batches of the size and number that P4Runtime servers were measured to do best with. */
  private static final Capabilities CAPABILITIES = new Capabilities(5_000, 16);

  private static final int MAX_MESSAGE_BYTES = 64 << 20;

  /** The errors of a batch come in a trailer, which by default may have 8 KiB only. */
  private static final int MAX_TRAILER_BYTES = 16 << 20;

  /** Stands for an update that is none of the batch's. */
  private static final int COUNTER = -1;

  /**
   * Servers may forbid pings of HTTP/2 more often than every five minutes, and then end the
   * connection; a small request is always allowed, and also tells if the program was changed.
   */
  private static final Duration PROBE_INTERVAL = Duration.ofSeconds(5);

  private static final Duration READ_STALL = Duration.ofSeconds(30);
  private static final int PROBE_SECONDS = 20;
  private static final int CONNECT_SECONDS = 10;
  private static final int LOAD_SECONDS = 60;
  private static final int WRITE_SECONDS = 30;
  private static final int COUNTER_SECONDS = 5;

  private final String name;
  private final SwitchEndpoint endpoint;
  private final SwitchPipeline pipeline;
  private final Scheduler scheduler;
  private Session session;

  /** A switch that is not yet connected. */
  public P4RuntimeTarget(String name, SwitchEndpoint endpoint, SwitchPipeline pipeline) {
    this(name, endpoint, pipeline, new ThreadScheduler("sluice-probe-" + name));
  }

  /** The same with a scheduler for probes, which is closed with the target. */
  public P4RuntimeTarget(
      String name, SwitchEndpoint endpoint, SwitchPipeline pipeline, Scheduler scheduler) {
    this.name = name;
    this.endpoint = endpoint;
    this.pipeline = pipeline;
    this.scheduler = scheduler;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Capabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public void connect(SessionListener listener) {
    disconnect();
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(endpoint.host(), endpoint.port())
            .usePlaintext()
            .directExecutor()
            .maxInboundMessageSize(MAX_MESSAGE_BYTES)
            .maxInboundMetadataSize(MAX_TRAILER_BYTES)
            .flowControlWindow(4 << 20)
            .build();
    Session begun = new Session(channel, listener);
    synchronized (this) {
      session = begun;
    }
    begun.begin();
  }

  @Override
  public void disconnect() {
    Session ended;
    synchronized (this) {
      ended = session;
      session = null;
    }
    if (ended != null) {
      ended.end();
    }
  }

  private synchronized Session current() {
    return session;
  }

  /** One stream to the server and all that happens beside it. */
  private final class Session implements StreamObserver<StreamMessageResponse> {
    private final ManagedChannel channel;
    private final P4RuntimeStub stub;
    private final SessionListener listener;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicBoolean primary = new AtomicBoolean();
    private StreamObserver<StreamMessageRequest> requests;

    Session(ManagedChannel channel, SessionListener listener) {
      this.channel = channel;
      this.stub = P4RuntimeGrpc.newStub(channel);
      this.listener = listener;
    }

    void begin() {
      scheduler.schedule(
          Duration.ofSeconds(CONNECT_SECONDS),
          () -> {
            if (!primary.get()) {
              fail(
                  "the switch has not made this controller primary within "
                      + CONNECT_SECONDS
                      + " s");
            }
          });
      requests = stub.streamChannel(this);
      requests.onNext(
          StreamMessageRequest.newBuilder()
              .setArbitration(
                  MasterArbitrationUpdate.newBuilder()
                      .setDeviceId(endpoint.deviceId())
                      .setElectionId(electionId()))
              .build());
    }

    void end() {
      if (ended.compareAndSet(false, true)) {
        channel.shutdownNow();
      }
    }

    void fail(String reason) {
      if (ended.compareAndSet(false, true)) {
        channel.shutdownNow();
        listener.down(reason);
      }
    }

    @Override
    public void onNext(StreamMessageResponse message) {
      if (message.hasError()) {
        LOG.warn("{}: the switch complains: {}", name, message.getError().getMessage());
      }
      if (!message.hasArbitration()) {
        return;
      }
      MasterArbitrationUpdate answer = message.getArbitration();
      if (answer.getStatus().getCode() != Status.Code.OK.value()) {
        fail(
            "another controller is primary, with election id "
                + Long.toUnsignedString(answer.getElectionId().getLow())
                + "; this one has "
                + endpoint.electionId());
      } else if (primary.compareAndSet(false, true)) {
        checkProgram();
      }
    }

    @Override
    public void onError(Throwable failure) {
      fail(P4RuntimeErrors.text(failure));
    }

    @Override
    public void onCompleted() {
      fail("the switch closed the session");
    }

    private void checkProgram() {
      askForCookie(
          CONNECT_SECONDS,
          new Single<GetForwardingPipelineConfigResponse>() {
            @Override
            void answered(GetForwardingPipelineConfigResponse answer) {
              if (answer.getConfig().getCookie().getCookie() == pipeline.cookie()) {
                begun();
              } else {
                load();
              }
            }

            @Override
            void failed(Throwable failure) {
              Status.Code code = Status.fromThrowable(failure).getCode();
              // What servers say that have no program yet.
              if (code == Status.Code.FAILED_PRECONDITION || code == Status.Code.NOT_FOUND) {
                load();
              } else {
                fail("cannot ask for the program: " + P4RuntimeErrors.text(failure));
              }
            }
          });
    }

    private void begun() {
      scheduler.schedule(PROBE_INTERVAL, this::probe);
      listener.up();
    }

    private void probe() {
      if (ended.get()) {
        return;
      }
      askForCookie(
          PROBE_SECONDS,
          new Single<GetForwardingPipelineConfigResponse>() {
            @Override
            void answered(GetForwardingPipelineConfigResponse answer) {
              if (answer.getConfig().getCookie().getCookie() == pipeline.cookie()) {
                scheduler.schedule(PROBE_INTERVAL, Session.this::probe);
              } else {
                fail("the switch's program was replaced");
              }
            }

            @Override
            void failed(Throwable failure) {
              fail("the switch does not answer: " + P4RuntimeErrors.text(failure));
            }
          });
    }

    private void askForCookie(
        int seconds, StreamObserver<GetForwardingPipelineConfigResponse> answer) {
      stub.withDeadlineAfter(seconds, TimeUnit.SECONDS)
          .getForwardingPipelineConfig(
              GetForwardingPipelineConfigRequest.newBuilder()
                  .setDeviceId(endpoint.deviceId())
                  .setResponseType(GetForwardingPipelineConfigRequest.ResponseType.COOKIE_ONLY)
                  .build(),
              answer);
    }

    private void load() {
      LOG.info("{}: loading {}", name, pipeline.name());
      stub.withDeadlineAfter(LOAD_SECONDS, TimeUnit.SECONDS)
          .setForwardingPipelineConfig(
              SetForwardingPipelineConfigRequest.newBuilder()
                  .setDeviceId(endpoint.deviceId())
                  .setElectionId(electionId())
                  .setAction(SetForwardingPipelineConfigRequest.Action.VERIFY_AND_COMMIT)
                  .setConfig(pipeline.forwardingPipelineConfig())
                  .build(),
              new Single<SetForwardingPipelineConfigResponse>() {
                @Override
                void answered(SetForwardingPipelineConfigResponse answer) {
                  begun();
                }

                @Override
                void failed(Throwable failure) {
                  fail("cannot load the program: " + P4RuntimeErrors.text(failure));
                }
              });
    }
  }

  private Uint128 electionId() {
    return Uint128.newBuilder().setLow(endpoint.electionId()).build();
  }

  /** Exactly one answer or failure. */
  abstract static class Single<T> implements StreamObserver<T> {
    private T answer;

    abstract void answered(T answer);

    abstract void failed(Throwable failure);

    @Override
    public final void onNext(T value) {
      answer = value;
    }

    @Override
    public final void onError(Throwable failure) {
      failed(failure);
    }

    @Override
    public final void onCompleted() {
      if (answer == null) {
        failed(Status.INTERNAL.withDescription("an empty answer").asRuntimeException());
      } else {
        answered(answer);
      }
    }
  }

  // ---------------------------------------------------------------- writing

  @Override
  public void write(WriteBatch<SwitchEntry> batch, WriteHandler handler) {
    Session writing = current();
    if (writing == null) {
      handler.lost("not connected");
      return;
    }
    WriteRequest.Builder request = writeRequest();
    WriteResults results = new WriteResults(batch.size());
    // The batch's place of each update, or that of a counter.
    int[] places = new int[batch.size() + 4 * batch.retiringCount()];
    boolean direct = batch.retiringCount() == 0;
    for (int i = 0; i < batch.size(); i++) {
      try {
        Update update = pipeline.entries().update(batch.op(i), batch.entity(i));
        places[request.getUpdatesCount()] = i;
        request.addUpdates(update);
      } catch (InvalidValueException e) {
        results.set(i, WriteCode.REFUSED, e.getMessage());
        direct = false;
      }
      if (batch.retires(i)) {
        for (Update update : P4RuntimeCounters.clear(pipeline.counters(), batch.entity(i))) {
          places[request.getUpdatesCount()] = COUNTER;
          request.addUpdates(update);
        }
      }
    }
    if (request.getUpdatesCount() == 0) {
      handler.done(results);
    } else {
      send(writing, request.build(), direct ? handler : merged(results, places, handler));
    }
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
            LOG.warn("{}: a counter cannot be set to zero: {}", name, answer.message(i));
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

  private WriteRequest.Builder writeRequest() {
    return WriteRequest.newBuilder()
        .setDeviceId(endpoint.deviceId())
        .setElectionId(electionId())
        .setAtomicity(WriteRequest.Atomicity.CONTINUE_ON_ERROR);
  }

  private static void send(Session writing, WriteRequest request, WriteHandler handler) {
    writing
        .stub
        .withDeadlineAfter(WRITE_SECONDS, TimeUnit.SECONDS)
        .write(
            request,
            new Single<WriteResponse>() {
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
  public void read(ReadHandler<SwitchEntry> handler) {
    Session reading = current();
    if (reading == null) {
      handler.failed("not connected");
      return;
    }
    ReadRequest.Builder request = ReadRequest.newBuilder().setDeviceId(endpoint.deviceId());
    for (Table table : Table.values()) {
      request.addEntities(pipeline.entries().readAll(table));
    }
    P4RuntimeReading stream =
        new P4RuntimeReading(pipeline.entries(), handler, entry -> removal(reading, entry));
    reading.stub.read(request.build(), stream);
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

  private Removal removal(Session session, TableEntry entry) {
    WriteRequest request =
        writeRequest()
            .addUpdates(
                Update.newBuilder()
                    .setType(Update.Type.DELETE)
                    .setEntity(Entity.newBuilder().setTableEntry(entry)))
            .build();
    return handler -> send(session, request, handler);
  }

  @Override
  public CompletableFuture<SubscriberCounters> readCounters(int subscriberIndex) {
    CompletableFuture<SubscriberCounters> result = new CompletableFuture<>();
    Session reading = current();
    if (reading == null) {
      result.completeExceptionally(new ControllerException("the switch is not connected"));
      return result;
    }
    ReadRequest.Builder request = ReadRequest.newBuilder().setDeviceId(endpoint.deviceId());
    for (Point point : Point.values()) {
      for (Direction direction : Direction.values()) {
        request.addEntities(pipeline.counters().read(point, subscriberIndex, direction));
      }
    }
    List<Entity> cells = new ArrayList<>();
    reading
        .stub
        .withDeadlineAfter(COUNTER_SECONDS, TimeUnit.SECONDS)
        .read(
            request.build(),
            new StreamObserver<ReadResponse>() {
              @Override
              public void onNext(ReadResponse answer) {
                cells.addAll(answer.getEntitiesList());
              }

              @Override
              public void onError(Throwable failure) {
                result.completeExceptionally(
                    new ControllerException(P4RuntimeErrors.text(failure), failure));
              }

              @Override
              public void onCompleted() {
                result.complete(P4RuntimeCounters.sum(pipeline.counters(), cells));
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
