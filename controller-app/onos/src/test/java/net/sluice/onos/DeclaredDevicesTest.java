package net.sluice.onos;

import static org.assertj.core.api.Assertions.assertThat;

import net.sluice.onos.rest.JettyHost;
import net.sluice.rest.testing.TestServices;
import net.sluice.testing.Http;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.net.DeviceId;

/** Switches that are declared, in ONOS's network configuration. */
class DeclaredDevicesTest {
  private static final DeviceId LEAF2 = DeviceId.deviceId("device:leaf2");
  private static final String FIRST =
      "{\"profile\":\"emulator\",\"p4runtime\":\"127.0.0.1:1\",\"topology\":{\"ports\":["
          + "{\"number\":1,\"role\":\"core\",\"rateBps\":1000000000,"
          + "\"destinationMac\":\"02:00:00:01:00:01\"}],\"bngPorts\":{}}}";

  private final TestLeader leader = new TestLeader(FIRST);
  private final TestServices services =
      new TestServices(leader.controller()).with(leader.switches());
  private final JettyHost host = new JettyHost();

  @BeforeEach
  void start() {
    host.start(services);
  }

  @AfterEach
  void stop() throws Exception {
    host.close();
    services.close();
    leader.close();
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
    assertThat(leader.devices.declared.get(LEAF2))
        .isEqualTo(TestLeader.value(ofDevice.replaceFirst("\\{", "{\"id\":\"agg\",")));
    assertThat(leader.devices.opened).containsEntry(LEAF2, "agg");
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
    leader.devices.declared.put(
        LEAF2, TestLeader.value(FIRST.replaceFirst("\\{", "{\"id\":\"agg\",")));
    leader.network.follow();
    String told = Http.send("GET", host.base() + "/switches/agg", null).body();
    assertThat(told)
        .contains("\"device\":\"device:leaf2\"")
        .contains("\"p4runtime\":\"127.0.0.1:1\"");
    put("agg", FIRST.replaceFirst("\\{", "{\"gnmi\":\"none\","), 200);
    assertThat(leader.devices.declared.get(LEAF2))
        .isEqualTo(
            TestLeader.value(FIRST.replaceFirst("\\{", "{\"id\":\"agg\",\"gnmi\":\"none\",")));
    // The last one goes, too.
    assertThat(Http.send("DELETE", host.base() + "/switches/agg", null).statusCode())
        .isEqualTo(204);
    assertThat(Http.send("DELETE", host.base() + "/switches/bng1", null).statusCode())
        .isEqualTo(204);
    assertThat(leader.devices.declared).isEmpty();
    assertThat(leader.network.controller().switches())
        .singleElement()
        .matches(each -> each.name().equals("switch"));
  }
}
