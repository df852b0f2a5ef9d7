package net.sluice.lab.demo;

import java.util.OptionalLong;
import java.util.regex.Pattern;
import net.sluice.cli.OptionException;
import net.sluice.cli.OptionValues;
import net.sluice.cli.WrittenRates;
import net.sluice.core.shard.NetworkSwitch;

/**
 * A group of subscribers that are alike.
 *
 * @param name unique among the groups; the subscribers are called {@code NAME-0}, {@code NAME-1}...
 * @param switchId the switch of the network that they are attached to
 * @param policy id of the policy they have
 * @param subscribers how many, 1 to {@link #MAX_SUBSCRIBERS}
 * @param offeredBps what each of them is sent, or sends, in frames, bit/s
 * @param limitBps the rate limit asked for each of them, bit/s; empty for none
 */
public record GroupSpec(
    String name,
    String switchId,
    String policy,
    int subscribers,
    long offeredBps,
    OptionalLong limitBps) {
  /** Most subscribers of a run: as many as one switch has indices for. */
  public static final int MAX_SUBSCRIBERS = (1 << 20) - 1;

  /** Highest offered rate of a subscriber, bit/s. */
  public static final long MAX_OFFERED_BPS = 100_000_000_000L;

  /** Lowest offered rate of a subscriber, bit/s. */
  public static final long MIN_OFFERED_BPS = 1_000;

  /** The highest rate limit the command line takes; a target may grant less. */
  public static final long MAX_LIMIT_BPS = 100_000_000_000L;

  static final String OPTION = "--group";
  static final String FORM =
      "NAME:POLICY:COUNT:OFFERED[:LIMIT], for example homes:gold:20:15M or capped:silver:4:20M:5M;"
          + " with --network NAME@SWITCH instead of NAME";

  /** The form of groups' names. */
  static final String NAMES =
      "1 to 40 letters, digits, '.', '_' or '-', beginning with a letter or digit";

  /** Names of groups: they leave room for a number within an id of 64 characters. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,39}");

  /** A group of the only switch. */
  public GroupSpec(
      String name, String policy, int subscribers, long offeredBps, OptionalLong limitBps) {
    this(name, NetworkSwitch.ONLY, policy, subscribers, offeredBps, limitBps);
  }

  static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }

  /**
   * Reads {@code NAME[@SWITCH]:POLICY:COUNT:OFFERED[:LIMIT]}; whether switch and policy exist is
   * not checked here.
   *
   * @throws OptionException naming the part that is wrong
   */
  public static GroupSpec parse(String text) {
    String[] parts = text.split(":", -1);
    if (parts.length != 4 && parts.length != 5) {
      throw new OptionException(OPTION, text, FORM);
    }
    int at = parts[0].indexOf('@');
    String name = at < 0 ? parts[0] : parts[0].substring(0, at);
    if (!isName(name)) {
      throw new OptionException(OPTION, text, "NAME", name, NAMES);
    }
    return new GroupSpec(
        name,
        at < 0 ? NetworkSwitch.ONLY : parts[0].substring(at + 1),
        parts[1],
        count(text, parts[2]),
        rate(text, "OFFERED", parts[3], MIN_OFFERED_BPS, MAX_OFFERED_BPS),
        parts.length == 4
            ? OptionalLong.empty()
            : OptionalLong.of(rate(text, "LIMIT", parts[4], 1, MAX_LIMIT_BPS)));
  }

  private static int count(String text, String part) {
    String allowed = "a whole number, 1 to " + MAX_SUBSCRIBERS;
    if (!part.matches("\\d{1,9}")) {
      throw new OptionException(OPTION, text, "COUNT", part, allowed);
    }
    int count = Integer.parseInt(part);
    if (count < 1 || count > MAX_SUBSCRIBERS) {
      throw new OptionException(OPTION, text, "COUNT", part, allowed);
    }
    return count;
  }

  private static long rate(String text, String name, String part, long min, long max) {
    OptionalLong rate = WrittenRates.parse(part);
    if (rate.isEmpty() || rate.getAsLong() < min || rate.getAsLong() > max) {
      throw new OptionException(OPTION, text, name, part, OptionValues.rateRange(min, max));
    }
    return rate.getAsLong();
  }

  /** The id of the group's subscriber {@code index}. */
  public String subscriberId(int index) {
    return name + "-" + index;
  }
}
