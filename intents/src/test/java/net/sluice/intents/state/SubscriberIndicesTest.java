package net.sluice.intents.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.sluice.intents.model.IpPrefix.Family;
import net.sluice.intents.profile.MarkerLayout;

class SubscriberIndicesTest {
  /** Runs of thousands come and go, so that words of every level fill up and empty. */
  @Property(tries = 60, seed = "1")
  void isASetOfBitsWithCounts(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    MarkerLayout markers =
        new MarkerLayout(2, 9, 3, 30_001, OptionalInt.empty(), OptionalInt.empty());
    SubscriberIndices indices = new SubscriberIndices(markers);
    BitSet model = new BitSet();
    for (int run = 0; run < 30; run++) {
      int at = 1 + random.nextInt(180_000);
      int end = at + (1 << random.nextInt(17));
      boolean add = random.nextInt(3) > 0;
      for (int index = at; index < end; index++) {
        if (model.get(index) != add) {
          if (add) {
            indices.add(index, index % 3, index % 4);
          } else {
            indices.remove(index, index % 3, index % 4);
          }
        }
      }
      model.set(at, end, add);
      for (int i = 0; i < 50; i++) {
        int from = 1 + random.nextInt(260_000);
        assertThat(indices.lowestFree(from)).isEqualTo(model.nextClearBit(from));
        assertThat(indices.contains(from)).isEqualTo(model.get(from));
      }
      assertThat(indices.lowestFree(1)).isEqualTo(model.nextClearBit(1));
      assertThat(indices.end()).isEqualTo(Math.max(1, model.length()));
      for (int instance = 0; instance < 6; instance++) {
        int first = 1 + instance * 30_001;
        BitSet part = model.get(first, first + 30_001);
        assertThat(indices.subscribersIn(instance)).isEqualTo(part.cardinality());
        assertThat(indices.prefixesIn(Family.V4, instance))
            .isEqualTo(part.stream().map(i -> (i + first) % 3).sum());
        assertThat(indices.prefixesIn(Family.V6, instance))
            .isEqualTo(part.stream().map(i -> (i + first) % 4).sum());
      }
    }
    assertThat(indices.stream().toArray()).isEqualTo(model.stream().toArray());
  }
}
