package net.sluice.core.unknown;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SpaceSavingTest {
  private static final int ROOM = 64;

  @Test
  void asLongAsThereIsRoomWeightsAreExact() {
    SpaceSaving<String> sketch = new SpaceSaving<>(2);
    sketch.add("a", 5);
    sketch.add("b", 9);
    sketch.add("a", 2);
    assertThat(sketch.all())
        .containsExactly(
            new SpaceSaving.Weighed<>("b", 9, 0, 1), new SpaceSaving.Weighed<>("a", 7, 0, 2));
  }

  @Test
  void whoFindsNoRoomTakesTheLeastPlaceWithItsWeightAsError() {
    SpaceSaving<String> sketch = new SpaceSaving<>(2);
    sketch.add("a", 5);
    sketch.add("b", 9);
    sketch.add("c", 1);
    assertThat(sketch.all())
        .containsExactly(
            new SpaceSaving.Weighed<>("b", 9, 0, 1), new SpaceSaving.Weighed<>("c", 6, 5, 1));
  }

  /** The bounds of the paper, among a hundred times as many subjects as there is room for. */
  @Test
  void weightsAreNeverTooLowAndTooHighByNoMoreThanTheErrorWhichIsBounded() {
    Random random = new Random(5);
    SpaceSaving<Integer> sketch = new SpaceSaving<>(ROOM);
    Map<Integer, Long> own = new HashMap<>();
    long all = 0;
    for (int i = 0; i < 50_000; i++) {
      int subject = random.nextInt(3) == 0 ? random.nextInt(5) : random.nextInt(100 * ROOM);
      long weight = 60 + random.nextInt(1_440);
      sketch.add(subject, weight);
      own.merge(subject, weight, Long::sum);
      all += weight;
    }
    List<SpaceSaving.Weighed<Integer>> told = sketch.all();
    assertThat(told).hasSize(ROOM);
    for (SpaceSaving.Weighed<Integer> each : told) {
      assertThat(own.get(each.subject())).isBetween(each.weight() - each.error(), each.weight());
      assertThat(each.error()).isLessThanOrEqualTo(all / ROOM);
    }
    assertThat(told.subList(0, 5)).extracting(SpaceSaving.Weighed::subject).contains(0, 1, 2, 3, 4);
  }
}
