package net.sluice.lab.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import net.sluice.core.state.CompactSlaState;
import net.sluice.core.store.IntentStore;
import net.sluice.core.store.StoreBatch;
import net.sluice.endpoints.RocksDbIntentStore;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.validate.Refusal;
import net.sluice.lab.support.TemporaryDirectory;

/** Compiler throughput: declarations to switch entries, without store, session or switch. */
final class CompileBench {
  private static final int WARM_UP = 100_000;

  /** Changes that a commit would take together. */
  private static final int GROUP = 1_000;

  private CompileBench() {}

  /**
   * The throughput of the compiler.
   *
   * @param entriesPerSecond by the clock
   * @param cpuMicrosPerEntry time that the compiling thread had a processor
   */
  record Result(double entriesPerSecond, double cpuMicrosPerEntry) {}

  /** Compiles {@code subscribers} puts one after the other, each seeing those before it. */
  static Result run(
      Topology topology, SwitchProfile switchProfile, FpgaProfile fpgaProfile, int subscribers)
      throws Refusal, IOException {
    Compiler compiler = new Compiler(topology, switchProfile, fpgaProfile);
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    try (TemporaryDirectory directory = new TemporaryDirectory("sluice-compile");
        IntentStore empty = new RocksDbIntentStore(directory.path())) {
      compile(compiler, empty, Math.min(WARM_UP, subscribers));
      long cpu = threads.getCurrentThreadCpuTime();
      long start = System.nanoTime();
      long entries = compile(compiler, empty, subscribers);
      long nanos = System.nanoTime() - start;
      cpu = threads.getCurrentThreadCpuTime() - cpu;
      return new Result(entries * 1e9 / nanos, cpu / 1e3 / entries);
    }
  }

  private static long compile(Compiler compiler, IntentStore empty, int subscribers)
      throws Refusal {
    CompactSlaState state = CompactSlaState.load(empty, compiler);
    for (BuiltInFunction function : BuiltInFunction.values()) {
      accept(compiler, state, new Change.Put(new Policy(function.text(), function)));
    }
    long entries = 0;
    for (int i = 0; i < subscribers; i++) {
      entries += accept(compiler, state, new Change.Put(BenchSubscribers.EASY.subscriber(i)));
      if (i % GROUP == 0) {
        // Store records are dropped: nothing here reads a subscriber back.
        StoreBatch unused = state.seal();
        state.committed();
      }
    }
    return entries;
  }

  private static long accept(Compiler compiler, CompactSlaState state, Change change)
      throws Refusal {
    Plan plan = compiler.compile(state, change);
    state.apply(plan);
    return plan.writes(TargetKey.SWITCH).size();
  }
}
