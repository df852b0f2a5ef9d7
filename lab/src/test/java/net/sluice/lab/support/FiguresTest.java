package net.sluice.lab.support;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FiguresTest {
  @Test
  void figuresAreShort() {
    assertThat(Figures.rate(21_834_567)).isEqualTo("21.83 Mbit/s");
    assertThat(Figures.rate(488_000)).isEqualTo("488.0 kbit/s");
    assertThat(Figures.rate(12)).isEqualTo("12.00 bit/s");
    assertThat(Figures.rate(999_999_999)).isEqualTo("1.00 Gbit/s");
    assertThat(Figures.shortRate(20e6)).isEqualTo("20 Mbit/s");
    assertThat(Figures.shortRate(2.5e9)).isEqualTo("2.5 Gbit/s");
    assertThat(Figures.shortRate(100)).isEqualTo("100 bit/s");
    assertThat(Figures.shortRate(0)).isEqualTo("0");
    assertThat(Figures.percent(0.5812)).isEqualTo("58.1 %");
    assertThat(Figures.percent(-0.00021)).isEqualTo("-0.02 %");
    assertThat(Figures.micros(831.4)).isEqualTo("831 us");
    assertThat(Figures.micros(4983)).isEqualTo("4.98 ms");
    assertThat(Figures.shortMicros(0.1)).isEqualTo("100 ns");
    assertThat(Figures.shortMicros(10_000)).isEqualTo("10 ms");
    assertThat(Figures.shortMicros(2e6)).isEqualTo("2 s");
    assertThat(Figures.power(1e6)).isEqualTo("10^6");
    assertThat(Figures.number(14_210.4)).isEqualTo("14210");
    assertThat(Figures.number(3.406)).isEqualTo("3.41");
    assertThat(Figures.number(0.5)).isEqualTo("0.5000");
  }
}
