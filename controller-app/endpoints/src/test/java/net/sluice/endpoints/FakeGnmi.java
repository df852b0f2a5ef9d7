package net.sluice.endpoints;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import net.sluice.gnmi.GnmiPaths;
import net.sluice.gnmi.wire.CapabilityRequest;
import net.sluice.gnmi.wire.CapabilityResponse;
import net.sluice.gnmi.wire.Encoding;
import net.sluice.gnmi.wire.GetRequest;
import net.sluice.gnmi.wire.GetResponse;
import net.sluice.gnmi.wire.ModelData;
import net.sluice.gnmi.wire.Notification;
import net.sluice.gnmi.wire.SetRequest;
import net.sluice.gnmi.wire.SetResponse;
import net.sluice.gnmi.wire.SubscribeRequest;
import net.sluice.gnmi.wire.SubscribeResponse;
import net.sluice.gnmi.wire.SubscriptionList;
import net.sluice.gnmi.wire.TypedValue;
import net.sluice.gnmi.wire.Update;
import net.sluice.gnmi.wire.gNMIGrpc;
import net.sluice.testing.Patience;

/** A gNMI server that says what a test tells it to, faults included. */
final class FakeGnmi extends gNMIGrpc.gNMIImplBase {
  volatile Encoding encoding = Encoding.PROTO;
  volatile boolean qos = true;
  volatile boolean onlyIndices;
  volatile int failCapabilities;
  volatile Status setStatus = Status.OK;
  final List<SetRequest> sets = new ArrayList<>();
  private final BlockingQueue<Call> calls = new LinkedBlockingQueue<>();

  /** A subscription under way. */
  record Call(SubscriptionList list, StreamObserver<SubscribeResponse> client) {
    void say(String path, TypedValue value, long epochNanos) {
      client.onNext(
          SubscribeResponse.newBuilder()
              .setUpdate(
                  Notification.newBuilder()
                      .setTimestamp(epochNanos)
                      .addUpdate(Update.newBuilder().setPath(GnmiPaths.parse(path)).setVal(value)))
              .build());
    }

    void sync() {
      client.onNext(SubscribeResponse.newBuilder().setSyncResponse(true).build());
    }
  }

  /** The next subscription that comes. */
  Call next() {
    return Patience.next(calls);
  }

  @Override
  public void capabilities(
      CapabilityRequest request, StreamObserver<CapabilityResponse> responses) {
    if (failCapabilities > 0) {
      failCapabilities--;
      responses.onError(Status.UNAVAILABLE.withDescription("starting").asRuntimeException());
      return;
    }
    CapabilityResponse.Builder answer =
        CapabilityResponse.newBuilder().addSupportedEncodings(encoding);
    if (qos) {
      answer.addSupportedModels(ModelData.newBuilder().setName("openconfig-qos"));
    }
    responses.onNext(answer.build());
    responses.onCompleted();
  }

  @Override
  public void get(GetRequest request, StreamObserver<GetResponse> responses) {
    String leaf = GnmiPaths.print(request.getPath(0));
    GetResponse.Builder answer = GetResponse.newBuilder();
    if (!onlyIndices || leaf.endsWith("/ifindex")) {
      Notification.Builder notification = Notification.newBuilder();
      for (int port = 1; port <= 4; port++) {
        notification.addUpdate(
            Update.newBuilder()
                .setPath(GnmiPaths.parse(leaf.replace("*", "eth" + port)))
                .setVal(TypedValue.newBuilder().setUintVal(port)));
      }
      answer.addNotification(notification);
    }
    responses.onNext(answer.build());
    responses.onCompleted();
  }

  @Override
  public void set(SetRequest request, StreamObserver<SetResponse> responses) {
    synchronized (sets) {
      sets.add(request);
    }
    if (!setStatus.isOk()) {
      responses.onError(setStatus.asRuntimeException());
      return;
    }
    responses.onNext(SetResponse.getDefaultInstance());
    responses.onCompleted();
  }

  @Override
  public StreamObserver<SubscribeRequest> subscribe(StreamObserver<SubscribeResponse> client) {
    return new StreamObserver<>() {
      @Override
      public void onNext(SubscribeRequest request) {
        calls.add(new Call(request.getSubscribe(), client));
      }

      @Override
      public void onError(Throwable gone) {
        // The client ended its session.
      }

      @Override
      public void onCompleted() {
        client.onCompleted();
      }
    };
  }
}
