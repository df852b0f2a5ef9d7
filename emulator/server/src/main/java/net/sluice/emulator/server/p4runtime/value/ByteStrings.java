package net.sluice.emulator.server.p4runtime.value;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import com.google.rpc.Code;
import java.math.BigInteger;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.v1model.table.WordLayout;

/**
 * P4Runtime's binary strings for unsigned numbers: big-endian, any number of leading zeros
 * accepted, none written. Values go straight into the words of a {@link WordLayout}.
 */
public final class ByteStrings {

  private ByteStrings() {}

  /**
   * Reads a value into a field's words, which must be zero there.
   *
   * @param owner what the value is of, for the message: {@code "field 'addr' of table 'T'"}
   * @throws RpcException OUT_OF_RANGE if it is empty or has more bits than the field
   */
  public static void read(ByteString bytes, WordLayout.Field field, long[] words, String owner)
      throws RpcException {
    int size = bytes.size();
    if (size == 0) {
      throw empty(owner);
    }
    int first = 0;
    while (first < size && bytes.byteAt(first) == 0) {
      first++;
    }
    int significant = size - first;
    int bits =
        significant == 0
            ? 0
            : 8 * significant - (Integer.numberOfLeadingZeros(bytes.byteAt(first) & 0xff) - 24);
    if (bits > field.widthBits()) {
      throw tooWide(bytes, bits, field.widthBits(), owner);
    }
    for (int limb = 0; 8 * limb < significant; limb++) {
      int end = size - 8 * limb;
      long value = 0;
      for (int i = Math.max(first, end - 8); i < end; i++) {
        value = value << 8 | bytes.byteAt(i) & 0xff;
      }
      words[field.word() + limb] |= value << field.shift();
    }
  }

  /**
   * Reads a number.
   *
   * @throws RpcException OUT_OF_RANGE if it is empty or has more than {@code widthBits}
   */
  public static BigInteger number(ByteString bytes, int widthBits, String owner)
      throws RpcException {
    if (bytes.isEmpty()) {
      throw empty(owner);
    }
    BigInteger value = new BigInteger(1, bytes.toByteArray());
    if (value.bitLength() > widthBits) {
      throw tooWide(bytes, value.bitLength(), widthBits, owner);
    }
    return value;
  }

  /** Says that a value has no bytes. */
  public static RpcException empty(String owner) {
    return new RpcException(
        Code.OUT_OF_RANGE, owner + ": the value is empty; at least one byte is needed");
  }

  /** Says that a value needs more bits than there are. */
  public static RpcException tooWide(ByteString bytes, int needed, int widthBits, String owner) {
    return new RpcException(
        Code.OUT_OF_RANGE,
        "%s: value 0x%s needs %s bits; at most %s are allowed"
            .formatted(owner, hex(bytes), needed, widthBits));
  }

  /** Writes a field's value in the shortest form. */
  public static ByteString write(WordLayout.Field field, long[] words) {
    int limb = field.words() - 1;
    while (limb > 0 && limb(field, words, limb) == 0) {
      limb--;
    }
    long top = limb(field, words, limb);
    int topBytes = Math.max(1, (71 - Long.numberOfLeadingZeros(top)) / 8);
    byte[] bytes = new byte[topBytes + 8 * limb];
    for (int i = 0; i < bytes.length; i++) {
      int fromEnd = bytes.length - 1 - i;
      bytes[i] = (byte) (limb(field, words, fromEnd / 8) >>> 8 * (fromEnd % 8));
    }
    return UnsafeByteOperations.unsafeWrap(bytes);
  }

  /** A 64-bit piece of a field's value. */
  static long limb(WordLayout.Field field, long[] words, int limb) {
    return (words[field.word() + limb] & field.maskOf(limb)) >>> field.shift();
  }

  /** Writes an unsigned number in the shortest form. */
  public static ByteString write(long value) {
    byte[] bytes = new byte[Math.max(1, (71 - Long.numberOfLeadingZeros(value)) / 8)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (value >>> 8 * (bytes.length - 1 - i));
    }
    return UnsafeByteOperations.unsafeWrap(bytes);
  }

  /** A number without leading zeros. */
  public static ByteString shortest(ByteString number) {
    int from = 0;
    while (from < number.size() - 1 && number.byteAt(from) == 0) {
      from++;
    }
    return number.substring(from);
  }

  /** A value in a message to people, cut off if it is very long. */
  static String hex(ByteString bytes) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < Math.min(bytes.size(), 40); i++) {
      text.append(String.format("%02x", bytes.byteAt(i)));
    }
    return bytes.size() > 40 ? text + "..." : text.toString();
  }
}
