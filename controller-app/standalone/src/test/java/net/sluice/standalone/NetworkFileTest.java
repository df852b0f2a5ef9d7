package net.sluice.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import net.sluice.intents.marker.RandomRates;
import net.sluice.intents.profile.Topology.Trunk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NetworkFileTest {
  private static final String CABLED =
      "\"topology\": {\"ports\": [{\"number\": 1, \"role\": \"access\", \"rateBps\": 1000,"
          + " \"destinationMac\": \"02:00:00:01:00:01\"}], \"bngPorts\": {\"0\": 1}}";

  private static final String DOWN =
      "{\"number\": 4, \"role\": \"sidecar\", \"direction\": \"down\", \"rateBps\": 1000}";

  @TempDir Path folder;

  private List<RemoteSwitch> read(String json) throws Exception {
    return contents(json).switches();
  }

  private NetworkFile.Contents contents(String json) throws Exception {
    Path file = folder.resolve("network.json");
    Files.writeString(file, json);
    return NetworkFile.read(
        file.toString(), new RemoteSwitchOptions(), 1_000_000_000L, RandomRates.BITS_16);
  }

  private static String one(String id, String more) {
    return "{\"id\": \"" + id + "\", " + more + ", " + CABLED + "}";
  }

  /** A switch with ports of role trunk, 2 to a switch above and 3 to one below. */
  private static String joined(String id, String trunks) {
    String trunk = ", \"role\": \"trunk\", \"rateBps\": 1000, \"destinationMac\":";
    return one(id, "\"p4runtime\": \"" + id + ".example.net:9559\"")
        .replace(
            "}], \"bngPorts\"",
            "}, {\"number\": 2, \"direction\": \"down\""
                + trunk
                + " \"02:00:00:01:00:02\"}, {\"number\": 3, \"direction\": \"up\""
                + trunk
                + " \"02:00:00:01:00:03\"}], \"trunks\": ["
                + trunks
                + "], \"bngPorts\"");
  }

  private static String network(String... switches) {
    return "{\"switches\": [" + String.join(", ", switches) + "]}";
  }

  private static String trunk(int port, String toSwitch, int toPort) {
    return "{\"port\": "
        + port
        + ", \"toSwitch\": \""
        + toSwitch
        + "\", \"toPort\": "
        + toPort
        + "}";
  }

  @Test
  void eachSwitchOfAFileIsADocumentAsTheApiTakesIt() throws Exception {
    String bng1 = joined("bng1", trunk(2, "agg", 3));
    NetworkFile.Contents contents = contents(network(bng1, joined("agg", "")));
    assertThat(contents.documents()).containsOnlyKeys("bng1", "agg");
    assertThat(new String(contents.documents().get("bng1"), StandardCharsets.UTF_8))
        .isEqualTo(bng1.replace("\"id\": \"bng1\", ", "").replace(": ", ":").replace(", ", ","));
  }

  @Test
  void theTrunksOfAFileAreRead() throws Exception {
    List<RemoteSwitch> switches =
        read(network(joined("bng1", trunk(2, "agg", 3)), joined("agg", "")));
    assertThat(switches.get(0).topology().trunks()).containsExactly(new Trunk(2, "agg", 3));
    assertThat(switches.get(1).topology().trunks()).isEmpty();
  }

  @Test
  void theSwitchesOfAFileAreRead() throws Exception {
    List<RemoteSwitch> switches =
        read(
            "{\"switches\": ["
                + one("bng1", "\"p4runtime\": \"192.0.2.1:9559\"")
                + ", "
                + one(
                    "bng2",
                    "\"profile\": \"stratum-bmv2\", \"p4runtime\": \"[2001:db8::2]:9559\","
                        + " \"deviceId\": 7, \"gnmi\": \"192.0.2.2:9339\"")
                + "]}");
    assertThat(switches).extracting(RemoteSwitch::name).containsExactly("bng1", "bng2");
    assertThat(switches.get(1).endpoint().deviceId()).isEqualTo(7);
    assertThat(switches.get(1).endpoint().host()).isEqualTo("2001:db8::2");
    assertThat(switches.get(1).gnmi().orElseThrow().port()).isEqualTo(9339);
    assertThat(switches.get(1).profile().name()).isEqualTo("stratum-bmv2");
    assertThat(switches.get(0).topology().ports()).hasSize(1);
  }

  @Test
  void everyBadFileIsRefusedWithAllThatIsWrongWithIt() throws Exception {
    String good = one("bng1", "\"p4runtime\": \"192.0.2.1:9559\"");
    String[] files = {
      "{}",
      "{\"switches\": []}",
      "{\"switches\": [7], \"more\": 1}",
      "{\"switches\": [{}]}",
      "{\"switches\": [" + good + ", " + good + "]}",
      "{\"switches\": [" + good + ", " + one("bng2", "\"p4runtime\": \"192.0.2.1:9559\"") + "]}",
      "{\"switches\": ["
          + one(
              "a b",
              "\"profile\": \"asic\", \"p4runtime\": \"host\", \"gnmi\": \"h:0\", \"deviceId\": -1,"
                  + " \"fpgaDown\": \"192.0.2.1:1\", \"fpgaClockHz\": 1, \"fpgaUp\": \"mmap:/none\"")
          + "]}",
      "{\"switches\": [{\"id\": \"x\", \"p4runtime\": \"h:1\", \"topology\": {\"ports\": []}}]}",
      // Trunks: of another form, that end nowhere or at a port in use, and a loop.
      network(
          joined(
              "bng1", "7, {}, {\"port\": 511, \"toSwitch\": \"a b\", \"toPort\": -1, \"to\": 1}")),
      network(
          joined("bng1", trunk(2, "core", 3) + ", " + trunk(1, "agg", 4)),
          joined("bng2", trunk(2, "agg", 3)),
          joined("bng3", trunk(2, "agg", 3)),
          joined("agg", "")),
      network(
          joined("a", trunk(2, "b", 3)),
          joined("b", trunk(2, "c", 3)),
          joined("c", trunk(2, "a", 3))),
      network(
          joined("bng1", trunk(2, "agg", 3)).replace("1000", "2000"),
          joined("agg", trunk(2, "bng2", 2)),
          joined("bng2", "")
              .replace(
                  "\"direction\": \"down\"",
                  "\"direction\": \"down\", \"keepPacketValue\": false")),
      // FPGAs that are driven already.
      network(
          one("bng1", "\"p4runtime\": \"h:1\", \"fpgaDown\": \"h:3\"")
              .replace("}]", "}, " + DOWN + "]"),
          one("bng2", "\"p4runtime\": \"h:2\", \"fpgaDown\": \"h:3\"")
              .replace("}]", "}, " + DOWN + "]")),
      // A switch whose program is not there.
      network(
          one("bng1", "\"p4runtime\": \"h:1\", \"profile\": \"stratum-tofino\""),
          one("bng2", "\"p4runtime\": \"h:2\", \"deviceConfig\": \"none.pb\"")),
    };
    StringBuilder said = new StringBuilder();
    for (String file : files) {
      said.append(file).append('\n');
      try {
        read(file);
        said.append("read\n");
      } catch (StartFailure e) {
        said.append(e.getMessage().replace(folder.toString(), "FOLDER")).append('\n');
      }
      said.append('\n');
    }
    Golden.check("network-file-errors.txt", said.toString());
  }
}
