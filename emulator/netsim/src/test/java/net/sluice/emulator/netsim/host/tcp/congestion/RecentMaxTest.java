package net.sluice.emulator.netsim.host.tcp.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class RecentMaxTest {

  private record Update(int round, int value) {}

  /** Against a look at everything that came in the last rounds. */
  @Property(tries = 500, seed = "1")
  void isTheGreatestOfTheLastRounds(
      @ForAll @IntRange(min = 1, max = 10) int length,
      @ForAll @Size(min = 1, max = 100) List<@IntRange(min = 0, max = 50) Integer> values,
      @ForAll @Size(min = 100, max = 100) List<@IntRange(min = 0, max = 3) Integer> steps) {
    RecentMax max = new RecentMax(length);
    assertThat(max.get()).isZero();
    List<Update> all = new ArrayList<>();
    int round = 0;
    for (int i = 0; i < values.size(); i++) {
      round += steps.get(i);
      all.add(new Update(round, values.get(i)));
      max.update(round, values.get(i));
      int now = round;
      int expected =
          all.stream()
              .filter(update -> update.round() > now - length)
              .mapToInt(Update::value)
              .max()
              .orElseThrow();
      assertThat(max.get()).isEqualTo(expected);
    }
  }
}
