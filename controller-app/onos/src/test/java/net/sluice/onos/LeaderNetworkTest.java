package net.sluice.onos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.sluice.core.Controller;
import net.sluice.core.Outcome;
import net.sluice.core.SwitchStatus;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.SubscriberTerms;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.model.schedule.Schedule;
import net.sluice.intents.model.schedule.Span;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Table;
import net.sluice.onos.store.ClusterNetworkStore;
import net.sluice.onos.store.KnownCommits;
import net.sluice.onos.testing.MemoryDevices;
import net.sluice.onos.testing.TestCluster;
import net.sluice.rest.json.JsonValue;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onosproject.mastership.MastershipAdminService;
import org.onosproject.mastership.MastershipServiceAdapter;
import org.onosproject.net.DeviceId;

/** Several devices of ONOS in one controller, which come and go with the network configuration. */
class LeaderNetworkTest {
  private static final DeviceId LEAF1 = DeviceId.deviceId("device:leaf1");
  private static final DeviceId LEAF2 = DeviceId.deviceId("device:leaf2");

  private final TestCluster cluster = new TestCluster();
  private final TestCluster.Node node = cluster.node("10.0.0.1");
  private final MemoryDevices targets = new MemoryDevices();
  private final Map<DeviceId, JsonValue> devices = targets.declared;
  private final Map<String, String> application = new LinkedHashMap<>(SluiceSettings.DEFAULTS);

  private LeaderNetwork network;

  private final MastershipServiceAdapter mastership =
      new MastershipServiceAdapter() {
        @Override
        public boolean isLocalMaster(DeviceId device) {
          return true;
        }
      };

  LeaderNetworkTest() {
    application.put("profile", "emulator");
  }

  @AfterEach
  void close() {
    network.controller().close();
  }

  /** Leads anew, over what is stored. */
  private void lead() {
    lead(Clock.systemUTC());
  }

  /** Leads anew by another clock, as after some time. */
  private void lead(Clock clock) {
    if (network != null) {
      network.controller().close();
    }
    ClusterNetworkStore store =
        ClusterNetworkStore.open(
            node.storage, "node", Duration.ofSeconds(5), clock, new KnownCommits(), lost -> {});
    network =
        new LeaderNetwork(
            store,
            application(),
            () -> wanted(),
            new ClusterTargets(
                node.id, () -> true, mastership, (MastershipAdminService) null, targets),
            clock);
    network.follow();
  }

  private SluiceSettings application() {
    return SluiceSettings.of(application);
  }

  private WantedSwitches wanted() {
    return WantedSwitches.of(application(), devices);
  }

  private Controller controller() {
    return network.controller();
  }

  /** A topology with BNG port 0 on port 1 and, if there are to be two, BNG port 1 on port 3. */
  private static String topology(int bngPorts) {
    String access =
        "{'number':%d,'role':'access','rateBps':1000000000,'destinationMac':'02:00:00:01:00:0%d'}";
    return ("{'ports':["
            + access.formatted(1, 1)
            + ",{'number':2,'role':'core','rateBps':1000000000,"
            + "'destinationMac':'02:00:00:01:00:02'}"
            + (bngPorts == 2 ? "," + access.formatted(3, 3) : "")
            + "],'bngPorts':{'0':1"
            + (bngPorts == 2 ? ",'1':3" : "")
            + "},'routes':[{'prefix':'0.0.0.0/0','port':2}]}")
        .replace('\'', '"');
  }

  private static JsonValue declared(int bngPorts, String... more) {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("topology", topology(bngPorts));
    for (int i = 0; i < more.length; i += 2) {
      values.put(more[i], more[i + 1]);
    }
    return SluiceSettings.tree(values);
  }

  private List<String> names() {
    return controller().switches().stream().map(SwitchStatus::name).toList();
  }

  private Outcome apply(Change change) {
    return controller().apply(change);
  }

  private void accept(Change change) {
    Outcome outcome = apply(change);
    assertThat(outcome.isAccepted()).as(outcome.toString()).isTrue();
  }

  private static Change policy() {
    return new Change.Put(new Policy("gold", BuiltInFunction.GOLD));
  }

  private static Change subscriber(String id, int bngPort, int number, String... at) {
    Subscriber subscriber =
        new Subscriber(
            id,
            "gold",
            List.of(IpPrefix.parse("10.0.0." + number + "/32")),
            Optional.empty(),
            new Attachment(bngPort, 3));
    return new Change.Put(subscriber, at.length == 0 ? Optional.empty() : Optional.of(at[0]));
  }

  private long prefixes(DeviceId device) throws InterruptedException {
    assertThat(controller().awaitAllInstalled(Patience.TIME)).isTrue();
    return targets.switches.get(device).content().values().stream()
        .filter(entry -> entry.table() == Table.IPV4_PREFIX)
        .count();
  }

  @Test
  void eachDeviceHasWhatIsDeclaredForIt() throws Exception {
    devices.put(LEAF1, declared(1));
    devices.put(LEAF2, declared(1, "id", "agg"));
    lead();
    assertThat(names()).containsExactly("leaf1", "agg");
    assertThat(targets.opened).containsEntry(LEAF1, "leaf1").containsEntry(LEAF2, "agg");
    assertThat(network.refused()).isEmpty();
    accept(policy());
    accept(subscriber("alice", 0, 1, "leaf1"));
    accept(subscriber("bob", 0, 2, "leaf1"));
    accept(subscriber("carol", 0, 3, "agg"));
    assertThat(apply(subscriber("dave", 0, 4)).isAccepted()).as("which one?").isFalse();
    assertThat(apply(subscriber("dave", 0, 4, "leaf9")).isAccepted()).isFalse();
    assertThat(prefixes(LEAF1)).isEqualTo(2);
    assertThat(prefixes(LEAF2)).isEqualTo(1);

    // Moved, and then led by another.
    accept(subscriber("bob", 0, 2, "agg"));
    lead();
    assertThat(names()).containsExactlyInAnyOrder("leaf1", "agg");
    assertThat(prefixes(LEAF1)).isEqualTo(1);
    assertThat(prefixes(LEAF2)).isEqualTo(2);
    assertThat(controller().find(Kind.SUBSCRIBER, "bob").orElseThrow().switchName())
        .hasValue("agg");
  }

  @Test
  void whoLeadsNextFollowsSchedules() throws Exception {
    devices.put(LEAF1, declared(1));
    Instant begin = Instant.parse("2026-01-01T00:00:00Z");
    Instant until = begin.plus(Duration.ofHours(2));
    lead(Clock.fixed(begin, ZoneOffset.UTC));
    accept(policy());
    accept(new Change.Put(new Policy("silver", BuiltInFunction.SILVER)));
    Subscriber always = ((Subscriber) ((Change.Put) subscriber("alice", 0, 1)).declaration());
    accept(
        new Change.Put(
            always.withParts(
                always
                    .parts()
                    .withTerms(
                        SubscriberTerms.of(
                            new SubscriberTerms.Holding.Has("gold"),
                            Optional.empty(),
                            new Schedule<>(
                                List.of(
                                    new Schedule.Entry<>(
                                        new Span.Until(until),
                                        new SubscriberTerms.Holding.Has("silver")))))))));
    assertThat(policyOf("alice")).isEqualTo("silver");

    // The end of the boost comes while nobody leads.
    lead(Clock.fixed(until.plusSeconds(1), ZoneOffset.UTC));
    Patience.await("the end of the boost", () -> policyOf("alice"), "gold"::equals);
  }

  private String policyOf(String id) {
    return ((Subscriber) controller().find(Kind.SUBSCRIBER, id).orElseThrow().declared())
        .policyId();
  }

  @Test
  void devicesComeAndGoWhileTheControllerRuns() throws Exception {
    lead();
    assertThat(names()).as("before anything is configured").containsExactly("switch");
    accept(policy());
    devices.put(LEAF1, declared(1));
    network.follow();
    assertThat(names()).containsExactly("leaf1");
    assertThat(controller().find(Kind.POLICY, "gold")).isPresent();
    accept(subscriber("alice", 0, 1));
    devices.put(LEAF2, declared(1));
    network.follow();
    assertThat(names()).containsExactly("leaf1", "leaf2");
    assertThat(prefixes(LEAF1)).isEqualTo(1);
    Controller before = controller();

    devices.remove(LEAF1);
    network.follow();
    assertThat(names()).containsExactly("leaf1", "leaf2");
    assertThat(network.refused())
        .containsExactly(
            "device:leaf1 is not configured any more and is driven as before: Switch leaf1 is in"
                + " use: 1 subscriber, such as alice.");
    // Also by whoever takes over.
    lead();
    assertThat(names()).containsExactly("leaf1", "leaf2");
    assertThat(network.refused()).hasSize(1);
    assertThat(prefixes(LEAF1)).isEqualTo(1);
    accept(subscriber("alice", 0, 1, "leaf2"));
    assertThat(prefixes(LEAF2)).isEqualTo(1);
    network.follow();
    assertThat(names()).containsExactly("leaf2");
    assertThat(network.refused()).isEmpty();
    lead();
    assertThat(names()).containsExactly("leaf2");
    assertThat(prefixes(LEAF2)).isEqualTo(1);
    assertThat(before).isNotSameAs(controller());
  }

  @Test
  void aDeviceIsDrivenOtherwiseUnlessSomebodyWouldLoseService() throws Exception {
    devices.put(LEAF1, declared(2));
    devices.put(LEAF2, declared(1));
    lead();
    accept(policy());
    accept(subscriber("alice", 1, 1, "leaf1"));
    devices.put(LEAF1, declared(1));
    devices.put(LEAF2, declared(2));
    network.follow();
    assertThat(network.refused())
        .singleElement()
        .asString()
        .startsWith("device:leaf1 is not driven as configured: ")
        .contains("alice")
        .endsWith(" Switch leaf1 is driven as before.");
    accept(subscriber("bob", 1, 2, "leaf2"));
    assertThat(prefixes(LEAF1)).isEqualTo(1);
    // Whoever takes over does not find a switch that it cannot drive.
    assertThat(wanted().refused()).isEmpty();
    lead();
    assertThat(network.refused()).hasSize(1);
    accept(subscriber("alice", 1, 1, "leaf1"));
    accept(subscriber("alice", 0, 1, "leaf1"));
    network.follow();
    assertThat(network.refused()).isEmpty();
    assertThat(apply(subscriber("alice", 1, 1, "leaf1")).isAccepted()).isFalse();
    assertThat(prefixes(LEAF1)).isEqualTo(1);
    assertThat(prefixes(LEAF2)).isEqualTo(1);
  }

  @Test
  void whatDoesNotFitTogetherIsRefusedAndTheDeviceDrivenAsBefore() {
    devices.put(LEAF1, declared(1));
    lead();
    devices.put(LEAF1, declared(1, "fpgaDown", "fpga:9"));
    network.follow();
    assertThat(names()).containsExactly("leaf1");
    assertThat(wanted().refused())
        .containsExactly(
            Map.entry(
                LEAF1,
                "device:leaf1 is not driven as configured: fpgaDown is fpga:9; allowed: absent,"
                    + " because the topology has no sidecar of direction down."));
  }

  @Test
  void noTwoSwitchesAreTheSameOrHaveTheSameName() {
    application.put("device", LEAF1.toString());
    devices.put(LEAF1, declared(1));
    devices.put(LEAF2, declared(1, "id", "switch"));
    devices.put(DeviceId.deviceId("p4:a:b"), declared(1));
    assertThat(wanted().refused().values())
        .containsExactly(
            "device:leaf1 is not driven as configured: device is device:leaf1; allowed: a device"
                + " that no other switch is; switch switch is this one.",
            "device:leaf2 is not driven as configured: id is switch; allowed: an id that no other"
                + " switch has; device:leaf1 has it.",
            "p4:a:b is not driven as configured: id is a:b; allowed: 1 to 64 characters of A-Z"
                + " a-z 0-9 . _ - that start with a letter or digit; without it the switch has the"
                + " name of its device.");
    lead();
    assertThat(names()).containsExactly("switch");
    assertThat(targets.opened).containsOnlyKeys(LEAF1);
  }

  @Test
  void aDeviceIsDrivenByOneSwitchOnlyWhenItsNameChanges() throws Exception {
    devices.put(LEAF1, declared(1));
    devices.put(LEAF2, declared(1));
    lead();
    accept(policy());
    accept(subscriber("alice", 0, 1, "leaf1"));
    devices.put(LEAF1, declared(1, "id", "other"));
    network.follow();
    assertThat(names()).containsExactly("leaf1", "leaf2");
    assertThat(network.refused())
        .contains("device:leaf1 is not driven as configured: It is still driven as switch leaf1.");
    accept(new Change.Delete(Kind.SUBSCRIBER, "alice"));
    network.follow();
    assertThat(names()).containsExactly("leaf2", "other");
    assertThat(network.refused()).isEmpty();
  }

  @Test
  void theSwitchOfTheApplicationKeepsWhatIsStoredAndCanBecomeADevicesOwn() throws Exception {
    application.put("device", LEAF1.toString());
    application.put("topology", topology(2));
    lead();
    assertThat(names()).containsExactly("switch");
    accept(policy());
    accept(subscriber("alice", 1, 1));
    assertThat(cluster.content(ClusterNetworkStore.LOG)).containsKey("head");

    // A second one beside it.
    devices.put(LEAF2, declared(1));
    network.follow();
    assertThat(names()).containsExactly("switch", "leaf2");
    assertThat(prefixes(LEAF1)).isEqualTo(1);

    // What the application says is said of the device instead, under the same name.
    application.put("device", "");
    application.put("topology", "");
    devices.put(LEAF1, declared(2, "id", "switch"));
    lead();
    assertThat(names()).containsExactlyInAnyOrder("switch", "leaf2");
    assertThat(network.refused()).isEmpty();
    assertThat(prefixes(LEAF1)).isEqualTo(1);
    assertThat(controller().find(Kind.SUBSCRIBER, "alice").orElseThrow().switchName())
        .hasValue("switch");
  }

  @Test
  void whatWasStoredWhenThereWasOneSwitchOnlyIsItsOwn() throws Exception {
    application.put("device", LEAF1.toString());
    application.put("topology", topology(2));
    lead();
    accept(policy());
    accept(subscriber("alice", 1, 1));
    controller().close();
    // Such a release kept no document of the switch.
    try (ClusterNetworkStore store =
        ClusterNetworkStore.open(
            node.storage,
            "node",
            Duration.ofSeconds(5),
            Clock.systemUTC(),
            new KnownCommits(),
            lost -> {})) {
      store.declare("switch", Optional.empty());
    }
    assertThat(cluster.content(ClusterNetworkStore.INTENTS).keySet())
        .containsExactly("d", "pgold", "s0");
    devices.put(LEAF2, declared(1));
    lead();
    assertThat(names()).containsExactly("switch", "leaf2");
    assertThat(prefixes(LEAF1)).isEqualTo(1);
    assertThat(controller().find(Kind.POLICY, "gold")).isPresent();
    assertThat(network.refused()).isEmpty();
  }

  @Test
  void fpgasAreNamedByTheirSwitch() {
    String topology =
        topology(1)
            .replace(
                "],\"bngPorts\"",
                ",{\"number\":4,\"role\":\"sidecar\",\"direction\":\"down\","
                    + "\"rateBps\":1000000000}],\"bngPorts\"");
    devices.put(LEAF1, declared(1, "topology", topology, "fpgaDown", "127.0.0.1:9"));
    application.put("device", LEAF2.toString());
    application.put("topology", topology);
    application.put("fpgaDown", "127.0.0.1:10");
    lead();
    List<String> all = new ArrayList<>();
    controller().switches().forEach(each -> all.addAll(each.targets()));
    assertThat(all).containsExactly("switch", "fpga-down", "leaf1", "leaf1-fpga-down");
  }

  @Test
  void whoHasClosedTakesNoSwitchInAnyMore() {
    devices.put(LEAF1, declared(1));
    lead();
    controller().close();
    devices.put(LEAF2, declared(1));
    network.follow();
    assertThat(targets.opened).containsOnlyKeys(LEAF1);
    assertThat(network.refused()).isEmpty();
  }

  @Test
  void portsAreThoseOfTheSwitchThatIsTheDevice() {
    devices.put(LEAF1, declared(2));
    devices.put(LEAF2, declared(1));
    lead();
    assertThat(network.ports(LEAF1)).extracting(port -> port.port()).containsExactly(1, 2, 3);
    assertThat(network.ports(LEAF2)).extracting(port -> port.port()).containsExactly(1, 2);
    assertThat(network.ports(DeviceId.deviceId("device:leaf3"))).isEmpty();
  }

  /** A topology that sends what goes up over port 4, to port 5 of the switch of that name. */
  private static String withTrunk(String to) {
    return "{\"ports\":[{\"number\":1,\"role\":\"access\",\"rateBps\":1000000000,"
        + "\"destinationMac\":\"02:00:00:01:00:01\"},"
        + "{\"number\":4,\"role\":\"trunk\",\"direction\":\"down\",\"rateBps\":1000000000,\"destinationMac\":\"02:00:00:01:00:04\"}],"
        + "\"bngPorts\":{\"0\":1},\"routes\":[{\"prefix\":\"0.0.0.0/0\",\"port\":4}],"
        + "\"trunks\":[{\"port\":4,\"toSwitch\":\""
        + to
        + "\",\"toPort\":5}]}";
  }

  private static final String AGGREGATION =
      "{\"ports\":[{\"number\":2,\"role\":\"core\",\"rateBps\":1000000000,"
          + "\"destinationMac\":\"02:00:00:01:00:02\"},"
          + "{\"number\":5,\"role\":\"trunk\",\"direction\":\"up\",\"rateBps\":1000000000,\"destinationMac\":\"02:00:00:01:00:05\"}],"
          + "\"bngPorts\":{},\"routes\":[{\"prefix\":\"0.0.0.0/0\",\"port\":2}]}";

  @Test
  void trunksJoinDevicesInWhicheverOrderTheyCome() {
    DeviceId agg = DeviceId.deviceId("device:agg");
    devices.put(LEAF1, SluiceSettings.tree(Map.of("topology", withTrunk("agg"))));
    assertThat(wanted().refused()).isEmpty();
    lead();
    assertThat(network.refused()).hasSize(1);
    assertThat(network.refused().get(0))
        .startsWith("device:leaf1 is not driven as configured:")
        .contains("agg");

    devices.put(agg, SluiceSettings.tree(Map.of("topology", AGGREGATION)));
    assertThat(wanted().refused()).isEmpty();
    network.follow();
    assertThat(network.refused()).isEmpty();
    assertThat(controller().switches())
        .filteredOn(each -> each.name().equals("leaf1"))
        .allSatisfy(each -> assertThat(each.trunks().toString()).contains("agg"));

    devices.remove(agg);
    network.follow();
    assertThat(network.refused())
        .containsExactly(
            "device:agg is not configured any more and is driven as before: Switch agg is in use:"
                + " trunks come to it from leaf1 port 4.");
    lead();
    assertThat(controller().switches()).hasSize(2);
    devices.put(LEAF1, declared(1));
    network.follow();
    assertThat(network.refused()).isEmpty();
    assertThat(controller().switches()).hasSize(1);
  }
}
