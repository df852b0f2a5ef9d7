package net.sluice.lab.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Makes a {@link DemoReport} of a run; decides nothing but what {@link Verdict} says. */
final class DemoReports {
  private DemoReports() {}

  static DemoReport of(DemoOptions options, RunResult result, double wallSeconds) {
    List<DemoReport.Group> groups = new ArrayList<>();
    List<String> reasons = new ArrayList<>();
    double seconds = result.schedule().measuredSeconds();
    for (int g = 0; g < options.groups().size(); g++) {
      GroupSpec spec = options.groups().get(g);
      GroupMeasurement measured = result.groups().get(g);
      Verdict.Case one =
          new Verdict.Case(
              spec, result.grantedBps().get(g), result.predictedBps().get(g), measured);
      List<String> against = Verdict.reasons(one, options, seconds);
      reasons.addAll(against);
      groups.add(
          new DemoReport.Group(
              spec.name(),
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
              against.isEmpty()));
    }
    return new DemoReport(
        reasons.isEmpty(),
        options.seed(),
        seconds,
        wallSeconds,
        options.bottleneckBps(),
        result.utilization(),
        groups,
        result.schedule().warmUpSeconds(),
        options.packetBytes(),
        reasons);
  }

  private static Long orNull(OptionalLong value) {
    return value.isPresent() ? value.getAsLong() : null;
  }

  private static Double orNull(OptionalDouble value) {
    return value.isPresent() ? value.getAsDouble() : null;
  }
}
