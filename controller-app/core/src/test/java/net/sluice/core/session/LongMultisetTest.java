package net.sluice.core.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class LongMultisetTest {
  @Property(tries = 50, seed = "1")
  void countsLikeAMap(@ForAll long seed) {
    Random random = new Random(seed);
    LongMultiset counts = new LongMultiset();
    Map<Long, Integer> reference = new HashMap<>();
    for (int step = 0; step < 3_000; step++) {
      long key = random.nextInt(400) - 200L;
      if (reference.containsKey(key) && random.nextBoolean()) {
        counts.remove(key);
        reference.merge(key, -1, (a, b) -> a + b == 0 ? null : a + b);
      } else {
        counts.add(key);
        reference.merge(key, 1, Integer::sum);
      }
      assertThat(counts.isEmpty()).isEqualTo(reference.isEmpty());
    }
    for (long key = -200; key < 200; key++) {
      assertThat(counts.contains(key)).isEqualTo(reference.containsKey(key));
    }
    counts.clear();
    assertThat(counts.isEmpty()).isTrue();
    assertThat(counts.contains(0)).isFalse();
  }

  @Test
  void removingWhatIsNotThereIsAMistake() {
    LongMultiset counts = new LongMultiset();
    counts.add(5);
    counts.remove(5);
    assertThatThrownBy(() -> counts.remove(5)).isInstanceOf(IllegalStateException.class);
  }
}
