package net.sluice.lab.experiment.fsam;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.Stream;
import net.sluice.lab.LabRuns;
import net.sluice.lab.report.Row;
import net.sluice.lab.report.RunReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FsamCommandTest {
  private final Path folder;
  private final LabRuns runs;

  FsamCommandTest(@TempDir Path folder) {
    this.folder = folder;
    runs = new LabRuns(folder);
  }

  private int run(String report, String... options) {
    return runs.run(
        report,
        Stream.concat(Stream.of("experiment", "fsam"), Stream.of(options)).toArray(String[]::new));
  }

  @Test
  void aCaseSharesTheCommittedRateAndIsTheSameWithTheSameSeed() throws Exception {
    String[] options = {
      "--cir",
      "800k",
      "--burst",
      "200000",
      "--source",
      "udp:1M",
      "--source",
      "tcp",
      "--source",
      "udp:2M",
      "--marker",
      "f-sam",
      "--seconds",
      "20",
      "--seed",
      "3"
    };
    assertThat(run("first.json", options)).isZero();
    assertThat(run("again.json", options)).isZero();
    RunReport first = runs.report("first.json");
    assertThat(runs.report("again.json")).isEqualTo(first);
    assertThat(first.name()).isEqualTo("fsam");
    assertThat(first.rows())
        .extracting(Row::name)
        .contains("case.in.1", "case.in.2", "case.in.3", "case.out.3", "case.jain")
        .doesNotHaveDuplicates();
    double in =
        first.rows().stream()
            .filter(row -> row.name().startsWith("case.in."))
            .mapToDouble(Row::measured)
            .sum();
    // 20 s of the committed rate and the burst, in frames of 1,000 bytes.
    assertThat(in).isBetween(0.9 * 2_025, 1.01 * 2_025);
    assertThat(jain(first)).isGreaterThan(0.97);
  }

  @Test
  void aTokenBucketGivesTheTokensToTheFasterFlow() throws Exception {
    assertThat(
            run(
                "tb.json",
                "--source",
                "udp:1M",
                "--source",
                "udp:8M",
                "--marker",
                "TB",
                "--seconds",
                "10"))
        .isZero();
    assertThat(jain(runs.report("tb.json"))).isLessThan(0.75);
  }

  private static double jain(RunReport report) {
    return LabRuns.measured(report, "case.jain");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--cir | 11M | --cir is '11M'; allowed: a rate",
        "--burst | 12000 | --burst is '12000'; allowed: 12800 to 8000000 bits",
        "--burst | lots | --burst is 'lots'; allowed: 12800 to",
        "--marker | red | --marker is 'red'; allowed: token-bucket, tsw2cm, pam, f-sam",
        "--source | sctp | --source is 'sctp'; allowed: tcp, or udp:RATE",
        "--source | udp:20M | --source is 'udp:20M': RATE is '20M'; allowed:",
        "--seconds | 0 | --seconds is '0'; allowed:"
      })
  void whatCannotBeUsedIsRefusedBeforeAnythingRuns(String option, String value, String message) {
    assertThat(run("none.json", option, value)).isEqualTo(2);
    assertThat(runs.err.toString()).contains(message);
    assertThat(runs.out.toString()).isEmpty();
    assertThat(folder.resolve("none.json")).doesNotExist();
  }
}
