package net.sluice.intents.state;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.limit.CommittedRates;
import net.sluice.intents.limit.fpga.QueueLedger;
import net.sluice.intents.marker.aggregate.ContractLedger;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.IpPrefix.Family;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.Tariff;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.model.policy.LikeFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.StateDelta;
import net.sluice.intents.profile.MarkerLayout;
import net.sluice.intents.value.Direction;

/**
 * All declarations and allocations in memory, the reference of what a state must do: it keeps no
 * index and no count, but goes through all of them for every answer. Not thread-safe.
 */
public final class InMemorySlaState implements SlaState {
  private final Map<String, PolicyState> policies = new HashMap<>();
  private final Map<String, RateLimit> limits = new HashMap<>();
  private final TreeMap<String, Tariff> tariffs = new TreeMap<>();
  private final Map<String, Integer> limitNumbers = new HashMap<>();
  private final Map<String, SubscriberState> byId = new HashMap<>();
  private final TreeMap<Integer, SubscriberState> byIndex = new TreeMap<>();
  private final MarkerLayout markers;
  private final List<Ledger> ledgers;

  /** An empty state of a switch with one instance of the marker. */
  public InMemorySlaState() {
    this(MarkerLayout.undivided(MarkerLayout.MAX_SUBSCRIBERS));
  }

  /** An empty state of a switch whose markers are divided so. */
  public InMemorySlaState(MarkerLayout markers) {
    this(
        markers,
        List.of(new CommittedRates(), new QueueLedger(Optional::of), new ContractLedger()));
  }

  /** An empty state of a switch. */
  public InMemorySlaState(Compiler compiler) {
    this(compiler.switchProfile().markers(), compiler.newLedgers());
  }

  private InMemorySlaState(MarkerLayout markers, List<Ledger> ledgers) {
    this.markers = markers;
    this.ledgers = ledgers;
  }

  /**
   * Makes a plan's change and allocations the state's; the plan must be compiled from this state.
   */
  public void apply(Plan plan) {
    StateDelta delta = plan.delta();
    Change change = delta.change();
    if (change instanceof Change.Put put) {
      put(put.declaration(), delta);
    } else {
      delete(change);
    }
    for (StateDelta.Allotment each : delta.allotments()) {
      allot(each.subscriberIndex(), each.value());
    }
  }

  private void put(Declaration declaration, StateDelta delta) {
    int number = delta.number();
    if (declaration instanceof Subscriber subscriber) {
      putSubscriber(subscriber, number, delta.contract());
    } else if (declaration instanceof Policy policy) {
      policies.put(policy.id(), new PolicyState(policy, number));
    } else if (declaration instanceof Tariff tariff) {
      tariffs.put(tariff.id(), tariff);
    } else {
      removeLimit(declaration.id());
      putLimit((RateLimit) declaration);
    }
  }

  private void delete(Change change) {
    switch (change.kind()) {
      case SUBSCRIBER -> deleteSubscriber(byId.get(change.id()));
      case POLICY -> policies.remove(change.id());
      case TARIFF -> tariffs.remove(change.id());
      case RATE_LIMIT -> {
        limitNumbers.remove(change.id());
        removeLimit(change.id());
      }
    }
  }

  private void putSubscriber(Subscriber subscriber, int index, int contract) {
    SubscriberState old = byId.get(subscriber.id());
    if (old != null) {
      if (old.index() != index) {
        allot(old.index(), SubscriberState.NONE);
      }
      detach(old);
    }
    store(new SubscriberState(subscriber, index, SubscriberState.NONE).withContract(contract));
    if (old != null) {
      allot(index, old.allotment());
    }
    ledgers.forEach(ledger -> ledger.attach(byIndex.get(index), ownLimit(subscriber)));
  }

  private void deleteSubscriber(SubscriberState old) {
    allot(old.index(), SubscriberState.NONE);
    detach(old);
  }

  private void detach(SubscriberState old) {
    byId.remove(old.subscriber().id());
    byIndex.remove(old.index());
    ledgers.forEach(ledger -> ledger.detach(old, ownLimit(old.subscriber())));
  }

  private Optional<RateLimit> ownLimit(Subscriber subscriber) {
    return rateLimitOf(new Scope.OfSubscriber(subscriber.id()));
  }

  private void store(SubscriberState state) {
    byId.put(state.subscriber().id(), state);
    byIndex.put(state.index(), state);
  }

  private void allot(int index, int allotment) {
    SubscriberState old = byIndex.get(index);
    ledgers.forEach(ledger -> ledger.allot(index, old.allotment(), allotment));
    store(old.withAllotment(allotment));
  }

  private void putLimit(RateLimit limit) {
    limitNumbers.putIfAbsent(limit.id(), freeLimitNumber());
    limits.put(limit.id(), limit);
    ledgers.forEach(ledger -> ledger.put(limit, ownTree(limit)));
  }

  private void removeLimit(String id) {
    RateLimit old = limits.remove(id);
    if (old != null) {
      ledgers.forEach(ledger -> ledger.remove(old, ownTree(old)));
    }
  }

  private int ownTree(RateLimit limit) {
    SubscriberState of =
        limit.scope() instanceof Scope.OfSubscriber scope ? byId.get(scope.subscriberId()) : null;
    return of == null ? Ledger.NO_TREE : of.subscriber().attachment().treeIndex();
  }

  @Override
  public Optional<PolicyState> policy(String id) {
    return Optional.ofNullable(policies.get(id)).map(this::resolved);
  }

  private PolicyState resolved(PolicyState state) {
    return state.policy().function() instanceof LikeFunction like
        ? state.like(policies.get(like.policyId()))
        : state;
  }

  @Override
  public Optional<PolicyState> policyInSlot(int slot) {
    return allPolicies().filter(policy -> policy.slot() == slot).findAny();
  }

  @Override
  public Optional<SubscriberState> subscriber(String id) {
    return Optional.ofNullable(byId.get(id));
  }

  @Override
  public Optional<Tariff> tariff(String id) {
    return Optional.ofNullable(tariffs.get(id));
  }

  @Override
  public Stream<Tariff> allTariffs() {
    return tariffs.values().stream();
  }

  @Override
  public int subscribersUnder(String tariffId) {
    return (int) where(s -> isUnder(s, tariffId)).count();
  }

  @Override
  public List<String> someSubscribersUnder(String tariffId, int max) {
    return where(s -> isUnder(s, tariffId)).map(s -> s.subscriber().id()).limit(max).toList();
  }

  private static boolean isUnder(Subscriber subscriber, String tariffId) {
    return subscriber.parts().tariff().filter(use -> use.tariffId().equals(tariffId)).isPresent();
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
    return lowest(0, number -> !limitNumbers.containsValue(number));
  }

  private static int lowest(int from, IntPredicate free) {
    return IntStream.iterate(from, number -> number + 1).filter(free).findFirst().orElseThrow();
  }

  @Override
  public Optional<RateLimit> rateLimitOf(Scope scope) {
    return limits.values().stream().filter(limit -> limit.scope().equals(scope)).findAny();
  }

  private Stream<SubscriberState> where(Predicate<Subscriber> matches) {
    return byIndex.values().stream().filter(state -> matches.test(state.subscriber()));
  }

  private static int indexOf(Stream<SubscriberState> found) {
    return found.mapToInt(SubscriberState::index).findFirst().orElse(0);
  }

  @Override
  public Optional<String> subscriberOverlapping(IpPrefix prefix, String exceptId) {
    return where(s -> !s.id().equals(exceptId) && s.prefixes().stream().anyMatch(prefix::overlaps))
        .map(state -> state.subscriber().id())
        .findFirst();
  }

  @Override
  public int indexTagged(IntPredicate bngPorts, VlanTags vlans) {
    return indexOf(
        where(
            s ->
                s.vlans().isPresent()
                    && s.vlans().get().equals(vlans)
                    && bngPorts.test(s.attachment().port())));
  }

  @Override
  public int indexWithPrefix(IpPrefix prefix) {
    return indexOf(where(s -> s.prefixes().contains(prefix)));
  }

  @Override
  public String idOf(int index) {
    return byIndex.containsKey(index) ? byIndex.get(index).subscriber().id() : null;
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
  public boolean isSplit(int index) {
    return byIndex.get(index).subscriber().isSplit();
  }

  @Override
  public SubscriberState outline(int index, List<IpPrefix> prefixes) {
    SubscriberState known = byIndex.get(index);
    Subscriber of = known.subscriber();
    return new SubscriberState(
            new Subscriber(
                of.id(),
                of.policyId(),
                prefixes,
                of.vlans(),
                of.attachment(),
                of.parts().onTargets()),
            index,
            known.allotment())
        .withContract(known.contract());
  }

  @Override
  public int lowestFreeIndex(int from) {
    return lowest(from, index -> !byIndex.containsKey(index));
  }

  private Stream<SubscriberState> inInstance(int instance) {
    return allSubscribers().filter(state -> markers.instanceOf(state.index()) == instance);
  }

  @Override
  public int subscribersIn(int instance) {
    return (int) inInstance(instance).count();
  }

  @Override
  public int prefixesIn(Family family, int instance) {
    return prefixes(family, inInstance(instance));
  }

  private static int prefixes(Family family, Stream<SubscriberState> of) {
    return (int)
        of.flatMap(state -> state.subscriber().prefixes().stream())
            .filter(prefix -> prefix.family() == family)
            .count();
  }

  @Override
  public int nextPolicySlot() {
    // Slot 0 is reserved for "no policy".
    return lowest(1, slot -> policyInSlot(slot).isEmpty());
  }

  @Override
  public Stream<SubscriberState> attachedTo(int port) {
    return where(s -> s.attachment().port() == port);
  }

  @Override
  public Stream<SubscriberState> attachedTo(int port, int tree) {
    return where(s -> s.attachment().port() == port && s.attachment().tree() == tree);
  }

  /** All subscribers by rising index. */
  public Stream<SubscriberState> allSubscribers() {
    return byIndex.values().stream();
  }

  @Override
  public Stream<PolicyState> allPolicies() {
    return policies.values().stream()
        .map(this::resolved)
        .sorted(Comparator.comparingInt(PolicyState::slot));
  }

  /** All rate limits, in no order. */
  public Stream<RateLimit> allRateLimits() {
    return limits.values().stream();
  }

  @Override
  public int subscribersUsing(String policyId) {
    return (int) where(s -> has(s, policyId)).count();
  }

  private static boolean has(Subscriber subscriber, String policyId) {
    return subscriber.policyId().equals(policyId)
        || subscriber.policyId(Direction.UP).equals(policyId);
  }

  @Override
  public int subscribersUsing(String policyId, int bngPort) {
    return (int)
        attachedTo(bngPort).filter(s -> s.subscriber().policyId().equals(policyId)).count();
  }

  @Override
  public List<String> someSubscribersUsing(String policyId, int max) {
    return where(s -> has(s, policyId)).map(state -> state.subscriber().id()).limit(max).toList();
  }

  @Override
  public int subscribers() {
    return byId.size();
  }

  @Override
  public int policies() {
    return policies.size();
  }

  @Override
  public int prefixes(Family family) {
    return prefixes(family, allSubscribers());
  }

  @Override
  public int tagged() {
    return (int) where(s -> s.vlans().isPresent()).count();
  }

  @Override
  public int pairs() {
    return (int) where(s -> s.vlans().map(VlanTags::isPair).orElse(false)).count();
  }

  @Override
  public int split() {
    return (int) where(Subscriber::isSplit).count();
  }

  @Override
  public int subscribersNaming(String policyId) {
    return (int) naming(policyId).count();
  }

  @Override
  public List<String> someSubscribersNaming(String policyId, int max) {
    return naming(policyId).map(state -> state.subscriber().id()).limit(max).toList();
  }

  private Stream<SubscriberState> naming(String policyId) {
    return where(
        s -> {
          Set<String> named = new HashSet<>();
          for (Direction direction : Direction.values()) {
            s.policies(direction, (field, id) -> named.add(id));
          }
          return !has(s, policyId) && named.contains(policyId);
        });
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
