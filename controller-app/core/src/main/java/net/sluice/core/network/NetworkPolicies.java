package net.sluice.core.network;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.policy.LikeFunction;
import net.sluice.intents.plan.Change;

/** Which policies and tariffs a network has, by those that are stored for its switches. */
final class NetworkPolicies {
  private NetworkPolicies() {}

  /**
   * The policies and tariffs stored for a switch.
   *
   * @param uses whether a subscriber of the switch has it, or may come to have it
   */
  record Holding(String switchName, Collection<Change.Put> policies, Predicate<Change> uses) {}

  /** The key by which a policy or tariff is told from the others. */
  static String key(Change change) {
    return change.kind() == Kind.POLICY ? change.id() : change.kind().words() + " " + change.id();
  }

  /**
   * The policies and tariffs by {@link #key}: of each, what it is at the first switch that has it.
   * One that only a switch that was away has, and does not use, was deleted meanwhile.
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
        if (!wasAway || isUsed(policy, holding)) {
          policies.putIfAbsent(key(policy), policy);
        }
      }
    }
    return policies;
  }

  private static boolean isUsed(Change.Put policy, Holding holding) {
    return holding.uses().test(policy)
        || policy.kind() == Kind.POLICY
            && holding.policies().stream()
                .anyMatch(
                    put -> like(put).equals(Optional.of(policy.id())) && holding.uses().test(put));
  }

  /**
   * The changes that give a switch the network's policies and tariffs and no others, in the order
   * in which there is room.
   *
   * @param here the policies that it has
   * @param policies the network's
   * @param otherwise is told of each policy that is another one here
   */
  static List<Change> changes(
      Collection<Change.Put> here,
      Map<String, Change.Put> policies,
      Consumer<Change.Put> otherwise) {
    List<Change> changes = new ArrayList<>();
    Map<String, Change.Put> left = new TreeMap<>(policies);
    for (Change.Put policy : here) {
      Change.Put inForce = left.get(key(policy));
      if (inForce == null) {
        changes.add(new Change.Delete(policy.kind(), policy.id()));
      } else if (inForce.equals(policy)) {
        left.remove(key(policy));
      } else {
        otherwise.accept(policy);
      }
    }
    changes.addAll(left.values());
    Set<String> alike = new HashSet<>();
    here.stream().filter(put -> like(put).isPresent()).forEach(put -> alike.add(put.id()));
    changes.sort(Comparator.comparing(change -> rank(change, alike)));
    return changes;
  }

  /** The place in the order: tariffs go first and come last, as they need policies. */
  private static int rank(Change change, Set<String> alike) {
    boolean comes = change instanceof Change.Put;
    if (change.kind() == Kind.TARIFF) {
      return comes ? 5 : 0;
    } else if (change instanceof Change.Put put && like(put).isPresent()) {
      return 4;
    } else if (alike.contains(change.id())) {
      return 1;
    }
    return comes ? 3 : 2;
  }

  /** The id of the policy that one is like. */
  private static Optional<String> like(Change.Put put) {
    return put.declaration() instanceof Policy policy
            && policy.function() instanceof LikeFunction like
        ? Optional.of(like.policyId())
        : Optional.empty();
  }
}
