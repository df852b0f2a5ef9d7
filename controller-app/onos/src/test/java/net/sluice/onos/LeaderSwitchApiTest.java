package net.sluice.onos;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import net.sluice.core.Controller;
import net.sluice.onos.rest.JettyHost;
import net.sluice.onos.store.ClusterNetworkStore;
import net.sluice.onos.store.KnownCommits;
import net.sluice.onos.testing.MemoryDevices;
import net.sluice.onos.testing.TestCluster;
import net.sluice.rest.SwitchApiContract;
import net.sluice.rest.json.JsonTree;
import net.sluice.rest.json.JsonValue;
import net.sluice.testing.Http;
import org.junit.jupiter.api.Test;
import org.onosproject.mastership.MastershipAdminService;
import org.onosproject.mastership.MastershipServiceAdapter;
import org.onosproject.net.DeviceId;

/** Switches that are declared at the instance that leads. */
class LeaderSwitchApiTest extends SwitchApiContract {
  private static final DeviceId LEAF2 = DeviceId.deviceId("device:leaf2");

  private final MemoryDevices devices = new MemoryDevices();
  private final JettyHost host = new JettyHost();
  private LeaderNetwork network;

  @Override
  protected URI begin() throws Exception {
    devices.declared.put(DeviceId.deviceId("device:bng1"), value(FIRST));
    TestCluster.Node node = new TestCluster().node("10.0.0.1");
    SluiceSettings application = SluiceSettings.of(SluiceSettings.DEFAULTS);
    ClusterNetworkStore store =
        ClusterNetworkStore.open(
            node.storage,
            "node",
            Duration.ofSeconds(5),
            Clock.systemUTC(),
            new KnownCommits(),
            lost -> {});
    network =
        new LeaderNetwork(
            store,
            application,
            () -> WantedSwitches.of(application, devices.declared()),
            new ClusterTargets(
                node.id,
                () -> true,
                new MastershipServiceAdapter() {
                  @Override
                  public boolean isLocalMaster(DeviceId device) {
                    return true;
                  }
                },
                (MastershipAdminService) null,
                devices),
            Clock.systemUTC());
    network.follow();
    Controller controller = network.controller();
    host.start(controller, new DeclaredDevices(application, devices, network));
    return host.base();
  }

  @Override
  protected void end() throws Exception {
    host.close();
    network.controller().close();
  }

  private static JsonValue value(String json) throws Exception {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    return JsonTree.read(bytes, 0, bytes.length);
  }

  private String put(String id, String body, int status) throws Exception {
    var response = Http.send("PUT", host.base() + "/switches/" + id, body);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    return response.body();
  }

  @Test
  void aSwitchIsADeviceOfTheNetworkConfiguration() throws Exception {
    String ofDevice = FIRST.replace("\"p4runtime\":\"127.0.0.1:1\"", "\"device\":\"device:leaf2\"");
    put("agg", ofDevice, 201);
    assertThat(devices.declared.get(LEAF2))
        .isEqualTo(value(ofDevice.replaceFirst("\\{", "{\"id\":\"agg\",")));
    assertThat(devices.opened).containsEntry(LEAF2, "agg");
    // A device that another switch is, or another device than the switch is.
    assertThat(put("other", ofDevice, 409)).contains("switch agg is this one");
    assertThat(put("bng1", ofDevice, 409)).contains("allowed: device:bng1, which switch bng1 is");
    assertThat(put("agg", FIRST.replaceFirst("\\{", "{\"deviceConfig\":\"lab\","), 422))
        .contains("deviceConfig")
        .contains("absent, because in ONOS it is a property");
    // Without the device it is the one that it is.
    String nameless = ofDevice.replace("\"device\":\"device:leaf2\",", "");
    put("agg", nameless, 200);
    assertThat(put("agg", nameless, 200)).contains("\"device\":\"device:leaf2\"");
  }

  @Test
  void whatTheNetworkConfigurationSaysIsToldAndCanBePutOtherwise() throws Exception {
    devices.declared.put(LEAF2, value(FIRST.replaceFirst("\\{", "{\"id\":\"agg\",")));
    network.follow();
    String told = Http.send("GET", host.base() + "/switches/agg", null).body();
    assertThat(told)
        .contains("\"device\":\"device:leaf2\"")
        .contains("\"p4runtime\":\"127.0.0.1:1\"");
    put("agg", FIRST.replaceFirst("\\{", "{\"gnmi\":\"none\","), 200);
    assertThat(devices.declared.get(LEAF2))
        .isEqualTo(value(FIRST.replaceFirst("\\{", "{\"id\":\"agg\",\"gnmi\":\"none\",")));
    // The last one goes, too.
    assertThat(Http.send("DELETE", host.base() + "/switches/agg", null).statusCode())
        .isEqualTo(204);
    assertThat(Http.send("DELETE", host.base() + "/switches/bng1", null).statusCode())
        .isEqualTo(204);
    assertThat(devices.declared).isEmpty();
    assertThat(network.controller().switches())
        .singleElement()
        .matches(each -> each.name().equals("switch"));
  }
}
