package net.sluice.fpga;

import java.util.Arrays;
import java.util.BitSet;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.intents.value.Ranges;

/**
 * Register accesses that are done in order, with none of another batch in between. Every address is
 * a word's inside the window: a batch with another one cannot be built.
 */
public final class RegisterBatch {
  /** Most accesses of one batch: half a megabyte on the wire. */
  public static final int MAX_OPERATIONS = 65_536;

  private final int[] addresses;
  private final int[] values;
  private final BitSet writes;
  private final int readCount;

  private RegisterBatch(int[] addresses, int[] values, BitSet writes, int readCount) {
    this.addresses = addresses;
    this.values = values;
    this.writes = writes;
    this.readCount = readCount;
  }

  /** An empty batch to add to. */
  public static Builder builder() {
    return new Builder();
  }

  /** Number of accesses. */
  public int size() {
    return addresses.length;
  }

  /** Number of accesses that read. */
  public int readCount() {
    return readCount;
  }

  /** Whether access {@code i} writes. */
  public boolean isWrite(int i) {
    return writes.get(i);
  }

  /** Byte address of access {@code i}. */
  public int address(int i) {
    return addresses[i];
  }

  /** The word that access {@code i} writes; 0 if it reads. */
  public int value(int i) {
    return values[i];
  }

  /** The fault of {@code address}, or null if it is a word's inside the window. */
  static String addressFault(int address) {
    if ((address & 3) != 0) {
      return "address " + hex(address) + " is not a multiple of 4";
    }
    if (Integer.compareUnsigned(address, RegisterLayout.WINDOW_BYTES) >= 0) {
      return "address " + hex(address) + " is not below " + hex(RegisterLayout.WINDOW_BYTES);
    }
    return null;
  }

  static String hex(int word) {
    return String.format("0x%08x", word);
  }

  /** Collects accesses; not thread-safe. */
  public static final class Builder {
    private int[] addresses = new int[16];
    private int[] values = new int[16];
    private final BitSet writes = new BitSet();
    private int size;
    private int readCount;

    private Builder() {}

    /**
     * Adds a write.
     *
     * @throws InvalidValueException if the address is misaligned or outside the window, or the
     *     batch is full
     */
    public Builder write(int address, int value) {
      writes.set(size);
      add(address, value);
      return this;
    }

    /**
     * Adds a read; the answer holds reads in the order in which they were added.
     *
     * @throws InvalidValueException as {@link #write}
     */
    public Builder read(int address) {
      add(address, 0);
      readCount++;
      return this;
    }

    /**
     * Adds the three accesses that read a queue's counters; they stay together because batches do.
     *
     * @throws InvalidValueException if there is no such queue, or the batch is full
     */
    public Builder readCounter(int queueId) {
      Ranges.require("queue id", queueId, 0, RegisterLayout.QUEUES - 1);
      if (size > MAX_OPERATIONS - 3) {
        throw full();
      }
      return write(RegisterLayout.COUNTER_SELECT, queueId)
          .read(RegisterLayout.COUNTER_LOW)
          .read(RegisterLayout.COUNTER_HIGH);
    }

    /** Accesses so far. */
    public int size() {
      return size;
    }

    /** The batch; the builder may go on being used. */
    public RegisterBatch build() {
      return new RegisterBatch(
          Arrays.copyOf(addresses, size),
          Arrays.copyOf(values, size),
          (BitSet) writes.clone(),
          readCount);
    }

    private void add(int address, int value) {
      String fault = size == MAX_OPERATIONS ? "" : addressFault(address);
      if (fault != null) {
        writes.clear(size);
        throw size == MAX_OPERATIONS
            ? full()
            : new InvalidValueException(
                "register address",
                hex(address),
                "multiples of 4 below " + hex(RegisterLayout.WINDOW_BYTES));
      }
      if (size == addresses.length) {
        addresses = Arrays.copyOf(addresses, 2 * size);
        values = Arrays.copyOf(values, 2 * size);
      }
      addresses[size] = address;
      values[size++] = value;
    }

    private InvalidValueException full() {
      return new InvalidValueException("batch size", size + 1, "at most " + MAX_OPERATIONS);
    }
  }
}
