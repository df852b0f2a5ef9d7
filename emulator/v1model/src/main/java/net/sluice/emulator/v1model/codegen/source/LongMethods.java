package net.sluice.emulator.v1model.codegen.source;

import java.util.regex.Pattern;

/**
 * Detects methods with too many local variables for the Java compiler: for each variable it keeps a
 * map of all before it, so ten thousand take gigabytes.
 */
public final class LongMethods {

  /** This many take javac about 100 MB. */
  public static final int MOST_VARIABLES = 2_000;

  private static final Pattern VARIABLE =
      Pattern.compile("\\s+(final )?(long|int|boolean|BigInteger)(\\[])? \\w+ = .*");

  private static final int MEMBER_INDENT = 2;

  private LongMethods() {}

  /** Whether a class's source has such a method. */
  public static boolean in(String source) {
    int variables = 0;
    int start = 0;
    while (start < source.length()) {
      int end = source.indexOf('\n', start);
      if (isMember(source, start)) {
        variables = 0;
      } else if (VARIABLE.matcher(source).region(start, end).matches()) {
        variables++;
        if (variables > MOST_VARIABLES) {
          return true;
        }
      }
      start = end + 1;
    }
    return false;
  }

  private static boolean isMember(String source, int start) {
    int first = start;
    while (source.charAt(first) == ' ') {
      first++;
    }
    return first - start <= MEMBER_INDENT;
  }
}
