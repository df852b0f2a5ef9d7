package net.sluice.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import net.sluice.cli.Json;
import net.sluice.cli.Logging;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Topology.SwitchPort;
import net.sluice.lab.demo.DemoNetwork.Member;
import net.sluice.lab.support.Progress;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo over several switches, from a network's file to the report. */
class NetworkDemoTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final long TRUNK_BPS = 100_000_000;
  private static final long SHARED_BPS = 20_000_000;

  @TempDir private Path folder;

  @BeforeAll
  static void quietLogs() {
    Logging.configure();
  }

  /**
   * A built-in network with other rates; what comes from or goes to bng2 has a trunk of its own.
   */
  private Path network(String builtIn, long secondTrunkBps) throws Exception {
    ObjectNode network;
    try (var json = NetworkDocument.class.getResourceAsStream("networks/" + builtIn + ".json")) {
      network = (ObjectNode) MAPPER.readTree(json);
    }
    for (JsonNode member : network.path("switches")) {
      String id = member.path("id").asText();
      for (JsonNode each : member.path("topology").path("ports")) {
        ObjectNode port = (ObjectNode) each;
        if (port.path("role").asText().equals("trunk")) {
          boolean second =
              id.equals("bng2") || id.equals("agg") && port.path("number").asInt() == 2;
          port.put("rateBps", second ? secondTrunkBps : TRUNK_BPS);
        } else if (id.equals("agg")) {
          port.put("rateBps", SHARED_BPS);
        }
      }
    }
    return Files.writeString(folder.resolve("network.json"), network.toString());
  }

  private static DemoReport run(Path network, String... groups) throws Exception {
    return run(network, UnaryOperator.identity(), groups);
  }

  private static DemoReport run(Path network, UnaryOperator<DemoNetwork> cabling, String... groups)
      throws Exception {
    DemoOptions options =
        DemoOptions.parse(
            new DemoOptions.Raw(
                List.of(groups),
                List.of(),
                null,
                "20",
                "1500",
                "11",
                null,
                Path.of("demo.html").toString(),
                network.toString(),
                null,
                false));
    RunSpec spec = options.runSpec();
    RunSpec cabled =
        new RunSpec(
            spec.groups(),
            spec.policies(),
            cabling.apply(spec.network()),
            spec.overheadBytes(),
            spec.packetBytes(),
            spec.maxRateBps(),
            spec.randomRates(),
            spec.seconds(),
            spec.withV6(),
            spec.seed(),
            spec.tcp(),
            Optional.empty());
    RunResult result = NetworkRun.run(cabled, Progress.on(new PrintWriter(new StringWriter())));
    return DemoReports.of(options, result, 0);
  }

  @Test
  void onTheWayUpSubscribersOfBothSwitchesShareByPolicyBehindTheirTrunks() throws Exception {
    DemoReport report =
        run(
            network("two-bng", 5_000_000),
            "gold1@bng1:gold:2:5M",
            "silver1@bng1:silver:4:4M",
            "light@bng1:gold:1:1M",
            "silver2@bng2:silver:4:3M",
            "capped@bng2:gold:1:3M:1M");
    assertThat(report.reasons()).isEmpty();
    assertThat(report.ok()).isTrue();
    // Of 5 Mbit/s less the packet value's header, and of what the limit leaves to others, a
    // quarter.
    double trunkBps = 5e6 * 1500 / 1504;
    assertThat(report.groups().get(3).predictedBps())
        .isCloseTo((trunkBps - 1_001_603) / 4, within(10.0));
    assertThat(report.groups().get(4).lossBeyondLimit()).isLessThan(0.001);
    assertThat(report.groups())
        .extracting(DemoReport.Group::switchId)
        .containsExactly("bng1", "bng1", "bng1", "bng2", "bng2");
    assertThat(report.links())
        .extracting(link -> link.switchId() + " " + link.port())
        .containsExactlyInAnyOrder("bng1 2", "bng2 2", "agg 3");
    assertThat(report.links())
        .allSatisfy(
            link -> assertThat(link.utilization()).isCloseTo(link.predicted(), within(0.01)));
    assertThat(report.bottleneckBps()).isEqualTo(5_000_000);
    String text = DemoText.text(report);
    assertThat(text).contains("silver2    bng2  silver").contains("agg port 3 (20.00 Mbit/s)");
    assertThat(MAPPER.readTree(Json.write(report)).at("/groups/3/switch").asText())
        .isEqualTo("bng2");
    assertThat(MAPPER.readValue(Json.write(report), DemoReport.class)).isEqualTo(report);
  }

  private static final String[] SHARING = {
    "gold1@bng1:gold:2:4M", "silver1@bng1:silver:4:2M",
    "gold2@bng2:gold:2:4M", "silver2@bng2:silver:4:2M"
  };

  @Test
  void onTheWayDownTheyShareBehindTheSwitchesThatMark() throws Exception {
    DemoReport report = run(network("two-bng-down", TRUNK_BPS), SHARING);
    assertThat(report.reasons()).isEmpty();
    assertThat(report.groups().get(0).predictedBps())
        .isEqualTo(report.groups().get(2).predictedBps());
    assertThat(report.utilization()).isGreaterThan(0.99);
  }

  /** The same lines, of which the controller is not told that they are trunks. */
  private static DemoNetwork withoutPacketValues(DemoNetwork network) {
    List<Member> switches =
        network.switches().stream()
            .map(each -> new Member(each.id(), withoutPacketValues(each.topology())))
            .toList();
    return new DemoNetwork(network.direction(), switches, network.trunks());
  }

  private static Topology withoutPacketValues(Topology topology) {
    return new Topology(
        topology.ports().stream()
            .map(
                port ->
                    new SwitchPort(
                        port.number(),
                        port.role(),
                        port.direction(),
                        port.rateBps(),
                        port.sourceMac(),
                        port.destinationMac(),
                        false,
                        port.valueDropping()))
            .toList(),
        topology.bngPorts(),
        topology.sidecarDown(),
        topology.sidecarUp(),
        topology.routes());
  }

  /** The reason why a trunk with keepPacketValue false is refused. */
  @Test
  void withoutPacketValuesOnTheTrunksSharesAreNotByPolicy() throws Exception {
    DemoReport report =
        run(network("two-bng", TRUNK_BPS), NetworkDemoTest::withoutPacketValues, SHARING);
    assertThat(report.ok()).isFalse();
    assertThat(report.groups()).extracting(DemoReport.Group::ok).containsOnly(false);
  }
}
