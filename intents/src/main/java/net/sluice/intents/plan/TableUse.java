package net.sluice.intents.plan;

import java.util.Optional;

/**
 * How full one resource of the switch is.
 *
 * @param resource what it is: {@code subscribers} (rate filters), {@code policies} (slots), {@code
 *     ipv4-prefixes}, {@code ipv6-prefixes}, {@code vlans}, {@code encapsulations} or {@code
 *     subscriber-meters} (table entries); where the marker is divided also {@code
 *     subscribers-pipe-1}, {@code subscribers-pipe-1-instance-3} and {@code
 *     ipv4-prefixes-pipe-1-instance-3}
 * @param used how many declarations use
 * @param size how many the switch has
 */
public record TableUse(String resource, long used, long size) {
  private static final int NEARLY_FULL_PERCENT = 90;

  /** True if more than {@value #NEARLY_FULL_PERCENT} % are in use. */
  public boolean isNearlyFull() {
    return isNearlyFull(used, size);
  }

  /** True if so many of that many are. */
  public static boolean isNearlyFull(long used, long size) {
    return 100 * used > NEARLY_FULL_PERCENT * size;
  }

  /** Says, for people, that it is nearly or quite full, if it is. */
  public Optional<String> note() {
    if (!isNearlyFull()) {
      return Optional.empty();
    }
    String in = used + " of " + size + " in use";
    return Optional.of(resource + (used >= size ? " full: " : " nearly full: ") + in);
  }
}
