package net.sluice.pipeconf.profile;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import net.sluice.intents.plan.Table;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.pipeconf.profile.ProgramFit.Blocks;
import net.sluice.pipeconf.profile.ProgramFit.PlacedTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgramFitTest {
  private static final String TEXT =
      """
      target = tofino
      compiler = p4c 1.2.5
      marker.instances = 2
      marker.instance-subscribers = 100
      stages.ingress = 2
      stages.egress = 1
      blocks = 2 sram=80 map-ram=48 tcam=24 meter-alu=4
      stage = 0 sram=40 map-ram=12 tcam=0 meter-alu=1
      stage = 1 sram=8 map-ram=0 tcam=24 meter-alu=0
      table = SluiceIngress.a.T pipeline=ingress stages=0,1 requested=100 allocated=128
      """;

  @Test
  void saysWhatAProgramTakesOfAPipe() {
    ProgramFit fit = ProgramFit.read("sample", TEXT);
    assertThat(fit.subscribersPerPipe()).isEqualTo(200);
    assertThat(fit.sramPercent()).isEqualTo(30.0);
    assertThat(fit.mapRamPercent()).isEqualTo(12.5);
    assertThat(fit.tcamPercent()).isEqualTo(50.0);
    assertThat(fit.stages()).containsExactly(new Blocks(40, 12, 0, 1), new Blocks(8, 0, 24, 0));
    assertThat(fit.tables())
        .containsExactly(new PlacedTable("SluiceIngress.a.T", "ingress", List.of(0, 1), 100, 128));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "stage = 1 sram=8 map-ram=0 tcam=24 meter-alu=0 | stage = 2 sram=8 map-ram=0 tcam=24"
            + " meter-alu=0 | stage 1",
        "stages=0,1 | stages=first | NAME pipeline=P stages=N,N requested=ENTRIES allocated=ENTRIES",
        "marker.instances = 2 | marker.instances = 16 | a whole number, 1 to 15",
        "target = tofino | color = red | one line target = ...",
      })
  void whatCannotBeReadIsRefusedWithItsPlace(String good, String bad, String allowed) {
    assertThatThrownBy(() -> ProgramFit.read("sample", TEXT.replace(good, bad)))
        .isInstanceOfSatisfying(
            InvalidValueException.class,
            refused -> {
              assertThat(refused.field()).startsWith("sample/sluice.fit");
              assertThat(refused.allowed()).isEqualTo(allowed);
            });
  }

  /** Paper 000, section V.C: about 35,800 rate filters a stage, seven instances a pipe. */
  @Test
  void sevenInstancesFitAPipeOfATofino() {
    ProgramFit fit = ProgramFit.load("tofino");
    assertThat(fit.instances()).isEqualTo(7);
    assertThat(2 * fit.instanceSubscribers()).isEqualTo(35_840);
    assertThat(fit.stages()).hasSize(12);
    assertThat(fit.ingressStages()).isLessThanOrEqualTo(12);
    assertThat(fit.egressStages()).isLessThanOrEqualTo(12);
    assertThat(fit.tables())
        .allSatisfy(
            table -> assertThat(table.allocated()).isGreaterThanOrEqualTo(table.requested()));
  }

  /** What admission plans with is what the compiler placed. */
  @Test
  void theProfileSaysWhatTheProgramHolds() {
    ProgramFit fit = ProgramFit.load("tofino");
    SwitchTargetProfile profile = TargetProfiles.loadSwitch("stratum-tofino");
    assertThat(profile.countedMarkers().capacity()).isEqualTo(fit.subscribersPerPipe());
    Map<Table, String> programs =
        Map.ofEntries(
            entry(Table.IPV4_PREFIX, "SubscriberRate4"),
            entry(Table.IPV6_PREFIX, "SubscriberRate6"),
            entry(Table.VLAN, "SubscriberVlan"),
            entry(Table.ENCAPSULATION, "SubscriberEncap"),
            entry(Table.POLICY_VALUE, "PolicyFunction"),
            entry(Table.RATE_BIN, "RateIndex"),
            entry(Table.RANDOM_RATE, "RandomRateEstim"),
            entry(Table.PORT_ROLE, "PortRole"),
            entry(Table.SIDECAR, "ShapingSidecar"),
            entry(Table.IPV4_ROUTE, "Routing4"),
            entry(Table.IPV6_ROUTE, "Routing6"),
            entry(Table.CONGESTION_THRESHOLD, "CongestionThreshold"),
            entry(Table.EGRESS_PORT, "EgressPort"));
    programs.forEach(
        (table, name) ->
            assertThat(profile.tables().get(table))
                .as(name)
                .isEqualTo(
                    fit.tables().stream()
                        .filter(placed -> placed.name().endsWith("." + name))
                        .mapToInt(PlacedTable::requested)
                        .sum()));
  }

  @Test
  void artefactsAreOfTheSourcesBesideThem() throws IOException, InterruptedException {
    Process stamp =
        new ProcessBuilder("bash", "../p4/compile.sh", "--stamp", "tna")
            .redirectErrorStream(true)
            .start();
    String printed = new String(stamp.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(stamp.waitFor()).isZero();
    assertThat(Files.readString(Path.of("../p4/p4c-out/tna/SOURCES.sha256")))
        .as("p4/compile.sh --tna makes them anew")
        .isEqualTo(printed);
  }
}
