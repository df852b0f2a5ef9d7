package net.sluice.onos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import net.sluice.onos.testing.TestSwitch;
import org.junit.jupiter.api.Test;
import org.onosproject.net.config.InvalidFieldException;

/** What the network configuration may say of a device; of its gNMI server see OnosGnmiTest. */
public class SwitchConfigTest {
  private static final String TOPOLOGY =
      "'topology':{'ports':[{'number':1,'role':'access','rateBps':1000000000,"
          + "'destinationMac':'02:00:00:01:00:01'},"
          + "{'number':2,'role':'core','rateBps':1000000000,"
          + "'destinationMac':'02:00:00:01:00:02'}],"
          + "'bngPorts':{'0':1},'routes':[{'prefix':'0.0.0.0/0','port':2}]}";

  public static SwitchConfig config(String json) throws Exception {
    ObjectMapper mapper = new ObjectMapper();
    SwitchConfig config = new SwitchConfig();
    config.init(
        TestSwitch.DEVICE,
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
              + ",'name':'agg-1','profile':'bmv2','maxSubscriberRateBps':100000000,"
              + "'fpgaDown':'fpga:9','fpgaUp':'fpga:10','fpgaClockHz':220000000,'setPorts':true}",
        }) {
      assertThat(config(sound).isValid()).as(sound).isTrue();
      assertThat(config(sound).isDriven()).as(sound).isTrue();
    }
    assertThat(config("{'gnmi':'none'}").isValid()).isTrue();
    assertThat(config("{'gnmi':'none'}").isDriven()).isFalse();
  }

  @Test
  void whatIsNotAcceptableIsRefusedBeforeOnosTakesIt() {
    for (String[] each :
        new String[][] {
          {
            "{'name':'agg'}", "topology", "it is absent; allowed: how the switch is cabled, because"
          },
          {"{" + TOPOLOGY + ",'name':'a b'}", "name", "name is a b; allowed: 1 to 64 characters"},
          {"{" + TOPOLOGY + ",'profile':'tofino9'}", "profile", "profile is tofino9; allowed: "},
          {"{" + TOPOLOGY + ",'setPorts':'yes'}", "setPorts", "allowed: true or false"},
          {"{" + TOPOLOGY + ",'fpgaUp':'host'}", "fpgaUp", "allowed: host:port"},
          {"{" + TOPOLOGY + ",'window':4}", "window", ""},
          {"{" + TOPOLOGY + ",'deviceId':'device:leaf1'}", "deviceId", ""},
          {"{'topology':{'ports':[]}}", "topology", "topology is not acceptable at ports"},
          {"{'topology':null}", "topology", "it is null"},
        }) {
      assertThatThrownBy(() -> config(each[0]).isValid())
          .as(each[0])
          .isInstanceOf(InvalidFieldException.class)
          .hasMessageContaining(each[1])
          .hasMessageContaining(each[2]);
    }
  }
}
