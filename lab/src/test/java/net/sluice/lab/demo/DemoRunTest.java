package net.sluice.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import net.sluice.cli.Json;
import net.sluice.cli.Logging;
import net.sluice.cli.StartFailure;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.entry.limit.RateWord;
import net.sluice.lab.support.Progress;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo from the command line's options to its report, over HTTP, P4Runtime and registers. */
class DemoRunTest {
  private static final Progress SILENT = Progress.on(new PrintWriter(new StringWriter()));

  @BeforeAll
  static void quietLogs() {
    Logging.configure();
  }

  private static DemoOptions options(String seed, String... groups) throws StartFailure {
    return options(seed, null, groups);
  }

  private static DemoOptions options(String seed, String enforcement, String[] groups)
      throws StartFailure {
    return options(seed, "20M", "20", enforcement, groups);
  }

  private static DemoOptions options(
      String seed, String bottleneck, String seconds, String enforcement, String[] groups)
      throws StartFailure {
    return DemoOptions.parse(
        new DemoOptions.Raw(
            List.of(groups),
            List.of(),
            bottleneck,
            seconds,
            "1500",
            seed,
            null,
            Path.of("demo.html").toString(),
            null,
            enforcement,
            false));
  }

  private static final String[] GROUPS = {
    "gold:gold:4:4M", "silver:silver:8:2M", "light:gold:2:1M", "capped:gold:2:3M:1M"
  };

  @Test
  void everyGroupGetsItsShareAndASeedDecidesEverything() throws Exception {
    DemoOptions options = options("11", "fpga", GROUPS);
    RunResult result = NetworkRun.run(options.runSpec(), SILENT);
    DemoReport report = DemoReports.of(options, result, 0);
    assertThat(report.reasons()).isEmpty();
    assertThat(report.ok()).isTrue();
    assertThat(report.utilization()).isGreaterThan(0.99);
    DemoReport.Group light = report.groups().get(2);
    assertThat(light.loss()).isZero();
    assertThat(light.predictedBps()).isEqualTo(1e6);
    DemoReport.Group capped = report.groups().get(3);
    assertThat(capped.limitBps()).isEqualTo(1_000_000L);
    assertThat(capped.grantedLimitBps()).isEqualTo(1_001_603L);
    assertThat(capped.limiter()).isEqualTo("fpga");
    // Two thirds of its traffic exceed the limit, and nothing else is lost.
    assertThat(capped.loss()).isBetween(0.64, 0.68);
    assertThat(capped.lossBeyondLimit()).isLessThan(0.001);
    assertThat(report.groups().get(0).queueDelayMicrosMean()).isBetween(15_000.0, 35_000.0);

    DemoReport again = DemoReports.of(options, NetworkRun.run(options.runSpec(), SILENT), 0);
    assertThat(again).isEqualTo(report);

    DemoOptions otherSeed = options("12", "fpga", GROUPS);
    DemoReport other = DemoReports.of(otherSeed, NetworkRun.run(otherSeed.runSpec(), SILENT), 0);
    assertThat(other.ok()).as("%s", other.reasons()).isTrue();
    assertThat(other.groups()).isNotEqualTo(report.groups());

    hasTheFieldsOfTheReport(report);
    isAPage(DemoPage.page(report, result, options).text());
    failsWithAnotherPrediction(options, result);
  }

  /** The tariffs of docs/concepts.md: a line half as wide as what they want, in virtual time. */
  @Test
  void weightsShareAndGuaranteesComeFirst(@TempDir Path folder) throws Exception {
    List<String> policies = new ArrayList<>();
    for (String[] each :
        new String[][] {
          {"basic", "{\"weight\":1}"},
          {"plus", "{\"weight\":3}"},
          {"work", "{\"guaranteedBps\":2000000,\"weight\":1}"}
        }) {
      Path file = folder.resolve(each[0] + ".json");
      Files.writeString(file, "{\"throughputValue\":" + each[1] + "}");
      policies.add(each[0] + "=" + file);
    }
    DemoOptions options =
        DemoOptions.parse(
            new DemoOptions.Raw(
                List.of("basic:basic:2:4M", "plus:plus:2:4M", "work:work:2:4M"),
                policies,
                "12M",
                "20",
                "1500",
                "11",
                null,
                Path.of("demo.html").toString(),
                null,
                null,
                false));
    DemoReport report = DemoReports.of(options, NetworkRun.run(options.runSpec(), SILENT), 0);
    assertThat(report.reasons()).isEmpty();
    List<Double> got = report.groups().stream().map(DemoReport.Group::deliveredBps).toList();
    // 2 (1 + 3 + 1) shares of 0.8 Mbit/s beside two guarantees of 2 Mbit/s.
    assertThat(got.get(0)).isCloseTo(0.8e6, withPercentage(3));
    assertThat(got.get(1) / got.get(0)).isCloseTo(3, withPercentage(3));
    assertThat(got.get(2)).isCloseTo(2.8e6, withPercentage(3));
  }

  /** The meters grant the limit to the bit, and what they drop is counted to those they police. */
  @Test
  void aPolicedGroupGetsItsLimitAndLosesNothingElse() throws Exception {
    DemoOptions options = options("11", "police", GROUPS);
    RunResult result = NetworkRun.run(options.runSpec(), SILENT);
    DemoReport report = DemoReports.of(options, result, 0);
    assertThat(report.reasons()).isEmpty();
    assertThat(report.groups())
        .extracting(DemoReport.Group::limiter)
        .containsExactly(null, null, null, "police");
    DemoReport.Group capped = report.groups().get(3);
    assertThat(capped.grantedLimitBps()).isEqualTo(1_000_000L);
    assertThat(capped.deliveredBps()).isBetween(0.999e6, 1.001e6);
    assertThat(capped.loss()).isBetween(0.64, 0.68);
    assertThat(capped.lossBeyondLimit()).isLessThan(0.001);
    assertThat(DemoText.text(report)).contains("is dropped by the switch's meters by design");
  }

  /** At a congested port a capped gold subscriber gets the least of its limit and its share. */
  @Test
  void aShapedGroupGetsTheLeastOfItsLimitAndItsShare() throws Exception {
    DemoOptions options =
        options(
            "11",
            "gold:gold:4:4M",
            "silver:silver:8:2M",
            "capped:gold:2:3M:1M",
            "low:gold:1:400k:100k",
            "loose:gold:1:8M:6M");
    RunResult result = NetworkRun.run(options.runSpec(), SILENT);
    DemoReport report = DemoReports.of(options, result, 0);
    assertThat(report.reasons()).isEmpty();
    assertThat(report.utilization()).isGreaterThan(0.99);
    assertThat(report.groups())
        .extracting(DemoReport.Group::limiter)
        .containsExactly(null, null, "shape", "shape", "shape");
    DemoReport.Group capped = report.groups().get(2);
    assertThat(capped.grantedLimitBps()).isEqualTo(RateWord.rateBps(RateWord.of(1_000_000)));
    assertThat(capped.deliveredBps() / capped.grantedLimitBps()).isBetween(0.99, 1.001);
    assertThat(capped.loss()).isBetween(0.64, 0.68);
    assertThat(capped.lossBeyondLimit()).isLessThan(0.001);
    DemoReport.Group low = report.groups().get(3);
    assertThat(low.deliveredBps() / 100_000).isBetween(0.98, 1.02);
    DemoReport.Group loose = report.groups().get(4);
    assertThat(loose.predictedBps())
        .isEqualTo(report.groups().get(0).predictedBps())
        .isLessThan(loose.grantedLimitBps());
    assertThat(DemoText.text(report)).contains("waits in the switch");
  }

  /** What still waits under a limit when the measured time is over is queued, and not lost. */
  @Test
  void aBacklogUnderALimitIsNoLoss() throws Exception {
    DemoOptions options =
        options("1", "100M", "5", "shape", new String[] {"a:gold:1:12M:3M", "b:gold:1:12M:4M"});
    RunResult result = NetworkRun.run(options.runSpec(), SILENT);
    DemoReport report = DemoReports.of(options, result, 0);
    assertThat(report.reasons()).isEmpty();
    assertThat(report.groups())
        .allSatisfy(
            group -> {
              assertThat(group.lossBeyondLimit()).isZero();
              assertThat(group.queueDelayMicrosMean()).isBetween(90_000.0, 112_000.0);
            });
  }

  /** Shaped bursts lose nothing; a meter lets its bucket through at once and drops the rest. */
  @Test
  void burstsAreHeldBackByTheSwitchAndTheFpgaAndCutByMeters() throws Exception {
    List<BurstComparison.ByLimiter> all = BurstComparison.run(1, SILENT);
    assertThat(all)
        .extracting(BurstComparison.ByLimiter::limiter)
        .containsExactly(Enforcement.SHAPE, Enforcement.FPGA, Enforcement.POLICE);
    for (BurstComparison.ByLimiter held : all.subList(0, 2)) {
      assertThat(held.loss()).as("%s", held.limiter()).isZero();
      assertThat(held.highestBps()).isBetween(9e6, 12e6);
    }
    assertThat(all.get(2).loss()).isBetween(0.15, 0.25);
    assertThat(all.get(2).highestBps()).isGreaterThan(90e6);
    assertThat(BurstComparison.lines(all).get(0)).startsWith("shape", "0.00 %");
  }

  private static void failsWithAnotherPrediction(DemoOptions options, RunResult result) {
    List<Double> wrong = new ArrayList<>(result.predictedBps());
    wrong.set(0, wrong.get(0) * 1.1);
    DemoReport report =
        DemoReports.of(
            options,
            new RunResult(
                result.grantedBps(),
                result.limiters(),
                wrong,
                result.schedule(),
                result.groups(),
                result.bottleneck(),
                result.links(),
                result.meter()),
            0);
    assertThat(report.ok()).isFalse();
    assertThat(report.groups())
        .extracting(DemoReport.Group::ok)
        .containsExactly(false, true, true, true);
    assertThat(report.reasons().get(0)).startsWith("gold got ");
  }

  private static void hasTheFieldsOfTheReport(DemoReport report) throws Exception {
    JsonNode json = new ObjectMapper().readTree(Json.write(report));
    assertThat(names(json))
        .containsExactly(
            "ok",
            "seed",
            "virtualSeconds",
            "wallSeconds",
            "bottleneckBps",
            "utilization",
            "groups",
            "warmUpSeconds",
            "packetBytes",
            "reasons",
            "links",
            "household");
    assertThat(names(json.path("groups").path(0)))
        .containsExactly(
            "name",
            "switch",
            "policy",
            "subscribers",
            "offeredBps",
            "limitBps",
            "grantedLimitBps",
            "predictedBps",
            "deliveredBps",
            "deliveredBpsMin",
            "deliveredBpsMax",
            "loss",
            "queueDelayMicrosMean",
            "queueDelayMicrosP99",
            "lossBeyondLimit",
            "ok",
            "worst",
            "uncertainty",
            "uncertaintyOfOne",
            "notJudged",
            "limiter");
    assertThat(json.path("groups").path(0).path("limitBps").isNull()).isTrue();
    assertThat(new ObjectMapper().readValue(Json.write(report), DemoReport.class))
        .isEqualTo(report);
  }

  private static List<String> names(JsonNode object) {
    List<String> names = new ArrayList<>();
    for (Iterator<String> each = object.fieldNames(); each.hasNext(); ) {
      names.add(each.next());
    }
    return names;
  }

  private static void isAPage(String text) throws Exception {
    var page =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    assertThat(page.getElementsByTagName("svg").getLength()).isEqualTo(6);
    assertThat(page.getElementsByTagName("tr").getLength()).isEqualTo(5);
  }

  @Test
  void aPolicyThatIsNotInForceShows() throws Exception {
    DemoOptions options = options("11", "gold:gold:4:4M", "silver:silver:8:3M");
    // The prediction takes gold for Gold; what is declared under that name is Silver.
    PolicySpec silver = PolicySpec.builtIn(BuiltInFunction.SILVER);
    RunSpec spec = options.runSpec();
    RunSpec misSet =
        new RunSpec(
            spec.groups(),
            Map.of(
                "gold",
                new PolicySpec(new Policy("gold", BuiltInFunction.GOLD), silver.body()),
                "silver",
                silver),
            spec.network(),
            spec.overheadBytes(),
            spec.packetBytes(),
            spec.maxRateBps(),
            spec.randomRates(),
            spec.seconds(),
            spec.withV6(),
            spec.seed(),
            spec.tcp(),
            Optional.empty());
    DemoReport report = DemoReports.of(options, NetworkRun.run(misSet, SILENT), 0);
    assertThat(report.ok()).isFalse();
    assertThat(report.groups()).extracting(DemoReport.Group::ok).containsExactly(false, false);
  }
}
