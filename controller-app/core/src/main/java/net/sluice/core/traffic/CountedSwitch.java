package net.sluice.core.traffic;

import java.util.BitSet;
import java.util.concurrent.CompletableFuture;
import net.sluice.pipeconf.CounterSink;

/** A switch whose subscribers' counters are read all at once. */
public interface CountedSwitch {
  /** Takes subscribers. */
  @FunctionalInterface
  interface Visitor {
    /**
     * Takes a subscriber in force.
     *
     * @param index at the switch, 1 and more
     * @param downPolicy the id of the policy in force that values what goes to it
     * @param upPolicy the same of what comes from it
     */
    void subscriber(int index, String id, int port, int tree, String downPolicy, String upPolicy);
  }

  /** Its name; that of the only one, too. */
  String name();

  /** Passes on the subscribers in force, by index; changes go on meanwhile. */
  void subscribers(Visitor visitor);

  /**
   * Reads the counters of subscribers; no thread waits.
   *
   * @param indices of theirs; not changed any more
   * @param sink called by one thread at a time, with cells of others among them
   * @return as {@link net.sluice.core.target.CounterSource#readAll}
   */
  CompletableFuture<Void> readAll(BitSet indices, CounterSink sink);
}
