package net.sluice.emulator.netsim;

import java.util.Arrays;

/**
 * Frames kept for later, in numbered slots whose buffers are reused: no garbage once it has grown
 * to the largest number kept at a time. Slots also carry a link, so that owners can chain them into
 * queues without a structure of their own. Not thread-safe.
 */
public final class FrameStore {

  /** No slot: the end of a chain. */
  public static final int NONE = -1;

  private static final int MIN_BUFFER_BYTES = 128;

  private byte[][] buffers = new byte[16][];
  private int[] lengths = new int[16];
  private long[] tags = new long[16];
  private int[] nexts = new int[16];
  private int used;
  private int free = NONE;
  private int count;

  /** Copies a frame in; its slot links to nothing. */
  public int put(byte[] bytes, int offset, int length, long tag) {
    int slot = free;
    if (slot == NONE) {
      slot = used++;
      if (slot == buffers.length) {
        grow();
      }
    } else {
      free = nexts[slot];
    }
    byte[] buffer = buffers[slot];
    if (buffer == null || buffer.length < length) {
      buffer = new byte[Math.max(MIN_BUFFER_BYTES, (length + 63) & ~63)];
      buffers[slot] = buffer;
    }
    System.arraycopy(bytes, offset, buffer, 0, length);
    lengths[slot] = length;
    tags[slot] = tag;
    nexts[slot] = NONE;
    count++;
    return slot;
  }

  /** Empties a slot; its number may come back from the next {@link #put}. */
  public void release(int slot) {
    nexts[slot] = free;
    free = slot;
    count--;
  }

  /** Buffer of a slot; the frame starts at 0. */
  public byte[] bytes(int slot) {
    return buffers[slot];
  }

  /** Length of the frame in a slot, bytes. */
  public int length(int slot) {
    return lengths[slot];
  }

  /** Tag of the frame in a slot. */
  public long tag(int slot) {
    return tags[slot];
  }

  /** Slot linked to this one, or {@link #NONE}. */
  public int next(int slot) {
    return nexts[slot];
  }

  /** Links a slot to another. */
  public void setNext(int slot, int next) {
    nexts[slot] = next;
  }

  /** Frames kept now. */
  public int count() {
    return count;
  }

  private void grow() {
    int size = buffers.length * 2;
    buffers = Arrays.copyOf(buffers, size);
    lengths = Arrays.copyOf(lengths, size);
    tags = Arrays.copyOf(tags, size);
    nexts = Arrays.copyOf(nexts, size);
  }
}
