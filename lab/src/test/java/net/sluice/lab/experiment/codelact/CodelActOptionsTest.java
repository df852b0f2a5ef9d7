package net.sluice.lab.experiment.codelact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import net.sluice.cli.OptionException;
import net.sluice.lab.experiment.SettingsOf;
import net.sluice.testing.Golden;
import org.junit.jupiter.api.Test;

class CodelActOptionsTest {
  /** Options as on the command line: {@code --name value} pairs. */
  private CodelActOptions parse(String... arguments) {
    return CodelActOptions.of(SettingsOf.of(CodelActOptions.KIND, arguments));
  }

  @Test
  void withoutACaseEveryCellOfThePaperRunsThreeTimes() {
    CodelActOptions options = parse();
    assertThat(options.cells())
        .extracting(Cell::key)
        .containsExactly(
            "100M.1",
            "100M.3",
            "100M.10",
            "1000M.10",
            "1000M.30",
            "1000M.50",
            "100M.3.rtt10",
            "100M.3.rtt100",
            "100M.3.rtt300");
    assertThat(options.seeds()).isEqualTo(3);
    assertThat(options.otherSenders())
        .containsExactly(Senders.BLOCKS_APART, Senders.SMOOTH, Senders.UNHELD);
    assertThat(options.mix()).isEqualTo(FlowMix.CUBIC);
    assertThat(options.otherMixes()).containsExactly(FlowMix.BBR, FlowMix.MIX);
    assertThat(options.seconds()).isEqualTo(10);
  }

  @Test
  void anyPartOfACaseMakesOneCellThatRunsOnce() {
    CodelActOptions options =
        parse("--flows", "3", "--rate", "1G", "--rtt", "2.5-20", "--senders", "unheld");
    assertThat(options.cells()).containsExactly(new Cell("case", 3, 1_000_000_000L, 2.5, 20));
    assertThat(options.seeds()).isEqualTo(1);
    assertThat(options.senders()).isEqualTo(Senders.UNHELD);
    assertThat(options.otherSenders()).isEmpty();
    assertThat(options.otherMixes()).isEmpty();
    assertThat(parse("--flows", "3", "--cc", "mix").mix()).isEqualTo(FlowMix.MIX);
    assertThat(parse("--rtt", "300").cells())
        .containsExactly(new Cell("case", 10, 100_000_000L, 300, 300));
    assertThat(parse("--flows", "1").cells())
        .containsExactly(new Cell("case", 1, 100_000_000L, 5, 10));
  }

  @Test
  void aQuickRunHasEveryCellOnceAndNothingElse() {
    CodelActOptions quick = parse("--quick", "true");
    assertThat(quick.cells()).isEqualTo(parse().cells());
    assertThat(quick.seeds()).isEqualTo(1);
    assertThat(quick.seconds()).isEqualTo(10);
    assertThat(quick.otherSenders()).isEmpty();
    assertThat(quick.otherMixes()).isEmpty();
    assertThat(parse("--quick", "true", "--scenario", "values").seconds()).isEqualTo(3);
    assertThat(quick.scope()).contains("mean of 1 run of 10", "What it leaves out");
    assertThat(parse().scope()).contains("mean of 3 runs").doesNotContain("Quick");
  }

  @Test
  void theScenarioWithValuesHasNoCase() {
    assertThat(parse().values()).isFalse();
    CodelActOptions options = parse("--scenario", "values", "--seconds", "2");
    assertThat(options.values()).isTrue();
    assertThat(options.seconds()).isEqualTo(2);
  }

  @Test
  void refusesWhatCannotBeRun() throws IOException {
    String[][] cases = {
      {"--scenario", "both"},
      {"--scenario", "values", "--rate", "10M"},
      {"--scenario", "values", "--senders", "smooth"},
      {"--scenario", "values", "--cc", "bbr"},
      {"--flows", "0"},
      {"--flows", "1001"},
      {"--flows", "ten"},
      {"--rate", "fast"},
      {"--rate", "999k"},
      {"--rate", "10G"},
      {"--rtt", ""},
      {"--rtt", "x"},
      {"--rtt", "5-"},
      {"--rtt", "-5"},
      {"--rtt", "5-10-20"},
      {"--rtt", "10-5"},
      {"--rtt", "0-5"},
      {"--rtt", "5-2000"},
      {"--senders", "some"},
      {"--cc", "reno"},
      {"--seconds", "0"},
      {"--seconds", "601"},
      {"--seed", "x"},
      {"--quick", "true", "--rtt", "5-10"},
    };
    StringBuilder texts = new StringBuilder();
    for (String[] arguments : cases) {
      Throwable refusal = catchThrowable(() -> parse(arguments));
      assertThat(refusal).as(String.join(" ", arguments)).isInstanceOf(OptionException.class);
      assertThat(refusal.getMessage()).doesNotContain("\n").contains(arguments[0]);
      texts.append(refusal.getMessage()).append('\n');
    }
    Golden.check("codel-act-option-errors.txt", texts.toString());
  }
}
