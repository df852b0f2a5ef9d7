package net.sluice.intents.plan;

import net.sluice.intents.model.Direction;

/** One setting of the FPGA of one direction, in domain words. */
public sealed interface FpgaSetting {
  /** Which FPGA: there is one per direction. */
  Direction direction();

  /** The number that is set. */
  int value();

  /** True if {@code other} is the same setting, perhaps with another value. */
  boolean sameKey(FpgaSetting other);

  /**
   * Token rate of one bucket.
   *
   * @param index within the level, see {@link FpgaLevel}
   * @param word bytes per tick, 0..2^18-1; 0 closes the gate
   */
  record RateWord(Direction direction, FpgaLevel level, int index, int word)
      implements FpgaSetting {
    @Override
    public int value() {
      return word;
    }

    @Override
    public boolean sameKey(FpgaSetting other) {
      return other instanceof RateWord o
          && o.direction == direction
          && o.level == level
          && o.index == index;
    }
  }

  /** Bucket size of all buckets of a level, in bytes. */
  record BucketSize(Direction direction, FpgaLevel level, int bytes) implements FpgaSetting {
    @Override
    public int value() {
      return bytes;
    }

    @Override
    public boolean sameKey(FpgaSetting other) {
      return other instanceof BucketSize o && o.direction == direction && o.level == level;
    }
  }

  /** Depth limit of all queues of a class (0..7), in bytes, a multiple of 8. */
  record QueueDepth(Direction direction, int queueClass, int bytes) implements FpgaSetting {
    @Override
    public int value() {
      return bytes;
    }

    @Override
    public boolean sameKey(FpgaSetting other) {
      return other instanceof QueueDepth o
          && o.direction == direction
          && o.queueClass == queueClass;
    }
  }
}
