package net.sluice.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import net.sluice.intents.marker.RandomRates;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NetworkFileTest {
  private static final String CABLED =
      "\"topology\": {\"ports\": [{\"number\": 1, \"role\": \"access\", \"rateBps\": 1000,"
          + " \"destinationMac\": \"02:00:00:01:00:01\"}], \"bngPorts\": {\"0\": 1}}";

  @TempDir Path folder;

  private List<RemoteSwitch> read(String json) throws Exception {
    Path file = folder.resolve("network.json");
    Files.writeString(file, json);
    return NetworkFile.read(
        file.toString(), new RemoteSwitchOptions(), 1_000_000_000L, RandomRates.BITS_16);
  }

  private static String one(String id, String more) {
    return "{\"id\": \"" + id + "\", " + more + ", " + CABLED + "}";
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
