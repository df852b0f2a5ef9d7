package net.sluice.lab.fit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import net.sluice.lab.LabRuns;
import net.sluice.lab.report.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FitCommandTest {
  private final LabRuns runs;

  FitCommandTest(@TempDir Path folder) {
    runs = new LabRuns(folder);
  }

  @Test
  void saysWhatTheProgramTakesBesideThePaper() throws IOException {
    assertThat(runs.run("fit.json", "profile", "fit", "stratum-tofino")).isZero();
    assertThat(runs.err.toString()).isEmpty();
    assertThat(runs.out.toString())
        .contains("tofino-codel: 4 marker instances of 17,920 subscribers")
        .contains("tofino: 7 marker instances of 17,920 subscribers")
        .contains("SluiceIngress.instance7.SubscriberRate4")
        .endsWith("ok\n");
    assertThat(runs.report("fit.json").rows())
        .extracting(Row::name)
        .contains(
            "one.stages",
            "one.sramPercent",
            "one.mapRamPercent",
            "full.stages",
            "full.sramPercent",
            "full.mapRamPercent",
            "instances.pipe",
            "subscribers.pipe",
            "subscribers.switch",
            "codel.stages",
            "codel.instances",
            "codel.sramPercent",
            "codel.mapRamPercent",
            "two.instances",
            "two.stages");
    assertThat(runs.lastPage()).contains("full sramPercent", "<svg");
  }

  @Test
  void aProfileWithoutACompiledProgramIsRefused() {
    assertThat(runs.run("fit.json", "profile", "fit", "bmv2")).isEqualTo(2);
    assertThat(runs.err).hasToString("sluice: NAME is 'bmv2'; allowed: stratum-tofino\n");
  }
}
