package net.sluice.lab.demo.household;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Optional;
import net.sluice.cli.Json;
import net.sluice.cli.Logging;
import net.sluice.lab.demo.household.Household.Behaviour;
import net.sluice.lab.demo.household.Household.Flow;
import net.sluice.lab.support.Progress;
import net.sluice.testing.Golden;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The household of the demo, declared over HTTP, with its delays as they are and were. */
class HouseholdTest {
  private static final Progress SILENT = Progress.on(new PrintWriter(new StringWriter()));

  private static Household now;
  private static Household bloat;

  @BeforeAll
  static void runBoth() throws Exception {
    Logging.configure();
    now = Household.run(Behaviour.NOW, 1, SILENT);
    bloat = Household.run(Behaviour.BLOAT, 1, SILENT);
  }

  @Test
  void callAndGameDoNotWaitForTheDownload() {
    HouseholdReport report = HouseholdReport.of(now, Optional.empty());
    assertThat(report.reasons()).isEmpty();
    assertThat(now.rateBps().get(Flow.DOWNLOAD)).isGreaterThan(0.95 * Household.LIMIT_BPS);
    assertThat(report.lines().get(0)).startsWith("call", "50 packets/s of 200 bytes").hasSize(6);
  }

  @Test
  void withoutWhatKeepsDelayLowTheyWaitForIt() {
    HouseholdReport report = HouseholdReport.of(bloat, Optional.empty());
    assertThat(report.reasons())
        .containsExactly(
            "The household's call got 77.12 kbit/s of 80.00 kbit/s sent (allowed: at least 98 %).",
            "The household's call takes 559.42 ms at the 99th percentile (allowed: 10.00 ms).",
            "The household's game got 46.08 kbit/s of 48.00 kbit/s sent (allowed: at least 98 %).",
            "The household's game takes 562.04 ms at the 99th percentile (allowed: 10.00 ms).");
    assertThat(report.flows())
        .extracting(HouseholdReport.Line::ok)
        .containsExactly(false, false, true, true);
  }

  /** Virtual time and a seed give the same figures everywhere. */
  @Test
  void theTableHasBothBesideEachOther() throws Exception {
    HouseholdReport report = HouseholdReport.of(now, Optional.of(bloat));
    Golden.check("demo-household.txt", report.text() + Json.write(report));
    String chart = HouseholdChart.draw(now, Optional.of(bloat));
    for (String name : new String[] {"download", "call", "game"}) {
      assertThat(chart).contains(name, name + ", --bloat");
    }
  }
}
