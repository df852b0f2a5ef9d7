package net.sluice.lab.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import net.sluice.intents.model.Enforcement;
import net.sluice.lab.demo.household.HouseholdReport;

/** Makes a {@link DemoReport} of a run; decides nothing but what {@link DemoVerdict} says. */
final class DemoReports {
  private DemoReports() {}

  static DemoReport of(DemoOptions options, RunResult result, double wallSeconds) {
    return of(options, result, Optional.empty(), wallSeconds);
  }

  /** The same with a household's delays. */
  static DemoReport of(
      DemoOptions options,
      RunResult result,
      Optional<HouseholdReport> household,
      double wallSeconds) {
    List<DemoReport.Group> groups = new ArrayList<>();
    List<String> reasons = new ArrayList<>();
    double seconds = result.schedule().measuredSeconds();
    for (int g = 0; g < options.groups().size(); g++) {
      GroupSpec spec = options.groups().get(g);
      GroupMeasurement measured = result.groups().get(g);
      DemoVerdict.Case one =
          new DemoVerdict.Case(
              spec,
              result.grantedBps().get(g),
              result.predictedBps().get(g),
              measured,
              utilization(result, spec.name()));
      List<String> against = DemoVerdict.reasons(one, options, seconds);
      reasons.addAll(against);
      groups.add(
          new DemoReport.Group(
              spec.name(),
              spec.switchId(),
              spec.policy(),
              spec.subscribers(),
              spec.offeredBps(),
              orNull(spec.limitBps()),
              orNull(result.grantedBps().get(g)),
              result.predictedBps().get(g),
              measured.deliveredBps(),
              measured.deliveredBpsMin(),
              measured.deliveredBpsMax(),
              measured.loss(),
              orNull(measured.queueDelayMicrosMean()),
              orNull(measured.queueDelayMicrosP99()),
              one.lossBeyondLimit(),
              against.isEmpty(),
              spec.subscriberId(measured.worst()),
              finiteOrNull(DemoVerdict.uncertainty(one, options, seconds)),
              finiteOrNull(DemoVerdict.uncertaintyOfOne(one, options, seconds)),
              DemoVerdict.notJudged(one, options, seconds).orElse(null),
              result.limiters().get(g).map(Enforcement::text).orElse(null)));
    }
    if (groups.stream().allMatch(group -> group.notJudged() != null)) {
      reasons.add("No group could be judged.");
    }
    household.ifPresent(shown -> reasons.addAll(shown.reasons()));
    return new DemoReport(
        reasons.isEmpty(),
        options.seed(),
        seconds,
        wallSeconds,
        result.bottleneck().rateBps(),
        result.utilization(),
        groups,
        result.schedule().warmUpSeconds(),
        options.packetBytes(),
        reasons,
        result.links(),
        household.orElse(null));
  }

  /** Of the busiest line that a group passes. */
  private static double utilization(RunResult result, String group) {
    return result.links().stream()
        .filter(link -> link.groups().contains(group))
        .mapToDouble(LinkLoad::utilization)
        .max()
        .orElse(0);
  }

  /** Of a share of next to nothing no part can be told. */
  private static Double finiteOrNull(double share) {
    return Double.isFinite(share) && share < 1e6 ? share : null;
  }

  private static Long orNull(OptionalLong value) {
    return value.isPresent() ? value.getAsLong() : null;
  }

  private static Double orNull(OptionalDouble value) {
    return value.isPresent() ? value.getAsDouble() : null;
  }
}
