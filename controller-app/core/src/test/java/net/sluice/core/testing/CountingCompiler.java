package net.sluice.core.testing;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import net.sluice.core.ControllerConfig;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.validate.Refusal;

/** A compiler that counts how often it is asked for a plan, and fails when told to. */
public final class CountingCompiler extends Compiler {
  private final AtomicInteger compiled = new AtomicInteger();
  private final AtomicReference<Error> fault = new AtomicReference<>();
  private final AtomicReference<IntConsumer> onPlan = new AtomicReference<>(number -> {});

  /** A compiler of what is configured. */
  public CountingCompiler(ControllerConfig config) {
    super(config.topology(), config.switchProfile(), config.fpgaProfile());
  }

  @Override
  public Plan compile(SlaState state, Change change) throws Refusal {
    onPlan.get().accept(compiled.incrementAndGet());
    Error next = fault.getAndSet(null);
    if (next != null) {
      throw next;
    }
    return super.compile(state, change);
  }

  /**
   * Calls back whenever a plan is asked for, before it is made.
   *
   * @param hook is given the number of plans that were asked for by then
   */
  public void onPlan(IntConsumer hook) {
    onPlan.set(hook);
  }

  /** The next plan that is asked for fails. */
  public void failNext(Error error) {
    fault.set(error);
  }

  /** Plans asked for since this was last called. */
  public int takeCount() {
    return compiled.getAndSet(0);
  }
}
