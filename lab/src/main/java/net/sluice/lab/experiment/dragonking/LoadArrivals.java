package net.sluice.lab.experiment.dragonking;

import java.util.BitSet;
import net.sluice.emulator.netsim.Prng;

/** The packets of a {@link Load} in the order in which they arrive. */
final class LoadArrivals {
  private static final double NANOS_PER_SECOND = 1e9;

  private final Load load;
  private final Prng random;
  private final BitSet cameEarly;
  private double nextNanos;
  private double betweenNanos;
  private double owedPackets;
  private long packetsLeft;
  private int turn = -1;
  private boolean again;
  private long nanos;

  LoadArrivals(Load load, long fromNanos, Prng random) {
    this.load = load;
    this.random = random;
    cameEarly = new BitSet(load.limits());
    nextNanos = fromNanos;
  }

  /** Goes on to the next burst with a packet; what a burst has less than whole packets is owed. */
  private void beginBurst() {
    do {
      double rateBps = load.leastBps() + random.nextDouble() * (load.mostBps() - load.leastBps());
      betweenNanos = load.packetBits() * NANOS_PER_SECOND / rateBps;
      double lastsNanos =
          load.leastNanos() == 0
              ? load.gapNanos() * load.aggregateBps() / (rateBps - load.aggregateBps())
              : load.leastNanos() + random.nextDouble() * (load.mostNanos() - load.leastNanos());
      owedPackets += lastsNanos / betweenNanos;
      packetsLeft = (long) owedPackets;
      owedPackets -= packetsLeft;
      nextNanos += load.gapNanos();
    } while (packetsLeft == 0);
  }

  /** Goes on to the next packet. */
  void next() {
    if (packetsLeft == 0) {
      beginBurst();
    }
    packetsLeft--;
    nanos = Math.round(nextNanos);
    nextNanos += betweenNanos;
    if (again) {
      again = false;
      return;
    }
    do {
      turn = turn + 1 == load.limits() ? 0 : turn + 1;
    } while (skipped());
    if (load.pairs() > 0 && random.nextDouble() < load.pairs()) {
      cameEarly.set(turn);
      again = true;
    }
  }

  private boolean skipped() {
    boolean early = cameEarly.get(turn);
    if (early) {
      cameEarly.clear(turn);
    }
    return early;
  }

  /** When the packet comes, nanoseconds. */
  long nanos() {
    return nanos;
  }

  /** The limit it is under, from 0. */
  int limit() {
    return turn;
  }
}
