package net.sluice.client;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.plan.Change;

/**
 * Groups of changes each of which can be made without the others: what takes ids, prefixes or tags
 * that another one gives up is in one group with it. Policies and tariffs are apart: those that are
 * put come first, and those that are deleted last.
 */
final class DependentChanges {
  /** The group of each number is that of the number which it leads to. */
  private final int[] leadsTo;

  private DependentChanges(int size) {
    leadsTo = new int[size];
    for (int i = 0; i < size; i++) {
      leadsTo[i] = i;
    }
  }

  /**
   * A change and what is declared before it.
   *
   * @param before empty if nothing is
   */
  interface Step {
    Change change();

    Optional<Declaration> declared();
  }

  /** The groups, in an order in which they can be made. */
  static <S extends Step> List<List<S>> groups(Collection<S> all) {
    List<S> comes = new ArrayList<>();
    List<S> goes = new ArrayList<>();
    List<S> others = new ArrayList<>();
    for (S each : all) {
      boolean isPut = each.change() instanceof Change.Put;
      (!each.change().kind().isOfNetwork() ? others : isPut ? comes : goes).add(each);
    }
    List<List<S>> groups = new ArrayList<>();
    groups.add(comes);
    groups.addAll(new DependentChanges(others.size()).apart(others));
    groups.add(goes);
    groups.removeIf(List::isEmpty);
    return groups;
  }

  private <S extends Step> Collection<List<S>> apart(List<S> all) {
    Map<Object, Integer> first = new HashMap<>();
    Map<IpPrefix, Integer> prefixes =
        new TreeMap<>(
            Comparator.comparing(IpPrefix::family)
                .thenComparing(IpPrefix::hi, Long::compareUnsigned)
                .thenComparing(IpPrefix::lo, Long::compareUnsigned)
                .thenComparingInt(IpPrefix::length));
    for (int i = 0; i < all.size(); i++) {
      Change change = all.get(i).change();
      join(first, List.of(change.kind(), change.id()), i);
      List<Declaration> sides = new ArrayList<>();
      all.get(i).declared().ifPresent(sides::add);
      if (change instanceof Change.Put put) {
        sides.add(put.declaration());
      }
      for (Declaration side : sides) {
        if (side instanceof Subscriber subscriber) {
          for (IpPrefix prefix : subscriber.prefixes()) {
            join(prefixes, prefix, i);
          }
          int number = i;
          subscriber.vlans().ifPresent(tags -> join(first, List.of("tag", tags.sVlan()), number));
        } else if (side instanceof RateLimit limit) {
          join(first, of(limit.scope()), i);
        }
      }
    }
    joinOverlapping(prefixes);
    Map<Integer, List<S>> groups = new LinkedHashMap<>();
    for (int i = 0; i < all.size(); i++) {
      groups.computeIfAbsent(groupOf(i), unused -> new ArrayList<>()).add(all.get(i));
    }
    return groups.values();
  }

  private static Object of(Scope scope) {
    return scope instanceof Scope.OfSubscriber of
        ? List.of(Kind.SUBSCRIBER, of.subscriberId())
        : "limits of trees and ports";
  }

  /** In this order a prefix comes after those that contain it, and before what they do not. */
  private void joinOverlapping(Map<IpPrefix, Integer> prefixes) {
    IpPrefix around = null;
    for (Map.Entry<IpPrefix, Integer> each : prefixes.entrySet()) {
      if (around != null && around.overlaps(each.getKey())) {
        join(prefixes.get(around), each.getValue());
      } else {
        around = each.getKey();
      }
    }
  }

  private <K> void join(Map<K, Integer> first, K key, int number) {
    Integer other = first.putIfAbsent(key, number);
    if (other != null) {
      join(other, number);
    }
  }

  private void join(int one, int other) {
    leadsTo[groupOf(one)] = groupOf(other);
  }

  private int groupOf(int number) {
    int group = number;
    while (leadsTo[group] != group) {
      leadsTo[group] = leadsTo[leadsTo[group]];
      group = leadsTo[group];
    }
    return group;
  }
}
