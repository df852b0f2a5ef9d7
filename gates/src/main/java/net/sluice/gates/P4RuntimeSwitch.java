package net.sluice.gates;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.V1ModelPipeline;
import net.sluice.pipeconf.table.GateCodec;
import p4.v1.P4RuntimeGrpc;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.GetForwardingPipelineConfigRequest;
import p4.v1.P4RuntimeOuterClass.MasterArbitrationUpdate;
import p4.v1.P4RuntimeOuterClass.ReadRequest;
import p4.v1.P4RuntimeOuterClass.Role;
import p4.v1.P4RuntimeOuterClass.StreamMessageRequest;
import p4.v1.P4RuntimeOuterClass.StreamMessageResponse;
import p4.v1.P4RuntimeOuterClass.Uint128;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.WriteRequest;

/**
 * A switch behind a P4Runtime server on this machine, on which this agent is primary of a role of
 * its own: of several agents one writes, and no agent is in a controller's way, which has the
 * default role.
 */
public final class P4RuntimeSwitch implements LocalSwitch, AutoCloseable {
  private static final int CALL_SECONDS = 5;
  private static final int MAX_MESSAGE_BYTES = 64 << 20;

  private final ManagedChannel channel;
  private final long deviceId;
  private volatile long electionId;
  private final StreamObserver<StreamMessageRequest> requests;
  private final CompletableFuture<Void> primary = new CompletableFuture<>();

  private P4RuntimeSwitch(InetSocketAddress address, long deviceId, long electionId) {
    this.deviceId = deviceId;
    this.electionId = electionId;
    channel =
        NettyChannelBuilder.forAddress(address)
            .usePlaintext()
            .directExecutor()
            .maxInboundMessageSize(MAX_MESSAGE_BYTES)
            .build();
    requests = P4RuntimeGrpc.newStub(channel).streamChannel(new Stream());
    claim();
  }

  /**
   * Connects, and waits until this agent is primary. Where no agent is, and one that is gone had a
   * higher election id, it takes the next one.
   *
   * @param electionId of several agents the one with the highest is primary
   * @throws SwitchException if another one is, or the switch does not answer
   */
  public static P4RuntimeSwitch connect(InetSocketAddress address, long deviceId, long electionId)
      throws InterruptedException {
    P4RuntimeSwitch device = new P4RuntimeSwitch(address, deviceId, electionId);
    String reason;
    try {
      device.primary.get(CALL_SECONDS, TimeUnit.SECONDS);
      return device;
    } catch (ExecutionException e) {
      reason = e.getCause().getMessage();
    } catch (TimeoutException e) {
      reason = "the switch has not made this agent primary within " + CALL_SECONDS + " s";
    } catch (InterruptedException e) {
      device.close();
      throw e;
    }
    device.close();
    throw new SwitchException(reason, null);
  }

  private void claim() {
    requests.onNext(
        StreamMessageRequest.newBuilder()
            .setArbitration(
                MasterArbitrationUpdate.newBuilder()
                    .setDeviceId(deviceId)
                    .setRole(Role.newBuilder().setName(GateCodec.ROLE))
                    .setElectionId(id()))
            .build());
  }

  private Uint128 id() {
    return Uint128.newBuilder().setLow(electionId).build();
  }

  /**
   * The program that the switch runs.
   *
   * @throws SwitchException if it is none that this agent knows
   */
  SwitchPipeline running() {
    List<SwitchPipeline> known = List.of(V1ModelPipeline.load(), V1ModelPipeline.withAggregates());
    long cookie;
    try {
      cookie =
          P4RuntimeGrpc.newBlockingStub(channel)
              .withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)
              .getForwardingPipelineConfig(
                  GetForwardingPipelineConfigRequest.newBuilder()
                      .setDeviceId(deviceId)
                      .setResponseType(GetForwardingPipelineConfigRequest.ResponseType.COOKIE_ONLY)
                      .build())
              .getConfig()
              .getCookie()
              .getCookie();
    } catch (StatusRuntimeException e) {
      throw new SwitchException("cannot ask for the program: " + text(e), e);
    }
    return known.stream()
        .filter(program -> program.cookie() == cookie)
        .findAny()
        .orElseThrow(
            () ->
                new SwitchException(
                    "the switch does not run "
                        + known.stream()
                            .map(SwitchPipeline::name)
                            .collect(Collectors.joining(" or ")),
                    null));
  }

  @Override
  public List<Entity> read(List<Entity> wanted) {
    List<Entity> found = new ArrayList<>();
    try {
      P4RuntimeGrpc.newBlockingStub(channel)
          .withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)
          .read(
              ReadRequest.newBuilder()
                  .setDeviceId(deviceId)
                  .setRole(GateCodec.ROLE)
                  .addAllEntities(wanted)
                  .build())
          .forEachRemaining(answer -> found.addAll(answer.getEntitiesList()));
      return found;
    } catch (StatusRuntimeException e) {
      throw new SwitchException("cannot read: " + text(e), e);
    }
  }

  @Override
  public void write(List<Update> updates) {
    try {
      P4RuntimeGrpc.newBlockingStub(channel)
          .withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)
          .write(
              WriteRequest.newBuilder()
                  .setDeviceId(deviceId)
                  .setRole(GateCodec.ROLE)
                  .setElectionId(id())
                  .addAllUpdates(updates)
                  .build());
    } catch (StatusRuntimeException e) {
      throw new SwitchException("cannot write: " + text(e), e);
    }
  }

  /** The reason, for people: not the stack that gRPC puts into a status. */
  private static String text(Throwable failure) {
    Status status = Status.fromThrowable(failure);
    Throwable cause = status.getCause();
    String detail = cause == null ? status.getDescription() : cause.getMessage();
    return status.getCode() + (detail == null ? "" : ", " + detail);
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }

  private final class Stream implements StreamObserver<StreamMessageResponse> {
    @Override
    public void onNext(StreamMessageResponse message) {
      if (!message.hasArbitration()) {
        return;
      }
      long highest = message.getArbitration().getElectionId().getLow();
      int code = message.getArbitration().getStatus().getCode();
      if (code == Status.Code.OK.value()) {
        primary.complete(null);
      } else if (code == Status.Code.NOT_FOUND.value() && !primary.isDone()) {
        electionId = highest + 1;
        claim();
      } else {
        fail(
            "another agent is primary, with election id "
                + Long.toUnsignedString(highest)
                + "; this one has "
                + Long.toUnsignedString(electionId));
      }
    }

    @Override
    public void onError(Throwable failure) {
      fail("the switch is not reached: " + text(failure));
    }

    @Override
    public void onCompleted() {
      fail("the switch has ended its stream");
    }

    private void fail(String reason) {
      primary.completeExceptionally(new SwitchException(reason, null));
    }
  }
}
