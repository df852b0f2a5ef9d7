package net.sluice.rest.switches;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.policy.Aqm;
import net.sluice.intents.model.policy.AqmKind;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Topology.Route;
import net.sluice.intents.profile.Topology.SwitchPort;
import net.sluice.intents.profile.UnknownTraffic;
import net.sluice.intents.profile.Wire;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;
import net.sluice.rest.json.JsonTree;
import net.sluice.rest.json.ObjectReader;
import net.sluice.testing.Golden;
import org.junit.jupiter.api.Test;

/** How a switch is cabled, as JSON. */
final class TopologyFormTest {
  private static final String ACCESS =
      "{\"number\": 1, \"role\": \"access\", \"rateBps\": 1000, \"destinationMac\":"
          + " \"02:00:00:01:00:01\"}";

  private static Topology parse(String text) throws Refusal {
    byte[] json = text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    List<Problem> problems = new ArrayList<>();
    ObjectReader body = new ObjectReader(JsonTree.read(json, 0, json.length), "", problems);
    return TopologyForm.read(body).orElseThrow(() -> new Refusal(problems));
  }

  @Test
  void aWholeTopologyIsRead() throws Exception {
    Topology read =
        parse(
            "{'ports': ["
                + "{'number': 1, 'role': 'access', 'rateBps': 100000000,"
                + " 'destinationMac': '02:00:00:01:00:01'},"
                + "{'number': 2, 'role': 'core', 'direction': 'down', 'rateBps': 10000000000,"
                + " 'sourceMac': '3c:ec:ef:00:00:02', 'destinationMac': '3C:EC:EF:00:00:03',"
                + " 'valueDropping': false},"
                + "{'number': 3, 'role': 'trunk', 'direction': 'down', 'rateBps': 10000000000,"
                + " 'destinationMac': '02:00:00:01:00:03'},"
                + "{'number': 509, 'role': 'sidecar', 'direction': 'up', 'rateBps': 1000000},"
                + "{'number': 510, 'role': 'sidecar', 'direction': 'down', 'rateBps': 1000000}],"
                + "'bngPorts': {'0': 1, '7': 1},"
                + "'routes': [{'prefix': '0.0.0.0/0', 'port': 2},"
                + " {'prefix': '2001:db8::/32', 'port': 3}]}");
    assertThat(read)
        .isEqualTo(
            new Topology(
                List.of(
                    new SwitchPort(
                        1,
                        PortRole.ACCESS,
                        Direction.UP,
                        100_000_000L,
                        0x02_00_00_00_00_01L,
                        0x02_00_00_01_00_01L,
                        false,
                        true),
                    new SwitchPort(
                        2,
                        PortRole.CORE,
                        Direction.DOWN,
                        10_000_000_000L,
                        0x3c_ec_ef_00_00_02L,
                        0x3c_ec_ef_00_00_03L,
                        false,
                        false),
                    new SwitchPort(
                        3,
                        PortRole.TRUNK,
                        Direction.DOWN,
                        10_000_000_000L,
                        0x02_00_00_00_00_03L,
                        0x02_00_00_01_00_03L,
                        true,
                        true,
                        Aqm.NONE,
                        100,
                        UnknownTraffic.DROP,
                        true),
                    new SwitchPort(
                        509,
                        PortRole.SIDECAR,
                        Direction.UP,
                        1_000_000L,
                        0x02_00_00_00_01_fdL,
                        0x02_00_00_01_01_fdL,
                        false,
                        false),
                    new SwitchPort(
                        510,
                        PortRole.SIDECAR,
                        Direction.DOWN,
                        1_000_000L,
                        0x02_00_00_00_01_feL,
                        0x02_00_00_01_01_feL,
                        false,
                        false)),
                Map.of(0, 1, 7, 1),
                OptionalInt.of(510),
                OptionalInt.of(509),
                List.of(
                    new Route(IpPrefix.parse("0.0.0.0/0"), 2),
                    new Route(IpPrefix.parse("2001:db8::/32"), 3))));
  }

  @Test
  void portsSayHowTheirQueuesAreManagedAndWhereMirroredPacketsGo() throws Exception {
    String act =
        "'aqm': {'kind': 'codel-act', 'targetMicros': 5000, 'intervalMicros': 100000, 'ecn': true}";
    String ports =
        ACCESS.replace("}", ", " + act + "}")
            + ","
            + ACCESS.replace(": 1,", ": 2,").replace("}", ", 'aqm': {'kind': 'none'}}");
    Topology read = parse("{'ports': [" + ports + "], 'bngPorts': {}, 'mirrorPort': 3}");
    assertThat(read.port(1).orElseThrow().aqm())
        .isEqualTo(new Aqm.CoDel(AqmKind.CODEL_ACT, 5_000, 100_000, true));
    assertThat(read.port(2).orElseThrow().aqm()).isEqualTo(Aqm.NONE);
    assertThat(read.mirrorPort()).hasValue(3);
    assertThat(read.loopPorts()).isEmpty();
    String loops = "'loopPorts': [505, 506, 507, 508]";
    assertThat(parse("{'ports': [" + ACCESS + "], 'bngPorts': {}, " + loops + "}").loopPorts())
        .containsExactly(505, 506, 507, 508);
    assertThat(parse("{'ports': [" + ACCESS + "], 'bngPorts': {}}").mirrorPort()).isEmpty();
  }

  @Test
  void anAccessPortDropsWhatBelongsToNoSubscriberUnlessItSaysOtherwise() throws Exception {
    assertThat(unknown("")).isEqualTo(UnknownTraffic.DROP);
    assertThat(unknown(", 'unknown': 'drop'")).isEqualTo(UnknownTraffic.DROP);
    assertThat(unknown(", 'unknown': 'forward'")).isEqualTo(UnknownTraffic.FORWARD);
  }

  private static UnknownTraffic unknown(String option) throws Refusal {
    Topology read = parse("{'ports': [" + ACCESS.replace("}", option + "}") + "], 'bngPorts': {}}");
    return read.port(1).orElseThrow().unknown();
  }

  @Test
  void trunksKeepPrioritiesAndCorePortsIfTheySaySo() throws Exception {
    String core = ACCESS.replace("access", "core");
    String trunk = ACCESS.replace("\"access\"", "\"trunk\", 'direction': 'down'");
    assertThat(tagsPriority(core)).isFalse();
    assertThat(tagsPriority(core.replace("}", ", 'priorityTag': true}"))).isTrue();
    assertThat(tagsPriority(trunk)).isTrue();
    assertThat(tagsPriority(trunk.replace("}", ", 'priorityTag': false}"))).isFalse();
  }

  private static boolean tagsPriority(String port) throws Refusal {
    Topology read = parse("{'ports': [" + port + "], 'bngPorts': {}}");
    return read.port(1).orElseThrow().priorityTag();
  }

  private static final String ENDS =
      "{'number': 1, 'role': 'access', 'rateBps': 1000},"
          + " {'number': 2, 'role': 'core', 'rateBps': 1000}";

  private static String hop(String addresses, String nextHop) {
    return "{'number': 1, 'role': 'core', 'rateBps': 1000, 'addresses': ["
        + addresses
        + "], 'nextHop': '"
        + nextHop
        + "'}";
  }

  /** As wires: what is written can be read again. */
  @Test
  void portsMayHaveAddressesAndNextHops() throws Exception {
    Topology read =
        parse(
            "{'ports': ["
                + hop("'192.0.2.1/30', '2001:db8::1/64', 'fe80::1/64'", "2001:DB8::0:2")
                + ", "
                + ACCESS.replace(": 1,", ": 2,").replace("}", ", 'addresses': ['10.0.0.1/8']}")
                + "]}");
    SwitchPort core = read.port(1).orElseThrow();
    assertThat(core.line().own()).hasToString("[192.0.2.1/30, 2001:db8::1/64, fe80::1/64]");
    assertThat(core.line().nextHop()).contains(IpPrefix.parse("2001:db8::2/128"));
    assertThat(core.line().source()).contains(IpPrefix.parse("2001:db8::1/128"));
    assertThat(read.port(2).orElseThrow().line().own()).hasToString("[10.0.0.1/8]");
    assertThat(read.port(2).orElseThrow().destinationMac()).isNotZero();
    StringWriter written = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(written)) {
      TopologyForm.write(json, read);
    }
    assertThat(parse(written.toString())).isEqualTo(read);
  }

  /** What is written can be read again. */
  @Test
  void portsMayBeTheEndsOfWires() throws Exception {
    Topology read =
        parse(
            "{'ports': ["
                + ENDS
                + ", {'number': 3, 'role': 'access', 'rateBps': 1000, 'valueDropping': false},"
                + " {'number': 4, 'role': 'core', 'rateBps': 1000}], 'wires':"
                + " [{'access': 1, 'core': 2}, {'access': 3, 'core': 4, 'unknown':"
                + " {'policy': 'transit', 'downBps': 8, 'upBps': 1000000000000}}]}");
    assertThat(read.wires())
        .containsExactly(
            new Wire(1, 2),
            new Wire(
                3,
                4,
                Optional.of("transit"),
                OptionalLong.of(8),
                OptionalLong.of(1_000_000_000_000L)));
    StringWriter written = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(written)) {
      TopologyForm.write(json, read);
    }
    assertThat(parse(written.toString())).isEqualTo(read);
  }

  @Test
  void everyBadTopologyIsRefusedWithAllThatIsWrongWithIt() throws Exception {
    String[] files = {
      "",
      "[]",
      "{'ports': [",
      "{}",
      "{'ports': [], 'bngPorts': {}, 'speed': 1}",
      "{'ports': [], 'bngPorts': {}}",
      "{'ports': {}, 'bngPorts': []}",
      "{'ports': [1], 'bngPorts': {}}",
      "{'ports': [" + ACCESS + "], 'bngPorts': {}, 'loopPorts': [511, 'x']}",
      "{'ports': [" + ACCESS + "], 'bngPorts': {}, 'loopPorts': [1, 2, 3, 4]}",
      "{'ports': [" + ACCESS + "], 'bngPorts': {}, 'loopPorts': 505}",
      "{'ports': [{}], 'bngPorts': {}}",
      "{'ports': [{'number': 511, 'role': 'Access', 'rateBps': 0, 'destinationMac': '2'}],"
          + " 'bngPorts': {}}",
      "{'ports': [{'number': '1', 'role': 1, 'rateBps': 1.5, 'destinationMac': 2,"
          + " 'keepPacketValue': 'yes', 'mtu': 1500}], 'bngPorts': {}}",
      "{'ports': [{'number': 1, 'role': 'trunk', 'rateBps': 1000,"
          + " 'destinationMac': '02:00:00:01:00:01'}], 'bngPorts': {}}",
      "{'ports': [{'number': 1, 'role': 'core', 'direction': 'north', 'rateBps': 1000,"
          + " 'sourceMac': '01:00:5e:00:00:01', 'destinationMac': '00:00:00:00:00:00'}],"
          + " 'bngPorts': {}}",
      "{'ports': [" + ACCESS.replace("}", ", 'unknown': 'pass'}") + "], 'bngPorts': {}}",
      "{'ports': ["
          + ACCESS.replace("}", ", 'unknown': true, 'priorityTag': true}")
          + "], 'bngPorts': {}}",
      "{'ports': ["
          + ACCESS.replace("}", ", 'direction': 'down', 'unknown': 'drop'}")
          + "], 'bngPorts': {}}",
      "{'ports': [{'number': 1, 'role': 'core', 'rateBps': 1000, 'unknown': 'forward',"
          + " 'destinationMac': '02:00:00:01:00:01', 'priorityTag': 1}], 'bngPorts': {}}",
      "{'ports': [{'number': 1, 'role': 'sidecar', 'direction': 'up', 'rateBps': 1000,"
          + " 'priorityTag': true}], 'bngPorts': {}}",
      "{'ports': [" + ACCESS + ", " + ACCESS + "], 'bngPorts': {}}",
      "{'ports': [" + ACCESS + "], 'bngPorts': {'8': 1}}",
      "{'ports': [" + ACCESS + "], 'bngPorts': {'0': 2}}",
      "{'ports': [" + ACCESS + "], 'bngPorts': {'0': null}}",
      "{'ports': ["
          + ACCESS
          + "], 'bngPorts': {}, 'routes': [{'prefix': '10.0.0.1/8',"
          + " 'port': 1}, {'prefix': 'here', 'port': 1}]}",
      "{'ports': ["
          + ACCESS
          + "], 'bngPorts': {}, 'routes': [{'prefix': '10.0.0.0/8',"
          + " 'port': 4}]}",
      "{'ports': ["
          + ACCESS
          + "], 'bngPorts': {}, 'routes': [{'prefix': '10.0.0.0/8',"
          + " 'port': 1}, {'prefix': '10.0.0.0/8', 'port': 1}]}",
      "{'ports': [{'number': 1, 'role': 'sidecar', 'direction': 'up', 'rateBps': 1000},"
          + " {'number': 2, 'role': 'sidecar', 'direction': 'up', 'rateBps': 1000}],"
          + " 'bngPorts': {}}",
      "{'ports': [" + ENDS + "], 'wires': [{'access': 1}, {'core': 511, 'loop': 1}, 1]}",
      "{'ports': [" + ENDS + "], 'wires': [{'access': 2, 'core': 1}]}",
      "{'ports': [" + ENDS + "], 'wires': [{'access': 1, 'core': 2}, {'access': 1, 'core': 2}]}",
      "{'ports': ["
          + ENDS
          + "], 'wires': [{'access': 1, 'core': 2, 'unknown': {'policy': 'a b',"
          + " 'downBps': 0, 'upBps': 'all', 'burst': 1}}]}",
      "{'ports': ["
          + ACCESS.replace("}", ", 'unknown': 'forward'}")
          + ", {'number': 2, 'role': 'core', 'rateBps': 1000, 'priorityTag': true,"
          + " 'sourceMac': '02:00:00:00:00:09'}], 'wires': [{'access': 1, 'core': 2}]}",
      "{'ports': [" + ACCESS.replace("}", ", 'addresses': '192.0.2.1/30'}") + "]}",
      "{'ports': ["
          + ACCESS.replace(
              "}",
              ", 'addresses': ['192.0.2.1', '224.0.0.1/4', '::1/64', '192.0.2.1/33', 'x/8', 5,"
                  + " 'ff02::1/64', '0.0.0.0/0', '192.0.2.0/30', '192.0.2.3/30'],"
                  + " 'nextHop': '192.0.2.0/24'}")
          + "]}",
      "{'ports': ["
          + ACCESS.replace("}", ", 'addresses': ['192.0.2.1/30'], 'nextHop': '192.0.2.2'}")
          + "]}",
      "{'ports': [" + hop("'192.0.2.1/30', '2001:db8::1/64'", "192.0.2.5") + "]}",
      "{'ports': [" + hop("'192.0.2.1/30', '2001:db8::1/64'", "2001:db8:0:1::1") + "]}",
      "{'ports': [" + hop("'192.0.2.1/30'", "192.0.2.1") + "]}",
      "{'ports': [" + hop("'192.0.2.1/30'", "192.0.2.3") + "]}",
      "{'ports': [" + hop("'192.0.2.1/30', '192.0.2.1/29'", "192.0.2.2") + "]}",
      "{'ports': [" + hop("", "192.0.2.2") + "]}",
      "{'ports': [" + hop("'192.0.2.1/30'", "192.0.2.2") + "], 'loopPorts': [500, 501, 502, 503]}",
      "{'ports': [" + hop("'192.0.2.1/30'", "192.0.2.2") + "], 'mirrorPort': 500}",
      "{'ports': ["
          + hop("'192.0.2.1/30'", "192.0.2.2").replace("'number': 1,", "'number': 500,")
          + "]}",
      "{'ports': [{'number': 1, 'role': 'sidecar', 'direction': 'up', 'rateBps': 1000,"
          + " 'addresses': ['192.0.2.1/30']}]}",
      "{'ports': ["
          + ENDS.replaceFirst("}", ", 'addresses': ['192.0.2.1/30'], 'nextHop': '192.0.2.2'}")
          + "], 'wires': [{'access': 1, 'core': 2}]}",
      "{'ports': ["
          + ENDS
          + "], 'routes': [{'prefix': '::/0', 'port': 2}],"
          + " 'wires': [{'access': 1, 'core': 2}]}",
      "{'ports': ["
          + ENDS
          + ", {'number': 3, 'role': 'sidecar', 'direction': 'up', 'rateBps': 1000}],"
          + " 'wires': [{'access': 1, 'core': 2}]}",
    };
    StringBuilder texts = new StringBuilder();
    for (String file : files) {
      texts.append(file).append('\n');
      try {
        texts.append("  read as ").append(parse(file)).append('\n');
      } catch (Refusal e) {
        texts.append(
            e.problems().stream()
                .map(Problem::detail)
                .collect(Collectors.joining("\n  ", "  ", "\n")));
      }
    }
    Golden.check("topology-errors.txt", texts.toString());
  }
}
