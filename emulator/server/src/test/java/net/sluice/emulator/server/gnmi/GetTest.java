package net.sluice.emulator.server.gnmi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.sluice.gnmi.GnmiPaths;
import net.sluice.gnmi.wire.CapabilityRequest;
import net.sluice.gnmi.wire.CapabilityResponse;
import net.sluice.gnmi.wire.Encoding;
import net.sluice.gnmi.wire.GetRequest;
import net.sluice.gnmi.wire.GetRequest.DataType;
import net.sluice.gnmi.wire.GetResponse;
import net.sluice.gnmi.wire.ModelData;
import net.sluice.gnmi.wire.Path;
import net.sluice.gnmi.wire.TypedValue;
import org.junit.jupiter.api.Test;

class GetTest {

  private final Target target = new Target();

  @Test
  void capabilitiesNameModelsEncodingsAndVersion() {
    CapabilityResponse capabilities =
        Target.<CapabilityRequest, CapabilityResponse>call(
                target.service::capabilities, CapabilityRequest.getDefaultInstance())
            .value;
    assertThat(capabilities.getGNMIVersion()).isEqualTo("0.10.0");
    assertThat(capabilities.getSupportedEncodingsList())
        .containsExactly(Encoding.PROTO, Encoding.JSON_IETF, Encoding.JSON);
    assertThat(capabilities.getSupportedModelsList())
        .extracting(ModelData::getName)
        .containsExactly(
            "openconfig-interfaces",
            "openconfig-if-ethernet",
            "openconfig-p4rt",
            "openconfig-qos",
            "openconfig-hercules-qos");
    SwitchTree tree = new SwitchTree(target.node, Map.of(), Target.EPOCH);
    assertThat(modules(tree.root())).isSubsetOf(names(capabilities));
  }

  private static List<String> names(CapabilityResponse capabilities) {
    return capabilities.getSupportedModelsList().stream().map(ModelData::getName).toList();
  }

  /** The modules of all nodes below one. */
  private static Set<String> modules(TreeNode.Branch branch) {
    Set<String> modules = new HashSet<>();
    for (TreeNode child : branch.children()) {
      modules.add(child.module());
      if (child instanceof TreeNode.EntryList entries) {
        modules.addAll(modules(entries.template()));
      } else if (child instanceof TreeNode.Branch below) {
        modules.addAll(modules(below));
      }
    }
    return modules;
  }

  @Test
  void interfacesAreThePortsButForTheCpuPort() {
    target.node.addPort(505, 1_000_000_000, 1_000);
    GnmiService service =
        new GnmiService(target.simulation, target.node, Map.of(), target.clock, () -> {});
    Path names = GnmiPaths.parse("/interfaces/interface[name=*]/config/name");
    GetResponse answer =
        Target.<GetRequest, GetResponse>call(
                service::get,
                GetRequest.newBuilder().addPath(names).setEncoding(Encoding.PROTO).build())
            .value;
    assertThat(answer.getNotification(0).getUpdateList())
        .extracting(update -> update.getVal().getStringVal())
        .containsExactly("1", "2", "3", "505");
  }

  @Test
  void anInterfaceIsAllItsLeaves() {
    target.simulation.runUntil(5_000_000);
    assertThat(target.text(DataType.ALL, "/interfaces/interface[name=eth2]"))
        .isEqualTo(
            """
            /interfaces/interface[name=eth2]/name = eth2
            /interfaces/interface[name=eth2]/config/name = eth2
            /interfaces/interface[name=eth2]/config/type = ethernetCsmacd
            /interfaces/interface[name=eth2]/config/enabled = true
            /interfaces/interface[name=eth2]/state/name = eth2
            /interfaces/interface[name=eth2]/state/type = ethernetCsmacd
            /interfaces/interface[name=eth2]/state/enabled = true
            /interfaces/interface[name=eth2]/state/ifindex = 2
            /interfaces/interface[name=eth2]/state/id = 2
            /interfaces/interface[name=eth2]/state/admin-status = UP
            /interfaces/interface[name=eth2]/state/oper-status = UP
            /interfaces/interface[name=eth2]/state/last-change = 1700000000000000000
            /interfaces/interface[name=eth2]/state/counters/in-octets = 0
            /interfaces/interface[name=eth2]/state/counters/in-pkts = 0
            /interfaces/interface[name=eth2]/state/counters/in-unicast-pkts = 0
            /interfaces/interface[name=eth2]/state/counters/in-broadcast-pkts = 0
            /interfaces/interface[name=eth2]/state/counters/in-multicast-pkts = 0
            /interfaces/interface[name=eth2]/state/counters/in-discards = 0
            /interfaces/interface[name=eth2]/state/counters/in-errors = 0
            /interfaces/interface[name=eth2]/state/counters/in-unknown-protos = 0
            /interfaces/interface[name=eth2]/state/counters/in-fcs-errors = 0
            /interfaces/interface[name=eth2]/state/counters/out-octets = 0
            /interfaces/interface[name=eth2]/state/counters/out-pkts = 0
            /interfaces/interface[name=eth2]/state/counters/out-unicast-pkts = 0
            /interfaces/interface[name=eth2]/state/counters/out-broadcast-pkts = 0
            /interfaces/interface[name=eth2]/state/counters/out-multicast-pkts = 0
            /interfaces/interface[name=eth2]/state/counters/out-discards = 0
            /interfaces/interface[name=eth2]/state/counters/out-errors = 0
            /interfaces/interface[name=eth2]/state/counters/carrier-transitions = 0
            /interfaces/interface[name=eth2]/ethernet/config/port-speed = SPEED_100MB
            /interfaces/interface[name=eth2]/ethernet/state/port-speed = SPEED_100MB
            /interfaces/interface[name=eth2]/ethernet/state/negotiated-port-speed = SPEED_100MB\
            """);
  }

  @Test
  void typesAreWhatCanBeSetAndWhatIs() {
    assertThat(target.text(DataType.CONFIG, "/interfaces/interface[name=3]").lines())
        .containsExactly(
            "/interfaces/interface[name=3]/config/name = 3",
            "/interfaces/interface[name=3]/config/type = ethernetCsmacd",
            "/interfaces/interface[name=3]/config/enabled = true");
    assertThat(target.text(DataType.STATE, "/interfaces/interface[name=3]/state").lines())
        .contains("/interfaces/interface[name=3]/state/enabled = true")
        .contains("/interfaces/interface[name=3]/state/oper-status = UP");
    assertThat(target.text(DataType.OPERATIONAL, "/interfaces/interface[name=3]/state").lines())
        .doesNotContain("/interfaces/interface[name=3]/state/enabled = true")
        .contains("/interfaces/interface[name=3]/state/oper-status = UP");
    // 20 Mbit/s has no name.
    assertThat(target.value("/interfaces/interface[name=3]/ethernet/state/port-speed"))
        .isEqualTo("SPEED_UNKNOWN");
  }

  @Test
  void modulesMayBeNamedInPaths() {
    for (String path :
        List.of(
            "openconfig-interfaces:/interfaces/interface[name=eth1]/config/enabled",
            "openconfig:/interfaces/interface[name=eth1]/config/enabled",
            "/openconfig-interfaces:interfaces/interface[name=eth1]/config/enabled",
            "/openconfig-interfaces:interfaces/openconfig-interfaces:interface[name=eth1]/config/enabled")) {
      assertThat(target.text(DataType.ALL, path))
          .isEqualTo("/interfaces/interface[name=eth1]/config/enabled = true");
    }
    assertThat(
            target.update(
                "/interfaces/interface[name=eth1]/openconfig-if-ethernet:ethernet/config/port-speed",
                "\"SPEED_1GB\""))
        .isEqualTo("OK");
    assertThat(target.value("/interfaces/interface[name=eth1]/ethernet/state/port-speed"))
        .isEqualTo("SPEED_1GB");
  }

  @Test
  void countersAndQueuesAreThoseOfTheSwitch() {
    target.device.load(p -> p.priority = 3, p -> {});
    target.inject(0, 1_000, 0);
    target.inject(0, 1_000, 0);
    target.simulation.runUntil(1_000_000);
    assertThat(target.value("/interfaces/interface[name=eth2]/state/counters/in-octets"))
        .isEqualTo(2_000L);
    assertThat(target.value("/interfaces/interface[name=eth1]/state/counters/out-unicast-pkts"))
        .isEqualTo(2L);
    assertThat(
            target.text(
                DataType.STATE, "/qos/interfaces/interface[name=eth1]/output/queues/queue[name=3]"))
        .isEqualTo(
            """
            /qos/interfaces/interface[name=eth1]/output/queues/queue[name=3]/state/name = 3
            /qos/interfaces/interface[name=eth1]/output/queues/queue[name=3]/state/id = 3
            /qos/interfaces/interface[name=eth1]/output/queues/queue[name=3]/state/max-queue-len = 1000
            /qos/interfaces/interface[name=eth1]/output/queues/queue[name=3]/state/transmit-pkts = 2
            /qos/interfaces/interface[name=eth1]/output/queues/queue[name=3]/state/transmit-octets = 2000
            /qos/interfaces/interface[name=eth1]/output/queues/queue[name=3]/state/dropped-pkts = 0
            /qos/interfaces/interface[name=eth1]/output/queues/queue[name=3]/state/dropped-octets = 0\
            """);
  }

  @Test
  void wildcardsNameSeveralNodes() {
    assertThat(target.text(DataType.ALL, "/interfaces/interface[name=*]/state/ifindex").lines())
        .containsExactly(
            "/interfaces/interface[name=eth1]/state/ifindex = 1",
            "/interfaces/interface[name=eth2]/state/ifindex = 2",
            "/interfaces/interface[name=3]/state/ifindex = 3");
    assertThat(target.text(DataType.ALL, "/interfaces/interface/state/ifindex").lines()).hasSize(3);
    assertThat(target.text(DataType.ALL, "/.../ifindex").lines()).hasSize(3);
    assertThat(target.text(DataType.ALL, "/interfaces/.../counters/in-octets").lines()).hasSize(3);
    assertThat(target.text(DataType.ALL, "/interfaces/*/*/oper-status").lines()).hasSize(3);
    // Everything, each leaf once.
    String everything = target.text(DataType.ALL, "/");
    assertThat(everything.lines()).doesNotHaveDuplicates().hasSizeGreaterThan(300);
    assertThat(target.text(DataType.ALL, "/...")).isEqualTo(everything);
    assertThat(target.text(DataType.ALL, "/interfaces/interface[name=none]/.../in-octets"))
        .isEmpty();
  }

  @Test
  void aQosInterfaceHasStratumsKeyAndOpenConfigs() {
    assertThat(
            target.text(
                DataType.ALL,
                "/qos/interfaces/interface[interface-id=eth1]/output/queues/queue[name=0]/state/id"))
        .isEqualTo(
            "/qos/interfaces/interface[interface-id=eth1]/output/queues/queue[name=0]/state/id ="
                + " 0");
    assertThat(
            target.text(
                DataType.ALL,
                "/qos/interfaces/interface[name=eth1]/output/queues/queue[name=0]/state/id"))
        .isEqualTo("/qos/interfaces/interface[name=eth1]/output/queues/queue[name=0]/state/id = 0");
  }

  @Test
  void jsonComesPlainAndByRfc7951() {
    assertThat(target.json(DataType.CONFIG, Encoding.JSON_IETF, "/interfaces/interface[name=eth1]"))
        .isEqualTo(
            "{\"openconfig-interfaces:config\":{\"name\":\"eth1\","
                + "\"type\":\"iana-if-type:ethernetCsmacd\",\"enabled\":true},"
                + "\"openconfig-if-ethernet:ethernet\":{\"config\":"
                + "{\"port-speed\":\"openconfig-if-ethernet:SPEED_1GB\"}}}");
    assertThat(target.json(DataType.CONFIG, Encoding.JSON, "/interfaces/interface[name=eth1]"))
        .isEqualTo(
            "{\"config\":{\"name\":\"eth1\",\"type\":\"ethernetCsmacd\",\"enabled\":true},"
                + "\"ethernet\":{\"config\":{\"port-speed\":\"SPEED_1GB\"}}}");
    // 64 bits are a string by RFC 7951, 32 bits a number.
    String counter = "/interfaces/interface[name=eth1]/state/counters/in-octets";
    assertThat(target.json(DataType.ALL, Encoding.JSON_IETF, counter)).isEqualTo("\"0\"");
    // A leaf has its own type: without an encoding a request asks for JSON.
    assertThat(
            target
                .get(DataType.ALL, Encoding.JSON, counter)
                .getNotification(0)
                .getUpdate(0)
                .getVal()
                .getValueCase())
        .isEqualTo(TypedValue.ValueCase.UINT_VAL);
    assertThat(
            target.json(
                DataType.ALL, Encoding.JSON_IETF, "/interfaces/interface[name=eth1]/state/id"))
        .isEqualTo("1");
    // A list is an array of entries with their keys.
    assertThat(target.json(DataType.CONFIG, Encoding.JSON_IETF, "/interfaces"))
        .startsWith("{\"openconfig-interfaces:interface\":[{\"name\":\"eth1\",\"config\":");
  }

  @Test
  void answersArePrefixedAsTheRequestWas() {
    GetRequest request =
        GetRequest.newBuilder()
            .setPrefix(
                GnmiPaths.parse("/interfaces/interface[name=eth1]").toBuilder().setTarget("sw"))
            .addPath(GnmiPaths.parse("state/ifindex"))
            .addPath(GnmiPaths.parse("state/name"))
            .setEncoding(Encoding.PROTO)
            .build();
    GetResponse response = Target.<GetRequest, GetResponse>call(target.service::get, request).value;
    assertThat(response.getNotificationCount()).isEqualTo(2);
    assertThat(response.getNotification(0).getPrefix()).isEqualTo(request.getPrefix());
    assertThat(Target.text(response.getNotification(0))).isEqualTo("/state/ifindex = 1");
    assertThat(response.getNotification(0).getTimestamp()).isEqualTo(Target.EPOCH);
    // A prefix with wildcards cannot be taken off.
    GetResponse open =
        Target.<GetRequest, GetResponse>call(
                target.service::get,
                request.toBuilder()
                    .setPrefix(GnmiPaths.parse("/interfaces/interface[name=*]"))
                    .clearPath()
                    .addPath(GnmiPaths.parse("state/ifindex"))
                    .build())
            .value;
    assertThat(open.getNotification(0).getPrefix()).isEqualTo(Path.getDefaultInstance());
    assertThat(Target.text(open.getNotification(0)).lines())
        .first()
        .isEqualTo("/interfaces/interface[name=eth1]/state/ifindex = 1");
  }

  @Test
  @SuppressWarnings("deprecation")
  void elementsOfBeforeMayStandBesideThoseOfNow() {
    GetRequest request =
        GetRequest.newBuilder()
            .addPath(
                GnmiPaths.parse("/interfaces/interface[name=eth1]/state/ifindex").toBuilder()
                    .addElement("interfaces"))
            .setEncoding(Encoding.PROTO)
            .build();
    GetResponse response = Target.<GetRequest, GetResponse>call(target.service::get, request).value;
    assertThat(Target.text(response.getNotification(0)))
        .isEqualTo("/interfaces/interface[name=eth1]/state/ifindex = 1");
  }

  @Test
  void theOriginMayBeSaid() {
    assertThat(
            target.text(DataType.ALL, "openconfig:/interfaces/interface[name=eth1]/state/ifindex"))
        .isEqualTo("/interfaces/interface[name=eth1]/state/ifindex = 1");
    assertThat(List.of(target.sets)).containsExactly(0);
  }
}
