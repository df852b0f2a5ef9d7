package net.sluice.lab.bench.switching;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.sluice.lab.bench.switching.VethLoadProcess.Trial;
import net.sluice.lab.report.Row;
import net.sluice.lab.support.Progress;
import net.sluice.testing.Prerequisite;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The measurement on virtual interfaces, without bmv2. Needs root. */
@Tag("long")
class VethBenchTest {
  private static final int SUBSCRIBERS = 50;

  @TempDir private Path folder;

  @BeforeEach
  void skipWhereThereCanBeNoInterfaces() {
    try {
      VethPairs.open(1).close();
    } catch (IOException e) {
      Prerequisite.INTERFACES.skip(e.getMessage());
    }
  }

  @Test
  void whatComesOutIsWhatIsSentWhenThatIsLittle() throws Exception {
    try (VethPairs pairs = VethPairs.open(1);
        LiveSwitch live = LiveSwitch.sluice(pairs.cables(0), SUBSCRIBERS, folder)) {
      Trial trial = live.trial(1_000, 1_000);
      assertThat(trial.offered()).isEqualTo(1_000);
      assertThat(trial.delivered()).isEqualTo(trial.offered());
      assertThat(trial.counted()).isBetween(1L, trial.delivered());
      assertThat(Trial.parse(trial.text())).isEqualTo(trial);
    }
  }

  @Test
  void aMeasurementTellsWhatTheSwitchTakes() throws Exception {
    List<String> skipped = new ArrayList<>();
    List<Row> rows =
        VethBench.run(
            new VethBench.Plan(2, 1, 500, 3, 200),
            Optional.empty(),
            SUBSCRIBERS,
            folder,
            Progress.on(new PrintWriter(Writer.nullWriter())),
            skipped);
    assertThat(skipped).isEmpty();
    assertThat(rows)
        .extracting(Row::name)
        .containsExactly(
            "veth.packetsPerSecond",
            "veth.packetsPerCpuSecond",
            "veth.offeredPerSecond",
            "veth.packetsPerSecondLosingAtMost1In1000");
    assertThat(rows.get(0).measured()).isPositive();
  }
}
