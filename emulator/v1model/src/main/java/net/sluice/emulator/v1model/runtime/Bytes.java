package net.sluice.emulator.v1model.runtime;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Big-endian numbers in a byte array. */
public final class Bytes {

  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private Bytes() {}

  /** One byte, unsigned. */
  public static long u8(byte[] b, int at) {
    return b[at] & 0xffL;
  }

  /** Two bytes, unsigned. */
  public static long u16(byte[] b, int at) {
    return (short) SHORTS.get(b, at) & 0xffffL;
  }

  /** Four bytes, unsigned. */
  public static long u32(byte[] b, int at) {
    return (int) INTS.get(b, at) & 0xffffffffL;
  }

  /** Eight bytes. */
  public static long u64(byte[] b, int at) {
    return (long) LONGS.get(b, at);
  }

  /** Stores the low byte. */
  public static void put8(byte[] b, int at, long value) {
    b[at] = (byte) value;
  }

  /** Stores the low two bytes. */
  public static void put16(byte[] b, int at, long value) {
    SHORTS.set(b, at, (short) value);
  }

  /** Stores the low four bytes. */
  public static void put32(byte[] b, int at, long value) {
    INTS.set(b, at, (int) value);
  }

  /** Stores eight bytes. */
  public static void put64(byte[] b, int at, long value) {
    LONGS.set(b, at, value);
  }

  /**
   * Stores the low {@code width} bits, 1 to 64 of them, {@code skip} bits (at most 7) behind a
   * byte; the bits around them stay as they are.
   */
  public static void putBits(byte[] b, int at, int skip, int width, long value) {
    int byteAt = at;
    int free = 8 - skip;
    for (int left = width; left > 0; byteAt++, free = 8) {
      int take = Math.min(free, left);
      int mask = (1 << take) - 1 << free - take;
      long piece = value >>> left - take << free - take;
      b[byteAt] = (byte) (b[byteAt] & ~mask | piece & mask);
      left -= take;
    }
  }
}
