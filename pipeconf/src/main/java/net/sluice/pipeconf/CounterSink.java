package net.sluice.pipeconf;

import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.CounterCodec.Point;

/** Takes cells of subscribers' counters, a million subscribers' without an object for any. */
@FunctionalInterface
public interface CounterSink {
  /**
   * Takes a cell.
   *
   * @param subscriberIndex as the switch has it, of a subscriber or not
   */
  void count(Point point, Direction direction, int subscriberIndex, long packets, long bytes);
}
