package net.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DurationsTest {
  @ParameterizedTest
  @CsvSource({
    "0,0",
    "0ms,0",
    "800us,800000",
    "2.5ms,2500000",
    "10ms,10000000",
    "1s,1000000000",
    "15m,900000000000",
    "24h,86400000000000",
    "0.0001us,0",
    "1.000000001s,1000000001"
  })
  void timesAreNanoseconds(String text, long nanos) {
    assertThat(Durations.nanos(text)).hasValue(nanos);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "10", "-1ms", "ms", "1 ms", "1d", "1ns", "1e3us", ".5s", "999999999999s"})
  void whatIsNoTimeIsEmpty(String text) {
    assertThat(Durations.nanos(text)).isEmpty();
  }
}
