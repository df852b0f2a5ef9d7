package net.sluice.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import org.junit.jupiter.api.Test;

class GivenBackTest {
  private final GivenBack givenBack = new GivenBack();
  private final BitSet used = new BitSet();
  private int looks;

  private int take() {
    int index =
        givenBack.lowestOther(
            1,
            from -> {
              looks++;
              return used.nextClearBit(from);
            });
    used.set(index);
    return index;
  }

  private void give(int index) {
    used.clear(index);
    givenBack.add(index);
  }

  @Test
  void whatWasNotGivenBackIsTakenFirst() {
    used.set(0, 6);
    give(2);
    give(4);
    assertThat(take()).isEqualTo(6);
    used.set(2);
    assertThat(givenBack.free(used::get)).isEqualTo(BitSet.valueOf(new long[] {1 << 4}));
    assertThat(take()).isEqualTo(7);
    used.clear(3);
    givenBack.hasMoved();
    assertThat(take()).isEqualTo(3);
  }

  @Test
  void lookingForManyIsAsMuchWorkAsGivingBackAndTakingThem() {
    int many = 10_000;
    used.set(0, 2 * many);
    for (int i = 1; i < 2 * many; i += 2) {
      give(i);
    }
    for (int i = 0; i < many; i++) {
      assertThat(take()).isEqualTo(2 * many + i);
    }
    assertThat(looks).isLessThanOrEqualTo(2 * many);
  }
}
