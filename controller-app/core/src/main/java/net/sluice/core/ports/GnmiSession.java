package net.sluice.core.ports;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import net.sluice.core.target.NotReadyException;
import net.sluice.core.target.ProbedSession;
import net.sluice.core.target.RpcErrors;
import net.sluice.core.time.Scheduler;
import net.sluice.gnmi.GnmiCalls;
import net.sluice.gnmi.GnmiPaths;
import net.sluice.gnmi.GnmiValues;
import net.sluice.gnmi.wire.CapabilityRequest;
import net.sluice.gnmi.wire.CapabilityResponse;
import net.sluice.gnmi.wire.Encoding;
import net.sluice.gnmi.wire.GetRequest;
import net.sluice.gnmi.wire.GetResponse;
import net.sluice.gnmi.wire.Notification;
import net.sluice.gnmi.wire.Path;
import net.sluice.gnmi.wire.PathElem;
import net.sluice.gnmi.wire.SetRequest;
import net.sluice.gnmi.wire.SubscribeRequest;
import net.sluice.gnmi.wire.SubscribeResponse;
import net.sluice.gnmi.wire.Subscription;
import net.sluice.gnmi.wire.SubscriptionList;
import net.sluice.gnmi.wire.SubscriptionMode;
import net.sluice.gnmi.wire.Update;
import net.sluice.intents.profile.Topology;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session with a switch's gNMI server: asks what it can do and which interface is which port,
 * sets the ports' rates if that is wanted, then subscribes to their states as events and to their
 * counters as samples, one subscription a leaf, which is what Stratum takes. Whatever it hears it
 * notes in the table, under the lock of {@code ports}.
 */
final class GnmiSession extends ProbedSession {
  private static final Logger LOG = LoggerFactory.getLogger(GnmiSession.class);
  private static final long DEADLINE_SECONDS = 10;
  private static final Duration SAMPLE = Duration.ofSeconds(2);
  private static final String NUMBERS = "/interfaces/interface[name=*]/state/id";
  private static final String INDICES = "/interfaces/interface[name=*]/state/ifindex";
  private static final List<String> EVENTS =
      List.of("state/oper-status", "state/admin-status", "ethernet/state/port-speed");

  private final GnmiConnection.Access access;
  private final GnmiConnection connection;
  private final Topology topology;
  private final boolean setsPorts;
  private final PortTable table;
  private final Object lock;
  private final Runnable named;
  private boolean shapes;

  /**
   * A session not begun yet.
   *
   * @param lock guards the table; held whenever something is told
   * @param named told when the names of the ports are in the table
   * @throws NotReadyException if there is to be none now
   */
  GnmiSession(
      GnmiConnection.Access access,
      Topology topology,
      boolean setsPorts,
      PortTable table,
      Object lock,
      Runnable named,
      Scheduler scheduler)
      throws NotReadyException {
    super(scheduler, access.checkInterval().orElse(Duration.ZERO));
    this.access = access;
    this.topology = topology;
    this.setsPorts = setsPorts;
    this.table = table;
    this.lock = lock;
    this.named = named;
    this.connection = access.open();
  }

  /** Host and port of the server. */
  String server() {
    return connection.host() + ":" + connection.port();
  }

  @Override
  protected void begin() {
    ask(
        GnmiCalls.CAPABILITIES,
        CapabilityRequest.getDefaultInstance(),
        answer("Capabilities", this::capable));
  }

  /** Whether the session is to stand is known on this side. */
  @Override
  protected void probe() {
    try {
      access.check(connection);
      alive();
    } catch (NotReadyException e) {
      fail(e.getMessage());
    }
  }

  @Override
  protected void release() {
    connection.channel().shutdownNow();
  }

  private <Q, A> ClientCall<Q, A> call(MethodDescriptor<Q, A> method, CallOptions options) {
    return connection.channel().newCall(method, options);
  }

  private <Q, A> void ask(MethodDescriptor<Q, A> method, Q request, StreamObserver<A> answer) {
    ClientCalls.asyncUnaryCall(
        call(method, CallOptions.DEFAULT.withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS)),
        request,
        answer);
  }

  private void capable(CapabilityResponse capabilities) {
    if (!capabilities.getSupportedEncodingsList().contains(Encoding.PROTO)) {
      fail(
          "the gNMI server has encodings "
              + capabilities.getSupportedEncodingsList()
              + "; PROTO is needed");
      return;
    }
    shapes =
        capabilities.getSupportedModelsList().stream()
            .anyMatch(model -> model.getName().equals("openconfig-qos"));
    askNames(NUMBERS);
  }

  private void askNames(String path) {
    GetRequest request =
        GetRequest.newBuilder()
            .setType(GetRequest.DataType.STATE)
            .setEncoding(Encoding.PROTO)
            .addPath(GnmiPaths.parse(path))
            .build();
    ask(GnmiCalls.GET, request, answer("Get " + path, response -> named(path, response)));
  }

  private void named(String path, GetResponse response) {
    Map<Integer, String> names = new HashMap<>();
    for (Notification notification : response.getNotificationList()) {
      for (Update update : notification.getUpdateList()) {
        Path whole = GnmiPaths.join(notification.getPrefix(), update.getPath());
        name(whole).ifPresent(name -> number(update).ifPresent(n -> names.put(n, name)));
      }
    }
    if (names.isEmpty() && path.equals(NUMBERS)) {
      askNames(INDICES);
      return;
    }
    table.named(names);
    named.run();
    set(setsPorts ? topology.ports() : List.of());
  }

  /** Gives the first of some ports its rate, then the rest theirs, then subscribes. */
  private void set(List<Topology.SwitchPort> ports) {
    if (ports.isEmpty()) {
      subscribe();
      return;
    }
    Topology.SwitchPort port = ports.get(0);
    List<Topology.SwitchPort> rest = ports.subList(1, ports.size());
    Optional<String> name = table.name(port.number());
    if (name.isEmpty()) {
      set(rest);
      return;
    }
    Optional<SetRequest> request = GnmiPortSetting.of(name.get(), port.rateBps(), shapes);
    if (request.isEmpty()) {
      table.note(
          port.number(),
          "cannot be set to " + port.rateBps() + " bit/s: no speed has it, and nothing shapes");
      set(rest);
      return;
    }
    ask(
        GnmiCalls.SET,
        request.get(),
        new Answer<>(
            response -> {
              table.set(port.number(), port.rateBps());
              set(rest);
            },
            error -> {
              if (Status.fromThrowable(error).getCode() == Status.Code.UNAVAILABLE) {
                fail("Set: " + RpcErrors.text(error));
              } else {
                table.note(
                    port.number(),
                    "was not set to " + port.rateBps() + " bit/s: " + RpcErrors.text(error));
                set(rest);
              }
            }));
  }

  private void subscribe() {
    SubscriptionList.Builder list =
        SubscriptionList.newBuilder()
            .setMode(SubscriptionList.Mode.STREAM)
            .setEncoding(Encoding.PROTO);
    for (String name : table.names()) {
      Path below =
          Path.newBuilder()
              .addElem(PathElem.newBuilder().setName("interfaces"))
              .addElem(PathElem.newBuilder().setName("interface").putKey("name", name))
              .build();
      for (String event : EVENTS) {
        list.addSubscription(
            Subscription.newBuilder()
                .setPath(GnmiPaths.join(below, GnmiPaths.parse(event)))
                .setMode(SubscriptionMode.ON_CHANGE));
      }
      for (String counter : PortTable.COUNTERS) {
        list.addSubscription(
            Subscription.newBuilder()
                .setPath(GnmiPaths.join(below, GnmiPaths.parse("state/counters/" + counter)))
                .setMode(SubscriptionMode.SAMPLE)
                .setSampleInterval(SAMPLE.toNanos()));
      }
    }
    if (list.getSubscriptionCount() == 0) {
      fail("the switch has none of the topology's ports");
      return;
    }
    ClientCalls.asyncBidiStreamingCall(call(GnmiCalls.SUBSCRIBE, CallOptions.DEFAULT), new Stream())
        .onNext(SubscribeRequest.newBuilder().setSubscribe(list).build());
    if (access.checkInterval().isPresent()) {
      alive();
    }
  }

  private void heard(SubscribeResponse response) {
    if (response.getSyncResponse()) {
      up();
      return;
    }
    Notification notification = response.getUpdate();
    for (Update update : notification.getUpdateList()) {
      Path whole = GnmiPaths.join(notification.getPrefix(), update.getPath());
      try {
        table.heard(whole, GnmiValues.toJava(update.getVal()), notification.getTimestamp());
      } catch (IllegalArgumentException e) {
        fail(GnmiPaths.print(whole) + ": " + e.getMessage());
        return;
      }
    }
  }

  private <T> StreamObserver<T> answer(String call, Consumer<T> then) {
    return new Answer<>(then, error -> fail(call + ": " + RpcErrors.text(error)));
  }

  private static Optional<String> name(Path path) {
    return path.getElemCount() > 1
        ? Optional.ofNullable(path.getElem(1).getKeyMap().get("name"))
        : Optional.empty();
  }

  private static Optional<Integer> number(Update update) {
    Object value = GnmiValues.toJava(update.getVal());
    return value instanceof Long number && number >= 0 && number <= Topology.MAX_PORT
        ? Optional.of((int) (long) number)
        : Optional.empty();
  }

  /** An answer or its absence. */
  private final class Answer<T> implements StreamObserver<T> {
    private final Consumer<T> then;
    private final Consumer<Throwable> otherwise;
    private final List<T> answers = new ArrayList<>();

    Answer(Consumer<T> then, Consumer<Throwable> otherwise) {
      this.then = then;
      this.otherwise = otherwise;
    }

    @Override
    public void onNext(T answer) {
      answers.add(answer);
    }

    @Override
    public void onError(Throwable error) {
      guarded(() -> otherwise.accept(error));
    }

    @Override
    public void onCompleted() {
      guarded(() -> then.accept(answers.get(0)));
    }
  }

  private final class Stream implements StreamObserver<SubscribeResponse> {
    @Override
    public void onNext(SubscribeResponse response) {
      guarded(() -> heard(response));
    }

    @Override
    public void onError(Throwable error) {
      guarded(() -> fail("Subscribe: " + RpcErrors.text(error)));
    }

    @Override
    public void onCompleted() {
      guarded(() -> fail("Subscribe: the switch ended it"));
    }
  }

  /** Does something unless the session has ended; what fails ends it. */
  private void guarded(Runnable action) {
    synchronized (lock) {
      if (!isOpen()) {
        return;
      }
      try {
        action.run();
      } catch (RuntimeException e) {
        LOG.warn("ports: the gNMI server's answer was not understood", e);
        fail("an answer that was not understood: " + e);
      }
    }
  }
}
