package net.sluice.lab.experiment.dragonking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.sluice.cli.OptionException;
import net.sluice.lab.experiment.SettingsOf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DragonkingOptionsTest {
  private static DragonkingOptions parse(
      String aggregate, String flowRate, String packet, String burst, boolean quick) {
    return DragonkingOptions.of(
        SettingsOf.of(
            DragonkingOptions.KIND,
            "--aggregate",
            aggregate,
            "--flow-rate",
            flowRate,
            "--packet",
            packet,
            "--burst",
            burst,
            "--seed",
            "7",
            "--quick",
            quick ? "" : null));
  }

  @Test
  void withoutACaseThePaperIsRun() {
    DragonkingOptions options = parse(null, null, null, null, true);
    assertThat(options.oneCase()).isNull();
    assertThat(options.quick()).isTrue();
    assertThat(options.seed()).isEqualTo(7);
  }

  @Test
  void anyPartOfACaseMakesOneOfTheUsualRest() {
    assertThat(parse("1G", null, null, null, false).oneCase())
        .isEqualTo(Load.of(1_000_000_000, 60_000, 1_500, 100_000));
    assertThat(parse(null, "1M", "64", "50", false).oneCase())
        .isEqualTo(Load.of(10_000_000_000L, 1_000_000, 64, 50_000));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      nullValues = "-",
      value = {
        "200G | - | - | - | --aggregate is '200G'; allowed: a rate in bit/s, 1M to 100G, written like 400k, 2.5M or 1G",
        "1G | 50k | - | - | --flow-rate is '50k'; allowed: a rate in bit/s, 60k to 1G, written like 400k, 2.5M or 1G",
        "1G | 2G | - | - | --flow-rate is '2G'; allowed: a rate in bit/s, 60k to 1G, written like 400k, 2.5M or 1G",
        "- | - | 63 | - | --packet is '63'; allowed: a whole number, 64 to 1500",
        "- | - | 1501 | - | --packet is '1501'; allowed: a whole number, 64 to 1500",
        "- | - | - | 0 | --burst is '0'; allowed: a whole number, 1 to 10000",
        "- | - | - | x | --burst is 'x'; allowed: a whole number, 1 to 10000"
      })
  void aValueOutOfRangeIsRefusedWithWhatIsAllowed(
      String aggregate, String flowRate, String packet, String burst, String message) {
    assertThatThrownBy(() -> parse(aggregate, flowRate, packet, burst, false))
        .isInstanceOf(OptionException.class)
        .hasMessage(message);
  }

  @Test
  void aCaseIsNotQuick() {
    assertThatThrownBy(() -> parse("1G", null, null, null, true))
        .isInstanceOf(OptionException.class)
        .hasMessageContaining("--quick is 'given'; allowed: without --aggregate");
  }
}
