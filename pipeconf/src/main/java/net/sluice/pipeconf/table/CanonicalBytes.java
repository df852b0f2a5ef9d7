package net.sluice.pipeconf.table;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;

/**
 * Unsigned numbers as P4Runtime's canonical byte strings: big-endian, no leading zero octets, one
 * zero octet for 0. Reading accepts leading zeros, which older servers send.
 */
final class CanonicalBytes {
  private static final ByteString[] SMALL = new ByteString[1024];

  static {
    for (int i = 0; i < SMALL.length; i++) {
      SMALL[i] = encode(0, i);
    }
  }

  private CanonicalBytes() {}

  /** A number of up to 64 bits. */
  static ByteString of(long value) {
    return value >= 0 && value < SMALL.length ? SMALL[(int) value] : encode(0, value);
  }

  /** A number of up to 128 bits. */
  static ByteString of(long hi, long lo) {
    return hi == 0 ? of(lo) : encode(hi, lo);
  }

  private static ByteString encode(long hi, long lo) {
    int length = hi == 0 ? octets(lo) : 8 + octets(hi);
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      int fromEnd = length - 1 - i;
      long word = fromEnd < 8 ? lo : hi;
      bytes[i] = (byte) (word >>> (8 * (fromEnd & 7)));
    }
    // The array is not reachable from anywhere else.
    return UnsafeByteOperations.unsafeWrap(bytes);
  }

  private static int octets(long value) {
    return value == 0 ? 1 : (71 - Long.numberOfLeadingZeros(value)) / 8;
  }

  /** True if {@code bytes} is a number of at most {@code bits} bits. */
  static boolean fits(ByteString bytes, int bits) {
    int first = firstUsed(bytes);
    int used = bytes.size() - first;
    if (bytes.isEmpty() || used == 0) {
      return !bytes.isEmpty();
    }
    int leading = bytes.byteAt(first) & 0xff;
    return 8 * (used - 1) + (32 - Integer.numberOfLeadingZeros(leading)) <= bits;
  }

  /**
   * A number of at most {@code bits} bits, themselves at most 63.
   *
   * @param domainName the value's name in the message if it is none
   */
  static long read(ByteString bytes, int bits, String domainName) {
    int size = bytes.size();
    if (size == 0 || size > Long.BYTES && !fits(bytes, bits)) {
      throw none(bits, domainName);
    }
    long number = 0;
    for (int i = Math.max(0, size - Long.BYTES); i < size; i++) {
      number = number << 8 | (bytes.byteAt(i) & 0xff);
    }
    if (number >>> bits != 0) {
      throw none(bits, domainName);
    }
    return number;
  }

  private static MalformedEntryException none(int bits, String domainName) {
    return new MalformedEntryException(domainName + " is not a number of " + bits + " bits");
  }

  /** The lowest 64 bits. */
  static long low(ByteString bytes) {
    return word(bytes, bytes.size());
  }

  /** Bits 64 to 127. */
  static long high(ByteString bytes) {
    return word(bytes, bytes.size() - 8);
  }

  private static long word(ByteString bytes, int end) {
    long word = 0;
    for (int i = Math.max(0, end - 8); i < end; i++) {
      word = word << 8 | (bytes.byteAt(i) & 0xff);
    }
    return word;
  }

  private static int firstUsed(ByteString bytes) {
    int first = 0;
    while (first < bytes.size() && bytes.byteAt(first) == 0) {
      first++;
    }
    return first;
  }
}
