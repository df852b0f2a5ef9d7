package net.sluice.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import net.sluice.cli.Logging;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Subscriber;
import net.sluice.lab.report.Row;
import net.sluice.lab.report.RunReport;
import net.sluice.lab.support.Progress;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class BenchTest {
  @BeforeAll
  static void quietLogs() {
    Logging.configure();
  }

  private static double measured(RunReport report, String row) {
    return report.rows().stream()
        .filter(each -> each.name().equals(row))
        .findFirst()
        .orElseThrow()
        .measured();
  }

  private static void assertRatio(RunReport report, String ratio, String above, String below) {
    double quotient = measured(report, above) / measured(report, below);
    assertThat(measured(report, ratio)).isPositive().isCloseTo(quotient, withinPercentage(1e-6));
  }

  @Test
  void measuresEveryRowWithAFewSubscribers() throws Exception {
    StringWriter progress = new StringWriter();
    RunReport report = BenchCommand.run(300, 50, Progress.on(new PrintWriter(progress)));
    assertThat(report.rows())
        .extracting(Row::name)
        .containsExactly(
            "compile.entriesPerSecond",
            "compile.cpuPerEntry",
            "write.entriesPerSecond",
            "write.controllerCpuPerEntry",
            "write.switchCpuPerEntry",
            "write.loopbackEntriesPerSecond",
            "write.overLoopback",
            "bulk.secondsToInstalled",
            "bulk.secondsToAccepted",
            "bulk.wallOverCpu",
            "bulk.controllerCpuPerSubscriber",
            "bulk.switchCpuPerSubscriber",
            "memory.residentBytesPerSubscriber",
            "change.p99Millis",
            "change.p50Millis",
            "change.syncP99Millis",
            "change.p99OverSync",
            "counters.secondsOfAll",
            "counters.controllerCpuPerSubscriber",
            "counters.switchCpuPerSubscriber",
            "counters.changeP99MillisBeside",
            "counters.changeP99Ratio",
            "list.pageP99Millis",
            "export.seconds",
            "reconcile.seconds",
            "heap.bytesPerSubscriber",
            "hard.bulk.secondsToInstalled",
            "hard.bulk.secondsToAccepted",
            "hard.bulk.wallOverCpu",
            "hard.bulk.controllerCpuPerSubscriber",
            "hard.bulk.switchCpuPerSubscriber",
            "hard.memory.residentBytesPerSubscriber",
            "hard.change.p99Millis",
            "hard.change.p50Millis",
            "hard.change.syncP99Millis",
            "hard.change.p99OverSync",
            "hard.counters.secondsOfAll",
            "hard.counters.controllerCpuPerSubscriber",
            "hard.counters.switchCpuPerSubscriber",
            "hard.counters.changeP99MillisBeside",
            "hard.counters.changeP99Ratio",
            "hard.reconcile.seconds",
            "hard.heap.bytesPerSubscriber",
            "hard.overEasy");
    assertThat(measured(report, "compile.cpuPerEntry")).isPositive();
    assertThat(measured(report, "write.controllerCpuPerEntry")).isPositive();
    for (String kind : List.of("", "hard.")) {
      assertThat(measured(report, kind + "bulk.controllerCpuPerSubscriber")).isPositive();
      assertThat(measured(report, kind + "bulk.secondsToAccepted"))
          .isPositive()
          .isLessThanOrEqualTo(measured(report, kind + "bulk.secondsToInstalled"));
      assertThat(measured(report, kind + "change.p50Millis"))
          .isPositive()
          .isLessThanOrEqualTo(measured(report, kind + "change.p99Millis"));
      assertRatio(
          report,
          kind + "change.p99OverSync",
          kind + "change.p99Millis",
          kind + "change.syncP99Millis");
    }
    assertRatio(
        report, "write.overLoopback", "write.entriesPerSecond", "write.loopbackEntriesPerSecond");
    assertThat(measured(report, "list.pageP99Millis")).isPositive();
    assertThat(measured(report, "export.seconds")).isPositive();
    assertRatio(report, "hard.overEasy", "hard.bulk.secondsToInstalled", "bulk.secondsToInstalled");
    // Of subscribers 0, 100 and 200 two prefixes each are deleted or changed, and one is added.
    assertThat(progress.toString())
        .contains("300 subscribers installed", "reconciled 0 wrong", "reconciled 5 wrong");
  }

  @Test
  void measuresANetworkWithAndWithoutAHungSwitch() throws Exception {
    StringWriter progress = new StringWriter();
    RunReport report =
        BenchCommand.runNetwork(3, 300, 50, 1, Progress.on(new PrintWriter(progress)));
    assertThat(report.rows())
        .extracting(Row::name)
        .containsExactly(
            "isolation.p99Millis",
            "isolation.hungP99Millis",
            "isolation.p99Ratio",
            "network.bulkSecondsOfOne",
            "network.bulkSeconds",
            "network.bulkRatio",
            "network.heapBytes");
    assertRatio(report, "isolation.p99Ratio", "isolation.hungP99Millis", "isolation.p99Millis");
    assertRatio(report, "network.bulkRatio", "network.bulkSeconds", "network.bulkSecondsOfOne");
    assertThat(progress.toString())
        .contains(
            "300 subscribers installed at one switch",
            "300 subscribers installed at 3 switches",
            "50 single changes made, and as many beside a hung switch");
  }

  @Test
  void bulkLinesDeclareWhatIsCompiled() {
    Iterator<String> lines = BenchSubscribers.EASY.bulkLines(1_000_000);
    assertThat(lines.next())
        .isEqualTo(
            "{\"op\":\"put\",\"kind\":\"subscriber\",\"id\":\"sub-0\",\"value\":{\"policy\":\"gold\","
                + "\"prefixes\":[\"10.0.0.1/32\"],\"attachment\":{\"port\":0,\"tree\":0}}}");
    String last = "";
    while (lines.hasNext()) {
      last = lines.next();
    }
    assertThat(last).contains("sub-999999").contains("10.15.66.64/32");
    assertThat(BenchSubscribers.EASY.subscriber(999_999).prefixes().get(0).toString())
        .isEqualTo("10.15.66.64/32");
  }

  @Test
  void theHardCaseHasBothFamiliesTagsAndLimitsWithinTheSwitchAndTheFpga() {
    List<String> tags = new ArrayList<>();
    for (int i = 0; i < 1 << 20; i++) {
      Subscriber subscriber = BenchSubscribers.HARD.subscriber(i);
      assertThat(subscriber.prefixes()).hasSize(2);
      subscriber.vlans().ifPresent(vlans -> tags.add(vlans.toString()));
    }
    assertThat(tags).hasSize(262_144).doesNotHaveDuplicates();
    Map<Attachment, Integer> limitedOfTree = new HashMap<>();
    BenchSubscribers.HARD
        .limits(1 << 20)
        .forEach(
            limit -> {
              int i = Integer.parseInt(limit.id().substring("sub-".length()));
              limitedOfTree.merge(
                  BenchSubscribers.HARD.subscriber(i).attachment(), 1, Integer::sum);
            });
    assertThat(limitedOfTree)
        .hasSize(512)
        .allSatisfy((tree, limited) -> assertThat(limited).isEqualTo(64));
    assertThat(BenchSubscribers.HARD.bulkLines(1).next())
        .isEqualTo(
            "{\"op\":\"put\",\"kind\":\"subscriber\",\"id\":\"sub-0\",\"value\":{\"policy\":\"gold\","
                + "\"prefixes\":[\"10.0.0.1/32\",\"2001:db8::/64\"],\"sVlan\":1,\"cVlan\":1,"
                + "\"attachment\":{\"port\":0,\"tree\":0}}}");
  }
}
