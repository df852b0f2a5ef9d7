package net.sluice.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Iterator;
import net.sluice.lab.report.Row;
import net.sluice.lab.report.RunReport;
import net.sluice.lab.support.Progress;
import net.sluice.standalone.Logging;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class BenchTest {
  @BeforeAll
  static void quietLogs() {
    Logging.configure();
  }

  @Test
  void measuresEveryRowWithAFewSubscribers() throws Exception {
    StringWriter progress = new StringWriter();
    RunReport report = BenchCommand.run(300, 50, new Progress(new PrintWriter(progress)));
    assertThat(report.rows())
        .extracting(Row::name)
        .containsExactly(
            "compile.entriesPerSecond",
            "write.entriesPerSecond",
            "bulk.secondsToInstalled",
            "bulk.secondsToAccepted",
            "heap.bytesPerSubscriber",
            "change.p99Millis",
            "change.p50Millis",
            "reconcile.seconds");
    assertThat(report.rows()).allSatisfy(row -> assertThat(row.measured()).isNotNull());
    assertThat(report.rows())
        .filteredOn(row -> !row.name().startsWith("heap"))
        .allSatisfy(row -> assertThat(row.measured()).isPositive());
    assertThat(progress.toString()).contains("300 subscribers installed");
  }

  @Test
  void bulkLinesDeclareWhatIsCompiled() {
    Iterator<String> lines = BenchSubscribers.bulkLines(1_000_000);
    assertThat(lines.next())
        .isEqualTo(
            "{\"op\":\"put\",\"kind\":\"subscriber\",\"id\":\"sub-0\",\"value\":{\"policy\":\"gold\","
                + "\"prefixes\":[\"10.0.0.1/32\"],\"attachment\":{\"port\":0,\"tree\":0}}}");
    String last = "";
    while (lines.hasNext()) {
      last = lines.next();
    }
    assertThat(last).contains("sub-999999").contains("10.15.66.64/32");
    assertThat(BenchSubscribers.subscriber(999_999).prefixes().get(0).toString())
        .isEqualTo("10.15.66.64/32");
  }
}
