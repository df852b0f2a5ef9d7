package net.sluice.core.ports;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.PortSummary;
import net.sluice.core.target.PortMonitor;
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
 * A session with a switch's gNMI server. It asks what the server can do and which interface is
 * which port, sets the ports' rates if that is wanted, then subscribes to their states as events
 * and to their counters as samples, one subscription a leaf, which is what Stratum takes. When the
 * session ends, for whatever reason, the states are unknown, and it is tried again, after a wait
 * that doubles.
 */
public final class GnmiPorts implements PortMonitor {
  private static final Logger LOG = LoggerFactory.getLogger(GnmiPorts.class);
  private static final long DEADLINE_SECONDS = 10;
  private static final Duration SAMPLE = Duration.ofSeconds(2);
  private static final String NUMBERS = "/interfaces/interface[name=*]/state/id";
  private static final String INDICES = "/interfaces/interface[name=*]/state/ifindex";
  private static final List<String> EVENTS =
      List.of("state/oper-status", "state/admin-status", "ethernet/state/port-speed");

  private final GnmiConnection.Access access;
  private final Topology topology;
  private final boolean setsPorts;
  private final Scheduler scheduler;
  private final Clock clock;
  private final Duration firstBackoff;
  private final Duration maxBackoff;
  private final PortTable table;

  private GnmiConnection connection;
  private SessionState state = SessionState.CONNECTING;
  private Optional<String> detail = Optional.of("not yet connected");
  private String lastReason = "";
  private boolean shapes;
  private int generation;
  private int failures;

  /**
   * A monitor that does nothing until {@link #start}; it closes its scheduler.
   *
   * @param access the way to the server
   * @param setsPorts whether ports are set to the topology's rates, by speed or by shaping
   * @param firstBackoff wait before the second attempt; doubles from there
   * @param maxBackoff longest wait
   */
  public GnmiPorts(
      GnmiConnection.Access access,
      Topology topology,
      boolean setsPorts,
      Scheduler scheduler,
      Clock clock,
      Duration firstBackoff,
      Duration maxBackoff) {
    this.access = access;
    this.topology = topology;
    this.setsPorts = setsPorts;
    this.scheduler = scheduler;
    this.clock = clock;
    this.firstBackoff = firstBackoff;
    this.maxBackoff = maxBackoff;
    this.table = new PortTable(topology, clock);
  }

  @Override
  public void start() {
    scheduler.execute(this::connect);
  }

  @Override
  public synchronized PortSummary ports() {
    return new PortSummary(state, detail, table.statuses());
  }

  @Override
  public void close() {
    synchronized (this) {
      state = SessionState.CLOSED;
      generation++;
      disconnect();
    }
    scheduler.close();
  }

  private void disconnect() {
    if (connection != null) {
      connection.channel().shutdownNow();
      connection = null;
    }
  }

  /** A call of the present session. */
  private <Q, A> ClientCall<Q, A> call(MethodDescriptor<Q, A> method, CallOptions options) {
    return connection.channel().newCall(method, options);
  }

  private <Q, A> void ask(MethodDescriptor<Q, A> method, Q request, StreamObserver<A> answer) {
    ClientCalls.asyncUnaryCall(
        call(method, CallOptions.DEFAULT.withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS)),
        request,
        answer);
  }

  private synchronized void connect() {
    if (state == SessionState.CLOSED) {
      return;
    }
    int session = ++generation;
    disconnect();
    try {
      connection = access.open();
    } catch (GnmiConnection.NotReady e) {
      down(session, e.getMessage());
      return;
    }
    ask(
        GnmiCalls.CAPABILITIES,
        CapabilityRequest.getDefaultInstance(),
        answer(session, "Capabilities", response -> capable(session, response)));
  }

  private synchronized void checkAgain(int session, Duration interval) {
    if (session != generation || state == SessionState.CLOSED) {
      return;
    }
    try {
      access.check(connection);
      scheduler.schedule(interval, () -> checkAgain(session, interval));
    } catch (GnmiConnection.NotReady e) {
      down(session, e.getMessage());
    }
  }

  private void capable(int session, CapabilityResponse capabilities) {
    if (!capabilities.getSupportedEncodingsList().contains(Encoding.PROTO)) {
      down(
          session,
          "the gNMI server has encodings "
              + capabilities.getSupportedEncodingsList()
              + "; PROTO is needed");
      return;
    }
    shapes =
        capabilities.getSupportedModelsList().stream()
            .anyMatch(model -> model.getName().equals("openconfig-qos"));
    askNames(session, NUMBERS);
  }

  private void askNames(int session, String path) {
    GetRequest request =
        GetRequest.newBuilder()
            .setType(GetRequest.DataType.STATE)
            .setEncoding(Encoding.PROTO)
            .addPath(GnmiPaths.parse(path))
            .build();
    ask(
        GnmiCalls.GET,
        request,
        answer(session, "Get " + path, response -> named(session, path, response)));
  }

  private void named(int session, String path, GetResponse response) {
    Map<Integer, String> names = new HashMap<>();
    for (Notification notification : response.getNotificationList()) {
      for (Update update : notification.getUpdateList()) {
        Path whole = GnmiPaths.join(notification.getPrefix(), update.getPath());
        name(whole).ifPresent(name -> number(update).ifPresent(n -> names.put(n, name)));
      }
    }
    if (names.isEmpty() && path.equals(NUMBERS)) {
      askNames(session, INDICES);
      return;
    }
    table.named(names);
    List<Topology.SwitchPort> missing =
        topology.ports().stream().filter(port -> !names.containsKey(port.number())).toList();
    detail =
        missing.isEmpty()
            ? Optional.empty()
            : Optional.of(
                "the switch has no interface for port "
                    + String.join(
                        ", ",
                        missing.stream().map(port -> Integer.toString(port.number())).toList()));
    set(session, setsPorts ? topology.ports() : List.of());
  }

  /** Gives the first of some ports its rate, then the rest theirs, then subscribes. */
  private void set(int session, List<Topology.SwitchPort> ports) {
    if (ports.isEmpty()) {
      subscribe(session);
      return;
    }
    Topology.SwitchPort port = ports.get(0);
    List<Topology.SwitchPort> rest = ports.subList(1, ports.size());
    Optional<String> name = table.name(port.number());
    if (name.isEmpty()) {
      set(session, rest);
      return;
    }
    Optional<SetRequest> request = GnmiPortSetting.of(name.get(), port.rateBps(), shapes);
    if (request.isEmpty()) {
      table.note(
          port.number(),
          "cannot be set to " + port.rateBps() + " bit/s: no speed has it, and nothing shapes");
      set(session, rest);
      return;
    }
    ask(
        GnmiCalls.SET,
        request.get(),
        new Answer<>(
            session,
            response -> {
              table.set(port.number(), port.rateBps());
              set(session, rest);
            },
            error -> {
              if (Status.fromThrowable(error).getCode() == Status.Code.UNAVAILABLE) {
                down(session, "Set: " + reason(error));
              } else {
                table.note(
                    port.number(), "was not set to " + port.rateBps() + " bit/s: " + reason(error));
                set(session, rest);
              }
            }));
  }

  private void subscribe(int session) {
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
      down(session, "the switch has none of the topology's ports");
      return;
    }
    ClientCalls.asyncBidiStreamingCall(
            call(GnmiCalls.SUBSCRIBE, CallOptions.DEFAULT), new Stream(session))
        .onNext(SubscribeRequest.newBuilder().setSubscribe(list).build());
    access
        .checkInterval()
        .ifPresent(interval -> scheduler.schedule(interval, () -> checkAgain(session, interval)));
  }

  private void heard(int session, SubscribeResponse response) {
    if (response.getSyncResponse()) {
      failures = 0;
      lastReason = "";
      state = SessionState.READY;
      LOG.info("ports: gNMI session with {}:{} stands", connection.host(), connection.port());
      return;
    }
    Notification notification = response.getUpdate();
    for (Update update : notification.getUpdateList()) {
      Path whole = GnmiPaths.join(notification.getPrefix(), update.getPath());
      try {
        table.heard(whole, GnmiValues.toJava(update.getVal()), notification.getTimestamp());
      } catch (IllegalArgumentException e) {
        down(session, GnmiPaths.print(whole) + ": " + e.getMessage());
        return;
      }
    }
  }

  /** The session has ended or could not be begun. */
  private synchronized void down(int session, String reason) {
    if (session != generation || state == SessionState.CLOSED) {
      return;
    }
    generation++;
    disconnect();
    state = SessionState.CONNECTING;
    table.forget();
    Duration doubled = firstBackoff.multipliedBy(1L << Math.min(failures++, 30));
    Duration wait = doubled.compareTo(maxBackoff) > 0 ? maxBackoff : doubled;
    detail = Optional.of(reason + "; next attempt at " + clock.instant().plus(wait));
    if (reason.equals(lastReason)) {
      LOG.debug("ports: no gNMI session: {}; next attempt in {}", reason, wait);
    } else {
      LOG.warn("ports: no gNMI session: {}; next attempt in {}", reason, wait);
    }
    lastReason = reason;
    scheduler.schedule(wait, this::connect);
  }

  private <T> StreamObserver<T> answer(int session, String call, Consumer<T> then) {
    return new Answer<>(session, then, error -> down(session, call + ": " + reason(error)));
  }

  private static String reason(Throwable error) {
    Status status = Status.fromThrowable(error);
    String code = status.getCode().name();
    return status.getDescription() == null ? code : code + ": " + status.getDescription();
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

  /** An answer or its absence, of a session that still is the present one. */
  private final class Answer<T> implements StreamObserver<T> {
    private final int session;
    private final Consumer<T> then;
    private final Consumer<Throwable> otherwise;
    private final List<T> answers = new ArrayList<>();

    Answer(int session, Consumer<T> then, Consumer<Throwable> otherwise) {
      this.session = session;
      this.then = then;
      this.otherwise = otherwise;
    }

    @Override
    public void onNext(T answer) {
      answers.add(answer);
    }

    @Override
    public void onError(Throwable error) {
      guarded(session, () -> otherwise.accept(error));
    }

    @Override
    public void onCompleted() {
      guarded(session, () -> then.accept(answers.get(0)));
    }
  }

  private final class Stream implements StreamObserver<SubscribeResponse> {
    private final int session;

    Stream(int session) {
      this.session = session;
    }

    @Override
    public void onNext(SubscribeResponse response) {
      guarded(session, () -> heard(session, response));
    }

    @Override
    public void onError(Throwable error) {
      guarded(session, () -> down(session, "Subscribe: " + reason(error)));
    }

    @Override
    public void onCompleted() {
      guarded(session, () -> down(session, "Subscribe: the switch ended it"));
    }
  }

  /** Does something unless it comes from a session of before; what fails ends the session. */
  private synchronized void guarded(int session, Runnable action) {
    if (session != generation || state == SessionState.CLOSED) {
      return;
    }
    try {
      action.run();
    } catch (RuntimeException e) {
      LOG.warn("ports: an answer that was not understood", e);
      down(session, "an answer that was not understood: " + e);
    }
  }
}
