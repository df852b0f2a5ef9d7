package net.sluice.lab.experiment.calm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import net.sluice.cli.OptionException;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.value.Direction;
import net.sluice.lab.experiment.SettingsOf;
import net.sluice.lab.experiment.calm.CalmCell.Bulk;
import net.sluice.testing.Golden;
import org.junit.jupiter.api.Test;

class CalmOptionsTest {
  /** Options as on the command line: {@code --name value} pairs. */
  private static CalmOptions parse(String... arguments) {
    return CalmOptions.of(SettingsOf.of(CalmOptions.KIND, arguments));
  }

  private static CalmPlan oneCase(String... arguments) {
    List<CalmPlan> plans = parse(arguments).plans();
    assertThat(plans).hasSize(1);
    return plans.get(0);
  }

  @Test
  void withoutACaseEveryCellRunsOnceUnderAKeyOfItsOwn() {
    CalmOptions options = parse("--seed", "7");
    assertThat(options.seed()).isEqualTo(7);
    assertThat(options.plans())
        .extracting(CalmPlan::key)
        .doesNotHaveDuplicates()
        .hasSize(3 * 4 * 2 * 3 * 3 * 2 + 3 + 2 * (2 + 2 * 3))
        .contains(
            "shape.5M.cubic.1.rtt10",
            "fpga.1G.cubic.4.rtt40",
            "fpga.20M.bbr.16.rtt40.up",
            "police.1G.bbr.16.rtt100.ecn",
            "shape.50M.prague.1.rtt10",
            "shape.50M.prague-and-cubic.2.rtt10.ecn",
            "shape.100M.flood.1.rtt0");
  }

  @Test
  void everyCellRunsBesideTheReferenceAndEveryOneThatQueuesBesideCodel() {
    for (CalmPlan plan : parse().plans()) {
      assertThat(plan.columns()).as(plan.key()).contains(CalmColumn.NOW, CalmColumn.REFERENCE);
      assertThat(plan.columns().contains(CalmColumn.ONE_QUEUE))
          .as(plan.key())
          .isEqualTo(plan.cell().enforcement() != Enforcement.POLICE);
    }
  }

  @Test
  void aQuickRunHasSomeOfTheCells() {
    CalmOptions quick = parse("--quick", "true");
    assertThat(parse().plans()).containsAll(quick.plans());
    assertThat(quick.plans()).hasSize(3 * 2 * 2 + 3 + 2 * (2 + 2));
    assertThat(quick.scope()).contains("Quick run");
    assertThat(parse().scope()).doesNotContain("Quick");
  }

  @Test
  void anyPartOfACaseMakesOneOfTheUsualRest() {
    CalmPlan plan =
        oneCase(
            "--limit",
            "37M",
            "--enforcement",
            "shape",
            "--flows",
            "7",
            "--rtt",
            "25",
            "--seed",
            "4711");
    assertThat(plan.key()).isEqualTo("case");
    assertThat(plan.cell())
        .isEqualTo(
            new CalmCell(Enforcement.SHAPE, Direction.DOWN, 37_000_000, Bulk.CUBIC, 7, 25, false));
    assertThat(plan.columns()).isEqualTo(EnumSet.allOf(CalmColumn.class));
    assertThat(oneCase("--enforcement", "police", "--bulk", "bbr", "--ecn", "true").cell())
        .isEqualTo(
            new CalmCell(Enforcement.POLICE, Direction.DOWN, 20_000_000, Bulk.BBR, 4, 40, true));
    assertThat(oneCase("--enforcement", "fpga", "--up", "true").cell().key())
        .isEqualTo("fpga.20M.cubic.4.rtt40.up");
  }

  @Test
  void refusesWhatCannotBeRun() throws IOException {
    String[][] cases = {
      {"--limit", "999k"},
      {"--limit", "2G"},
      {"--limit", "fast"},
      {"--enforcement", "meter"},
      {"--enforcement", "both"},
      {"--bulk", "reno"},
      {"--flows", "0"},
      {"--flows", "201"},
      {"--flows", "four"},
      {"--rtt", "0"},
      {"--rtt", "1001"},
      {"--rtt", "10-20"},
      {"--seed", "x"},
      {"--quick", "true", "--limit", "20M"},
      {"--quick", "true", "--ecn", "true"},
    };
    StringBuilder texts = new StringBuilder();
    for (String[] arguments : cases) {
      Throwable refusal = catchThrowable(() -> parse(arguments));
      assertThat(refusal).as(String.join(" ", arguments)).isInstanceOf(OptionException.class);
      assertThat(refusal.getMessage()).doesNotContain("\n").contains(arguments[0]);
      texts.append(refusal.getMessage()).append('\n');
    }
    Golden.check("calm-option-errors.txt", texts.toString());
  }
}
