package net.sluice.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import net.sluice.cli.StartFailure;
import net.sluice.intents.profile.Trunks.End;
import net.sluice.intents.value.Direction;
import net.sluice.lab.demo.DemoNetwork.Way;
import net.sluice.testing.Golden;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Networks of the demo: what is read, and what is refused with all that is wrong with it. */
class NetworkDocumentTest {
  private static final Set<String> POLICIES = Set.of("gold", "silver");

  @TempDir private Path folder;

  private static String port(int number, String role, String more) {
    return ("{\"number\": %s, \"role\": \"%s\", \"rateBps\": 20000000, \"destinationMac\":"
            + " \"02:00:00:01:00:0%s\"%s}")
        .formatted(number, role, number, more);
  }

  private static String trunkPort(int number, String direction) {
    return port(number, "trunk", ", \"direction\": \"" + direction + "\"");
  }

  private static String bng(String id) {
    return member(id, "\"0\": 1", 2, port(1, "access", ""), trunkPort(2, "down"));
  }

  private static String member(String id, String bngPorts, int routePort, String... ports) {
    return "{\"id\": \""
        + id
        + "\", \"topology\": {\"ports\": ["
        + String.join(", ", ports)
        + "], \"bngPorts\": {"
        + bngPorts
        + "}, \"routes\": [{\"prefix\": \"0.0.0.0/0\", \"port\": "
        + routePort
        + "}, {\"prefix\": \"::/0\", \"port\": "
        + routePort
        + "}]}}";
  }

  private static final String AGG =
      member("agg", "", 3, trunkPort(1, "up"), trunkPort(2, "up"), port(3, "core", ""));

  /** A trunk, which is declared at the first of its ends. */
  private record Trunk(String at, int port, String toSwitch, int toPort) {
    String json() {
      return "{\"port\": %s, \"toSwitch\": \"%s\", \"toPort\": %s}"
          .formatted(port, toSwitch, toPort);
    }
  }

  private static Trunk trunk(String at, int port, String toSwitch, int toPort) {
    return new Trunk(at, port, toSwitch, toPort);
  }

  /** A switch with those of the trunks that are declared there. */
  private static String cabled(String member, List<Trunk> trunks) {
    String here =
        trunks.stream()
            .filter(trunk -> member.startsWith("{\"id\": \"" + trunk.at() + "\""))
            .map(Trunk::json)
            .collect(Collectors.joining(", "));
    return here.isEmpty()
        ? member
        : member.substring(0, member.length() - 2) + ", \"trunks\": [" + here + "]}}";
  }

  private static String group(String name, String at) {
    return ("{\"name\": \"%s\", \"switch\": \"%s\", \"policy\": \"gold\", \"subscribers\": 2,"
            + " \"offeredBps\": 1000000}")
        .formatted(name, at);
  }

  private static String network(List<String> switches, List<Trunk> trunks, String... groups) {
    return "{\"direction\": \"up\", \"switches\": [%s], \"groups\": [%s]}"
        .formatted(
            switches.stream().map(each -> cabled(each, trunks)).collect(Collectors.joining(", ")),
            String.join(", ", groups));
  }

  private static final List<String> SWITCHES = List.of(bng("bng1"), bng("bng2"), AGG);
  private static final List<Trunk> TRUNKS =
      List.of(trunk("bng1", 2, "agg", 1), trunk("bng2", 2, "agg", 2));

  private NetworkDocument read(String json) throws IOException, StartFailure {
    Path file = Files.writeString(folder.resolve("network.json"), json, StandardCharsets.UTF_8);
    return NetworkDocument.read(file.toString(), POLICIES);
  }

  @Test
  void aNetworkAndTheWaysThroughItAreRead() throws Exception {
    NetworkDocument read = read(network(SWITCHES, TRUNKS, group("a", "bng2")));
    assertThat(read.network().direction()).isEqualTo(Direction.UP);
    assertThat(read.network().switchesWithLines()).containsExactly("bng1", "bng2");
    Way way = read.network().ways(new Population(read.groups(), 1, true)).get(0);
    assertThat(way.entry()).isEqualTo(new End("bng2", 1));
    assertThat(way.links())
        .extracting(link -> link.switchId() + " " + link.port().number() + " " + link.extraBytes())
        .containsExactly("bng2 2 4", "agg 3 0");
  }

  @Test
  void builtInNetworksMarkBeforeTheSharedLine() throws Exception {
    for (String name : NetworkDocument.BUILT_IN) {
      NetworkDocument read = NetworkDocument.read(name, POLICIES);
      for (Way way : read.network().ways(new Population(read.groups(), 1, true))) {
        assertThat(way.links()).hasSize(2);
        assertThat(way.links().get(0).extraBytes()).isEqualTo(4);
        assertThat(way.exit().switchId()).isEqualTo("agg");
        assertThat(way.exit().port().rateBps()).isEqualTo(1_000_000_000L);
      }
    }
  }

  @Test
  void everyBadNetworkIsRefusedWithAllThatIsWrongWithIt() throws Exception {
    String groups = group("a", "bng1");
    String[] files = {
      "{}",
      "{\"direction\": \"sideways\", \"switches\": [], \"groups\": [], \"more\": 1}",
      // A trunk that ends nowhere: at a switch or a port that is not there, or at none.
      network(SWITCHES, List.of(trunk("bng1", 2, "core", 1), trunk("bng2", 7, "agg", 3)), groups),
      network(SWITCHES, List.of(trunk("bng1", 2, "agg", 1)), groups),
      // Two trunks on a port.
      network(SWITCHES, List.of(trunk("bng1", 2, "agg", 1), trunk("bng2", 2, "agg", 1)), groups),
      // Loops.
      network(
          List.of(
              member(
                  "a",
                  "\"0\": 1",
                  2,
                  port(1, "access", ""),
                  trunkPort(2, "up"),
                  trunkPort(3, "down")),
              member("b", "", 2, trunkPort(2, "up"), trunkPort(3, "down")),
              member("c", "", 2, trunkPort(2, "up"), trunkPort(3, "down"))),
          List.of(trunk("a", 2, "b", 3), trunk("b", 2, "c", 3), trunk("c", 2, "a", 3)),
          group("a", "a")),
      network(
          List.of(
              member(
                  "a",
                  "\"0\": 1",
                  2,
                  port(1, "access", ""),
                  trunkPort(2, "up"),
                  trunkPort(3, "down"))),
          List.of(trunk("a", 2, "a", 3)),
          group("a", "a")),
      // Ends that do not fit.
      network(
          List.of(
              bng("bng1"),
              member(
                  "agg", "", 3, trunkPort(1, "down").replace("2000", "1000"), port(3, "core", ""))),
          List.of(trunk("bng1", 2, "agg", 1)),
          groups),
      // Groups.
      network(SWITCHES, TRUNKS, group("a", "bng3"), group("a", "agg")),
      network(
          SWITCHES,
          TRUNKS,
          "{\"name\": \"a b\", \"switch\": \"bng1\", \"policy\": \"bronze\", \"subscribers\": 0,"
              + " \"offeredBps\": 1, \"limitBps\": 0, \"port\": 3}"),
      network(
          SWITCHES,
          TRUNKS,
          group("a", "bng1").replace("2,", "1000000,"),
          group("b", "bng2").replace("2,", "1000000,")),
      network(List.of(bng("bng1"), bng("bng1"), AGG), TRUNKS, groups),
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
    Golden.check("demo-network-errors.txt", said.toString());
  }

  private DemoOptions options(String network, List<String> groups) throws StartFailure {
    return DemoOptions.parse(
        new DemoOptions.Raw(
            groups,
            List.of(),
            null,
            null,
            "1500",
            "1",
            null,
            folder.resolve("page.html").toString(),
            network,
            null,
            false));
  }

  @Test
  void aGroupWithoutAWayIsRefused() throws Exception {
    String noRoute = AGG.replace("0.0.0.0/0", "198.51.100.0/24");
    assertThatThrownBy(() -> ways(List.of(bng("bng1"), bng("bng2"), noRoute)))
        .hasMessage(
            "--network is 'FILE': the switch of group a is 'bng1'; allowed: a switch from which"
                + " routes lead to 192.0.2.1/32: agg has none");
    assertThatThrownBy(
            () ->
                ways(
                    List.of(bng("bng1"), bng("bng2"), AGG.replace("\"port\": 3}", "\"port\": 1}"))))
        .hasMessageMatching(".*a switch from which routes lead \\S+ out, not to bng1 again");
    String sixElsewhere =
        AGG.replace("\"::/0\", \"port\": 3", "\"::/0\", \"port\": 4")
            .replace("], \"bngPorts\"", ", " + port(4, "core", "") + "], \"bngPorts\"");
    assertThatThrownBy(() -> ways(List.of(bng("bng1"), bng("bng2"), sixElsewhere)))
        .hasMessageEndingWith("routes lead all packets of a group the same way");
  }

  private void ways(List<String> switches) throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("network.json"),
            network(
                switches,
                TRUNKS,
                group("a", "bng1").replace("\"subscribers\": 2", "\"subscribers\": 40")));
    try {
      options(file.toString(), List.of());
    } catch (RuntimeException e) {
      throw new IllegalStateException(e.getMessage().replace(file.toString(), "FILE"), e);
    }
  }

  @Test
  void groupsOfTheCommandLineNameTheirSwitch() throws Exception {
    assertThat(options("two-bng", List.of("a@bng2:gold:1:1M")).groups())
        .extracting(GroupSpec::switchId)
        .containsExactly("bng2");
    assertThatThrownBy(() -> options("two-bng", List.of("a:gold:1:1M")))
        .hasMessage(
            "--group is 'a:gold:1:1M': SWITCH is 'switch'; allowed: NAME@SWITCH with one of bng1,"
                + " bng2");
    assertThatThrownBy(() -> options(null, List.of("a@bng1:gold:1:1M")))
        .hasMessage(
            "--group is 'a@bng1:gold:1:1M': SWITCH is 'bng1'; allowed: none without --network");
    assertThatThrownBy(
            () ->
                DemoOptions.parse(
                    new DemoOptions.Raw(
                        List.of(), List.of(), "1G", null, "1500", "1", null, "p.html", "two-bng",
                        null, false)))
        .hasMessage(
            "--bottleneck is '1G'; allowed: nothing together with --network: the network says its"
                + " lines' rates");
  }
}
