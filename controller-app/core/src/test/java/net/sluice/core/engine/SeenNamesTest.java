package net.sluice.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Change;
import org.junit.jupiter.api.Test;

class SeenNamesTest {
  private static final int MANY = 200_000;

  private static Change subscriber(int i) {
    return TestNetwork.put("s" + i, IpPrefix.v4(0x0a00_0000 + i, 32).toString());
  }

  @Test
  void whatWasAddedIsSeenAndHardlyAnythingElse() {
    SeenNames seen = new SeenNames();
    IntStream.range(0, MANY).forEach(i -> seen.add(subscriber(i)));
    assertThat(IntStream.range(0, MANY).mapToObj(SeenNamesTest::subscriber)).allMatch(seen::maySee);
    // A name in 200 is taken for a seen one by each full layer; there are four, and two names each.
    assertThat(IntStream.range(MANY, 2 * MANY).filter(i -> seen.maySee(subscriber(i))).count())
        .isLessThan(MANY / 20);
    assertThat(seen.size()).isBetween((long) (2 * MANY * 0.95), 2L * MANY);
  }

  @Test
  void kindsAreApart() {
    SeenNames seen = new SeenNames();
    seen.add(Kind.SUBSCRIBER, "a");
    assertThat(seen.maySee(new Change.Delete(Kind.SUBSCRIBER, "a"))).isTrue();
    assertThat(seen.maySee(new Change.Delete(Kind.RATE_LIMIT, "a"))).isFalse();
  }

  @Property(tries = 300, seed = "1")
  void aPrefixThatOverlapsOneIsSeen(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    SeenNames seen = new SeenNames();
    List<IpPrefix> added = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      IpPrefix prefix = prefix(random);
      seen.add(prefix);
      added.add(prefix);
    }
    for (int i = 0; i < 100; i++) {
      IpPrefix prefix = prefix(random);
      if (added.stream().anyMatch(prefix::overlaps)) {
        assertThat(seen.maySee(TestNetwork.put("other", prefix.toString())))
            .as("%s beside %s", prefix, added)
            .isTrue();
      }
    }
  }

  /** Of few addresses and all lengths, so that many overlap. */
  private static IpPrefix prefix(SplittableRandom random) {
    if (random.nextBoolean()) {
      int length = random.nextInt(1, 33);
      int address = random.nextInt(4) << 30 | random.nextInt(4);
      return IpPrefix.v4(address & -1 << 32 - length, length);
    }
    int length = random.nextInt(1, 129);
    long hi = (long) random.nextInt(4) << 62 | random.nextInt(2);
    long lo = (long) random.nextInt(2) << 63 | random.nextInt(4);
    return length <= 64
        ? IpPrefix.v6(hi & -1L << 64 - length, 0, length)
        : IpPrefix.v6(hi, length == 128 ? lo : lo & -1L << 128 - length, length);
  }
}
