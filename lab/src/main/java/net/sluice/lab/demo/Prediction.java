package net.sluice.lab.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import net.sluice.intents.share.WaterFilling;

/** The predicted rate of each group, from offered and granted rates only. */
public final class Prediction {
  private Prediction() {}

  /**
   * The fair shares.
   *
   * @param groups the groups
   * @param policies the policies by id
   * @param grantedBps granted rate limit of each group, empty for none
   * @param capacityBps what the bottleneck carries, in frame bits per second
   * @return frame bits per second of one subscriber of each group
   */
  public static List<Double> rates(
      List<GroupSpec> groups,
      Map<String, PolicySpec> policies,
      List<OptionalLong> grantedBps,
      double capacityBps) {
    List<WaterFilling.Group> demands = new ArrayList<>();
    for (int g = 0; g < groups.size(); g++) {
      GroupSpec group = groups.get(g);
      demands.add(
          new WaterFilling.Group(
              group.subscribers(),
              Math.min(group.offeredBps(), grantedBps.get(g).orElse(Long.MAX_VALUE)),
              policies.get(group.policy()).policy().function()));
    }
    return WaterFilling.divide(demands, capacityBps).ratesBps();
  }

  /**
   * The frame rate of a line.
   *
   * @param lineBps rate of the line, bit/s
   * @param frameBytes length of every frame
   * @param overheadBytes what each takes on the line beyond that
   */
  public static double capacityBps(long lineBps, int frameBytes, int overheadBytes) {
    return (double) lineBps * frameBytes / (frameBytes + overheadBytes);
  }
}
