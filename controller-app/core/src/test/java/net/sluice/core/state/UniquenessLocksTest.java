package net.sluice.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Change;
import org.junit.jupiter.api.Test;

class UniquenessLocksTest {
  private final Map<String, UniquenessLocks.InForce> inForce = new HashMap<>();
  private final UniquenessLocks claims =
      new UniquenessLocks(id -> inForce.getOrDefault(id, UniquenessLocks.InForce.NOTHING));

  private static Change subscriber(int i) {
    return TestNetwork.put("s" + i, IpPrefix.v4(0x0a00_0000 + i, 32).toString());
  }

  private void inForce(String id, String prefix, String limit) {
    inForce.put(
        id,
        new UniquenessLocks.InForce(List.of(IpPrefix.parse(prefix)), Optional.ofNullable(limit)));
  }

  private UniquenessLocks.Held ofAnotherThread() throws Exception {
    FutureTask<UniquenessLocks.Held> taken = new FutureTask<>(claims::hold);
    new Thread(taken).start();
    return taken.get();
  }

  @Test
  void asManyAreClaimedAsNobodyElseHas() throws Exception {
    try (UniquenessLocks.Held mine = claims.hold()) {
      UniquenessLocks.Held others = ofAnotherThread();
      others.add(subscriber(2));
      mine.add(subscriber(0));
      assertThat(mine.tryAddFirst(List.of(subscriber(1), subscriber(2), subscriber(3))))
          .isEqualTo(1);
      assertThat(others.tryAdd(subscriber(1))).isFalse();
      assertThat(others.tryAdd(subscriber(3))).isTrue();
    }
  }

  @Test
  void whatIsGivenUpIsClaimedToo() throws Exception {
    inForce("a", "10.0.0.0/24", "a-limit");
    try (UniquenessLocks.Held mine = claims.hold()) {
      UniquenessLocks.Held others = ofAnotherThread();
      mine.add(new Change.Delete(Kind.SUBSCRIBER, "a"));
      assertThat(others.tryAdd(TestNetwork.put("b", "10.0.0.7/32"))).isFalse();
      assertThat(mine.tryAdd(TestNetwork.put("b", "10.0.0.7/32"))).isFalse();
      assertThat(others.tryAdd(TestNetwork.limit("a-limit", "c"))).isFalse();
      assertThat(others.tryAdd(TestNetwork.put("b", "10.0.1.7/32"))).isTrue();
    }
  }

  @Test
  void whatCouldNotBeClaimedWholeIsNotClaimedInPart() throws Exception {
    inForce("a", "10.0.0.1/32", "a-limit");
    try (UniquenessLocks.Held mine = claims.hold()) {
      UniquenessLocks.Held others = ofAnotherThread();
      others.add(TestNetwork.limit("a-limit", "c"));
      assertThat(mine.tryAdd(TestNetwork.put("a", "10.0.0.1/32"))).isFalse();
      assertThat(others.tryAdd(TestNetwork.limit("l", "a"))).isTrue();
    }
  }

  @Test
  void aLimitComesWithItsSubscriber() {
    try (UniquenessLocks.Held mine = claims.hold()) {
      assertThat(
              mine.tryAddFirst(
                  List.of(
                      TestNetwork.put("a", "10.0.0.1/32"),
                      TestNetwork.limit("a-limit", "a"),
                      TestNetwork.put("b", "10.0.0.2/32"))))
          .isEqualTo(3);
    }
    try (UniquenessLocks.Held others = claims.hold()) {
      assertThat(others.tryAdd(new Change.Delete(Kind.RATE_LIMIT, "a-limit"))).isTrue();
      assertThat(others.tryAdd(TestNetwork.put("b", "10.0.0.2/32"))).isTrue();
    }
  }
}
