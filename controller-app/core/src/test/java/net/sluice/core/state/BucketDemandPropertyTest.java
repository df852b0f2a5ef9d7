package net.sluice.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.sluice.core.store.InMemoryIntentStore;
import net.sluice.core.testing.RandomChanges;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.plan.Expected;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.FpgaSetting.BucketSize;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.state.InMemorySlaState;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;

/** What bucket sizes depend on is the same in both states, and after a load as before. */
class BucketDemandPropertyTest {
  private static final int IDS = 8;

  private static final Compiler COMPILER =
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
        Plan plan = COMPILER.compile(compact, changes.next());
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
      assertThat(settings(actual, direction)).isEqualTo(settings(expected, direction));
    }
  }

  private static List<FpgaSetting> settings(SlaState state, Direction direction) {
    return COMPILER
        .expectedSettings(state, direction)
        .map(Expected::entity)
        .takeWhile(BucketSize.class::isInstance)
        .toList();
  }
}
