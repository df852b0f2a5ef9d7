package net.sluice.intents.model;

import net.sluice.intents.model.IpPrefix.Family;
import net.sluice.intents.value.InvalidValueException;

/** Text forms of prefixes: RFC 4291 section 2.2 read, RFC 5952 written. */
final class IpText {
  private static final String ALLOWED =
      "an IPv4 or IPv6 prefix such as 192.0.2.0/24 or 2001:db8::/56";
  private static final int GROUPS = 8;

  private IpText() {}

  static IpPrefix parse(String text) {
    int slash = text.indexOf('/');
    if (slash < 0) {
      throw new InvalidValueException("prefix", text, ALLOWED);
    }
    int length = decimal(text, slash + 1, text.length(), 3);
    if (length < 0) {
      throw new InvalidValueException("prefix", text, ALLOWED);
    }
    boolean v6 = text.lastIndexOf(':', slash) >= 0;
    Family family = v6 ? Family.V6 : Family.V4;
    if (length > family.bits()) {
      throw new InvalidValueException(
          "prefix", text, "a length of 0 to " + family.bits() + " after the slash");
    }
    if (v6) {
      long[] words = parseV6(text, slash);
      return new IpPrefix(Family.V6, words[0], words[1], length);
    }
    long address = parseV4(text, 0, slash);
    if (address < 0) {
      throw new InvalidValueException("prefix", text, ALLOWED);
    }
    return new IpPrefix(Family.V4, 0, address, length);
  }

  /** The 32 bits of the dotted quad in {@code [from, to)}, or -1 if it is none. */
  private static long parseV4(String text, int from, int to) {
    long address = 0;
    int at = from;
    for (int octet = 0; octet < 4; octet++) {
      int end = octet == 3 ? to : text.indexOf('.', at);
      if (end < 0 || end > to) {
        return -1;
      }
      int value = decimal(text, at, end, 3);
      if (value < 0 || value > 255) {
        return -1;
      }
      address = address << 8 | value;
      at = end + 1;
    }
    return address;
  }

  private static long[] parseV6(String text, int to) {
    int[] groups = new int[GROUPS];
    int count = 0;
    int gapAt = -1;
    int at = 0;
    if (text.startsWith("::")) {
      gapAt = 0;
      at = 2;
    }
    while (at < to) {
      int end = text.indexOf(':', at);
      if (end < 0 || end > to) {
        end = to;
      }
      boolean dotted = end == to && text.indexOf('.', at) >= 0 && text.indexOf('.', at) < to;
      if (dotted) {
        long tail = parseV4(text, at, to);
        if (tail < 0 || count > GROUPS - 2) {
          throw new InvalidValueException("prefix", text, ALLOWED);
        }
        groups[count++] = (int) (tail >>> 16);
        groups[count++] = (int) (tail & 0xffff);
        at = to;
        continue;
      }
      int group = hexGroup(text, at, end);
      if (group < 0 || count == GROUPS) {
        throw new InvalidValueException("prefix", text, ALLOWED);
      }
      groups[count++] = group;
      at = end;
      if (at < to) {
        at++;
        if (at < to && text.charAt(at) == ':') {
          if (gapAt >= 0) {
            throw new InvalidValueException("prefix", text, ALLOWED);
          }
          gapAt = count;
          at++;
        } else if (at == to) {
          throw new InvalidValueException("prefix", text, ALLOWED);
        }
      }
    }
    // A gap stands for at least one group, so eight groups and a gap are too many.
    if (gapAt < 0 ? count != GROUPS : count == GROUPS) {
      throw new InvalidValueException("prefix", text, ALLOWED);
    }
    if (gapAt >= 0) {
      int moved = count - gapAt;
      for (int i = 0; i < moved; i++) {
        groups[GROUPS - 1 - i] = groups[count - 1 - i];
        groups[count - 1 - i] = 0;
      }
    }
    return new long[] {word(groups, 0), word(groups, 4)};
  }

  private static long word(int[] groups, int from) {
    long word = 0;
    for (int i = from; i < from + 4; i++) {
      word = word << 16 | groups[i];
    }
    return word;
  }

  private static int hexGroup(String text, int from, int to) {
    if (to <= from || to - from > 4) {
      return -1;
    }
    int value = 0;
    for (int i = from; i < to; i++) {
      int digit = hexDigit(text.charAt(i));
      if (digit < 0) {
        return -1;
      }
      value = value << 4 | digit;
    }
    return value;
  }

  private static int hexDigit(char c) {
    if (c >= '0' && c <= '9') {
      return c - '0';
    }
    int letter = c | 0x20;
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
  }

  /** A decimal number without sign or leading zeros, or -1. */
  private static int decimal(String text, int from, int to, int maxDigits) {
    if (to <= from || to - from > maxDigits || (text.charAt(from) == '0' && to - from > 1)) {
      return -1;
    }
    int value = 0;
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        return -1;
      }
      value = value * 10 + (c - '0');
    }
    return value;
  }

  static String format(Family family, long hi, long lo, int length) {
    StringBuilder out = new StringBuilder(45);
    if (family == Family.V4) {
      int address = (int) lo;
      out.append(address >>> 24).append('.').append(address >>> 16 & 0xff).append('.');
      out.append(address >>> 8 & 0xff).append('.').append(address & 0xff);
    } else {
      formatV6(out, hi, lo);
    }
    return out.append('/').append(length).toString();
  }

  private static void formatV6(StringBuilder out, long hi, long lo) {
    int gapStart = -1;
    int gapLength = 1; // RFC 5952 section 4.2.2: a single zero group is not shortened
    for (int i = 0; i < GROUPS; i++) {
      int run = 0;
      while (i + run < GROUPS && group(hi, lo, i + run) == 0) {
        run++;
      }
      if (run > gapLength) {
        gapStart = i;
        gapLength = run;
      }
      i += run;
    }
    for (int i = 0; i < GROUPS; i++) {
      if (i == gapStart) {
        out.append("::");
        i += gapLength - 1;
        continue;
      }
      boolean afterGap = gapStart >= 0 && i == gapStart + gapLength;
      if (i > 0 && !afterGap) {
        out.append(':');
      }
      out.append(Integer.toHexString(group(hi, lo, i)));
    }
  }

  private static int group(long hi, long lo, int i) {
    return (int) ((i < 4 ? hi >>> (48 - 16 * i) : lo >>> (48 - 16 * (i - 4))) & 0xffff);
  }
}
