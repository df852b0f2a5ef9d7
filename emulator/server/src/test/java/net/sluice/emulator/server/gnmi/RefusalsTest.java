package net.sluice.emulator.server.gnmi;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.StringJoiner;
import net.sluice.gnmi.GnmiPaths;
import net.sluice.gnmi.GnmiValues;
import net.sluice.gnmi.wire.Encoding;
import net.sluice.gnmi.wire.GetRequest;
import net.sluice.gnmi.wire.GetResponse;
import net.sluice.gnmi.wire.ModelData;
import net.sluice.gnmi.wire.Path;
import net.sluice.gnmi.wire.Poll;
import net.sluice.gnmi.wire.QOSMarking;
import net.sluice.gnmi.wire.SetRequest;
import net.sluice.gnmi.wire.SubscribeRequest;
import net.sluice.gnmi.wire.Subscription;
import net.sluice.gnmi.wire.SubscriptionList;
import net.sluice.gnmi.wire.SubscriptionMode;
import net.sluice.gnmi.wire.TypedValue;
import net.sluice.gnmi.wire.Update;
import net.sluice.gnmi.wire.ext.Depth;
import net.sluice.gnmi.wire.ext.Extension;
import org.junit.jupiter.api.Test;

/** Refusals and their words, which the golden file has. */
class RefusalsTest {

  private final Target target = new Target();
  private final StringJoiner found = new StringJoiner("\n", "", "\n");

  private void get(String what, GetRequest.Builder request) {
    Target.Answer<GetResponse> answer = Target.call(target.service::get, request.build());
    found.add("get " + what).add("  " + Target.outcome(answer.status));
  }

  private void get(String path) {
    get(path, GetRequest.newBuilder().setEncoding(Encoding.PROTO).addPath(GnmiPaths.parse(path)));
  }

  private void set(String what, SetRequest.Builder request) {
    found.add("set " + what).add("  " + target.set(request.build()));
  }

  private void update(String path, String json) {
    found.add("update " + path + " " + json).add("  " + target.update(path, json));
  }

  private void subscribe(String what, SubscribeRequest.Builder... requests) {
    Target.Client client = target.new Client();
    for (SubscribeRequest.Builder request : requests) {
      target.simulation.execute(() -> client.session.onRequest(request.build()));
    }
    List<String> news = client.news();
    found.add("subscribe " + what).add("  " + news.get(news.size() - 1));
  }

  private static SubscribeRequest.Builder stream(Subscription.Builder subscription) {
    return SubscribeRequest.newBuilder()
        .setSubscribe(
            SubscriptionList.newBuilder()
                .setEncoding(Encoding.PROTO)
                .addSubscription(subscription));
  }

  private static Subscription.Builder on(String path, SubscriptionMode mode) {
    return Subscription.newBuilder().setPath(GnmiPaths.parse(path)).setMode(mode);
  }

  private static SubscribeRequest.Builder poll() {
    return SubscribeRequest.newBuilder().setPoll(Poll.getDefaultInstance());
  }

  @Test
  void everyRefusalNamesThePlaceAndWhatIsAllowed() throws IOException {
    get("/interface");
    get("/interfaces/interface[name=eth1]/state/speed");
    get("/interfaces/interface[name=eth1]/state/name/x");
    get("/interfaces/interface[id=1]");
    get("/interfaces[name=x]");
    get("/*/nothing");
    get("/interfaces/interface[name=eth9]");
    get("/interfaces/interface[name=3]/ethernet/config/port-speed");
    get("cli:/x");
    get("/openconfig-qos:interfaces");
    get("BYTES", GetRequest.newBuilder().setEncoding(Encoding.BYTES));
    get("an unknown type", GetRequest.newBuilder().setTypeValue(9).setEncoding(Encoding.PROTO));
    get(
        "a model",
        GetRequest.newBuilder().addUseModels(ModelData.newBuilder().setName("openconfig-bgp")));
    get(
        "an extension",
        GetRequest.newBuilder()
            .addExtension(Extension.newBuilder().setDepth(Depth.newBuilder().setLevel(1))));
    @SuppressWarnings("deprecation")
    Path old = Path.newBuilder().addElement("interfaces").build();
    get("a path of before", GetRequest.newBuilder().setEncoding(Encoding.PROTO).addPath(old));

    String enabled = "/interfaces/interface[name=eth1]/config/enabled";
    update(enabled, "\"yes\"");
    update(enabled, "1");
    update(enabled, "{\"a\":1}");
    update(enabled, "tru");
    update("/interfaces/interface[name=eth1]/config/name", "\"eth2\"");
    update("/interfaces/interface[name=eth1]/config/type", "\"iana-if-type:tunnel\"");
    update("/interfaces/interface[name=eth1]/config", "[]");
    update("/interfaces/interface[name=eth1]/config", "{\"mtu\":1500}");
    update("/interfaces/interface[name=eth1]", "{\"state\":{\"name\":\"eth1\"}}");
    update("/interfaces/interface[name=eth1]/state/name", "\"eth1\"");
    update("/interfaces/interface[name=eth9]/config/enabled", "true");
    update("/interfaces/interface[name=*]/config/enabled", "true");
    update("/interfaces/interface/config/enabled", "true");
    update("/interfaces", "{\"interface\":{\"name\":\"eth1\"}}");
    update("/interfaces", "{\"interface\":[{\"config\":{}}]}");
    update("/interfaces", "{\"interface\":[{\"name\":\"eth9\"}]}");
    update("/interfaces/interface[name=eth1]/ethernet/config/port-speed", "\"SPEED_UNKNOWN\"");
    update("/qos/interfaces/interface[name=eth1]/output/scheduler-policy/config/name", "\"p\"");
    String scheduler = "/qos/scheduler-policies/scheduler-policy[name=p]/schedulers/scheduler";
    update(scheduler + "[sequence=x]/config/priority", "\"STRICT\"");
    update(scheduler + "[sequence=1]/config/priority", "\"LOW\"");
    update(scheduler + "[sequence=1]/config/sequence", "2");
    update(scheduler + "[sequence=1]/inputs/input[id=a]/config/queue", "\"8\"");
    update(scheduler + "[sequence=1]/inputs/input[id=a]/config/weight", "\"0\"");
    update(scheduler + "[sequence=1]/one-rate-two-color/config/cir", "\"99999999999999\"");
    update(scheduler + "[sequence=1]/one-rate-two-color/config/bc", "-1");
    String policy =
        "{\"interfaces\":{\"interface\":[{\"interface-id\":\"eth1\",\"output\":"
            + "{\"scheduler-policy\":{\"config\":{\"name\":\"p\"}}}}]},\"scheduler-policies\":"
            + "{\"scheduler-policy\":[{\"name\":\"p\",\"schedulers\":{\"scheduler\":[%s]}}]}}";
    update("/qos", String.format(policy, "{\"sequence\":1}"));
    update(
        "/qos", String.format(policy, "{\"sequence\":1,\"inputs\":{\"input\":[{\"id\":\"a\"}]}}"));
    String input = "{\"id\":\"%s\",\"config\":{\"queue\":\"3\"}}";
    update(
        "/qos",
        String.format(
            policy,
            "{\"sequence\":1,\"inputs\":{\"input\":[%s,%s]}}"
                .formatted(String.format(input, "a"), String.format(input, "b"))));
    update(
        "/qos",
        String.format(
            policy,
            "{\"sequence\":1,\"inputs\":{\"input\":["
                + String.format(input, "a")
                + "]},\"one-rate-two-color\":{\"config\":{\"bc\":1}}}"));
    set(
        "a number where a truth value belongs",
        SetRequest.newBuilder().addUpdate(Target.edit(enabled, GnmiValues.ofUnsigned(1))));
    set(
        "a scalar where a container is",
        SetRequest.newBuilder()
            .addUpdate(Target.edit("/interfaces/interface[name=eth1]", GnmiValues.of("x"))));
    set(
        "octets",
        SetRequest.newBuilder()
            .addUpdate(
                Target.edit(
                    enabled,
                    TypedValue.newBuilder()
                        .setBytesVal(ByteString.copyFrom(new byte[1]))
                        .build())));
    set(
        "nothing",
        SetRequest.newBuilder().addReplace(Update.newBuilder().setPath(GnmiPaths.parse(enabled))));
    set(
        "deleting state",
        SetRequest.newBuilder().addDelete(GnmiPaths.parse("/interfaces/interface/state")));
    set(
        "deleting a key",
        SetRequest.newBuilder()
            .addDelete(GnmiPaths.parse("/interfaces/interface[name=eth1]/name")));
    set(
        "union_replace",
        SetRequest.newBuilder().addUnionReplace(Target.edit(enabled, GnmiValues.of(true))));

    subscribe("nothing", SubscribeRequest.newBuilder());
    subscribe(
        "without subscriptions",
        stream(Subscription.newBuilder())
            .setSubscribe(SubscriptionList.newBuilder().setEncoding(Encoding.PROTO)));
    subscribe("poll first", poll());
    subscribe("poll of a stream", stream(on("/", SubscriptionMode.TARGET_DEFINED)), poll());
    subscribe(
        "twice",
        stream(on(enabled, SubscriptionMode.SAMPLE)),
        stream(on(enabled, SubscriptionMode.SAMPLE)));
    subscribe("an unknown path", stream(on("/interfaces/x", SubscriptionMode.SAMPLE)));
    subscribe(
        "too often", stream(on(enabled, SubscriptionMode.SAMPLE).setSampleInterval(99_999_999)));
    subscribe(
        "too many heartbeats",
        stream(on(enabled, SubscriptionMode.ON_CHANGE).setHeartbeatInterval(1)));
    subscribe(
        "heartbeat of plain samples",
        stream(on(enabled, SubscriptionMode.SAMPLE).setHeartbeatInterval(1_000_000_000)));
    subscribe("an unknown mode", stream(on(enabled, SubscriptionMode.SAMPLE).setModeValue(7)));
    subscribe(
        "ASCII",
        SubscribeRequest.newBuilder()
            .setSubscribe(SubscriptionList.newBuilder().setEncoding(Encoding.ASCII)));
    subscribe(
        "a marking",
        SubscribeRequest.newBuilder()
            .setSubscribe(
                SubscriptionList.newBuilder()
                    .setEncoding(Encoding.PROTO)
                    .setQos(QOSMarking.newBuilder().setMarking(46))));

    try (InputStream golden = RefusalsTest.class.getResourceAsStream("refusals.golden.txt")) {
      assertThat(found.toString())
          .isEqualTo(new String(golden.readAllBytes(), StandardCharsets.UTF_8));
    }
  }
}
