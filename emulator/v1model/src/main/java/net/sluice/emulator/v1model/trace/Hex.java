package net.sluice.emulator.v1model.trace;

import java.math.BigInteger;
import java.util.HexFormat;

/** Numbers and bytes in hexadecimal. */
final class Hex {

  private Hex() {}

  /** An unsigned number with as many digits as its width takes. */
  static String number(BigInteger value, int widthBits) {
    String digits = value.toString(16);
    return "0x" + "0".repeat(Math.max(0, (widthBits + 3) / 4 - digits.length())) + digits;
  }

  static String number(long value, int widthBits) {
    return number(new BigInteger(Long.toHexString(value), 16), widthBits);
  }

  static String bytes(byte[] bytes, int offset, int length) {
    return HexFormat.of().formatHex(bytes, offset, offset + length);
  }
}
