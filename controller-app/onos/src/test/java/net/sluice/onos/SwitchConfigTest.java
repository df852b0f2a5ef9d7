package net.sluice.onos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import net.sluice.rest.testing.PageSwitches;
import org.junit.jupiter.api.Test;
import org.onosproject.net.DeviceId;
import org.onosproject.net.config.InvalidFieldException;

/** What the network configuration may say of a device; of its gNMI server see OnosGnmiTest. */
public class SwitchConfigTest {
  private static final String TOPOLOGY =
      "'topology':{'ports':[{'number':1,'role':'access','rateBps':1000000000,"
          + "'destinationMac':'02:00:00:01:00:01'},"
          + "{'number':2,'role':'core','rateBps':1000000000,"
          + "'destinationMac':'02:00:00:01:00:02'}],"
          + "'bngPorts':{'0':1},'routes':[{'prefix':'0.0.0.0/0','port':2}]}";

  /** A configuration of device:switch1, in JSON with single quotes. */
  public static SwitchConfig config(String json) throws Exception {
    ObjectMapper mapper = new ObjectMapper();
    SwitchConfig config = new SwitchConfig();
    config.init(
        DeviceId.deviceId("device:switch1"),
        SwitchConfig.KEY,
        mapper.readTree(json.replace('\'', '"')),
        mapper,
        changed -> {});
    return config;
  }

  @Test
  void aDeviceWithATopologyIsDriven() throws Exception {
    for (String sound :
        new String[] {
          "{" + TOPOLOGY + "}",
          "{" + TOPOLOGY + ",'gnmi':'10.0.0.1:9339'}",
          "{"
              + TOPOLOGY
              + ",'id':'agg-1','profile':'bmv2','maxSubscriberRateBps':100000000,"
              + "'fpgaClockHz':220000000,'setPorts':true}",
        }) {
      assertThat(config(sound).isValid()).as(sound).isTrue();
      assertThat(config(sound).isDriven()).as(sound).isTrue();
    }
    assertThat(config("{'gnmi':'none'}").isValid()).isTrue();
    assertThat(config("{'gnmi':'none'}").isDriven()).isFalse();
  }

  @Test
  void theSwitchesOfThePagesAreTaken() throws Exception {
    List<PageSwitches.Shown> shown = PageSwitches.all();
    assertThat(shown).hasSizeGreaterThan(5);
    SluiceSettings application = SluiceSettings.of(Map.of());
    for (PageSwitches.Shown each : shown) {
      SwitchConfig config = config(each.document());
      assertThat(config.isValid()).as(each.where()).isTrue();
      SwitchSettings settings =
          SwitchSettings.ofDevice(config.subject(), config.document(), application);
      assertThat(settings.config().topology().ports()).as(each.where()).isNotEmpty();
    }
  }

  @Test
  void whatIsNotAcceptableIsRefusedBeforeOnosTakesIt() {
    for (String[] each :
        new String[][] {
          {"{'id':'agg'}", "topology", "topology is absent; allowed: an object"},
          {"{" + TOPOLOGY + ",'id':'a b'}", "id", "id is a b; allowed: 1 to 64 characters"},
          {
            "{" + TOPOLOGY + ",'device':'device:leaf9'}", "device", "allowed: device:switch1, whose"
          },
          {
            "{" + TOPOLOGY + ",'device':'leaf9'}",
            "device",
            "a device of ONOS, such as device:leaf1"
          },
          {
            "{" + TOPOLOGY + ",'deviceConfig':'lab'}",
            "deviceConfig",
            "absent, because in ONOS it is a property"
          },
          {"{" + TOPOLOGY + ",'profile':'tofino9'}", "profile", "profile is tofino9; allowed: "},
          {"{" + TOPOLOGY + ",'setPorts':'yes'}", "setPorts", "allowed: true or false"},
          {"{" + TOPOLOGY + ",'fpgaUp':'host'}", "fpgaUp", "allowed: HOST:PORT"},
          {"{" + TOPOLOGY + ",'window':4}", "window", ""},
          {
            "{" + TOPOLOGY + ",'fpgaUp':'mmap:/dev/mem'}", "fpgaUp", "HOST:PORT of a register agent"
          },
          {"{" + TOPOLOGY + ",'deviceId':'device:leaf1'}", "deviceId", "a whole number"},
          {"{" + TOPOLOGY + ",'deviceId':1}", "deviceId", "allowed: a number beside p4runtime"},
          {"{'topology':{'ports':[]}}", "topology", "topology.ports is []; allowed: an array"},
          {"{'topology':null}", "topology", "topology is null; allowed: an object"},
        }) {
      assertThatThrownBy(() -> config(each[0]).isValid())
          .as(each[0])
          .isInstanceOf(InvalidFieldException.class)
          .hasMessageContaining(each[1])
          .hasMessageContaining(each[2]);
    }
  }
}
