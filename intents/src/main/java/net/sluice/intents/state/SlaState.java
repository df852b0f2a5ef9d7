package net.sluice.intents.state;

import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.IpPrefix.Family;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Tariff;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.plan.Table;
import net.sluice.intents.profile.MarkerLayout;

/**
 * The declarations and allocations in force, as the compiler reads them. Implemented by stores; a
 * compile reads one consistent state and changes nothing.
 */
public interface SlaState {
  /** The policy with that id. */
  Optional<PolicyState> policy(String id);

  /** The policy in that slot; empty if there is none, whatever number that is. */
  Optional<PolicyState> policyInSlot(int slot);

  /** The subscriber with that id. */
  Optional<SubscriberState> subscriber(String id);

  /**
   * A subscriber as it was before changes that are planned together began, which it may have lost
   * for a while: it gets the same index, contract and allotment again where these are free. Empty
   * of a subscriber that was not there, and where changes are planned one by one.
   */
  default Optional<SubscriberState> formerly(String id) {
    return Optional.empty();
  }

  /** The tariff with that id. */
  Optional<Tariff> tariff(String id);

  /** All tariffs, by id. */
  Stream<Tariff> allTariffs();

  /** Number of subscribers that have a tariff. */
  int subscribersUnder(String tariffId);

  /** Some of these, at most {@code max}, in a stable order. */
  List<String> someSubscribersUnder(String tariffId, int max);

  /** The rate limit with that id. */
  Optional<RateLimit> rateLimit(String id);

  /**
   * The number by which the status of the rate limit with that id is kept, 0 or more; if there is
   * none, the one that it gets when it is put.
   */
  int limitNumber(String id);

  /** The rate limit of exactly that scope; there is at most one. */
  Optional<RateLimit> rateLimitOf(Scope scope);

  /**
   * A subscriber other than {@code exceptId} one of whose prefixes overlaps, as people are told of
   * it: its id, and where it is if that is another switch.
   */
  Optional<String> subscriberOverlapping(IpPrefix prefix, String exceptId);

  /** The id of the subscriber with that index; null if there is none. */
  String idOf(int index);

  /** The index of the subscriber that has exactly that prefix, or 0. */
  int indexWithPrefix(IpPrefix prefix);

  /** The index of a subscriber with those tags attached to one of these BNG ports, or 0. */
  int indexTagged(IntPredicate bngPorts, VlanTags vlans);

  /** Number of prefixes of the subscriber with that index. */
  int prefixesOf(int index);

  /** True if the subscriber with that index has VLAN tags. */
  boolean isTagged(int index);

  /** True if the subscriber with that index has another policy upstream than downstream. */
  boolean isSplit(int index);

  /**
   * The subscriber with that index as far as it is known without reading the store, with these
   * prefixes in place of its own: enough to compute the data of its entries.
   */
  SubscriberState outline(int index, List<IpPrefix> prefixes);

  /** The lowest free subscriber index from {@code from} on, 1 or more. */
  int lowestFreeIndex(int from);

  /**
   * Number of subscribers in an instance of the marker.
   *
   * @param instance its number, see {@link MarkerLayout}
   */
  int subscribersIn(int instance);

  /** Number of prefixes of a family of the subscribers in an instance of the marker. */
  int prefixesIn(Family family, int instance);

  /** The lowest free policy slot, 1 or more. */
  int nextPolicySlot();

  /** All subscribers attached to a BNG port. */
  Stream<SubscriberState> attachedTo(int port);

  /** All subscribers attached to a tree. */
  Stream<SubscriberState> attachedTo(int port, int tree);

  /** Number of subscribers that have a policy in a direction or both. */
  int subscribersUsing(String policyId);

  /** Number of subscribers attached to a BNG port that have a policy downstream. */
  int subscribersUsing(String policyId, int bngPort);

  /** All policies, by slot. */
  Stream<PolicyState> allPolicies();

  /**
   * Some subscribers that have a policy in a direction or both, at most {@code max}, in a stable
   * order.
   */
  List<String> someSubscribersUsing(String policyId, int max);

  /**
   * Number of subscribers that have other policies now and may come to have that one, or had it
   * before they were suspended.
   */
  int subscribersNaming(String policyId);

  /** Some of these, at most {@code max}; of very many that may be fewer. */
  List<String> someSubscribersNaming(String policyId, int max);

  /** Whether a subscriber has a policy, or may come to have it or to have it again. */
  default boolean isNeeded(String policyId) {
    return subscribersUsing(policyId) > 0 || subscribersNaming(policyId) > 0;
  }

  /** Number of subscribers. */
  int subscribers();

  /** Number of rate limits. */
  int rateLimits();

  /** Number of policies. */
  int policies();

  /**
   * Number of entries that subscribers have in a table: {@link Table#IPV4_PREFIX}, {@link
   * Table#IPV6_PREFIX}, {@link Table#VLAN}, {@link Table#SERVICE_VLAN}, {@link Table#ENCAPSULATION}
   * or {@link Table#DIRECTION_POLICY}.
   */
  default int subscriberEntries(Table table) {
    return switch (table) {
      case IPV4_PREFIX -> prefixes(Family.V4);
      case IPV6_PREFIX -> prefixes(Family.V6);
      case VLAN -> pairs();
      case SERVICE_VLAN -> tagged() - pairs();
      case ENCAPSULATION -> tagged();
      case DIRECTION_POLICY -> split();
      default -> 0;
    };
  }

  /** Number of prefixes of a family of all subscribers. */
  int prefixes(Family family);

  /** Number of subscribers with VLAN tags. */
  int tagged();

  /** Number of subscribers with a service and a customer VLAN. */
  int pairs();

  /** Number of subscribers that have another policy upstream than downstream. */
  int split();

  /** The ledger of that type, which a limiter or marker keeps; there is one of each. */
  <L extends Ledger> L ledger(Class<L> type);
}
