package net.sluice.endpoints;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import p4.v1.P4RuntimeGrpc;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.GetForwardingPipelineConfigRequest;
import p4.v1.P4RuntimeOuterClass.GetForwardingPipelineConfigResponse;
import p4.v1.P4RuntimeOuterClass.MasterArbitrationUpdate;
import p4.v1.P4RuntimeOuterClass.ReadRequest;
import p4.v1.P4RuntimeOuterClass.ReadResponse;
import p4.v1.P4RuntimeOuterClass.SetForwardingPipelineConfigRequest;
import p4.v1.P4RuntimeOuterClass.SetForwardingPipelineConfigResponse;
import p4.v1.P4RuntimeOuterClass.StreamMessageRequest;
import p4.v1.P4RuntimeOuterClass.StreamMessageResponse;
import p4.v1.P4RuntimeOuterClass.Uint128;
import p4.v1.P4RuntimeOuterClass.WriteRequest;
import p4.v1.P4RuntimeOuterClass.WriteResponse;

/** A P4Runtime server that makes whoever connects primary, and answers as a test says. */
final class FakeP4RuntimeServer extends P4RuntimeGrpc.P4RuntimeImplBase {
  final BlockingQueue<Object> requests = new LinkedBlockingQueue<>();
  volatile long cookie;
  volatile Status configStatus = Status.OK;
  volatile Status arbitration = Status.OK;

  /** Whoever claims less is not made primary. */
  volatile long highestElectionId = 99;

  volatile boolean silent;
  volatile boolean endless;
  volatile Throwable writeFailure;
  volatile List<ReadResponse> answers = List.of();
  volatile StreamObserver<StreamMessageResponse> stream;

  /** A server with a program of that cookie. */
  FakeP4RuntimeServer(long cookie) {
    this.cookie = cookie;
  }

  @Override
  public StreamObserver<StreamMessageRequest> streamChannel(
      StreamObserver<StreamMessageResponse> responses) {
    return new StreamObserver<>() {
      @Override
      public void onNext(StreamMessageRequest request) {
        if (request.getArbitration().hasRole()) {
          // Who wants to hear of the agent that moves gates: this switch knows no roles.
          responses.onError(Status.UNIMPLEMENTED.asRuntimeException());
          return;
        }
        stream = responses;
        requests.add(request);
        if (silent) {
          return;
        }
        long claimed = request.getArbitration().getElectionId().getLow();
        Status status =
            claimed >= highestElectionId || !arbitration.isOk() ? arbitration : Status.NOT_FOUND;
        highestElectionId = Math.max(highestElectionId, claimed);
        responses.onNext(
            StreamMessageResponse.newBuilder()
                .setArbitration(
                    MasterArbitrationUpdate.newBuilder()
                        .setDeviceId(7)
                        .setElectionId(Uint128.newBuilder().setLow(highestElectionId))
                        .setStatus(
                            com.google.rpc.Status.newBuilder().setCode(status.getCode().value())))
                .build());
      }

      @Override
      public void onError(Throwable failure) {
        requests.add(failure);
      }

      @Override
      public void onCompleted() {
        responses.onCompleted();
      }
    };
  }

  private <T> void answer(Object request, T answer, StreamObserver<T> responses) {
    requests.add(request);
    responses.onNext(answer);
    responses.onCompleted();
  }

  @Override
  public void getForwardingPipelineConfig(
      GetForwardingPipelineConfigRequest request,
      StreamObserver<GetForwardingPipelineConfigResponse> responses) {
    if (!configStatus.isOk()) {
      responses.onError(configStatus.asRuntimeException());
      return;
    }
    answer(
        request,
        GetForwardingPipelineConfigResponse.newBuilder()
            .setConfig(
                ForwardingPipelineConfig.newBuilder()
                    .setCookie(ForwardingPipelineConfig.Cookie.newBuilder().setCookie(cookie)))
            .build(),
        responses);
  }

  @Override
  public void setForwardingPipelineConfig(
      SetForwardingPipelineConfigRequest request,
      StreamObserver<SetForwardingPipelineConfigResponse> responses) {
    answer(request, SetForwardingPipelineConfigResponse.getDefaultInstance(), responses);
  }

  @Override
  public void write(WriteRequest request, StreamObserver<WriteResponse> responses) {
    if (writeFailure != null) {
      requests.add(request);
      responses.onError(writeFailure);
    } else {
      answer(request, WriteResponse.getDefaultInstance(), responses);
    }
  }

  @Override
  public void read(ReadRequest request, StreamObserver<ReadResponse> responses) {
    requests.add(request);
    answers.forEach(responses::onNext);
    if (!endless) {
      responses.onCompleted();
    }
  }
}
