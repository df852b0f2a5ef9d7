package net.sluice.emulator.ports.stf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import net.sluice.emulator.v1model.LoadedProgram;
import org.junit.jupiter.api.Test;

/** The program {@code meters} with another number of rates than two. */
class MeterRatesTest {

  private static LoadedProgram program(int rates) {
    String json = new String(StfFiles.bytes("meters.json"), StandardCharsets.UTF_8);
    return LoadedProgram.load(
        json.replaceAll("\"rate_count\" : 2", "\"rate_count\" : " + rates)
            .getBytes(StandardCharsets.UTF_8),
        1);
  }

  /** Packets of four bytes without time between them, and their colours. */
  private static String test(String rates, int... colours) {
    StringBuilder test = new StringBuilder("meter_set_rates In.cells 1 " + rates + "\n");
    test.append("packet 0 01 00 ff ff\n".repeat(colours.length));
    for (int colour : colours) {
      test.append("expect 1 01 00 %02x 09 $\n".formatted(colour));
    }
    return test.toString();
  }

  @Test
  void oneRateHasTwoColours() {
    assertThat(StfRunner.run(program(1), test("0.000001:9", 0, 0, 1, 1))).isEmpty();
    assertThat(StfRunner.run(program(1), "meter_array_set_rates In.cells 0:4\n")).isEmpty();
  }

  @Test
  void threeRatesHaveFourColours() {
    // Tokens go at the highest rate first, even if a lower one then has not enough.
    assertThat(
            StfRunner.run(
                program(3), test("0.000001:4 0.000001:12 0.000001:20", 0, 1, 1, 2, 2, 3, 3)))
        .isEmpty();
  }

  /** bmv2's results for the same packets, with the same rates set by its command line. */
  @Test
  void burstsNeedNotGrowWithTheRates() {
    assertThat(
            StfRunner.run(
                program(3),
                test("0.000001:20 0.000001:12 0.000001:40", 0, 0, 0, 2, 2, 2, 2, 2, 2, 2, 3, 3)))
        .isEmpty();
    // The field has two bits: the fifth colour is 0 in it.
    assertThat(
            StfRunner.run(
                program(4),
                test("0.000001:8 0.000001:12 0.000001:12 0.000001:24", 0, 0, 1, 3, 3, 3, 0, 0, 0)))
        .isEmpty();
  }

  @Test
  void noRateHasOneColour() {
    assertThat(StfRunner.run(program(0), test("", 0, 0, 0))).isEmpty();
  }

  @Test
  void ratesAreAsManyAsTheMeterHasAndNoneIsBelowTheOneBefore() {
    assertThatThrownBy(() -> StfRunner.run(program(3), test("1:4 1:4")))
        .isInstanceOf(StfException.class);
    assertThatThrownBy(() -> StfRunner.run(program(3), test("1:4 3:4 2:4")))
        .isInstanceOf(StfException.class)
        .hasMessageContaining("rate 3:4 must not be above rate 2:4");
  }
}
