package net.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WrittenRatesTest {
  @ParameterizedTest
  @CsvSource({
    "15M, 15000000",
    "400k, 400000",
    "1G, 1000000000",
    "2.5M, 2500000",
    "9600, 9600",
    "0, 0",
    "1T, 1000000000000",
    "0.0005k, 0"
  })
  void readsRates(String text, long bps) {
    assertThat(WrittenRates.parse(text)).hasValue(bps);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "M", "1,5M", "-1", "1e6", "15 M", "15Mbit", "1.M", ".5M", "1P", "９"})
  void refusesWhatIsNoRate(String text) {
    assertThat(WrittenRates.parse(text)).isEmpty();
  }

  @Property(seed = "1")
  void textReadsBack(@ForAll @LongRange(min = 0, max = 999_999_999_999_999L) long bps) {
    assertThat(WrittenRates.parse(WrittenRates.text(bps))).hasValue(bps);
  }
}
