package net.sluice.emulator.netsim;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * In which order the eight queues of a port are served. Levels are served strictly one after the
 * other: a level sends only while those before it have nothing to send, or may not send because
 * they are shaped. Within a strict level the queues named first go first; in a weighted level they
 * share by bytes.
 *
 * @param levels first one first; together they hold each queue once
 */
public record QueueScheduling(List<Level> levels) {

  /** Queues of a port. */
  public static final int QUEUES = 8;

  /** Highest weight of a queue. */
  public static final int MAX_WEIGHT = 1_000_000;

  /** Largest burst of a shaped level, bytes. */
  public static final long MAX_BURST_BYTES = 1L << 32;

  /**
   * Strict priority, the queue of the highest number first, as simple_switch serves them: the
   * default.
   */
  public static final QueueScheduling STRICT = strict();

  private static final Pattern LEVEL = Pattern.compile("([^@]*)(?:@([^@]*))?");
  private static final Pattern INPUT = Pattern.compile("([0-7])(?::([0-9]{1,7}))?");

  /**
   * A queue in a level.
   *
   * @param queue 0..7
   * @param weight share of the queue in a weighted level, 1..{@value #MAX_WEIGHT}; 1 in a strict
   *     one
   */
  public record Input(int queue, int weight) {
    public Input {
      if (queue < 0 || queue >= QUEUES) {
        throw new IllegalArgumentException("queue " + queue + ": must be 0..7");
      }
      if (weight < 1 || weight > MAX_WEIGHT) {
        throw new IllegalArgumentException(
            "weight " + weight + " of queue " + queue + ": must be 1.." + MAX_WEIGHT);
      }
    }
  }

  /**
   * Queues served together.
   *
   * @param weighted whether they share by weight; otherwise in the order of {@code inputs}
   * @param inputs at least one
   * @param rateBps rate that all of the level's queues keep to together, bit/s, or {@link
   *     LineClock#UNLIMITED_BPS}
   * @param burstBytes how far ahead of that rate they may be, bytes, 0..{@link #MAX_BURST_BYTES}. A
   *     frame may start when the level is at most this far ahead; so one frame is possible with 0
   */
  public record Level(boolean weighted, List<Input> inputs, long rateBps, long burstBytes) {
    public Level {
      inputs = List.copyOf(inputs);
      if (inputs.isEmpty()) {
        throw new IllegalArgumentException("a level without queues: must have at least one");
      }
      LineClock.checkRate(rateBps);
      if (burstBytes < 0 || burstBytes > MAX_BURST_BYTES) {
        throw new IllegalArgumentException(
            "burstBytes " + burstBytes + ": must be 0.." + MAX_BURST_BYTES);
      }
    }

    /** One queue that nothing holds back. */
    public static Level of(int queue) {
      return new Level(false, List.of(new Input(queue, 1)), LineClock.UNLIMITED_BPS, 0);
    }

    /** Whether the level keeps to a rate of its own. */
    public boolean shaped() {
      return rateBps != LineClock.UNLIMITED_BPS;
    }
  }

  public QueueScheduling {
    levels = List.copyOf(levels);
    int seen = 0;
    for (Level level : levels) {
      for (Input input : level.inputs()) {
        if ((seen >> input.queue() & 1) != 0) {
          throw new IllegalArgumentException("queue " + input.queue() + ": must be named once");
        }
        seen |= 1 << input.queue();
      }
    }
    if (seen != (1 << QUEUES) - 1) {
      throw new IllegalArgumentException(
          "queue " + Integer.numberOfTrailingZeros(~seen) + ": must be in a level");
    }
  }

  /** Completes levels with the queues that they leave out, each by itself, highest number first. */
  public static QueueScheduling complete(List<Level> levels) {
    int seen = 0;
    for (Level level : levels) {
      for (Input input : level.inputs()) {
        seen |= 1 << input.queue();
      }
    }
    List<Level> all = new ArrayList<>(levels);
    for (int queue = QUEUES - 1; queue >= 0; queue--) {
      if ((seen >> queue & 1) == 0) {
        all.add(Level.of(queue));
      }
    }
    return new QueueScheduling(all);
  }

  /**
   * Reads {@code 7@2M/6:3,5:1}: levels behind slashes, first one first. A level is a queue, or
   * several with a weight each behind a colon, or several without; {@code @} and a rate in bit/s
   * (with k, M, G) shapes it. Queues that are not named come last, highest number first.
   *
   * @throws IllegalArgumentException naming what is wrong
   */
  public static QueueScheduling parse(String text) {
    List<Level> levels = new ArrayList<>();
    for (String part : text.split("/", -1)) {
      Matcher level = LEVEL.matcher(part);
      if (!level.matches()) {
        throw malformed(part);
      }
      List<Input> inputs = new ArrayList<>();
      int weights = 0;
      for (String word : level.group(1).split(",", -1)) {
        Matcher input = INPUT.matcher(word);
        if (!input.matches()) {
          throw malformed(part);
        }
        weights += input.group(2) == null ? 0 : 1;
        inputs.add(
            new Input(
                Integer.parseInt(input.group(1)),
                input.group(2) == null ? 1 : Integer.parseInt(input.group(2))));
      }
      if (weights != 0 && weights != inputs.size()) {
        throw new IllegalArgumentException(
            "level '" + part + "': must have a weight for each queue or for none");
      }
      levels.add(
          new Level(
              weights > 0,
              inputs,
              level.group(2) == null ? LineClock.UNLIMITED_BPS : rate(level.group(2), part),
              0));
    }
    return complete(levels);
  }

  private static long rate(String text, String level) {
    Matcher number = Pattern.compile("([0-9]{1,14})([kMG]?)").matcher(text);
    if (!number.matches()) {
      throw new IllegalArgumentException(
          "rate '" + text + "' of level '" + level + "': must be bit/s such as 800k, 20M or 1G");
    }
    long unit =
        switch (number.group(2)) {
          case "k" -> 1_000L;
          case "M" -> 1_000_000L;
          case "G" -> 1_000_000_000L;
          default -> 1L;
        };
    long count = Long.parseLong(number.group(1));
    return LineClock.checkRate(
        count > LineClock.MAX_RATE_BPS / unit ? LineClock.MAX_RATE_BPS + 1 : count * unit);
  }

  private static IllegalArgumentException malformed(String level) {
    return new IllegalArgumentException(
        "level '" + level + "': must be queues 0..7 such as 7 or 6:3,5:1, and may end in @RATE");
  }

  private static QueueScheduling strict() {
    List<Level> levels = new ArrayList<>();
    for (int queue = QUEUES - 1; queue >= 0; queue--) {
      levels.add(Level.of(queue));
    }
    return new QueueScheduling(levels);
  }
}
