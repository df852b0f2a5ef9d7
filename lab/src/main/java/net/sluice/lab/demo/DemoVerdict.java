package net.sluice.lab.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.lab.support.Figures;

/**
 * Compares a group's measurement with its prediction, with the reasons for differences.
 *
 * <p>The tolerances are the demo's promise: every group within {@link #SHARE_TOLERANCE} of its
 * prediction, and no group that is predicted to get all it asks for loses more than {@link
 * #LOSS_TOLERANCE}. A group asks for the smaller of what it is sent and its granted limit; what a
 * limit takes off is lost at its limiter by design and does not count.
 *
 * <p>A group is judged only if its mean is known well enough: if half the 95 % confidence interval
 * of it is at most {@link #SHARE_TOLERANCE}, or the mean is outside by more than both together.
 */
final class DemoVerdict {
  /** Greatest difference between delivered and predicted, as a share of the prediction. */
  static final double SHARE_TOLERANCE = 0.05;

  /** Greatest loss of a group that asks for less than its share. */
  static final double LOSS_TOLERANCE = 0.001;

  /** A line that sends for less of the time has no queue that lasts. */
  private static final double CONGESTED = 0.95;

  /** Half a 95 % confidence interval, in standard deviations. */
  private static final double CONFIDENCE = 1.96;

  /** Time constant of the switch's rate filter: half-life 65,536 us over ln 2. */
  private static final double FILTER_SECONDS = 0.065536 / Math.log(2);

  /**
   * The values compared.
   *
   * @param spec the group as asked for
   * @param grantedBps its limit as granted; empty for none
   * @param predictedBps its predicted rate
   * @param measured what it got
   * @param utilization of the busiest line that it passes, as a share of the measured time
   */
  record Case(
      GroupSpec spec,
      OptionalLong grantedBps,
      double predictedBps,
      GroupMeasurement measured,
      double utilization) {
    double demandBps() {
      return Math.min(spec.offeredBps(), grantedBps.orElse(Long.MAX_VALUE));
    }

    boolean getsAll() {
      return predictedBps >= demandBps() * (1 - 1e-9);
    }

    double lossBeyondLimit() {
      boolean limited = grantedBps.isPresent() && grantedBps.getAsLong() < spec.offeredBps();
      return limited ? measured.lossBehindLimiter() : measured.loss();
    }
  }

  private DemoVerdict() {}

  /** The reasons why a group misses its prediction; empty if it does not. */
  static List<String> reasons(Case group, DemoOptions options, double seconds) {
    double packetBps = packetBps(group, options, seconds);
    if (group.predictedBps() < packetBps) {
      return starving(group, packetBps);
    }
    if (notJudged(group, options, seconds).isPresent()) {
      return List.of();
    }
    List<String> reasons = new ArrayList<>();
    double error = error(group);
    boolean misses = !(Math.abs(error) <= SHARE_TOLERANCE);
    if (misses) {
      reasons.add(
          String.format(
              Locale.ROOT,
              "%s got %s per subscriber, %+.1f %% off the predicted %s (allowed: 5 %%).",
              group.spec().name(),
              Figures.rate(group.measured().deliveredBps()),
              100 * error,
              Figures.rate(group.predictedBps())));
    }
    boolean loses = group.getsAll() && group.lossBeyondLimit() > LOSS_TOLERANCE;
    if (loses) {
      reasons.add(
          String.format(
              Locale.ROOT,
              "%s asks for no more than its share and still lost %.2f %% of its packets"
                  + " (allowed: 0.1 %%).",
              group.spec().name(),
              100 * group.lossBeyondLimit()));
    }
    if (misses || loses) {
      reasons.addAll(hints(group, options, seconds));
    }
    return reasons;
  }

  /** Why a group is too small, or the measured time too short, to be judged; empty if it is not. */
  static Optional<String> notJudged(Case group, DemoOptions options, double seconds) {
    if (group.predictedBps() < packetBps(group, options, seconds)) {
      return Optional.empty();
    }
    double known = uncertainty(group, options, seconds);
    if (known <= SHARE_TOLERANCE || !(Math.abs(error(group)) <= SHARE_TOLERANCE + known)) {
      return Optional.empty();
    }
    return Optional.of(
        String.format(
            Locale.ROOT,
            "%s is not judged: %d packets of %s in %s s give its mean to within %.0f %% (95 %%"
                + " confidence), and 5 %% are to be told apart. Measure about %.0f s (--seconds),"
                + " or more subscribers.",
            group.spec().name(),
            group.measured().sentPackets(),
            group.spec().subscribers() == 1
                ? "one subscriber"
                : group.spec().subscribers() + " subscribers",
            Figures.number(seconds),
            100 * known,
            Math.ceil(seconds * Math.pow(known / SHARE_TOLERANCE, 2))));
  }

  private static double error(Case group) {
    return group.measured().deliveredBps() / group.predictedBps() - 1;
  }

  /**
   * Half the 95 % confidence interval of a group's mean, as a share of its prediction: from what
   * dropping at random allows and how far its subscribers are apart, whichever is more, and the
   * packet at the end of the measured time.
   */
  static double uncertainty(Case group, DemoOptions options, double seconds) {
    int subscribers = group.spec().subscribers();
    double between =
        group.measured().deviationBps() / Math.sqrt(subscribers) / group.predictedBps();
    return CONFIDENCE * Math.max(deviation(group, options, seconds), between)
        + packetBps(group, options, seconds) / group.predictedBps();
  }

  /** Half the 95 % confidence interval of one subscriber's rate, as a share of the prediction. */
  static double uncertaintyOfOne(Case group, DemoOptions options, double seconds) {
    int subscribers = group.spec().subscribers();
    return CONFIDENCE * deviation(group, options, seconds) * Math.sqrt(subscribers)
        + packetBps(group, options, seconds) * subscribers / group.predictedBps();
  }

  /** Standard deviation of a group's mean as a share of it, from dropping packets at random. */
  private static double deviation(Case group, DemoOptions options, double seconds) {
    double accepted = Math.min(1, group.predictedBps() / group.demandBps());
    return Math.sqrt((1 - accepted) / (accepted * packets(group, options, seconds)));
  }

  /** Packets that a group asks to have delivered. */
  private static double packets(Case group, DemoOptions options, double seconds) {
    return group.spec().subscribers() * group.demandBps() / (8.0 * options.packetBytes()) * seconds;
  }

  /** The share of one packet in the mean rate of a group's subscribers. */
  private static double packetBps(Case group, DemoOptions options, double seconds) {
    return 8.0 * options.packetBytes() / seconds / group.spec().subscribers();
  }

  /** A share of less than a packet is no share: a part of it cannot be measured. */
  private static List<String> starving(Case group, double packetBps) {
    if (group.measured().deliveredBps() <= packetBps) {
      return List.of();
    }
    return List.of(
        String.format(
            Locale.ROOT,
            "%s got %s per subscriber, and no packet is predicted: what others are sent is worth"
                + " more and fills the line.",
            group.spec().name(),
            Figures.rate(group.measured().deliveredBps())));
  }

  /** The limits of the mechanism that a group comes near, whether or not they are the cause. */
  private static List<String> hints(Case group, DemoOptions options, double seconds) {
    List<String> hints = new ArrayList<>();
    String name = group.spec().name();
    double accepted = group.predictedBps() / group.demandBps();
    double packetBits = 8.0 * options.packetBytes();
    double gapSeconds = packetBits / group.demandBps();
    if (accepted * RandomRates.NUMBERS < 20) {
      hints.add(
          String.format(
              Locale.ROOT,
              "%s is sent %.0f times its share. The marker's random number has 16 bits, so what is"
                  + " accepted comes in steps of 1/65536 of the offer, here %s or %.0f %% of the"
                  + " share.",
              name,
              1 / accepted,
              Figures.rate(group.demandBps() / RandomRates.NUMBERS),
              100 / (accepted * RandomRates.NUMBERS)));
    }
    double deviation = deviation(group, options, seconds);
    if (deviation > SHARE_TOLERANCE / 3) {
      hints.add(
          String.format(
              Locale.ROOT,
              "%s is sent only %.0f packets in %s s; dropping them at random makes its rate"
                  + " uncertain by %.1f %% (one standard deviation). Measure longer (--seconds).",
              name,
              packets(group, options, seconds),
              Figures.number(seconds),
              100 * deviation));
    }
    if (gapSeconds > FILTER_SECONDS) {
      hints.add(
          String.format(
              Locale.ROOT,
              "%s is sent a packet every %.0f ms, and the marker's rate filter forgets within"
                  + " %.0f ms: it tells the rate by hardly more than the last gap.",
              name,
              1000 * gapSeconds,
              1000 * FILTER_SECONDS));
    }
    double lowestResolved = options.maxSubscriberRateBps() / 100_000.0;
    if (group.predictedBps() < lowestResolved) {
      hints.add(
          String.format(
              Locale.ROOT,
              "The share of %s is below %s, the upper end of the marker's lowest rate bin; within"
                  + " that bin all packets have the same value.",
              name,
              Figures.rate(lowestResolved)));
    }
    boolean isCongested = group.utilization() >= CONGESTED;
    if (!isCongested && group.grantedBps().isPresent()) {
      hints.add(
          String.format(
              Locale.ROOT,
              "The busiest line of %s was sending %.0f %% of the time and took nothing away: what"
                  + " %s lacks its limiter has kept or dropped.",
              name,
              100 * group.utilization(),
              name));
    } else if (hints.isEmpty() && group.getsAll() && isCongested) {
      hints.add(
          name
              + " asks for nearly its whole share; the congestion threshold swings around the value"
              + " that separates shares, and takes packets of those closest to it.");
    }
    return hints;
  }
}
