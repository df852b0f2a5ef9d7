package net.sluice.intents.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.limit.fpga.QueueLedger;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.IpPrefix.Family;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.StateDelta;
import net.sluice.intents.plan.Table;
import net.sluice.intents.profile.MarkerLayout;

/**
 * All declarations and allocations in memory: the reference of what a state must do. Not
 * thread-safe.
 */
public final class InMemorySlaState implements SlaState {
  private static final int TREES = Attachment.TREES;

  private record TagKey(int bngPort, VlanTags vlans) {}

  private final Map<String, PolicyState> policies = new HashMap<>();
  private final BitSet policySlots = new BitSet();
  private final Map<String, Set<String>> policyUsers = new HashMap<>();
  private final Map<String, SubscriberState> subscribers = new HashMap<>();
  private final List<SubscriberState> byIndex = new ArrayList<>();
  private final SubscriberIndices indices;
  private final Map<String, RateLimit> limits = new HashMap<>();
  private final Map<Scope, RateLimit> limitByScope = new HashMap<>();
  private final Map<String, Integer> limitNumbers = new HashMap<>();
  private final List<Ledger> ledgers;
  private final PrefixIndex v4 = new PrefixIndex(Family.V4);
  private final PrefixIndex v6 = new PrefixIndex(Family.V6);
  private final Map<TagKey, String> tags = new HashMap<>();
  private final Map<Table, Integer> subscriberEntries = new EnumMap<>(Table.class);

  // Subscribers of a tree are a list, doubly linked through their indices; 0 ends it.
  private final int[] firstInTree = new int[TREES];
  private int[] nextInTree = new int[16];
  private int[] previousInTree = new int[16];

  /** An empty state of a switch with one instance of the marker. */
  public InMemorySlaState() {
    this(MarkerLayout.undivided(MarkerLayout.MAX_SUBSCRIBERS));
  }

  /** An empty state of a switch whose markers are divided so. */
  public InMemorySlaState(MarkerLayout markers) {
    this(markers, List.of(new QueueLedger(Optional::of)));
  }

  /** An empty state of a switch. */
  public InMemorySlaState(Compiler compiler) {
    this(compiler.switchProfile().markers(), compiler.newLedgers());
  }

  private InMemorySlaState(MarkerLayout markers, List<Ledger> ledgers) {
    this.ledgers = ledgers;
    indices = new SubscriberIndices(markers);
    // Number 0 is reserved for "no policy" and "no subscriber".
    policySlots.set(0);
    byIndex.add(null);
  }

  /**
   * Makes a plan's change and allocations the state's; the plan must be compiled from this state.
   */
  public void apply(Plan plan) {
    StateDelta delta = plan.delta();
    Change change = delta.change();
    if (change instanceof Change.Put put) {
      put(put.declaration(), delta.number());
    } else {
      delete(change, delta.number());
    }
    for (StateDelta.Allotment each : delta.allotments()) {
      allot(each.subscriberIndex(), each.value());
    }
  }

  private void put(Declaration declaration, int number) {
    if (declaration instanceof Subscriber subscriber) {
      putSubscriber(subscriber, number);
    } else if (declaration instanceof Policy policy) {
      policySlots.set(number);
      policies.put(policy.id(), new PolicyState(policy, number));
    } else {
      removeLimit(declaration.id());
      putLimit((RateLimit) declaration);
    }
  }

  private void delete(Change change, int number) {
    switch (change.kind()) {
      case SUBSCRIBER -> deleteSubscriber(subscribers.get(change.id()));
      case POLICY -> {
        policySlots.clear(number);
        policies.remove(change.id());
      }
      case RATE_LIMIT -> {
        limitNumbers.remove(change.id());
        removeLimit(change.id());
      }
    }
  }

  private void putSubscriber(Subscriber subscriber, int index) {
    SubscriberState old = subscribers.get(subscriber.id());
    int allotment = SubscriberState.NONE;
    if (old != null) {
      allotment = old.allotment();
      if (old.index() != index) {
        allot(old.index(), SubscriberState.NONE);
        byIndex.set(old.index(), null);
      }
      unindex(old);
    }
    while (byIndex.size() <= index) {
      byIndex.add(null);
    }
    PrefixCounts prefixes = PrefixCounts.of(subscriber.prefixes());
    indices.add(index, prefixes.v4(), prefixes.v6());
    store(new SubscriberState(subscriber, index, SubscriberState.NONE));
    allot(index, allotment);
    for (IpPrefix prefix : subscriber.prefixes()) {
      prefixes(prefix).insert(prefix, index);
      count(table(prefix), 1);
    }
    if (subscriber.vlans().isPresent()) {
      tags.put(tagKey(subscriber), subscriber.id());
      count(Table.VLAN, 1);
      count(Table.ENCAPSULATION, 1);
    }
    policyUsers
        .computeIfAbsent(subscriber.policyId(), id -> new LinkedHashSet<>())
        .add(subscriber.id());
    attach(treeIndex(subscriber), index);
    ledgers.forEach(ledger -> ledger.attach(byIndex.get(index), ownLimit(subscriber)));
  }

  private void deleteSubscriber(SubscriberState old) {
    allot(old.index(), SubscriberState.NONE);
    unindex(old);
    subscribers.remove(old.subscriber().id());
    byIndex.set(old.index(), null);
  }

  private void attach(int tree, int index) {
    if (index >= nextInTree.length) {
      int capacity = Math.max(index + 1, nextInTree.length + (nextInTree.length >> 1));
      nextInTree = Arrays.copyOf(nextInTree, capacity);
      previousInTree = Arrays.copyOf(previousInTree, capacity);
    }
    int first = firstInTree[tree];
    nextInTree[index] = first;
    previousInTree[index] = 0;
    if (first != 0) {
      previousInTree[first] = index;
    }
    firstInTree[tree] = index;
  }

  private void detach(int tree, int index) {
    int next = nextInTree[index];
    int previous = previousInTree[index];
    if (previous == 0) {
      firstInTree[tree] = next;
    } else {
      nextInTree[previous] = next;
    }
    if (next != 0) {
      previousInTree[next] = previous;
    }
  }

  private void unindex(SubscriberState old) {
    Subscriber subscriber = old.subscriber();
    for (IpPrefix prefix : subscriber.prefixes()) {
      prefixes(prefix).delete(prefix);
      count(table(prefix), -1);
    }
    if (subscriber.vlans().isPresent()) {
      tags.remove(tagKey(subscriber));
      count(Table.VLAN, -1);
      count(Table.ENCAPSULATION, -1);
    }
    PrefixCounts prefixes = PrefixCounts.of(subscriber.prefixes());
    indices.remove(old.index(), prefixes.v4(), prefixes.v6());
    policyUsers.get(subscriber.policyId()).remove(subscriber.id());
    detach(treeIndex(subscriber), old.index());
    ledgers.forEach(ledger -> ledger.detach(old, ownLimit(subscriber)));
  }

  private Optional<RateLimit> ownLimit(Subscriber subscriber) {
    return rateLimitOf(new Scope.OfSubscriber(subscriber.id()));
  }

  private void store(SubscriberState state) {
    subscribers.put(state.subscriber().id(), state);
    byIndex.set(state.index(), state);
  }

  private void allot(int index, int allotment) {
    SubscriberState old = byIndex.get(index);
    ledgers.forEach(ledger -> ledger.allot(index, old.allotment(), allotment));
    store(new SubscriberState(old.subscriber(), index, allotment));
  }

  private void putLimit(RateLimit limit) {
    limitNumbers.putIfAbsent(limit.id(), freeLimitNumber());
    limits.put(limit.id(), limit);
    limitByScope.put(limit.scope(), limit);
    ledgers.forEach(ledger -> ledger.put(limit, ownTree(limit)));
  }

  private void removeLimit(String id) {
    RateLimit old = limits.remove(id);
    if (old != null) {
      limitByScope.remove(old.scope());
      ledgers.forEach(ledger -> ledger.remove(old, ownTree(old)));
    }
  }

  private int ownTree(RateLimit limit) {
    SubscriberState of =
        limit.scope() instanceof Scope.OfSubscriber scope
            ? subscribers.get(scope.subscriberId())
            : null;
    return of == null ? Ledger.NO_TREE : treeIndex(of.subscriber());
  }

  private void count(Table table, int by) {
    subscriberEntries.merge(table, by, Integer::sum);
  }

  private PrefixIndex prefixes(IpPrefix prefix) {
    return prefix.family() == Family.V4 ? v4 : v6;
  }

  private static Table table(IpPrefix prefix) {
    return prefix.family() == Family.V4 ? Table.IPV4_PREFIX : Table.IPV6_PREFIX;
  }

  private static TagKey tagKey(Subscriber subscriber) {
    return new TagKey(subscriber.attachment().port(), subscriber.vlans().orElseThrow());
  }

  private static int treeIndex(Subscriber subscriber) {
    return subscriber.attachment().treeIndex();
  }

  @Override
  public Optional<PolicyState> policy(String id) {
    return Optional.ofNullable(policies.get(id));
  }

  @Override
  public Optional<PolicyState> policyInSlot(int slot) {
    return policies.values().stream().filter(policy -> policy.slot() == slot).findAny();
  }

  @Override
  public Optional<SubscriberState> subscriber(String id) {
    return Optional.ofNullable(subscribers.get(id));
  }

  @Override
  public Optional<RateLimit> rateLimit(String id) {
    return Optional.ofNullable(limits.get(id));
  }

  @Override
  public int limitNumber(String id) {
    return limitNumbers.getOrDefault(id, freeLimitNumber());
  }

  private int freeLimitNumber() {
    int number = 0;
    while (limitNumbers.containsValue(number)) {
      number++;
    }
    return number;
  }

  @Override
  public Optional<RateLimit> rateLimitOf(Scope scope) {
    return Optional.ofNullable(limitByScope.get(scope));
  }

  @Override
  public Optional<String> subscriberOverlapping(IpPrefix prefix, String exceptId) {
    SubscriberState except = subscribers.get(exceptId);
    int owner =
        prefixes(prefix).overlapping(prefix, except == null ? PrefixIndex.NONE : except.index());
    return owner == PrefixIndex.NONE
        ? Optional.empty()
        : Optional.of(byIndex.get(owner).subscriber().id());
  }

  @Override
  public int indexTagged(IntPredicate bngPorts, VlanTags vlans) {
    return IntStream.rangeClosed(0, Attachment.MAX_PORT)
        .filter(bngPorts)
        .mapToObj(bngPort -> tags.get(new TagKey(bngPort, vlans)))
        .filter(Objects::nonNull)
        .mapToInt(id -> subscribers.get(id).index())
        .findFirst()
        .orElse(0);
  }

  @Override
  public int indexWithPrefix(IpPrefix prefix) {
    int owner = prefixes(prefix).exact(prefix);
    return owner == PrefixIndex.NONE ? 0 : owner;
  }

  @Override
  public String idOf(int index) {
    return index < byIndex.size() && byIndex.get(index) != null
        ? byIndex.get(index).subscriber().id()
        : null;
  }

  @Override
  public int prefixesOf(int index) {
    return byIndex.get(index).subscriber().prefixes().size();
  }

  @Override
  public boolean isTagged(int index) {
    return byIndex.get(index).subscriber().vlans().isPresent();
  }

  @Override
  public SubscriberState outline(int index, List<IpPrefix> prefixes) {
    SubscriberState known = byIndex.get(index);
    Subscriber of = known.subscriber();
    return new SubscriberState(
        new Subscriber(of.id(), of.policyId(), prefixes, of.vlans(), of.attachment()),
        index,
        known.allotment());
  }

  @Override
  public int lowestFreeIndex(int from) {
    return indices.lowestFree(from);
  }

  @Override
  public int subscribersIn(int instance) {
    return indices.subscribersIn(instance);
  }

  @Override
  public int prefixesIn(Family family, int instance) {
    return indices.prefixesIn(family, instance);
  }

  @Override
  public int nextPolicySlot() {
    return policySlots.nextClearBit(1);
  }

  @Override
  public Stream<SubscriberState> attachedTo(int port) {
    return IntStream.rangeClosed(0, Attachment.MAX_TREE)
        .boxed()
        .flatMap(tree -> attachedTo(port, tree));
  }

  @Override
  public Stream<SubscriberState> attachedTo(int port, int tree) {
    return IntStream.iterate(
            firstInTree[new Attachment(port, tree).treeIndex()], i -> i != 0, i -> nextInTree[i])
        .mapToObj(byIndex::get);
  }

  /** All subscribers by rising index. */
  public Stream<SubscriberState> allSubscribers() {
    return indices.stream().mapToObj(byIndex::get);
  }

  @Override
  public Stream<PolicyState> allPolicies() {
    return policies.values().stream().sorted(Comparator.comparingInt(PolicyState::slot));
  }

  /** All rate limits, in no order. */
  public Stream<RateLimit> allRateLimits() {
    return limits.values().stream();
  }

  @Override
  public int subscribersUsing(String policyId) {
    return policyUsers.getOrDefault(policyId, Set.of()).size();
  }

  @Override
  public int subscribersUsing(String policyId, int bngPort) {
    return (int)
        policyUsers.getOrDefault(policyId, Set.of()).stream()
            .filter(id -> subscribers.get(id).subscriber().attachment().port() == bngPort)
            .count();
  }

  @Override
  public List<String> someSubscribersUsing(String policyId, int max) {
    return policyUsers.getOrDefault(policyId, Set.of()).stream().limit(max).toList();
  }

  @Override
  public int subscribers() {
    return subscribers.size();
  }

  @Override
  public int policies() {
    return policies.size();
  }

  @Override
  public int prefixes(Family family) {
    Table table = family == Family.V4 ? Table.IPV4_PREFIX : Table.IPV6_PREFIX;
    return subscriberEntries.getOrDefault(table, 0);
  }

  @Override
  public int tagged() {
    return subscriberEntries.getOrDefault(Table.VLAN, 0);
  }

  @Override
  public int rateLimits() {
    return limits.size();
  }

  @Override
  public <L extends Ledger> L ledger(Class<L> type) {
    return ledgers.stream().filter(type::isInstance).map(type::cast).findFirst().orElseThrow();
  }
}
