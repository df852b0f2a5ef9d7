package net.sluice.standalone.network;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import net.sluice.cli.StartFailure;
import net.sluice.endpoints.Reach;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.profile.MarkerSettings;
import net.sluice.intents.profile.Topology.Trunk;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.json.JsonTree;
import net.sluice.rest.testing.PageSwitches;
import net.sluice.testing.Golden;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stratum.barefoot.BfPipelineConfig;

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
        file.toString(),
        new RemoteSwitchOptions(),
        new MarkerSettings(1_000_000_000L, RandomRates.BITS_16),
        List.of("emulator"));
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
  void emulatedSwitchesAreToldApart() throws Exception {
    String emulated =
        one("bng1", "\"p4runtime\": \"127.0.0.1:9559\"")
            .replaceFirst(
                "\"p4runtime\"",
                "\"emulated\": true, \"interfaces\": {\"1\": \"tap:homes\"}, \"p4runtime\"");
    NetworkFile.Contents contents =
        contents(network(emulated, one("bng2", "\"p4runtime\": \"h:1\"")));
    assertThat(contents.switches()).hasSize(2);
    assertThat(contents.emulated()).hasSize(1);
    assertThat(contents.emulated().get(0).remote().name()).isEqualTo("bng1");
    assertThat(contents.emulated().get(0).interfaces()).containsExactly(Map.entry(1, "tap:homes"));
    // The API takes what it shows.
    assertThat(new String(contents.documents().get("bng1"), StandardCharsets.UTF_8))
        .doesNotContain("emulated", "interfaces");
    RemoteSwitch again =
        declared(
            form(contents),
            "bng1",
            new String(contents.documents().get("bng1"), StandardCharsets.UTF_8));
    assertThat(again.servers()).isEqualTo(contents.switches().get(0).servers());
  }

  @Test
  void theTrunksOfAFileAreRead() throws Exception {
    List<RemoteSwitch> switches =
        read(network(joined("bng1", trunk(2, "agg", 3)), joined("agg", "")));
    assertThat(switches.get(0).model().topology().trunks()).containsExactly(new Trunk(2, "agg", 3));
    assertThat(switches.get(1).model().topology().trunks()).isEmpty();
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
                        + " \"deviceId\": 7, \"gnmi\": \"192.0.2.2:9339\", \"setPorts\": true")
                + "]}");
    assertThat(switches).extracting(RemoteSwitch::name).containsExactly("bng1", "bng2");
    assertThat(switches.get(1).servers().p4runtime().deviceId()).isEqualTo(7);
    assertThat(switches.get(1).servers().p4runtime().host()).isEqualTo("2001:db8::2");
    assertThat(switches.get(1).servers().gnmi().orElseThrow().port()).isEqualTo(9339);
    assertThat(switches.get(1).servers().gnmi().orElseThrow().setsPorts()).isTrue();
    assertThat(switches.get(1).model().profile().name()).isEqualTo("stratum-bmv2");
    assertThat(switches.get(0).model().topology().ports()).hasSize(1);
  }

  @Test
  void theSwitchesOfThePagesAreRead() throws Exception {
    List<PageSwitches.Shown> shown = PageSwitches.all();
    assertThat(shown).hasSizeGreaterThan(5);
    for (PageSwitches.Shown each : shown) {
      List<RemoteSwitch> read =
          read(network(each.document().replaceFirst("\\{", "{\"id\":\"bng1\",")));
      assertThat(read).as(each.where()).hasSize(1);
    }
  }

  /** A file that a switch of profile stratum-tofino could load. */
  private String loadable(String name) throws Exception {
    Path file = folder.resolve(name);
    BfPipelineConfig config =
        BfPipelineConfig.newBuilder()
            .setBfruntimeInfo(ByteString.copyFromUtf8("{}"))
            .addProfiles(
                BfPipelineConfig.Profile.newBuilder()
                    .setContext(ByteString.copyFromUtf8("{}"))
                    .setBinary(ByteString.copyFromUtf8("-")))
            .build();
    Files.write(file, config.toByteArray());
    return file.toString();
  }

  private static RemoteSwitch declared(NetworkFile.OneSwitch form, String id, String json)
      throws Refusal {
    byte[] document = json.getBytes(StandardCharsets.UTF_8);
    return form.read(id, JsonTree.read(document, 0, document.length));
  }

  private static String refusal(NetworkFile.OneSwitch form, String id, String json) {
    try {
      return declared(form, id, json).toString();
    } catch (Refusal e) {
      return e.problems().stream().map(Problem::detail).collect(Collectors.joining("\n"));
    }
  }

  private static NetworkFile.OneSwitch form(NetworkFile.Contents file) {
    return NetworkFile.one(
        new RemoteSwitchOptions(), file, new MarkerSettings(1_000_000_000L, RandomRates.BITS_16));
  }

  private static String sent(String more) {
    return "{" + more + ", " + CABLED + "}";
  }

  private static String tofino(String address, String deviceConfig) {
    return "\"p4runtime\": \""
        + address
        + "\", \"profile\": \"stratum-tofino\", \"deviceConfig\": \""
        + deviceConfig
        + "\"";
  }

  @Test
  void aRequestNamesDeviceConfigurationsOfTheStartAndNoFiles() throws Exception {
    String file = loadable("sluice.pb.bin");
    NetworkFile.OneSwitch form =
        form(
            contents(
                "{\"deviceConfigs\": [{\"name\": \"lab\", \"file\": \""
                    + file
                    + "\"}], \"switches\": ["
                    + one("bng1", tofino("192.0.2.1:9559", "lab"))
                    + "]}"));
    assertThat(declared(form, "bng2", sent(tofino("127.0.0.1:1", "lab"))).model().pipeline().name())
        .isEqualTo("sluice-tna");
    String allowed =
        "; allowed: lab; the start names others (--device-config NAME=FILE, or deviceConfigs in the"
            + " network file).";
    for (String path : new String[] {file, "/dev/zero", "/etc/hostname", "/absent", "la"}) {
      assertThat(refusal(form, "bng2", sent(tofino("127.0.0.1:1", path))))
          .as("the same words, whatever is there")
          .isEqualTo("deviceConfig is " + path + allowed);
    }
  }

  @Test
  void aRequestMapsNoRegistersButThoseOfItsSwitchInTheFile() throws Exception {
    Path registers = folder.resolve("resource0");
    Files.createFile(registers);
    Path others = folder.resolve("resource1");
    Files.createFile(others);
    String mapped = "\"p4runtime\": \"127.0.0.1:%d\", \"fpgaDown\": \"mmap:%s\"";
    String bng1 = one("bng1", mapped.formatted(1, registers)).replace("}]", "}, " + DOWN + "]");
    NetworkFile.Contents file = contents(network(bng1));
    NetworkFile.OneSwitch form = form(file);
    String document = new String(file.documents().get("bng1"), StandardCharsets.UTF_8);
    assertThat(declared(form, "bng1", document).servers().fpgaDown())
        .isEqualTo(file.switches().get(0).servers().fpgaDown());
    String refused =
        "fpgaDown is mmap:%s; allowed: HOST:PORT of a register agent; mmap:FILE is for the network"
            + " file.";
    assertThat(refusal(form, "bng2", document)).isEqualTo(refused.formatted(registers));
    String up = document.replace("fpgaDown", "fpgaUp").replace("\"down\"", "\"up\"");
    assertThat(refusal(form, "bng1", up))
        .isEqualTo(refused.formatted(registers).replace("Down", "Up"));
    for (Path other : new Path[] {others, folder.resolve("absent"), Path.of("/dev/mem")}) {
      assertThat(refusal(form, "bng1", document.replace(registers.toString(), other.toString())))
          .isEqualTo(refused.formatted(other));
    }
  }

  @Test
  void aRequestIsForTargetsThatTheStartAllows() throws Exception {
    NetworkFile.OneSwitch form =
        form(
            contents(
                network(
                    one("bng1", "\"p4runtime\": \"192.0.2.1:9559\", \"gnmi\": \"leaf:9339\""))));
    String allowed =
        "; allowed: 127.0.0.0/8, ::1, 192.0.2.1:9559, leaf:9339; others with --allow-target.";
    declared(form, "bng1", sent("\"p4runtime\": \"192.0.2.1:9559\""));
    RemoteSwitch local =
        declared(form, "bng2", sent("\"p4runtime\": \"[::1]:9559\", \"gnmi\": \"leaf:9339\""));
    assertThat(local.reach()).isInstanceOf(Reach.Within.class);
    assertThat(refusal(form, "bng2", sent("\"p4runtime\": \"192.0.2.1:22\"")))
        .isEqualTo("p4runtime is 192.0.2.1:22" + allowed);
    assertThat(
            refusal(
                form,
                "bng2",
                sent("\"p4runtime\": \"169.254.169.254:80\", \"gnmi\": \"[::ffff:192.0.2.2]:9339\","
                        + " \"fpgaDown\": \"0.0.0.0:8181\"")
                    .replace("}]", "}, " + DOWN + "]")))
        .contains(
            "p4runtime is 169.254.169.254:80" + allowed,
            "gnmi is [::ffff:192.0.2.2]:9339" + allowed,
            "fpgaDown is 0.0.0.0:8181" + allowed);
    for (String other :
        new String[] {"unix:/run/x", "unix:///run/x", "dns:///leaf:1", "leaf:1/x"}) {
      assertThat(refusal(form, "bng2", sent("\"p4runtime\": \"" + other + "\"")))
          .startsWith("p4runtime is " + other + "; allowed: HOST:PORT with a port of 1 to 65535");
    }
  }

  @Test
  void whatAnEarlierStartAllowedIsStillReadAndOutOfReach() throws Exception {
    NetworkFile.OneSwitch form = form(contents(network(one("bng1", "\"p4runtime\": \"h:1\""))));
    byte[] document =
        sent(tofino("192.0.2.9:9559", "/srv/sluice.pb.bin")
                + ", \"fpgaDown\": \"mmap:/sys/resource0\"")
            .replace("}]", "}, " + DOWN + "]")
            .getBytes(StandardCharsets.UTF_8);
    RemoteSwitch stored = form.readStored("bng2", JsonTree.read(document, 0, document.length));
    assertThat(((Reach.Nothing) stored.reach()).reason())
        .isEqualTo(
            "not connected, because this start does not allow what is stored of the switch:"
                + " deviceConfig is /srv/sluice.pb.bin; allowed: the name of a device"
                + " configuration; the start names none (--device-config NAME=FILE, or"
                + " deviceConfigs in the network file); p4runtime is 192.0.2.9:9559; allowed:"
                + " 127.0.0.0/8, ::1, h:1; others with --allow-target; fpgaDown is"
                + " mmap:/sys/resource0; allowed: HOST:PORT of a register agent; mmap:FILE is for"
                + " the network file. PUT the switch anew, or start with other options");
    assertThat(stored.model().topology().ports()).hasSize(2);
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
      // Emulated switches that cannot be, and interfaces of others.
      network(
          one(
              "bng1",
              "\"p4runtime\": \"h:1\", \"emulated\": true, \"profile\": \"stratum-tofino\","
                  + " \"interfaces\": {\"1\": \"tap:a\"}"),
          one("bng2", "\"p4runtime\": \"h:2\", \"interfaces\": {\"1\": \"tap:a\"}"),
          one(
              "bng3",
              "\"p4runtime\": \"h:3\", \"emulated\": true, \"interfaces\": {\"1\": \"a b\","
                  + " \"01\": \"a\", \"2\": \"b\", \"p\": \"c\", \"4\": 7}"),
          one("bng4", "\"p4runtime\": \"h:4\", \"emulated\": \"yes\", \"interfaces\": []")),
      network(
          one(
              "bng1",
              "\"p4runtime\": \"h:1\", \"emulated\": true, \"interfaces\": {\"1\": \"tap:a\"}"),
          one(
              "bng2",
              "\"p4runtime\": \"h:2\", \"emulated\": true, \"interfaces\": {\"1\": \"tap:a\"}")),
      network(
          joined("bng1", trunk(2, "agg", 3))
              .replaceFirst(
                  "\"p4runtime\"",
                  "\"emulated\": true, \"interfaces\": {\"2\": \"veth2\"}, \"p4runtime\""),
          joined("agg", "").replaceFirst("\"p4runtime\"", "\"emulated\": true, \"p4runtime\"")),
      // Device configurations that are of another form, have the same name, or are none.
      "{\"deviceConfigs\": [7, {\"name\": \"a b\", \"path\": \"x\"}, {\"name\": \"a\", \"file\":"
          + " \"FOLDER/sluice.pb.bin\"}, {\"name\": \"a\", \"file\": \"FOLDER/sluice.pb.bin\"}, {\"name\":"
          + " \"b\", \"file\": \"FOLDER/absent.pb\"}], \"switches\": ["
          + one(
              "bng1",
              "\"p4runtime\": \"h:1\", \"profile\": \"stratum-tofino\", \"deviceConfig\": \"c\"")
          + "]}",
    };
    loadable("sluice.pb.bin");
    StringBuilder said = new StringBuilder();
    for (String file : files) {
      said.append(file).append('\n');
      try {
        read(file.replace("FOLDER", folder.toString()));
        said.append("read\n");
      } catch (StartFailure e) {
        said.append(e.getMessage().replace(folder.toString(), "FOLDER")).append('\n');
      }
      said.append('\n');
    }
    Golden.check("network-file-errors.txt", said.toString());
  }
}
