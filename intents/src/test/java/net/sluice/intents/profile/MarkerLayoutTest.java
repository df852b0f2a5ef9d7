package net.sluice.intents.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** How the rooms of a program's instances are bounded. */
class MarkerLayoutTest {
  @Test
  void aBoundOfSubscribersIsSharedByAllInstances() {
    MarkerLayout layout =
        new MarkerLayout(4, 64, 7, 35_800, OptionalInt.empty(), OptionalInt.empty());
    MarkerLayout bounded = layout.limitedTo(28_000);
    assertThat(bounded.subscribersPerInstance()).isEqualTo(1_000);
    assertThat(bounded.capacity()).isEqualTo(28_000);
    assertThat(layout.limitedTo(layout.capacity() + 28)).isEqualTo(layout);
  }
}
