package net.sluice.intents.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.sluice.intents.value.Direction;
import net.sluice.intents.verdict.LimitVerdict.Place;
import net.sluice.testing.Golden;
import org.junit.jupiter.api.Test;

class SentencesTest {
  private static final TrafficLoad FLOOD = new TrafficLoad(40e6, 6.42e6, 0, 0, 0, 0, Double.NaN);
  private static final TrafficLoad DOWNLOAD = new TrafficLoad(6.43e6, 6.42e6, 0, 0, 1e4, 0, 9);
  private static final TrafficLoad CALM = TrafficLoad.passing(2.1e6);
  private static final TrafficLoad BURSTY =
      new TrafficLoad(2.1e6, 1.9e6, 0.2e6, 0, 0, 0, Double.NaN);
  private static final Place PORT = new Place("bng1", 3);

  @Test
  void eachVerdictInWords() {
    StringBuilder text = new StringBuilder();
    List<LimitVerdict> verdicts =
        List.of(
            new LimitVerdict.Suspended(),
            new LimitVerdict.OutOfStep("fpga-down", "no session since 2026-01-02T03:04:05Z"),
            new LimitVerdict.OutOfStep("switch", ""),
            new LimitVerdict.PortDown(PORT),
            new LimitVerdict.PortDown(new Place("", 1)),
            new LimitVerdict.OwnLimit(6.42e6),
            new LimitVerdict.TreeLimit(0, 7, 100e6, 12),
            new LimitVerdict.TreeLimit(0, 7, 100e6, 1),
            new LimitVerdict.PortLimit(5, 2.5e9, 1200),
            new LimitVerdict.Congestion(PORT, 6.4e6, 40),
            new LimitVerdict.Congestion(PORT, 6.4e6, 1),
            new LimitVerdict.Nothing());
    for (LimitVerdict verdict : verdicts) {
      for (TrafficLoad load : List.of(FLOOD, DOWNLOAD)) {
        add(text, verdict, Direction.DOWN, load);
      }
    }
    for (Direction direction : Direction.values()) {
      add(text, new LimitVerdict.Nothing(), direction, TrafficLoad.NONE);
      add(text, new LimitVerdict.Nothing(), direction, CALM);
      add(text, new LimitVerdict.Nothing(), direction, BURSTY);
    }
    Golden.check("verdicts.txt", text.toString());
  }

  private static void add(
      StringBuilder out, LimitVerdict verdict, Direction direction, TrafficLoad load) {
    out.append(verdict.cause().text()).append(' ').append(direction.text()).append(": ");
    out.append(Sentences.of(verdict, direction, load)).append('\n');
  }

  @Test
  void ratesAreWrittenAsPeopleWriteThem() {
    assertThat(List.of(0.0, 0.4, 999.0, 999.6, 64_000.0, 1.5e6, 25e6, 250_400_000.0, 1.25e9, 3e12))
        .extracting(RateText::of)
        .containsExactly(
            "0 bit/s",
            "0 bit/s",
            "999 bit/s",
            "1 kbit/s",
            "64 kbit/s",
            "1.5 Mbit/s",
            "25 Mbit/s",
            "250 Mbit/s",
            "1.25 Gbit/s",
            "3 Tbit/s");
  }
}
