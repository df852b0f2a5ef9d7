package net.sluice.core.trace;

/** The request that the calling thread works for, if it is followed. */
public final class CurrentTrace {
  private static final ThreadLocal<Trace> CURRENT = new ThreadLocal<>();

  private CurrentTrace() {}

  /** The request; null if the thread works for none that is followed. */
  public static Trace get() {
    return CURRENT.get();
  }

  /** Does {@code work} for a request; null for none that is followed. */
  public static void during(Trace trace, Runnable work) {
    Scope scope = enter(trace);
    try {
      work.run();
    } finally {
      scope.close();
    }
  }

  /** Works for a request until the scope is closed; null for none that is followed. */
  public static Scope enter(Trace trace) {
    Trace before = CURRENT.get();
    if (trace == before) {
      return () -> {};
    }
    set(trace);
    return () -> set(before);
  }

  /** The time in which a thread works for a request. */
  @FunctionalInterface
  public interface Scope {
    /** Ends it; the thread works for whom it did before. */
    void close();
  }

  private static void set(Trace trace) {
    if (trace == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(trace);
    }
  }

  /** The same work for the calling thread's request, whichever thread does it. */
  public static Runnable carried(Runnable work) {
    Trace trace = CURRENT.get();
    return trace == null ? work : () -> during(trace, work);
  }
}
