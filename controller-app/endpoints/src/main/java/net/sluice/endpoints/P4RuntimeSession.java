package net.sluice.endpoints;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import net.sluice.core.Servers.SwitchEndpoint;
import net.sluice.core.target.NotReadyException;
import net.sluice.core.target.ProbedSession;
import net.sluice.core.target.RpcErrors;
import net.sluice.core.time.Scheduler;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.table.GateCodec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import p4.v1.P4RuntimeGrpc;
import p4.v1.P4RuntimeGrpc.P4RuntimeStub;
import p4.v1.P4RuntimeOuterClass.GetForwardingPipelineConfigRequest;
import p4.v1.P4RuntimeOuterClass.GetForwardingPipelineConfigResponse;
import p4.v1.P4RuntimeOuterClass.MasterArbitrationUpdate;
import p4.v1.P4RuntimeOuterClass.PacketIn;
import p4.v1.P4RuntimeOuterClass.PacketOut;
import p4.v1.P4RuntimeOuterClass.Role;
import p4.v1.P4RuntimeOuterClass.SetForwardingPipelineConfigRequest;
import p4.v1.P4RuntimeOuterClass.SetForwardingPipelineConfigResponse;
import p4.v1.P4RuntimeOuterClass.StreamMessageRequest;
import p4.v1.P4RuntimeOuterClass.StreamMessageResponse;
import p4.v1.P4RuntimeOuterClass.Uint128;

/**
 * A stream to a P4Runtime server on which it has told that this client is primary, with the
 * pipeline's program running; the program is loaded only if the server's cookie is another one,
 * because loading it empties the tables.
 */
final class P4RuntimeSession extends ProbedSession
    implements StreamObserver<StreamMessageResponse> {
  private static final Logger LOG = LoggerFactory.getLogger(P4RuntimeSession.class);
  private static final int MAX_MESSAGE_BYTES = 64 << 20;
  private static final int READINGS_WINDOW_BYTES = 256 << 10;

  /** The errors of a batch come in a trailer, which by default may have 8 KiB only. */
  private static final int MAX_TRAILER_BYTES = 16 << 20;

  /**
   * Servers may forbid pings of HTTP/2 more often than every five minutes, and then end the
   * connection; a small request is always allowed, and also tells if the program was changed.
   */
  private static final Duration PROBE_INTERVAL = Duration.ofSeconds(5);

  private static final int PROBE_SECONDS = 20;
  private static final int CONNECT_SECONDS = 10;
  private static final int LOAD_SECONDS = 60;

  private final String name;
  private final SwitchEndpoint endpoint;

  /** Outlives the session, as does what it takes to be primary. */
  private final AtomicLong electionId;

  private final SwitchPipeline pipeline;
  private final Scheduler scheduler;
  private final Consumer<PacketIn> packets;
  private final ManagedChannel channel;
  private final P4RuntimeStub stub;

  /** For readings of millions of cells, behind which the answer to a write would wait. */
  private final ManagedChannel readings;

  private final AtomicBoolean primary = new AtomicBoolean();
  private volatile StreamObserver<StreamMessageRequest> requests;
  private boolean raised;
  private volatile String agent;

  /**
   * A session not begun yet with the switch called {@code name}.
   *
   * @param reach what it may connect to
   * @param electionId what is claimed; raised if the endpoint says so
   * @param packets is given what the switch hands over
   * @throws NotReadyException if the files for TLS cannot be used
   */
  P4RuntimeSession(
      String name,
      SwitchEndpoint endpoint,
      Reach reach,
      AtomicLong electionId,
      SwitchPipeline pipeline,
      Scheduler scheduler,
      Consumer<PacketIn> packets)
      throws NotReadyException {
    super(scheduler, PROBE_INTERVAL);
    this.name = name;
    this.endpoint = endpoint;
    this.electionId = electionId;
    this.pipeline = pipeline;
    this.scheduler = scheduler;
    this.packets = packets;
    channel =
        Channels.to(endpoint.host(), endpoint.port(), reach, endpoint.tls())
            .directExecutor()
            .maxInboundMessageSize(MAX_MESSAGE_BYTES)
            .maxInboundMetadataSize(MAX_TRAILER_BYTES)
            .flowControlWindow(4 << 20)
            .build();
    stub = P4RuntimeGrpc.newStub(channel);
    readings =
        Channels.to(endpoint.host(), endpoint.port(), reach, endpoint.tls())
            .directExecutor()
            .maxInboundMessageSize(MAX_MESSAGE_BYTES)
            .flowControlWindow(READINGS_WINDOW_BYTES)
            .build();
  }

  /** Calls that may take so many seconds. */
  P4RuntimeStub stub(int seconds) {
    return stub.withDeadlineAfter(seconds, TimeUnit.SECONDS);
  }

  /** Calls over a connection of their own, which may take so many seconds. */
  P4RuntimeStub readings(int seconds) {
    return P4RuntimeGrpc.newStub(readings).withDeadlineAfter(seconds, TimeUnit.SECONDS);
  }

  /** Calls that may take as long as they like. */
  P4RuntimeStub stub() {
    return stub;
  }

  @Override
  protected void begin() {
    scheduler.schedule(
        Duration.ofSeconds(CONNECT_SECONDS),
        () -> {
          if (!primary.get()) {
            fail(
                "the switch has not made this controller primary within " + CONNECT_SECONDS + " s");
          }
        });
    requests = stub.streamChannel(this);
    claim();
  }

  private void claim() {
    request(
        StreamMessageRequest.newBuilder()
            .setArbitration(
                MasterArbitrationUpdate.newBuilder()
                    .setDeviceId(endpoint.deviceId())
                    .setElectionId(electionId()))
            .build());
  }

  /** Has a packet leave the switch, if this controller is its primary. */
  void send(PacketOut packet) {
    if (primary.get()) {
      request(StreamMessageRequest.newBuilder().setPacket(packet).build());
    }
  }

  /** Any thread; a stream takes one message at a time. */
  private void request(StreamMessageRequest message) {
    synchronized (channel) {
      try {
        requests.onNext(message);
      } catch (IllegalStateException e) {
        // The stream has ended, which it tells by itself.
        LOG.debug("{}: nothing more can be said on the stream", name, e);
      }
    }
  }

  @Override
  protected void release() {
    channel.shutdownNow();
    readings.shutdownNow();
  }

  @Override
  public void onNext(StreamMessageResponse message) {
    if (message.hasError()) {
      LOG.warn(
          "{}: the switch reports an error on its stream: {}",
          name,
          message.getError().getMessage());
    }
    if (message.hasPacket()) {
      packets.accept(message.getPacket());
    }
    if (!message.hasArbitration()) {
      return;
    }
    MasterArbitrationUpdate answer = message.getArbitration();
    Election election = new Election(answer, electionId.get());
    if (election.isPrimary()) {
      if (primary.compareAndSet(false, true)) {
        checkProgram();
      }
    } else if (!primary.get() && !raised && endpoint.raisesElectionId() && election.canBeRaised()) {
      // Once a session: a switch that goes on saying so would be raised without end.
      raised = true;
      LOG.info(
          "{}: nobody is primary, and the highest election id was {}: this controller raises its"
              + " own from {} to {}",
          name,
          election.highest(),
          electionId.get(),
          election.next());
      electionId.set(election.next());
      claim();
    } else {
      fail(election.obstacle());
    }
  }

  @Override
  public void onError(Throwable failure) {
    String text = RpcErrors.text(failure);
    boolean claimed = Status.fromThrowable(failure).getCode() == Status.Code.INVALID_ARGUMENT;
    fail(
        claimed && !primary.get()
            ? text
                + "; two controllers must not have the same election id: start this one with"
                + " another --election-id"
            : text);
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
              fail("cannot ask for the program: " + RpcErrors.text(failure));
            }
          }
        });
  }

  private void begun() {
    up();
    alive();
    if (GateCodec.isIn(pipeline.descriptor())) {
      followAgent();
    }
  }

  /**
   * The agent that moves the switch's gates; empty until the switch has told, or if it does not.
   */
  Optional<String> agent() {
    return Optional.ofNullable(agent);
  }

  /**
   * Takes part in the agents' election without an election id: such a client is never primary, and
   * is told who is (P4Runtime 1.3, "Client Arbitration and Controller Replication").
   */
  private void followAgent() {
    stub.streamChannel(
            new StreamObserver<StreamMessageResponse>() {
              @Override
              public void onNext(StreamMessageResponse message) {
                if (message.hasArbitration()) {
                  boolean none =
                      message.getArbitration().getStatus().getCode()
                          == Status.Code.NOT_FOUND.value();
                  agent =
                      none
                          ? "none"
                          : "election id "
                              + Long.toUnsignedString(
                                  message.getArbitration().getElectionId().getLow());
                }
              }

              @Override
              public void onError(Throwable failure) {
                // The server knows no roles, or the session ends, which its own stream tells.
                agent = null;
              }

              @Override
              public void onCompleted() {
                agent = null;
              }
            })
        .onNext(
            StreamMessageRequest.newBuilder()
                .setArbitration(
                    MasterArbitrationUpdate.newBuilder()
                        .setDeviceId(endpoint.deviceId())
                        .setRole(Role.newBuilder().setName(GateCodec.ROLE)))
                .build());
  }

  @Override
  protected void probe() {
    askForCookie(
        PROBE_SECONDS,
        new Single<GetForwardingPipelineConfigResponse>() {
          @Override
          void answered(GetForwardingPipelineConfigResponse answer) {
            if (answer.getConfig().getCookie().getCookie() == pipeline.cookie()) {
              alive();
            } else {
              fail("the switch's program was replaced");
            }
          }

          @Override
          void failed(Throwable failure) {
            fail("the switch does not answer: " + RpcErrors.text(failure));
          }
        });
  }

  private void askForCookie(
      int seconds, StreamObserver<GetForwardingPipelineConfigResponse> answer) {
    stub(seconds)
        .getForwardingPipelineConfig(
            GetForwardingPipelineConfigRequest.newBuilder()
                .setDeviceId(endpoint.deviceId())
                .setResponseType(GetForwardingPipelineConfigRequest.ResponseType.COOKIE_ONLY)
                .build(),
            answer);
  }

  private void load() {
    LOG.info("{}: loads the program {}, which empties the tables", name, pipeline.name());
    stub(LOAD_SECONDS)
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
                fail("cannot load the program: " + RpcErrors.text(failure));
              }
            });
  }

  /** The election id as the protocol has it. */
  Uint128 electionId() {
    return Uint128.newBuilder().setLow(electionId.get()).build();
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
}
