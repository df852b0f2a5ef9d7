package net.sluice.core.engine;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import net.sluice.intents.plan.Change;

/** Which policies a network has, by those that are stored for its switches. */
final class NetworkPolicies {
  private NetworkPolicies() {}

  /**
   * The policies stored for a switch.
   *
   * @param uses whether a subscriber of the switch has the policy of that id
   */
  record Holding(String switchName, Collection<Change.Put> policies, Predicate<String> uses) {}

  /**
   * The policies by id: of each, what it is at the first switch that has it. What a switch that was
   * away has and nobody else, and does not use, was deleted meanwhile.
   *
   * @param byRight the switches, those with the older right first
   * @param lastSeen see {@link net.sluice.core.store.NetworkStore#lastSeen}
   */
  static Map<String, Change.Put> of(List<Holding> byRight, Map<String, Long> lastSeen) {
    Map<String, Change.Put> policies = new TreeMap<>();
    long last = lastSeen.getOrDefault(byRight.get(0).switchName(), 0L);
    for (Holding holding : byRight) {
      boolean wasAway = lastSeen.getOrDefault(holding.switchName(), 0L) < last;
      for (Change.Put policy : holding.policies()) {
        if (!wasAway || holding.uses().test(policy.id())) {
          policies.putIfAbsent(policy.id(), policy);
        }
      }
    }
    return policies;
  }
}
