package net.sluice.lab.demo;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import net.sluice.intents.model.Enforcement;

/**
 * The result of a run; lists have one element per group, but for the lines.
 *
 * @param grantedBps rate limits as the controller granted them, empty for none
 * @param limiters what enforces them, empty for none
 * @param predictedBps fair shares, frame bits per second of one subscriber
 * @param schedule the virtual times
 * @param groups what the groups got
 * @param bottleneck the line that takes most away
 * @param links all lines that the groups pass
 * @param meter more of what was measured, for charts
 */
public record RunResult(
    List<OptionalLong> grantedBps,
    List<Optional<Enforcement>> limiters,
    List<Double> predictedBps,
    DemoPhases schedule,
    List<GroupMeasurement> groups,
    LinkLoad bottleneck,
    List<LinkLoad> links,
    Meter meter) {
  public RunResult {
    grantedBps = List.copyOf(grantedBps);
    limiters = List.copyOf(limiters);
    predictedBps = List.copyOf(predictedBps);
    groups = List.copyOf(groups);
    links = List.copyOf(links);
  }

  /** Share of the measured time during which the bottleneck was sending. */
  public double utilization() {
    return bottleneck.utilization();
  }
}
