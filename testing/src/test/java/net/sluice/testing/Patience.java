package net.sluice.testing;

import java.util.concurrent.TimeUnit;

/**
 * How long tests wait for what must come: only one that fails waits so long, and the busiest
 * machine gets there sooner.
 */
public final class Patience {

  public static final int SECONDS = 600;

  public static final long NANOS = TimeUnit.SECONDS.toNanos(SECONDS);

  private Patience() {}
}
