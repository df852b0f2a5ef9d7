package net.sluice.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Optional;
import net.sluice.core.store.InMemoryIntentStore;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.validate.Refusal;
import org.junit.jupiter.api.Test;

/** The cost of compiling in bytes allocated: unlike time, the same on every machine. */
class CompilerCostTest {
  private static final int SUBSCRIBERS = 50_000;

  private final Compiler compiler =
      new Compiler(
          TestNetwork.topology(),
          TestNetwork.switchProfile(2 * SUBSCRIBERS),
          TestNetwork.fpgaProfile());
  private final CompactSlaState state = CompactSlaState.load(new InMemoryIntentStore(), compiler);

  private void apply(Change change) throws Refusal {
    state.apply(compiler.compile(state, change));
  }

  @Test
  void puttingASubscriberAllocatesLittle() throws Refusal {
    apply(TestNetwork.policy("gold", BuiltInFunction.GOLD));
    apply(TestNetwork.policy("silver", BuiltInFunction.SILVER));
    for (int i = 0; i < SUBSCRIBERS; i++) {
      apply(put(i, "gold"));
    }
    apply(TestNetwork.limit("l", "s1"));

    assertThat(bytesEach(SUBSCRIBERS, "gold")).as("new").isLessThan(1_000);
    assertThat(bytesEach(0, "silver")).as("replaced").isLessThan(2_000);
  }

  /** Each change asks whether it fills something. */
  @Test
  void lookingForWhatIsNearlyFullAllocatesNothingWhereThereIsRoom() throws Refusal {
    apply(TestNetwork.policy("gold", BuiltInFunction.GOLD));
    Plan plan = compiler.compile(state, put(1, "gold"));
    assertThat(compiler.useNotes(state, plan)).isEmpty();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    long before = threads.getThreadAllocatedBytes(thread);
    int notes = 0;
    for (int i = 0; i < 10_000; i++) {
      notes += compiler.useNotes(state, plan).size();
    }
    long bytes = threads.getThreadAllocatedBytes(thread) - before;
    assertThat(notes).isZero();
    assertThat(bytes / 10_000).isZero();
  }

  private long bytesEach(int from, String policy) throws Refusal {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    Change[] changes = new Change[10_000];
    for (int i = 0; i < changes.length; i++) {
      changes[i] = put(from + i, policy);
    }
    long writes = 0;
    long before = threads.getThreadAllocatedBytes(thread);
    for (Change change : changes) {
      writes += compiler.compile(state, change).writes(TargetKey.SWITCH).size();
    }
    long bytes = threads.getThreadAllocatedBytes(thread) - before;
    assertThat(writes).isEqualTo(changes.length);
    return bytes / changes.length;
  }

  private static Change put(int i, String policy) {
    return new Change.Put(
        new Subscriber(
            "s" + i,
            policy,
            List.of(IpPrefix.v4(0x0a00_0000 + i, 32)),
            Optional.empty(),
            new Attachment(i % 2, i / 2 % 64)));
  }
}
