package net.sluice.intents.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.IpPrefix.Family;
import org.junit.jupiter.api.Test;

class PrefixIndexTest {

  @Property(tries = 400, seed = "1")
  void agreesWithComparingAllPrefixes(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 300) int steps, @ForAll boolean v6) {
    SplittableRandom random = new SplittableRandom(seed);
    PrefixIndex index = new PrefixIndex(v6 ? Family.V6 : Family.V4);
    Map<IpPrefix, Integer> naive = new HashMap<>();
    for (int step = 0; step < steps; step++) {
      IpPrefix prefix = prefix(random, v6);
      int except = random.nextInt(-1, 4);
      int found = index.overlapping(prefix, except);
      if (found != PrefixIndex.NONE) {
        assertThat(naive.entrySet())
            .anyMatch(e -> e.getKey().overlaps(prefix) && e.getValue() == found && found != except);
      } else {
        assertThat(naive.entrySet())
            .noneMatch(e -> e.getKey().overlaps(prefix) && e.getValue() != except);
      }
      boolean free = naive.keySet().stream().noneMatch(prefix::overlaps);
      if (random.nextInt(3) == 0) {
        Integer owner = naive.remove(prefix);
        assertThat(index.delete(prefix)).isEqualTo(owner == null ? PrefixIndex.NONE : owner);
      } else if (free) {
        int owner = random.nextInt(4);
        index.insert(prefix, owner);
        naive.put(prefix, owner);
      } else {
        assertThatThrownBy(() -> index.insert(prefix, 9))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageStartingWith(prefix + " overlaps a prefix of owner ");
      }
      assertThat(index.size()).isEqualTo(naive.size());
    }
    List<IpPrefix> all = new ArrayList<>();
    index.forEach(
        (prefix, owner) -> {
          assertThat(owner).isEqualTo(naive.get(prefix));
          assertThat(index.exact(prefix)).isEqualTo(owner);
          all.add(prefix);
        });
    PrefixIndex even = index.without(owner -> owner % 2 != 0);
    naive.forEach(
        (prefix, owner) -> {
          assertThat(even.exact(prefix)).isEqualTo(owner % 2 == 0 ? owner : PrefixIndex.NONE);
          assertThat(index.firstOverlapping(prefix, owner::equals)).contains(prefix);
          assertThat(index.firstOverlapping(prefix, other -> other == -2)).isEmpty();
        });
    for (int i = 0; i < 50; i++) {
      IpPrefix some = prefix(random, v6);
      assertThat(index.firstOverlapping(some, owner -> owner > 0))
          .isEqualTo(
              naive.keySet().stream()
                  .filter(each -> naive.get(each) > 0 && each.overlaps(some))
                  .min(Comparator.naturalOrder()));
    }
    assertThat(all).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(naive.keySet());
    for (Map.Entry<IpPrefix, Integer> entry : Map.copyOf(naive).entrySet()) {
      assertThat(index.overlapping(entry.getKey())).isEqualTo(entry.getValue());
      assertThat(index.delete(entry.getKey())).isEqualTo(entry.getValue());
      assertThat(index.delete(entry.getKey())).isEqualTo(PrefixIndex.NONE);
    }
    assertThat(index.size()).isZero();
  }

  // A few address bits at each end, so that prefixes often meet, nest and share long beginnings.
  private static IpPrefix prefix(SplittableRandom random, boolean v6) {
    if (!v6) {
      int length = random.nextInt(5) == 0 ? random.nextInt(33) : 24 + random.nextInt(9);
      long mask = length == 0 ? 0 : -1L << (32 - length);
      return IpPrefix.v4((int) ((random.nextInt(4) << 30 | random.nextInt(256)) & mask), length);
    }
    int length = random.nextInt(5) == 0 ? random.nextInt(129) : 56 + random.nextInt(20);
    long hi = (long) random.nextInt(2) << 63 | random.nextInt(32);
    long lo = (long) random.nextInt(32) << 59;
    hi &= length >= 64 ? -1L : length == 0 ? 0 : -1L << (64 - length);
    lo &= length <= 64 ? 0 : -1L << (128 - length);
    return IpPrefix.v6(hi, lo, length);
  }

  @Test
  void aMillionPrefixesTakeAtMostFiftyBytesEach() {
    int count = 1_000_000;
    PrefixIndex v4 = new PrefixIndex(Family.V4);
    PrefixIndex v6 = new PrefixIndex(Family.V6);
    for (int i = 0; i < count; i++) {
      // Bit reversal visits the addresses in an order far from sorted.
      v4.insert(IpPrefix.v4(Integer.reverse(i), 32), i);
      v6.insert(IpPrefix.v6(0x2001_0db8_0000_0000L | (long) i << 8, 0, 56), i);
    }
    assertThat(v4.bytes()).isLessThanOrEqualTo(50L * count);
    assertThat(v6.bytes()).isLessThanOrEqualTo(50L * count);
    assertThat(v4.overlapping(IpPrefix.v4(Integer.reverse(4711), 32))).isEqualTo(4711);
    assertThat(v6.overlapping(IpPrefix.parse("2001:db8:f:423f::/64"))).isNotNegative();
    assertThat(v6.overlapping(IpPrefix.parse("2001:db9::/64"))).isEqualTo(PrefixIndex.NONE);
  }

  @Test
  void refusesTheOtherFamily() {
    assertThatThrownBy(() -> new PrefixIndex(Family.V4).insert(IpPrefix.parse("::/0"), 1))
        .hasMessage("::/0 is not V4");
    assertThatThrownBy(() -> new PrefixIndex(Family.V6).insert(IpPrefix.parse("::/0"), -1))
        .hasMessage("owner is -1; allowed: 0 or more");
  }
}
