package net.sluice.emulator.ports;

import com.sun.jna.Pointer;
import java.nio.ByteBuffer;

/**
 * Waits, without using the processor, until a descriptor is readable or writable, a time has
 * passed, or another thread wants attention.
 */
final class Poller implements AutoCloseable {
  private static final int ENTRY_BYTES = 8;
  private static final int EVENTS = 4;
  private static final int RESULT = 6;
  private static final int TIME_BYTES = 16;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private final int wake;
  private final NativeMemory descriptors;
  private final NativeMemory time = new NativeMemory(TIME_BYTES);
  private final NativeMemory one = new NativeMemory(Long.BYTES);
  private final NativeMemory wakes = new NativeMemory(Long.BYTES);
  private final int count;
  private boolean closed;

  /**
   * @param count descriptors it watches
   * @throws IllegalStateException if the machine has no more descriptors
   */
  Poller(int count) {
    this.count = count;
    wake = Libc.eventfd(0, Libc.O_CLOEXEC | Libc.O_NONBLOCK);
    if (wake < 0) {
      throw new IllegalStateException("cannot make an eventfd: " + Libc.text(Libc.errno()));
    }
    descriptors = new NativeMemory((count + 1L) * ENTRY_BYTES);
    set(count, wake);
    one.bytes().putLong(0, 1);
  }

  /** Sets the i-th descriptor, to be readable; a negative one is not watched. */
  void set(int index, int descriptor) {
    set(index, descriptor, Libc.POLLIN);
  }

  /** Sets the i-th descriptor, to be writable; a negative one is not watched. */
  void setWritable(int index, int descriptor) {
    set(index, descriptor, Libc.POLLOUT);
  }

  private void set(int index, int descriptor, int events) {
    ByteBuffer bytes = descriptors.bytes();
    bytes.putInt(index * ENTRY_BYTES, descriptor);
    bytes.putShort(index * ENTRY_BYTES + EVENTS, (short) events);
  }

  /**
   * Waits.
   *
   * @param nanos how long at most; Long.MAX_VALUE for ever
   */
  void await(long nanos) {
    Pointer timeout = Pointer.NULL;
    if (nanos != Long.MAX_VALUE) {
      long positive = Math.max(0, nanos);
      time.bytes().putLong(0, positive / NANOS_PER_SECOND);
      time.bytes().putLong(Long.BYTES, positive % NANOS_PER_SECOND);
      timeout = time.pointer();
    }
    if (Libc.ppoll(descriptors.pointer(), count + 1L, timeout, Pointer.NULL) < 0) {
      int errno = Libc.errno();
      if (errno != Libc.EINTR) {
        throw new IllegalStateException("cannot wait for frames: " + Libc.text(errno));
      }
      for (int i = 0; i <= count; i++) {
        descriptors.bytes().putShort(i * ENTRY_BYTES + RESULT, (short) 0);
      }
    }
    if (isReady(count)) {
      // Resets the wake-up, so that the next wait waits.
      Libc.read(wake, wakes.pointer(), Long.BYTES);
    }
  }

  /** Whether the last wait found the i-th descriptor ready, or in error. */
  boolean isReady(int index) {
    return descriptors.bytes().getShort(index * ENTRY_BYTES + RESULT) != 0;
  }

  /** Ends the wait under way or, if there is none, the next. Any thread. */
  synchronized void wakeUp() {
    if (!closed) {
      Libc.write(wake, one.pointer(), Long.BYTES);
    }
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      Libc.close(wake);
    }
  }
}
