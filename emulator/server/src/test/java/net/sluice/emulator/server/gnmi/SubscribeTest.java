package net.sluice.emulator.server.gnmi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.sluice.gnmi.GnmiPaths;
import net.sluice.gnmi.GnmiValues;
import net.sluice.gnmi.wire.Encoding;
import net.sluice.gnmi.wire.Poll;
import net.sluice.gnmi.wire.SubscribeRequest;
import net.sluice.gnmi.wire.Subscription;
import net.sluice.gnmi.wire.SubscriptionList;
import net.sluice.gnmi.wire.SubscriptionMode;
import net.sluice.gnmi.wire.TypedValue;
import org.junit.jupiter.api.Test;

/** Subscriptions in virtual time: what comes, and when, exactly. */
class SubscribeTest {

  private static final String OCTETS = "/interfaces/interface[name=eth2]/state/counters/in-octets";
  private static final String OPER = "/interfaces/interface[name=eth1]/state/oper-status";
  private static final long SECOND = 1_000_000_000L;

  private final Target target = new Target();
  private final Target.Client client = target.new Client();

  private static SubscriptionList.Builder list(SubscriptionList.Mode mode) {
    return SubscriptionList.newBuilder().setMode(mode).setEncoding(Encoding.PROTO);
  }

  private static Subscription.Builder on(String path, SubscriptionMode mode) {
    return Subscription.newBuilder().setPath(GnmiPaths.parse(path)).setMode(mode);
  }

  private void subscribe(SubscriptionList.Builder list) {
    target.simulation.execute(
        () -> client.session.onRequest(SubscribeRequest.newBuilder().setSubscribe(list).build()));
  }

  private void poll() {
    target.simulation.execute(
        () ->
            client.session.onRequest(
                SubscribeRequest.newBuilder().setPoll(Poll.getDefaultInstance()).build()));
  }

  /** A frame of 100 bytes arrives at eth2 every 300 ms, from 50 ms on. */
  private void traffic(int frames) {
    for (int i = 0; i < frames; i++) {
      target.inject(50_000_000L + 300_000_000L * i, 100, 0);
    }
  }

  @Test
  void onceIsAllValuesAndTheEnd() {
    subscribe(
        list(SubscriptionList.Mode.ONCE)
            .addSubscription(on(OCTETS, SubscriptionMode.TARGET_DEFINED))
            .addSubscription(on(OPER, SubscriptionMode.TARGET_DEFINED)));
    assertThat(client.news())
        .containsExactly("0 ms " + OCTETS + " = 0", "0 ms " + OPER + " = UP", "sync", "complete");
    assertThat(target.service.subscriptions()).isZero();
  }

  @Test
  void onceWithUpdatesOnlyIsTheEnd() {
    subscribe(
        list(SubscriptionList.Mode.ONCE)
            .setUpdatesOnly(true)
            .addSubscription(on(OCTETS, SubscriptionMode.TARGET_DEFINED)));
    assertThat(client.news()).containsExactly("sync", "complete");
  }

  @Test
  void pollsAreAnsweredEach() {
    traffic(5);
    subscribe(
        list(SubscriptionList.Mode.POLL).addSubscription(on(OCTETS, SubscriptionMode.SAMPLE)));
    assertThat(client.news()).containsExactly("0 ms " + OCTETS + " = 0", "sync");
    target.simulation.runUntil(SECOND);
    assertThat(client.news()).isEmpty();
    poll();
    poll();
    assertThat(client.news())
        .containsExactly(
            "1000 ms " + OCTETS + " = 400", "sync", "1000 ms " + OCTETS + " = 400", "sync");
    target.simulation.execute(client.session::onRequestsEnd);
    assertThat(client.news()).containsExactly("complete");
  }

  @Test
  void pollsWithUpdatesOnlySayWhatHasChanged() {
    subscribe(
        list(SubscriptionList.Mode.POLL)
            .setUpdatesOnly(true)
            .addSubscription(
                on("/interfaces/interface[name=*]/state/oper-status", SubscriptionMode.SAMPLE)));
    assertThat(client.news()).containsExactly("sync");
    target.simulation.execute(() -> target.one.setLinkUp(false));
    poll();
    assertThat(client.news()).containsExactly("0 ms " + OPER + " = DOWN", "sync");
    poll();
    assertThat(client.news()).containsExactly("sync");
  }

  @Test
  void samplesComeAtTheirTimes() {
    traffic(5);
    subscribe(
        list(SubscriptionList.Mode.STREAM)
            .addSubscription(on(OCTETS, SubscriptionMode.SAMPLE).setSampleInterval(SECOND / 2)));
    assertThat(client.news()).containsExactly("0 ms " + OCTETS + " = 0", "sync");
    target.simulation.runUntil(2 * SECOND);
    assertThat(client.news())
        .containsExactly(
            "500 ms " + OCTETS + " = 200",
            "1000 ms " + OCTETS + " = 400",
            "1500 ms " + OCTETS + " = 500",
            "2000 ms " + OCTETS + " = 500");
  }

  @Test
  void anIntervalOfZeroIsTheShortest() {
    subscribe(
        list(SubscriptionList.Mode.STREAM).addSubscription(on(OCTETS, SubscriptionMode.SAMPLE)));
    target.simulation.runUntil(SECOND);
    assertThat(client.news()).hasSize(2 + 10).endsWith("1000 ms " + OCTETS + " = 0");
  }

  @Test
  void redundantSamplesAreSuppressedBetweenHeartbeats() {
    traffic(2);
    subscribe(
        list(SubscriptionList.Mode.STREAM)
            .setUpdatesOnly(true)
            .addSubscription(
                on(OCTETS, SubscriptionMode.SAMPLE)
                    .setSampleInterval(SECOND / 5)
                    .setSuppressRedundant(true)
                    .setHeartbeatInterval(3 * SECOND)));
    target.simulation.runUntil(7 * SECOND);
    assertThat(client.news())
        .containsExactly(
            "sync",
            "200 ms " + OCTETS + " = 100",
            "400 ms " + OCTETS + " = 200",
            "3000 ms " + OCTETS + " = 200",
            "6000 ms " + OCTETS + " = 200");
  }

  @Test
  void changesComeWhenTheyHappen() {
    subscribe(
        list(SubscriptionList.Mode.STREAM)
            .addSubscription(
                on("/interfaces/interface[name=*]/state/oper-status", SubscriptionMode.ON_CHANGE)
                    .setHeartbeatInterval(5 * SECOND)));
    assertThat(client.news()).hasSize(4).endsWith("sync");
    target.simulation.schedule(123_000_000, (now, a) -> target.one.setLinkUp(false), 0);
    // Disabling a port whose link is down changes nothing that is watched.
    target.simulation.schedule(200_000_000, (now, a) -> target.one.setEnabled(false), 0);
    target.simulation.schedule(300_000_000, (now, a) -> target.two.setLinkUp(false), 0);
    target.simulation.runUntil(SECOND);
    assertThat(client.news())
        .containsExactly(
            "123 ms " + OPER + " = DOWN",
            "300 ms /interfaces/interface[name=eth2]/state/oper-status = DOWN");
    target.simulation.runUntil(6 * SECOND);
    assertThat(client.news())
        .containsExactly(
            "5000 ms " + OPER + " = DOWN",
            "5000 ms /interfaces/interface[name=eth2]/state/oper-status = DOWN",
            "5000 ms /interfaces/interface[name=3]/state/oper-status = UP");
  }

  @Test
  void changesOfCountersComeOnceASecond() {
    traffic(5);
    String state = "/interfaces/interface[name=eth2]/state";
    subscribe(
        list(SubscriptionList.Mode.STREAM)
            .setUpdatesOnly(true)
            .addSubscription(on(state, SubscriptionMode.ON_CHANGE)));
    assertThat(client.news()).containsExactly("sync");
    target.simulation.schedule(123_000_000, (now, a) -> target.two.setLinkUp(false), 0);
    target.simulation.schedule(124_000_000, (now, a) -> target.two.setLinkUp(true), 0);
    target.simulation.runUntil(4 * SECOND);
    assertThat(client.news())
        .filteredOn(line -> !line.contains("last-change"))
        .containsExactly(
            "123 ms " + state + "/oper-status = DOWN",
            "124 ms " + state + "/oper-status = UP",
            "1000 ms " + state + "/counters/in-octets = 400",
            "1000 ms " + state + "/counters/in-pkts = 4",
            "1000 ms " + state + "/counters/in-unicast-pkts = 4",
            "1000 ms " + state + "/counters/carrier-transitions = 2",
            "2000 ms " + state + "/counters/in-octets = 500",
            "2000 ms " + state + "/counters/in-pkts = 5",
            "2000 ms " + state + "/counters/in-unicast-pkts = 5");
  }

  @Test
  void aSetIsHeardOfOnceAndWhatGoesIsDeleted() {
    String policies = "/qos/scheduler-policies";
    String policy = policies + "/scheduler-policy[name=p]";
    subscribe(
        list(SubscriptionList.Mode.STREAM)
            .setUpdatesOnly(true)
            .addSubscription(on(policies, SubscriptionMode.ON_CHANGE)));
    assertThat(client.news()).containsExactly("sync");
    assertThat(target.update(policy, "{}")).isEqualTo("OK");
    assertThat(client.news())
        .containsExactly(
            "0 ms " + policy + "/name = p",
            "0 ms " + policy + "/config/name = p",
            "0 ms " + policy + "/state/name = p");
    assertThat(target.delete(policy)).isEqualTo("OK");
    assertThat(client.news())
        .containsExactlyInAnyOrder(
            "0 ms " + policy + "/name deleted",
            "0 ms " + policy + "/config/name deleted",
            "0 ms " + policy + "/state/name deleted");
    assertThat(target.update("/interfaces/interface[name=3]/config/enabled", GnmiValues.of(false)))
        .isEqualTo("OK");
    assertThat(client.news()).isEmpty();
  }

  @Test
  void whatTheTargetDefinesIsEventsAndSamples() {
    subscribe(
        list(SubscriptionList.Mode.STREAM)
            .setUpdatesOnly(true)
            .addSubscription(
                on("/interfaces/interface[name=eth2]/state", SubscriptionMode.TARGET_DEFINED)));
    traffic(1);
    target.simulation.schedule(SECOND, (now, a) -> target.two.setLinkUp(false), 0);
    target.simulation.runUntil(11 * SECOND);
    List<String> news = new ArrayList<>(client.news());
    assertThat(news.remove(0)).isEqualTo("sync");
    assertThat(news)
        .startsWith(
            "1000 ms /interfaces/interface[name=eth2]/state/oper-status = DOWN",
            "1000 ms /interfaces/interface[name=eth2]/state/last-change = "
                + (Target.EPOCH + SECOND))
        .hasSize(2 + 17)
        .contains("10000 ms " + OCTETS + " = 100");
  }

  @Test
  void aSlowClientGetsTheLatestAndHowManyItMissed() {
    traffic(5);
    subscribe(
        list(SubscriptionList.Mode.STREAM)
            .addSubscription(on(OCTETS, SubscriptionMode.SAMPLE).setSampleInterval(SECOND / 10))
            .addSubscription(on(OPER, SubscriptionMode.ON_CHANGE)));
    client.news();
    client.reads = false;
    target.simulation.schedule(SECOND / 4, (now, a) -> target.one.setLinkUp(false), 0);
    target.simulation.schedule(SECOND / 2, (now, a) -> target.one.setLinkUp(true), 0);
    target.simulation.schedule(SECOND * 3 / 4, (now, a) -> target.one.setLinkUp(false), 0);
    target.simulation.runUntil(SECOND);
    assertThat(client.news()).isEmpty();
    client.reads = true;
    target.simulation.execute(client.session::onReady);
    assertThat(client.news())
        .containsExactly("1000 ms " + OCTETS + " = 400 (9 missed)", "1000 ms " + OPER + " = DOWN");
    target.simulation.runUntil(SECOND * 11 / 10);
    assertThat(client.news()).containsExactly("1100 ms " + OCTETS + " = 400");
  }

  @Test
  void nothingHappensAfterTheClientIsGone() {
    subscribe(
        list(SubscriptionList.Mode.STREAM).addSubscription(on(OCTETS, SubscriptionMode.SAMPLE)));
    client.news();
    assertThat(target.service.subscriptions()).isEqualTo(1);
    target.simulation.execute(client.session::end);
    target.simulation.runUntil(SECOND);
    assertThat(client.news()).isEmpty();
    assertThat(target.service.subscriptions()).isZero();
    assertThat(target.simulation.pendingEvents()).isZero();
  }

  @Test
  void valuesComeInTheEncodingAskedForAndBelowThePrefix() {
    subscribe(
        list(SubscriptionList.Mode.ONCE)
            .setEncoding(Encoding.JSON_IETF)
            .setPrefix(GnmiPaths.parse("/interfaces/interface[name=eth2]"))
            .addSubscription(on("state/counters/in-octets", SubscriptionMode.SAMPLE))
            .addSubscription(on("ethernet/config/port-speed", SubscriptionMode.SAMPLE)));
    assertThat(client.news())
        .containsExactly(
            "0 ms /state/counters/in-octets = \"0\"",
            "0 ms /ethernet/config/port-speed = \"openconfig-if-ethernet:SPEED_100MB\"",
            "sync",
            "complete");
  }

  /** The encoding of requests that name none is 0, which is JSON; ONOS reads strings. */
  @Test
  void withoutAnEncodingValuesHaveTheirOwnTypes() {
    SubscriptionList.Builder list =
        SubscriptionList.newBuilder()
            .setMode(SubscriptionList.Mode.ONCE)
            .setPrefix(GnmiPaths.parse("/interfaces/interface[name=eth2]/state"))
            .addSubscription(on("oper-status", SubscriptionMode.SAMPLE))
            .addSubscription(on("enabled", SubscriptionMode.SAMPLE))
            .addSubscription(on("ifindex", SubscriptionMode.SAMPLE));
    subscribe(list);
    assertThat(client.values)
        .extracting(TypedValue::getValueCase)
        .containsExactly(
            TypedValue.ValueCase.STRING_VAL,
            TypedValue.ValueCase.BOOL_VAL,
            TypedValue.ValueCase.UINT_VAL);
  }

  @Test
  void linksThatGoAndComeAreCounted() {
    String counter = "/interfaces/interface[name=eth2]/state/counters/carrier-transitions";
    target.simulation.execute(() -> target.two.setLinkUp(false));
    target.simulation.execute(() -> target.two.setLinkUp(true));
    target.simulation.execute(() -> target.two.setLinkUp(true));
    assertThat(target.value(counter)).isEqualTo(2L);
  }

  @Test
  void whatDoesNotExistYetMayBeSubscribedTo() {
    subscribe(
        list(SubscriptionList.Mode.STREAM)
            .addSubscription(
                on(
                    "/qos/scheduler-policies/scheduler-policy[name=p]/config/name",
                    SubscriptionMode.ON_CHANGE)));
    assertThat(client.news()).containsExactly("sync");
    target.update("/qos/scheduler-policies/scheduler-policy[name=p]", "{}");
    assertThat(client.news())
        .containsExactly("0 ms /qos/scheduler-policies/scheduler-policy[name=p]/config/name = p");
  }
}
