package net.sluice.core.change;

import java.util.LinkedHashMap;
import java.util.Map;
import net.sluice.core.trace.Trace;

/** The requests that the changes of a group are made for, of those that are followed. */
final class GroupTraces {
  private final Map<Trace, Compiling> compiling = new LinkedHashMap<>();
  private long sealedNanos;

  /** Compiling of one request's changes, between which others' may have been compiled. */
  private static final class Compiling {
    private final long begunNanos;
    private long endedNanos;
    private int changes;

    Compiling(long begunNanos) {
      this.begunNanos = begunNanos;
    }
  }

  /** A change of a request was compiled, from that time until now. */
  void compiled(Trace trace, long begunNanos) {
    Compiling of = compiling.computeIfAbsent(trace, unused -> new Compiling(begunNanos));
    of.changes++;
    of.endedNanos = System.nanoTime();
  }

  /** Nothing more is compiled: the group is on its way to the store. */
  void sealed() {
    sealedNanos = compiling.isEmpty() ? 0 : System.nanoTime();
  }

  /** Tells the requests, once. */
  void tell(boolean isCommitted) {
    if (compiling.isEmpty()) {
      return;
    }
    long now = System.nanoTime();
    compiling.forEach(
        (trace, of) -> {
          trace.compiled(of.changes, of.begunNanos, of.endedNanos);
          if (isCommitted) {
            trace.committed(of.changes, sealedNanos, now);
          }
        });
    compiling.clear();
  }
}
