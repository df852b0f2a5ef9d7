package net.sluice.intents.compile;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Optional;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.state.InMemorySlaState;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.validate.Refusal;
import org.junit.jupiter.api.Test;

/** What compiling costs, in bytes allocated: unlike time, the same on every machine. */
class CompilerCostTest {
  private static final int SUBSCRIBERS = 50_000;

  @Test
  void puttingASubscriberAllocatesLittle() throws Refusal {
    Compiler compiler = Network.compiler();
    InMemorySlaState state = Network.withPolicies(compiler);
    for (int i = 0; i < SUBSCRIBERS; i++) {
      state.apply(compiler.compile(state, put(i, "gold")));
    }
    Network.apply(compiler, state, Network.limit("l", new Scope.OfSubscriber("s1"), 5, 5, 0));

    assertThat(bytesEach(compiler, state, SUBSCRIBERS, "gold")).as("new").isLessThan(1_000);
    assertThat(bytesEach(compiler, state, 0, "silver")).as("replaced").isLessThan(2_000);
  }

  private static long bytesEach(Compiler compiler, SlaState state, int from, String policy)
      throws Refusal {
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

  static Change put(int i, String policy) {
    return new Change.Put(
        new Subscriber(
            "s" + i,
            policy,
            List.of(IpPrefix.v4(0x0a00_0000 + i, 32)),
            Optional.empty(),
            new Attachment(i % 3, i / 3 % 64)));
  }
}
