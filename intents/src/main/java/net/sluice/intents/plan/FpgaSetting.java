package net.sluice.intents.plan;

import net.sluice.intents.model.Direction;

/** One setting of the FPGA of one direction, in domain words. */
public sealed interface FpgaSetting {
  /** Which FPGA: there is one per direction. */
  Direction direction();

  /** The number that is set. */
  int value();

  /** The same setting with another value. */
  FpgaSetting withValue(int value);

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
    public FpgaSetting withValue(int value) {
      return new RateWord(direction, level, index, value);
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
    public FpgaSetting withValue(int value) {
      return new BucketSize(direction, level, value);
    }

    @Override
    public boolean sameKey(FpgaSetting other) {
      return other instanceof BucketSize o && o.direction == direction && o.level == level;
    }
  }

  /**
   * Half of the identity of the store whose settings the FPGA holds; not every FPGA has a place for
   * it, and no plan sets it.
   *
   * @param half 0 for the lower 32 bits, 1 for the upper
   */
  record IdentityWord(Direction direction, int half, int value) implements FpgaSetting {
    @Override
    public FpgaSetting withValue(int value) {
      return new IdentityWord(direction, half, value);
    }

    @Override
    public boolean sameKey(FpgaSetting other) {
      return other instanceof IdentityWord o && o.direction == direction && o.half == half;
    }
  }

  /** Depth limit of all queues of a class (0..7), in bytes, a multiple of 8. */
  record QueueDepth(Direction direction, int queueClass, int bytes) implements FpgaSetting {
    @Override
    public int value() {
      return bytes;
    }

    @Override
    public FpgaSetting withValue(int value) {
      return new QueueDepth(direction, queueClass, value);
    }

    @Override
    public boolean sameKey(FpgaSetting other) {
      return other instanceof QueueDepth o
          && o.direction == direction
          && o.queueClass == queueClass;
    }
  }
}
