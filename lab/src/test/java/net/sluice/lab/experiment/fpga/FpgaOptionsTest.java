package net.sluice.lab.experiment.fpga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.sluice.cli.OptionException;
import net.sluice.lab.experiment.SettingsOf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FpgaOptionsTest {
  private static FpgaOptions parse(String queues, String rate, String packet, boolean quick) {
    return FpgaOptions.of(
        SettingsOf.of(
            FpgaOptions.KIND,
            "--queues",
            queues,
            "--rate",
            rate,
            "--packet",
            packet,
            "--seed",
            "7",
            "--quick",
            quick ? "" : null));
  }

  @Test
  void withoutACaseThePaperIsRun() {
    FpgaOptions options = parse(null, null, null, true);
    assertThat(options.oneCase()).isNull();
    assertThat(options.quick()).isTrue();
    assertThat(options.seed()).isEqualTo(7);
  }

  @Test
  void anyPartOfACaseMakesOneOfTheUsualRest() {
    Flood few = parse("10", null, null, false).oneCase();
    assertThat(few.queues()).isEqualTo(10);
    assertThat(few.bps()).isEqualTo(100_000_000);
    assertThat(few.packetBytes()).isEqualTo(1_000);
    assertThat(few.build()).isEqualTo(CoreBuild.limited(false));
    Flood many = parse("3000", "2M", "1500", false).oneCase();
    assertThat(many.build()).isEqualTo(CoreBuild.limited(true));
    assertThat(parse("1", "1M", "1500", false).oneCase().packets()).isEqualTo(20);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      nullValues = "-",
      value = {
        "0 | - | - | --queues is '0'; allowed: a whole number, 1 to 32768",
        "32769 | - | - | --queues is '32769'; allowed: a whole number, 1 to 32768",
        "5000 | 2M | 60 | --queues is '5000'; allowed: a whole number, 1 to 3523 with packets of 60 bytes",
        "1 | 999k | - | --rate is '999k'; allowed: a rate in bit/s, 1M to 10G, written like 400k, 2.5M or 1G",
        "1000 | 1G | - | --rate is '1G'; allowed: a rate in bit/s, 1M to 82M, written like 400k, 2.5M or 1G",
        "- | - | 59 | --packet is '59'; allowed: a whole number, 60 to 2048",
        "- | - | 2049 | --packet is '2049'; allowed: a whole number, 60 to 2048"
      })
  void aValueOutOfRangeIsRefusedWithWhatIsAllowed(
      String queues, String rate, String packet, String message) {
    assertThatThrownBy(() -> parse(queues, rate, packet, false))
        .isInstanceOf(OptionException.class)
        .hasMessage(message);
  }

  @Test
  void aCaseIsNotQuick() {
    assertThatThrownBy(() -> parse("5", null, null, true))
        .isInstanceOf(OptionException.class)
        .hasMessage("--quick is 'given'; allowed: without --queues, --rate and --packet");
  }
}
