package net.sluice.emulator.server.gnmi;

import com.google.protobuf.Message;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import net.sluice.emulator.netsim.LineClock;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.netsim.SwitchPort;
import net.sluice.emulator.netsim.TestDevice;
import net.sluice.gnmi.GnmiPaths;
import net.sluice.gnmi.GnmiValues;
import net.sluice.gnmi.wire.Encoding;
import net.sluice.gnmi.wire.GetRequest;
import net.sluice.gnmi.wire.GetResponse;
import net.sluice.gnmi.wire.Notification;
import net.sluice.gnmi.wire.SetRequest;
import net.sluice.gnmi.wire.SetResponse;
import net.sluice.gnmi.wire.SubscribeResponse;
import net.sluice.gnmi.wire.TypedValue;
import net.sluice.gnmi.wire.Update;

/**
 * A switch with three ports in virtual time, asked without a network: "eth1" (port 1, 1 Gbit/s),
 * "eth2" (2, 100 Mbit/s) and "3" (3, 20 Mbit/s, no name of its own). Frames go to port 1 unless a
 * test says otherwise.
 */
final class Target {

  static final long EPOCH = 1_700_000_000_000_000_000L;

  final Simulation simulation = new Simulation(1);
  final TestDevice device = new TestDevice();
  final SwitchNode node = new SwitchNode(simulation, device);
  final SwitchPort one = node.addPort(1, 1_000_000_000, 100_000);
  final SwitchPort two = node.addPort(2, 100_000_000, 100_000);
  final SwitchPort three = node.addPort(3, 20_000_000, 100_000);
  final GnmiClock clock = GnmiClock.virtual(simulation, EPOCH);
  int sets;
  final GnmiService service;

  Target() {
    service = new GnmiService(simulation, node, Map.of(1, "eth1", 2, "eth2"), clock, () -> sets++);
  }

  /** Keeps one answer or the refusal. */
  static final class Answer<T> implements StreamObserver<T> {
    T value;
    Status status;

    @Override
    public void onNext(T answer) {
      value = answer;
    }

    @Override
    public void onError(Throwable refused) {
      status = Status.fromThrowable(refused);
    }

    @Override
    public void onCompleted() {
      status = Status.OK;
    }
  }

  static <Q extends Message, T extends Message> Answer<T> call(
      BiConsumer<Q, StreamObserver<T>> method, Q request) {
    Answer<T> answer = new Answer<>();
    method.accept(request, answer);
    return answer;
  }

  /** "OK", or code and text of the refusal. */
  static String outcome(Status status) {
    return status.isOk() ? "OK" : status.getCode() + ": " + status.getDescription();
  }

  GetResponse get(GetRequest.DataType type, Encoding encoding, String... paths) {
    GetRequest.Builder request = GetRequest.newBuilder().setType(type).setEncoding(encoding);
    for (String path : paths) {
      request.addPath(GnmiPaths.parse(path));
    }
    Answer<GetResponse> answer = call(service::get, request.build());
    if (!answer.status.isOk()) {
      throw new AssertionError(outcome(answer.status));
    }
    return answer.value;
  }

  /** Every value at a path, a line each. */
  String text(GetRequest.DataType type, String path) {
    return get(type, Encoding.PROTO, path).getNotificationList().stream()
        .map(Target::text)
        .collect(Collectors.joining("\n"));
  }

  /** The JSON at a path that names one node. */
  String json(GetRequest.DataType type, Encoding encoding, String path) {
    List<String> found = new ArrayList<>();
    for (Notification notification : get(type, encoding, path).getNotificationList()) {
      for (Update update : notification.getUpdateList()) {
        found.add(((GnmiValues.Json) GnmiValues.toJava(update.getVal())).text());
      }
    }
    return String.join("\n", found);
  }

  Object value(String path) {
    return GnmiValues.toJava(
        get(GetRequest.DataType.ALL, Encoding.PROTO, path)
            .getNotification(0)
            .getUpdate(0)
            .getVal());
  }

  String set(SetRequest request) {
    Answer<SetResponse> answer = call(service::set, request);
    return outcome(answer.status);
  }

  String update(String path, TypedValue value) {
    return set(SetRequest.newBuilder().addUpdate(edit(path, value)).build());
  }

  String update(String path, String json) {
    return update(path, GnmiValues.of(new GnmiValues.Json(json, true)));
  }

  String replace(String path, String json) {
    return set(
        SetRequest.newBuilder()
            .addReplace(edit(path, GnmiValues.of(new GnmiValues.Json(json, true))))
            .build());
  }

  String delete(String path) {
    return set(SetRequest.newBuilder().addDelete(GnmiPaths.parse(path)).build());
  }

  static Update edit(String path, TypedValue value) {
    return Update.newBuilder().setPath(GnmiPaths.parse(path)).setVal(value).build();
  }

  static String text(Notification notification) {
    List<String> lines = new ArrayList<>();
    for (Update update : notification.getUpdateList()) {
      Object value = GnmiValues.toJava(update.getVal());
      lines.add(
          GnmiPaths.print(update.getPath())
              + " = "
              + (value instanceof GnmiValues.Json json ? json.text() : value)
              + (update.getDuplicates() == 0 ? "" : " (" + update.getDuplicates() + " missed)"));
    }
    notification.getDeleteList().forEach(path -> lines.add(GnmiPaths.print(path) + " deleted"));
    return String.join("\n", lines);
  }

  /** A client of a Subscribe call that reads when it is told to. */
  final class Client implements SubscribeSession.Outlet {
    final List<String> heard = new ArrayList<>();
    final List<TypedValue> values = new ArrayList<>();
    boolean reads = true;
    final SubscribeSession session = service.open(this);

    @Override
    public boolean isReady() {
      return reads;
    }

    @Override
    public void send(SubscribeResponse response) {
      if (response.getSyncResponse()) {
        heard.add("sync");
        return;
      }
      Notification update = response.getUpdate();
      update.getUpdateList().forEach(each -> values.add(each.getVal()));
      long millis = (update.getTimestamp() - EPOCH) / 1_000_000;
      text(update).lines().forEach(line -> heard.add(millis + " ms " + line));
    }

    @Override
    public void complete() {
      heard.add("complete");
    }

    @Override
    public void fail(GnmiException refusal) {
      heard.add(outcome(refusal.status()));
    }

    /** The messages that came since the last call. */
    List<String> news() {
      List<String> news = List.copyOf(heard);
      heard.clear();
      return news;
    }
  }

  /** Frames of some bytes arrive at port 2 and go to port 1, at a time. */
  void inject(long atNanos, int bytes, long tag) {
    simulation.schedule(atNanos, (now, a) -> two.receive(new byte[bytes], 0, bytes, tag, now), 0);
  }

  /** A port that nothing limits, for tests that need one. */
  static final long UNLIMITED = LineClock.UNLIMITED_BPS;
}
