package net.sluice.intents.plan;

import java.util.Optional;
import net.sluice.intents.plan.form.FieldSink;
import net.sluice.intents.value.Direction;

/** One setting of the FPGA of one direction, in domain words. */
public sealed interface FpgaSetting extends Entity {
  /** Number of settings of the largest FPGA, see {@link #place}. */
  int PLACES = FpgaPlaces.END;

  /** Which FPGA: there is one per direction. */
  Direction direction();

  /** The number that is set. */
  int value();

  /** The same setting with another value. */
  FpgaSetting withValue(int value);

  /** Which setting of its FPGA it is: a number from 0 to {@link #PLACES} - 1. */
  default int place() {
    return FpgaPlaces.of(this);
  }

  /** True if {@code other} is the same setting, perhaps with another value. */
  default boolean sameKey(FpgaSetting other) {
    return direction() == other.direction() && place() == other.place();
  }

  /** True if it is the rate of a bucket; every FPGA has these. */
  default boolean isRate() {
    return this instanceof RateWord;
  }

  /** True if it says how long packets of one customer may wait; not every FPGA has these. */
  default boolean isOfDelay() {
    return this instanceof CustomerCodel || this instanceof CustomerDepth;
  }

  @Override
  default long keyNumber() {
    return place();
  }

  @Override
  default void tell(Op op, Optional<? extends Entity> previous, FieldSink sink) {
    sink.text("op", "SET");
    tell(((FpgaSetting) previous.orElseThrow()).value(), sink);
  }

  /** Tells the setting with its value and the one before. */
  void tell(int previous, FieldSink sink);

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
    public String tableName() {
      return level.text() + "-rate";
    }

    @Override
    public void tell(int previous, FieldSink sink) {
      sink.text("setting", "rate");
      sink.text("level", level.text());
      level.tellPlace(index, sink);
      sink.number("word", word);
      sink.number("previousWord", previous);
    }
  }

  /**
   * How the classes of a customer share its bucket. Not every FPGA has it.
   *
   * @param customer its index, see {@link FpgaLevel}
   * @param word 4 bits a class, class 0 lowest: {@value #FIRST} before all others, of several the
   *     highest class first; 1 to {@value #MAX_SHARE} a share of what these leave; 0 packet by
   *     packet in turn
   */
  record ClassShares(Direction direction, int customer, int word) implements FpgaSetting {
    /** Bits of a class. */
    public static final int BITS = 4;

    /** Stands for a class before all others. */
    public static final int FIRST = 15;

    /** Largest share. */
    public static final int MAX_SHARE = FIRST - 1;

    @Override
    public int value() {
      return word;
    }

    @Override
    public FpgaSetting withValue(int value) {
      return new ClassShares(direction, customer, value);
    }

    @Override
    public String tableName() {
      return "class-shares";
    }

    @Override
    public void tell(int previous, FieldSink sink) {
      sink.text("setting", "classes");
      FpgaLevel.CUSTOMER.tellPlace(customer, sink);
      tellClasses("classes", word, sink);
      tellClasses("previousClasses", previous, sink);
    }

    private static void tellClasses(String name, int word, FieldSink sink) {
      sink.beginList(name);
      for (int left = word; left != 0; left >>>= BITS) {
        sink.element(left & FIRST);
      }
      sink.end();
    }
  }

  /**
   * Bucket size of one customer. Not every FPGA has it.
   *
   * @param customer its index, see {@link FpgaLevel}
   * @param bytes {@value #OF_LEVEL} for that of all customers
   */
  record CustomerBurst(Direction direction, int customer, int bytes) implements FpgaSetting {
    /** Stands for the bucket size of the level. */
    public static final int OF_LEVEL = 0;

    @Override
    public int value() {
      return bytes;
    }

    @Override
    public FpgaSetting withValue(int value) {
      return new CustomerBurst(direction, customer, value);
    }

    @Override
    public String tableName() {
      return "customer-burst";
    }

    @Override
    public void tell(int previous, FieldSink sink) {
      sink.text("setting", "burst");
      sink.text("level", FpgaLevel.CUSTOMER.text());
      FpgaLevel.CUSTOMER.tellPlace(customer, sink);
      sink.number("bytes", bytes);
      sink.number("previousBytes", previous);
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
    public String tableName() {
      return "bucket-size";
    }

    @Override
    public void tell(int previous, FieldSink sink) {
      sink.text("setting", "bucketSize");
      sink.text("level", level.text());
      sink.number("bytes", bytes);
      sink.number("previousBytes", previous);
    }
  }

  /**
   * A word of what the FPGA keeps of the store whose settings it holds; not every FPGA has a place
   * for it, and no plan sets it.
   *
   * @param index 0 and 1 for the lower and the upper 32 bits of the store's identity, 2 and 3 for
   *     those of its revision
   */
  record StoreWord(Direction direction, int index, int value) implements FpgaSetting {
    @Override
    public FpgaSetting withValue(int value) {
      return new StoreWord(direction, index, value);
    }

    @Override
    public String tableName() {
      return "store";
    }

    @Override
    public void tell(int previous, FieldSink sink) {
      sink.text("setting", "store");
      sink.number("index", index);
      sink.number("word", value);
      sink.number("previousWord", previous);
    }
  }

  /**
   * CoDel's times for all queues of a customer. Not every FPGA has it.
   *
   * @param customer its index, see {@link FpgaLevel}
   * @param word target and interval, see {@link #of}; {@value #OF_CLASS} for those of each class
   */
  record CustomerCodel(Direction direction, int customer, int word) implements FpgaSetting {
    /** Stands for the times of each queue's class. */
    public static final int OF_CLASS = 0;

    /** Longest time in ticks. */
    public static final int MAX_TICKS = (1 << 16) - 1;

    private static final int INTERVAL_SHIFT = 16;

    /** An interval without a target: no CoDel for the customer, also if its classes have one. */
    public static final int NONE = of(0, 1);

    /** The word of times in ticks, 0 to {@link #MAX_TICKS} each. */
    public static int of(int targetTicks, int intervalTicks) {
      return intervalTicks << INTERVAL_SHIFT | targetTicks;
    }

    @Override
    public int value() {
      return word;
    }

    @Override
    public FpgaSetting withValue(int value) {
      return new CustomerCodel(direction, customer, value);
    }

    @Override
    public String tableName() {
      return "customer-codel";
    }

    @Override
    public void tell(int previous, FieldSink sink) {
      sink.text("setting", "codel");
      FpgaLevel.CUSTOMER.tellPlace(customer, sink);
      sink.number("targetTicks", word & MAX_TICKS);
      sink.number("intervalTicks", word >>> INTERVAL_SHIFT);
      sink.number("previousTargetTicks", previous & MAX_TICKS);
      sink.number("previousIntervalTicks", previous >>> INTERVAL_SHIFT);
    }
  }

  /**
   * Depth limit of each queue of a customer. Not every FPGA has it.
   *
   * @param customer its index, see {@link FpgaLevel}
   * @param bytes a multiple of 8; {@value #OF_CLASS} for that of each class
   */
  record CustomerDepth(Direction direction, int customer, int bytes) implements FpgaSetting {
    /** Stands for the depth limit of each queue's class. */
    public static final int OF_CLASS = 0;

    @Override
    public int value() {
      return bytes;
    }

    @Override
    public FpgaSetting withValue(int value) {
      return new CustomerDepth(direction, customer, value);
    }

    @Override
    public String tableName() {
      return "customer-depth";
    }

    @Override
    public void tell(int previous, FieldSink sink) {
      sink.text("setting", "depth");
      FpgaLevel.CUSTOMER.tellPlace(customer, sink);
      sink.number("bytes", bytes);
      sink.number("previousBytes", previous);
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
    public String tableName() {
      return "queue-depth";
    }

    @Override
    public void tell(int previous, FieldSink sink) {
      sink.text("setting", "queueDepth");
      sink.number("queueClass", queueClass);
      sink.number("bytes", bytes);
      sink.number("previousBytes", previous);
    }
  }
}
