package net.sluice.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.plan.Change;
import org.junit.jupiter.api.Test;

class ClaimsTest {
  private static final int MANY = 100_000;

  private static Change subscriber(int i) {
    return TestNetwork.put("s" + i, IpPrefix.v4(0x0a00_0000 + i, 32).toString());
  }

  @Test
  void whatHasGoneIsForgottenButNothingThatIsClaimed() {
    // Without a switch nothing is in force for longer than it is claimed.
    Claims claims = new Claims(new Network());
    try (Claims.Held first = claims.hold()) {
      first.add(subscriber(0));
      assertThat(first.maySee(0)).isFalse();
      for (int i = 1; i < MANY; i++) {
        try (Claims.Held other = claims.hold()) {
          other.add(subscriber(i));
        }
      }
    }
    int seen = 0;
    for (int i = 1; i < MANY; i++) {
      try (Claims.Held again = claims.hold()) {
        again.add(new Change.Delete(subscriber(i).kind(), subscriber(i).id()));
        seen += again.maySee(0) ? 1 : 0;
      }
    }
    assertThat(seen).isLessThan(MANY / 2);
    try (Claims.Held again = claims.hold()) {
      again.add(subscriber(0));
      assertThat(again.maySee(0)).isTrue();
    }
  }

  @Test
  void asManyAreClaimedAsNobodyElseHas() {
    Claims claims = new Claims(new Network());
    try (Claims.Held mine = claims.hold();
        Claims.Held others = claims.hold()) {
      others.add(subscriber(2));
      mine.add(subscriber(0));
      assertThat(mine.tryAddFirst(List.of(subscriber(1), subscriber(2), subscriber(3))))
          .isEqualTo(1);
      assertThat(others.tryAdd(subscriber(1))).isFalse();
      assertThat(others.tryAdd(subscriber(3))).isTrue();
    }
  }
}
