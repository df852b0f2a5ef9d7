package net.sluice.lab.demo;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import net.sluice.lab.demo.household.HouseholdReport;

/**
 * The result of a demo. The names of the components are the names in the JSON report.
 *
 * @param ok whether {@code reasons} is empty
 * @param seed seed of everything random in the run
 * @param virtualSeconds measured virtual time
 * @param wallSeconds wall time of the whole demo; the only number that differs between runs of a
 *     seed
 * @param bottleneckBps rate of the line that is predicted to take most away, bit/s; of one switch
 *     alone that of the port towards the subscribers
 * @param utilization share of the measured time during which that line was sending
 * @param groups one element per group, in the order given
 * @param warmUpSeconds virtual time before the measured time
 * @param packetBytes length of the frames
 * @param reasons why it is not ok, a sentence each
 * @param links all lines that the groups pass, in the order in which they come to them
 * @param household delays under a limit; null where no group has a limit, or several switches are
 */
public record DemoReport(
    boolean ok,
    long seed,
    double virtualSeconds,
    double wallSeconds,
    long bottleneckBps,
    double utilization,
    List<Group> groups,
    double warmUpSeconds,
    int packetBytes,
    List<String> reasons,
    List<LinkLoad> links,
    HouseholdReport household) {
  public DemoReport {
    groups = List.copyOf(groups);
    reasons = List.copyOf(reasons);
    links = List.copyOf(links);
    if (ok != reasons.isEmpty()) {
      throw new IllegalArgumentException("a demo is ok exactly when there is no reason against it");
    }
  }

  /**
   * One group. Rates are frame bits per second of one subscriber, losses are shares of the packets
   * sent.
   *
   * @param name the group's name
   * @param switchId the switch it is attached to
   * @param policy its policy
   * @param subscribers its size
   * @param offeredBps what each was sent
   * @param limitBps rate limit asked for, null for none
   * @param grantedLimitBps rate limit granted, null for none
   * @param predictedBps the fair share by water-filling, limited by what is offered and granted
   * @param deliveredBps what each received, mean over the group
   * @param deliveredBpsMin the least any of them received
   * @param deliveredBpsMax the most any of them received
   * @param loss share of the group's packets that did not arrive
   * @param queueDelayMicrosMean mean time in the queues of the lines it passes, null if no packet
   *     arrived
   * @param queueDelayMicrosP99 99th percentile of it, null if no packet arrived
   * @param lossBeyondLimit the loss that the rate limit does not cause: of a group that offers more
   *     than its limit, the loss behind the limiter; otherwise all of it
   * @param ok whether the group is within the tolerances as far as can be judged
   * @param worst the subscriber that received least
   * @param uncertainty half the 95 % confidence interval of the mean, as a share of {@code
   *     predictedBps}; null if nothing is predicted
   * @param uncertaintyOfOne the same of one subscriber's rate
   * @param notJudged why the group is too small or the time too short to be judged; null if not
   * @param limiter what enforces the rate limit, {@code fpga} or {@code police}, null for none
   */
  public record Group(
      String name,
      @JsonProperty("switch") String switchId,
      String policy,
      int subscribers,
      long offeredBps,
      Long limitBps,
      Long grantedLimitBps,
      double predictedBps,
      double deliveredBps,
      double deliveredBpsMin,
      double deliveredBpsMax,
      double loss,
      Double queueDelayMicrosMean,
      Double queueDelayMicrosP99,
      double lossBeyondLimit,
      boolean ok,
      String worst,
      Double uncertainty,
      Double uncertaintyOfOne,
      String notJudged,
      String limiter) {
    /** Demand of each: the smaller of what it is sent and its granted limit, bit/s. */
    double demandBps() {
      return grantedLimitBps == null ? offeredBps : Math.min(offeredBps, grantedLimitBps);
    }
  }

  /** Whether several switches took part. */
  boolean isOfSeveralSwitches() {
    return groups.stream().map(Group::switchId).distinct().count() > 1
        || links.stream().map(LinkLoad::switchId).distinct().count() > 1;
  }
}
