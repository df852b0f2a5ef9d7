package net.sluice.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class SlotHashTest {
  /** Against a map, with hashes that collide and ids of all lengths. */
  @Property(tries = 50, seed = "1")
  void anIdIndexIsAMap(@ForAll long seed) {
    Random random = new Random(seed);
    IdIndex ids = new IdIndex();
    Map<String, Integer> reference = new HashMap<>();
    Map<Integer, String> byIndex = new HashMap<>();
    for (int step = 0; step < 2_000; step++) {
      int index = 1 + random.nextInt(300);
      String id = "i".repeat(1 + random.nextInt(60)) + random.nextInt(40);
      if (byIndex.containsKey(index)) {
        ids.remove(index);
        reference.remove(byIndex.remove(index));
      } else if (!reference.containsKey(id)) {
        ids.put(id, index);
        reference.put(id, index);
        byIndex.put(index, id);
      }
      assertThat(ids.find(id)).isEqualTo(reference.getOrDefault(id, 0));
    }
    reference.forEach(
        (id, index) -> {
          assertThat(ids.find(id)).isEqualTo(index);
          assertThat(ids.id(index)).isEqualTo(id);
        });
  }

  /** A key is far away: 300,000 of them are in no cache. */
  @Property(tries = 1, seed = "1")
  void neitherGrowingNorLookingForWhatIsNotThereLooksAtKeys() {
    int[] looks = new int[2];
    SlotHash hash =
        new SlotHash() {
          @Override
          int hashOf(int number) {
            looks[0]++;
            return mix(number);
          }
        };
    for (int number = 1; number <= 10_000; number++) {
      hash.add(number);
    }
    assertThat(looks[0]).isEqualTo(10_000);
    for (int number = 1; number <= 20_000; number++) {
      int wanted = number;
      int found =
          hash.find(
              SlotHash.mix(number),
              each -> {
                looks[1]++;
                return each == wanted;
              });
      assertThat(found).isEqualTo(number <= 10_000 ? number : 0);
    }
    assertThat(looks).containsExactly(10_000, 10_000);
  }

  @Property(tries = 1, seed = "1")
  void idsThatComeAndGoDoNotPileUp() {
    IdIndex ids = new IdIndex();
    for (int i = 1; i <= 1_000_000; i++) {
      int index = 1 + i % 1000;
      if (i > 1000) {
        ids.remove(index);
      }
      ids.put("subscriber-with-a-long-name-" + i, index);
    }
    assertThat(ids.find("subscriber-with-a-long-name-1000000")).isEqualTo(1);
    assertThat(ids.bytes()).isLessThan(3_000_000);
  }
}
