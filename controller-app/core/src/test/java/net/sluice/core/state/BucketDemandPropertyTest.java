package net.sluice.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.sluice.core.store.InMemoryIntentStore;
import net.sluice.core.testing.RandomChanges;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.model.Direction;
import net.sluice.intents.plan.FpgaLevel;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.state.InMemorySlaState;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.validate.Refusal;

/** What bucket sizes depend on is the same in both states, and after a load as before. */
class BucketDemandPropertyTest {
  private static final int IDS = 8;

  private final Compiler compiler =
      new Compiler(
          TestNetwork.topology(), TestNetwork.switchProfile(100), TestNetwork.fpgaProfile());

  @Property(tries = 100, seed = "1")
  void statesAgreeOnWhatIsAskedOfBuckets(@ForAll long seed) {
    RandomChanges changes = new RandomChanges(seed, IDS);
    InMemoryIntentStore store = new InMemoryIntentStore();
    CompactSlaState compact = TestNetwork.load(store);
    InMemorySlaState reference = new InMemorySlaState();
    for (int step = 0; step < 150; step++) {
      try {
        Plan plan = compiler.compile(compact, changes.next());
        compact.apply(plan);
        store.commit(compact.seal());
        compact.committed();
        reference.apply(plan);
      } catch (Refusal refusal) {
        assertThat(refusal.problems()).isNotEmpty();
      }
      assertSameDemand(compact, reference);
    }
    assertSameDemand(TestNetwork.load(store), reference);
  }

  private static void assertSameDemand(SlaState actual, SlaState expected) {
    for (Direction direction : Direction.values()) {
      assertThat(actual.openCustomers(direction)).isEqualTo(expected.openCustomers(direction));
      for (FpgaLevel level : FpgaLevel.values()) {
        for (int except = 0; except <= IDS; except++) {
          String id = "l" + except;
          assertThat(actual.highestRateBps(level, direction, id))
              .isEqualTo(expected.highestRateBps(level, direction, id));
          assertThat(actual.largestBurstBytes(level, direction, id))
              .isEqualTo(expected.largestBurstBytes(level, direction, id));
        }
      }
    }
  }
}
