package net.sluice.core.testing;

import java.util.concurrent.atomic.AtomicInteger;
import net.sluice.core.ControllerConfig;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.validate.Refusal;

/** A compiler that counts how often it is asked for a plan. */
public final class CountingCompiler extends Compiler {
  private final AtomicInteger compiled = new AtomicInteger();

  /** A compiler of what is configured. */
  public CountingCompiler(ControllerConfig config) {
    super(config.topology(), config.switchProfile(), config.fpgaProfile());
  }

  @Override
  public Plan compile(SlaState state, Change change) throws Refusal {
    compiled.incrementAndGet();
    return super.compile(state, change);
  }

  /** Plans asked for since this was last called. */
  public int takeCount() {
    return compiled.getAndSet(0);
  }
}
