package net.sluice.intents.limit.fpga;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.policy.FlowOrder;
import net.sluice.intents.model.policy.TrafficClass;
import net.sluice.intents.model.policy.TrafficClasses;
import net.sluice.intents.plan.FpgaSetting.ClassShares;
import net.sluice.intents.plan.QueueId;

/**
 * The FPGA's numbers of a policy's classes. Classes with shares have the lowest, that of all other
 * packets first, because packets are of class 0 unless the switch says otherwise; those with
 * priorities follow, the first priority with the highest number, because of several classes before
 * all others the FPGA serves the highest first.
 *
 * @param byNumber the classes, by number
 */
public record ClassNumbers(List<TrafficClass> byNumber) {
  public ClassNumbers {
    byNumber = List.copyOf(byNumber);
  }

  /** The numbers of a policy's classes. */
  public static ClassNumbers of(TrafficClasses classes) {
    List<TrafficClass> byNumber = new ArrayList<>(classes.all());
    byNumber.sort(
        Comparator.comparingInt((TrafficClass each) -> -each.priority().orElse(Integer.MAX_VALUE))
            .thenComparing(each -> !each.isOfOthers()));
    return new ClassNumbers(byNumber);
  }

  /**
   * How classes share the bucket of a customer under a policy, see {@link ClassShares}. Where the
   * policy has none of its own, its light flows, which the switch puts into the highest class, and
   * all others, which are of class 0, get half of the bytes each if both want it: packet by packet
   * many small ones would wait for as many large ones.
   */
  static int shares(Policy policy) {
    if (policy.classes().any()) {
      return of(policy.classes()).word();
    }
    return policy.flowOrder() == FlowOrder.LIGHT_FIRST
        ? 1 << (QueueId.CLASSES - 1) * ClassShares.BITS | 1
        : 0;
  }

  /** How a customer's classes share its bucket, see {@link ClassShares}. */
  public int word() {
    int word = 0;
    for (int number = 0; number < byNumber.size(); number++) {
      int share = byNumber.get(number).share().orElse(ClassShares.FIRST);
      word |= share << number * ClassShares.BITS;
    }
    return word;
  }

  /** The class of each codepoint that is not class 0's. */
  public SortedMap<Integer, Integer> byDscp() {
    int others = 0;
    while (others < byNumber.size() && !byNumber.get(others).isOfOthers()) {
      others++;
    }
    SortedMap<Integer, Integer> byDscp = new TreeMap<>();
    for (int dscp = 0; dscp <= TrafficClass.MAX_DSCP && !byNumber.isEmpty(); dscp++) {
      byDscp.put(dscp, others);
    }
    for (int number = 0; number < byNumber.size(); number++) {
      for (int dscp : byNumber.get(number).dscp()) {
        byDscp.put(dscp, number);
      }
    }
    byDscp.values().removeIf(number -> number == 0);
    return byDscp;
  }
}
