package net.sluice.emulator.server.gnmi;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.gnmi.wire.CapabilityRequest;
import net.sluice.gnmi.wire.CapabilityResponse;
import net.sluice.gnmi.wire.GetRequest;
import net.sluice.gnmi.wire.GetResponse;
import net.sluice.gnmi.wire.SetRequest;
import net.sluice.gnmi.wire.SetResponse;
import net.sluice.gnmi.wire.SubscribeRequest;
import net.sluice.gnmi.wire.SubscribeResponse;
import net.sluice.gnmi.wire.gNMIGrpc;

/** gNMI's four calls, each inside the simulation. */
final class GnmiService extends gNMIGrpc.gNMIImplBase {

  private final Simulation simulation;
  private final GnmiClock clock;
  private final Runnable afterSet;
  private final SwitchTree tree;
  private final GnmiAnswers answers;
  private final Set<SubscribeSession> sessions = new LinkedHashSet<>();
  private boolean setting;

  /**
   * @param names of the ports that have one beside their number
   * @param afterSet told after each Set that changed something, outside the simulation
   */
  GnmiService(
      Simulation simulation,
      SwitchNode node,
      Map<Integer, String> names,
      GnmiClock clock,
      Runnable afterSet) {
    this.simulation = simulation;
    this.clock = clock;
    this.afterSet = afterSet;
    this.tree = simulation.query(() -> new SwitchTree(node, names, clock.epochNanos()));
    this.answers = new GnmiAnswers(tree, clock);
    simulation.execute(
        () ->
            node.setPortListener(
                port -> {
                  tree.portChanged(port, clock.epochNanos());
                  changed();
                }));
  }

  @Override
  public void capabilities(
      CapabilityRequest request, StreamObserver<CapabilityResponse> responses) {
    answer(
        responses,
        () -> {
          GnmiAnswers.checkExtensions(request.getExtensionList());
          return answers.capabilities();
        });
  }

  @Override
  public void get(GetRequest request, StreamObserver<GetResponse> responses) {
    answer(responses, () -> answers.get(request));
  }

  @Override
  public void set(SetRequest request, StreamObserver<SetResponse> responses) {
    answer(
        responses,
        () -> {
          setting = true;
          try {
            return answers.set(request);
          } finally {
            setting = false;
            changed();
          }
        });
    afterSet.run();
  }

  @Override
  public StreamObserver<SubscribeRequest> subscribe(StreamObserver<SubscribeResponse> responses) {
    ServerCallStreamObserver<SubscribeResponse> call =
        (ServerCallStreamObserver<SubscribeResponse>) responses;
    SubscribeSession session = open(outlet(call));
    call.setOnReadyHandler(() -> simulation.execute(session::onReady));
    call.setOnCancelHandler(() -> simulation.execute(session::end));
    return new StreamObserver<>() {
      @Override
      public void onNext(SubscribeRequest request) {
        simulation.execute(() -> session.onRequest(request));
      }

      @Override
      public void onError(Throwable gone) {
        simulation.execute(session::end);
      }

      @Override
      public void onCompleted() {
        simulation.execute(session::onRequestsEnd);
      }
    };
  }

  /** Begins a Subscribe call whose answers go to an outlet. */
  SubscribeSession open(SubscribeSession.Outlet outlet) {
    SubscribeSession[] self = new SubscribeSession[1];
    self[0] = new SubscribeSession(tree, clock, outlet, () -> sessions.remove(self[0]));
    simulation.execute(() -> sessions.add(self[0]));
    return self[0];
  }

  private static SubscribeSession.Outlet outlet(ServerCallStreamObserver<SubscribeResponse> call) {
    return new SubscribeSession.Outlet() {
      @Override
      public boolean isReady() {
        return call.isReady();
      }

      @Override
      public void send(SubscribeResponse response) {
        if (!call.isCancelled()) {
          call.onNext(response);
        }
      }

      @Override
      public void complete() {
        if (!call.isCancelled()) {
          call.onCompleted();
        }
      }

      @Override
      public void fail(GnmiException refusal) {
        if (!call.isCancelled()) {
          call.onError(refusal.status().asRuntimeException());
        }
      }
    };
  }

  /** Ends all subscriptions without a word. */
  void close() {
    simulation.execute(() -> List.copyOf(sessions).forEach(SubscribeSession::end));
  }

  /** Subscriptions under way. */
  int subscriptions() {
    return simulation.query(sessions::size);
  }

  /** A Set changes several things, of which clients hear together. */
  private void changed() {
    if (!setting) {
      List.copyOf(sessions).forEach(SubscribeSession::onChange);
    }
  }

  private interface Call<T> {
    T answer() throws GnmiException;
  }

  private <T> void answer(StreamObserver<T> responses, Call<T> call) {
    simulation.lock().lock();
    T answer;
    try {
      answer = call.answer();
    } catch (GnmiException refusal) {
      responses.onError(refusal.status().asRuntimeException());
      return;
    } finally {
      simulation.lock().unlock();
    }
    responses.onNext(answer);
    responses.onCompleted();
  }
}
