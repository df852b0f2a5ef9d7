package net.sluice.core.state;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.sluice.core.store.IntentStore;
import net.sluice.core.store.StoreBatch;
import net.sluice.core.store.StoreException;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.compile.Revalidation;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.IpPrefix.Family;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.OptionalParts;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.Tariff;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.StateDelta;
import net.sluice.intents.profile.MarkerLayout;
import net.sluice.intents.state.Leaving;
import net.sluice.intents.state.Ledger;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.PrefixCounts;
import net.sluice.intents.state.PrefixIndex;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.state.SubscriberIndices;
import net.sluice.intents.state.SubscriberState;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;

/**
 * The declarations that a switch serves as the compiler reads them, in arrays of primitives by
 * subscriber index. What the compiler needs of all subscribers at once is in memory; the rest of
 * one subscriber comes from the store on demand.
 *
 * <p>A subscriber that leaves (see {@link Leaving}) is served like any other, and so is its own
 * rate limit; but neither is in force here: their ids and prefixes are none of the network's {@link
 * Names}.
 *
 * <p>Plans are applied here first. The caller takes what is to be stored by {@link #seal}, commits
 * it to the store and then calls {@link #committed}; meanwhile the next plans can be applied. Not
 * thread-safe.
 *
 * <p>More than 500 lines, because each change of a subscriber moves columns, indices, counts and
 * names together, and is undone in the same order.
 */
public final class CompactSlaState implements SlaState {
  private static final int NO_SLOT = -1;
  private static final int LOAD_CHUNK = 10_000;

  /** Most records that are read to name some subscribers in a message. */
  private static final int MOST_READ = 1_000;

  private final IntentStore store;
  private final Compiler compiler;
  private StoreBatch pending = new StoreBatch();
  private StoreBatch sealed = new StoreBatch();

  /** The state that this differs from; null of one that is in force or loaded. */
  private final CompactSlaState below;

  private final Policies policies;
  private final Tariffs tariffs;
  private final RateLimits limits;
  private final Ledger[] ledgers;

  /** Those that leave, by id. */
  private final Map<String, Departing> leaving = new HashMap<>();

  /** Prefixes of those that leave, with their indices. */
  private final PrefixIndex leavingV4;

  private final PrefixIndex leavingV6;

  private SwitchNames names;
  private final SubscriberColumns columns;
  private final Due due;
  private final SubscriberIndices indices;
  private int subscribers;
  private int prefixesV4;
  private int prefixesV6;
  private int tagged;
  private int pairs;
  private int split;
  private final SlotHash tags =
      new SlotHash() {
        @Override
        int hashOf(int number) {
          return mix(columns.packedTags(number));
        }
      };

  /** Undoes what is done, the last first; null unless that may be needed. */
  private Deque<Runnable> undo;

  /** Changes that are pending beside an {@link #attempt}, of those within another one first. */
  private final Deque<StoreBatch> attempts = new ArrayDeque<>();

  /** Between {@link #begin} and {@link #end}. */
  private boolean maybeUndone;

  /** Null unless changes are planned together. */
  private Former former;

  private record Departing(int index, Leaving leaving) {}

  /**
   * The parts of the state as they were before changes began that are planned together.
   *
   * @param subscribers those that were taken out, or had another allotment
   * @param limitNumbers numbers of the limits that were taken out
   */
  private record Former(
      Map<String, SubscriberState> subscribers,
      Map<String, Integer> limitNumbers,
      GivenBack indices) {
    Former() {
      this(new HashMap<>(), new HashMap<>(), new GivenBack());
    }
  }

  private CompactSlaState(IntentStore store, Compiler compiler) {
    this.store = store;
    this.compiler = compiler;
    below = null;
    policies = new Policies();
    tariffs = new Tariffs();
    limits = new RateLimits();
    ledgers = compiler.newLedgers().toArray(Ledger[]::new);
    leavingV4 = new PrefixIndex(Family.V4);
    leavingV6 = new PrefixIndex(Family.V6);
    names = Names.apart();
    columns = new SubscriberColumns();
    due = new Due(columns);
    indices = new SubscriberIndices(compiler.switchProfile().markers());
  }

  private CompactSlaState(CompactSlaState below, SupposedNames network) {
    store = below.store;
    compiler = below.compiler;
    this.below = below;
    policies = below.policies.copy();
    tariffs = below.tariffs.copy();
    limits = new RateLimits(below.limits);
    ledgers = Arrays.stream(below.ledgers).map(Ledger::copy).toArray(Ledger[]::new);
    leaving.putAll(below.leaving);
    leavingV4 = below.leavingV4.without(owner -> false);
    leavingV6 = below.leavingV6.without(owner -> false);
    names = network.of(below.part());
    columns = new SubscriberColumns(below.columns);
    due = new Due(columns);
    indices = new SubscriberIndices(below.indices);
    subscribers = below.subscribers;
    prefixesV4 = below.prefixesV4;
    prefixesV6 = below.prefixesV6;
    tagged = below.tagged;
    pairs = below.pairs;
    split = below.split;
    tags.copyFrom(below.tags);
    former = new Former();
  }

  /**
   * A state to suppose changes in that are planned together, as after {@link #begin}. It has what
   * differs, and a copy of what does not grow with the subscribers but in bits; so it holds only as
   * long as this state does not change, of which {@link Names#changes} tells. It is for the
   * compiler: what is due is not known, and nothing can be made durable.
   *
   * @param network names of all switches at which something is supposed
   */
  public CompactSlaState supposing(SupposedNames network) {
    return new CompactSlaState(this, network);
  }

  private Names.Part part() {
    if (names instanceof Names.Part part) {
      return part;
    }
    throw new IllegalStateException("names that are supposed are in no network");
  }

  /**
   * Builds the state of what a store holds.
   *
   * @param compiler says how the switch divides its subscribers, and what limiters keep
   * @throws StoreException if the store cannot be read or its records contradict each other
   */
  public static CompactSlaState load(IntentStore store, Compiler compiler) {
    CompactSlaState state = new CompactSlaState(store, compiler);
    state.loadAll(subscriber -> {});
    return state;
  }

  /**
   * As {@link #load(IntentStore, Compiler)}, on the way of which all that is stored is admitted
   * again. The state is to be used only if there are no misfits.
   */
  public static CompactSlaState load(
      IntentStore store, Compiler compiler, Revalidation readmission) {
    CompactSlaState state = new CompactSlaState(store, compiler);
    state.loadAll(subscriber -> readmission.admit(state, subscriber));
    readmission.admit(state, state.allPolicies().toList(), state.allRateLimits().toList());
    return state;
  }

  private void loadAll(Consumer<SubscriberState> beforeEach) {
    scan(
        (after, out) ->
            store.scanPolicies(
                after, 0, LOAD_CHUNK, p -> out.add(p.policy().id(), () -> policies.put(p))));
    scan(
        (after, out) ->
            store.scanTariffs(
                after, 0, LOAD_CHUNK, each -> out.add(each.id(), () -> tariffs.put(each))));
    scan(
        (after, out) ->
            store.scanRateLimits(after, 0, LOAD_CHUNK, l -> out.add(l.id(), () -> putLimit(l))));
    scan(
        (after, out) ->
            store.scanSubscribers(
                after,
                0,
                LOAD_CHUNK,
                s -> {
                  beforeEach.accept(s);
                  out.add(s.subscriber().id(), () -> addLoaded(s));
                }));
  }

  private interface Chunk {
    int read(String afterId, Loader out);
  }

  /** Remembers the last id and says which record is wrong. */
  private static final class Loader {
    private String last = "";

    void add(String id, Runnable record) {
      try {
        record.run();
      } catch (IllegalArgumentException | IllegalStateException e) {
        throw new StoreException(
            "the store contradicts itself at the record of " + id + ": " + e.getMessage(), e);
      }
      last = id;
    }
  }

  private static void scan(Chunk chunk) {
    Loader loader = new Loader();
    while (chunk.read(loader.last, loader) == LOAD_CHUNK) {
      continue;
    }
  }

  private void addLoaded(SubscriberState state) {
    if (state.index() < 1 || indices.contains(state.index())) {
      throw new IllegalStateException("index " + state.index() + " is taken");
    }
    Set<String> needed = named(state.subscriber());
    needed.addAll(inForce(state.subscriber()));
    needed.forEach(
        id -> {
          if (policies.get(id).isEmpty()) {
            throw new IllegalStateException("there is no policy " + id);
          }
        });
    state
        .subscriber()
        .parts()
        .tariff()
        .filter(use -> tariffs.get(use.tariffId()).isEmpty())
        .ifPresent(
            use -> {
              throw new IllegalStateException("there is no tariff " + use.tariffId());
            });
    add(state);
    allot(state.index(), state.allotment());
  }

  // ---------------------------------------------------------------- changes

  /**
   * Makes a plan compiled from this state the state's; what to store is of the next {@link #seal}.
   *
   * @return the number by which the status of the plan's declaration is kept: index, slot or number
   *     of the rate limit; of what is deleted, the one it had
   */
  public int apply(Plan plan) {
    names.changing();
    try {
      StateDelta delta = plan.delta();
      Change change = delta.change();
      int number =
          change instanceof Change.Put put
              ? put(put.declaration(), delta)
              : delete(change, delta.number());
      List<StateDelta.Allotment> allotments = delta.allotments();
      for (int i = 0; i < allotments.size(); i++) {
        allotAnew(allotments.get(i).subscriberIndex(), allotments.get(i).value());
      }
      return number;
    } finally {
      names.changed();
    }
  }

  private int put(Declaration declaration, StateDelta delta) {
    return switch (declaration.kind()) {
      case SUBSCRIBER -> putSubscriber((Subscriber) declaration, delta);
      case POLICY -> putPolicy(new PolicyState((Policy) declaration, delta.number()));
      case RATE_LIMIT -> putRateLimit((RateLimit) declaration);
      case TARIFF -> putTariff((Tariff) declaration);
    };
  }

  private int delete(Change change, int number) {
    return switch (change.kind()) {
      case SUBSCRIBER -> deleteSubscriber(existing(change.id()));
      case POLICY -> deletePolicy(change.id(), number);
      case RATE_LIMIT -> deleteRateLimit(change.id());
      case TARIFF -> deleteTariff(change.id());
    };
  }

  private int putSubscriber(Subscriber subscriber, StateDelta delta) {
    int index = delta.number();
    int allotment = SubscriberState.NONE;
    boolean keepsNames = false;
    if (delta.replaces()) {
      SubscriberState old = existing(subscriber.id());
      allotment = old.allotment();
      allot(old.index(), SubscriberState.NONE);
      // Given up for a moment, they could be taken at another switch.
      keepsNames =
          old.index() == index
              && old.leaving().isEmpty()
              && old.subscriber().prefixes().equals(subscriber.prefixes());
      remove(old, keepsNames);
      if (former != null && old.index() != index) {
        former.indices.hasMoved();
      }
    }
    SubscriberState state = new SubscriberState(subscriber, index, allotment, delta.contract());
    add(state, keepsNames);
    allot(index, allotment);
    pending.put(state);
    return index;
  }

  private int deleteSubscriber(SubscriberState old) {
    if (former != null) {
      former.subscribers.putIfAbsent(old.subscriber().id(), old);
      former.indices.add(old.index());
    }
    allot(old.index(), SubscriberState.NONE);
    remove(old);
    pending.deleteSubscriber(old.subscriber().id());
    return old.index();
  }

  private int putPolicy(PolicyState policy) {
    Optional<PolicyState> old = policies.get(policy.policy().id());
    policies.put(policy);
    if (undo != null) {
      undo.push(
          () ->
              old.ifPresentOrElse(
                  policies::put, () -> policies.remove(policy.policy().id(), policy.slot())));
    }
    pending.put(policy);
    return policy.slot();
  }

  private int deletePolicy(String id, int slot) {
    PolicyState old = policies.get(id).orElseThrow();
    policies.remove(id, slot);
    if (undo != null) {
      undo.push(() -> policies.put(old));
    }
    pending.deletePolicy(id);
    return slot;
  }

  private int putTariff(Tariff tariff) {
    Optional<Tariff> old = tariffs.get(tariff.id());
    tariffs.put(tariff);
    if (undo != null) {
      undo.push(() -> old.ifPresentOrElse(tariffs::put, () -> tariffs.remove(tariff.id())));
    }
    pending.put(tariff);
    return tariffs.numberOf(tariff.id());
  }

  private int deleteTariff(String id) {
    Tariff old = tariffs.get(id).orElseThrow();
    int number = tariffs.numberOf(id);
    tariffs.remove(id);
    if (undo != null) {
      undo.push(() -> tariffs.put(old));
    }
    pending.deleteTariff(id);
    return number;
  }

  private int putRateLimit(RateLimit limit) {
    putLimit(limit);
    pending.put(limit);
    return limits.numberOf(limit.id());
  }

  private int deleteRateLimit(String id) {
    int number = limits.numberOf(id);
    if (former != null) {
      former.limitNumbers.putIfAbsent(id, number);
    }
    removeLimit(id);
    pending.deleteRateLimit(id);
    return number;
  }

  private void add(SubscriberState state) {
    add(state, false);
  }

  /** {@code hasNames}: whether its names are in force already. */
  private void add(SubscriberState state, boolean hasNames) {
    Subscriber subscriber = state.subscriber();
    int index = state.index();
    int slot = policies.get(subscriber.policyId()).orElseThrow().slot();
    List<IpPrefix> prefixes = subscriber.prefixes();
    Optional<RateLimit> ownLimit = ownLimit(subscriber);
    boolean isLeaving = !hasNames && state.leaving().isPresent();
    if (isLeaving) {
      names.put(subscriber.id(), index);
      leaving.put(subscriber.id(), new Departing(index, state.leaving().get()));
      prefixes.forEach(prefix -> leavingPrefixes(prefix).insert(prefix, index));
    } else if (!hasNames) {
      names.enforce(subscriber.id(), index, prefixes);
    }
    if (ownLimit.isPresent()) {
      if (isLeaving) {
        names.liftLimit(ownLimit.get().id());
      } else {
        names.enforceLimit(ownLimit.get().id());
      }
    }
    columns.set(index, slot, subscriber.attachment(), subscriber.vlans(), prefixes.size());
    columns.parts(index, subscriber.parts());
    subscriber.parts().tariff().ifPresent(use -> tariff(index, use.tariffId()));
    if (subscriber.isSplit()) {
      int upstream = policies.get(subscriber.policyId(Direction.UP)).orElseThrow().slot();
      columns.upstreamSlot(index, upstream);
      policies.useUpstream(upstream, 1);
      split++;
    }
    columns.contract(index, state.contract());
    if (subscriber.isTimed()) {
      if (state.leaving().isEmpty()) {
        due.subscriber(index, subscriber);
      } else {
        due.leaving(index);
      }
      name(subscriber, 1);
    }
    PrefixCounts counts = PrefixCounts.of(prefixes);
    prefixesV4 += counts.v4();
    prefixesV6 += counts.v6();
    indices.add(index, counts.v4(), counts.v6());
    if (subscriber.vlans().isPresent()) {
      tags.add(index);
      tagged++;
      pairs += subscriber.vlans().get().isPair() ? 1 : 0;
    }
    policies.use(slot, subscriber.attachment().port());
    subscribers++;
    for (Ledger ledger : ledgers) {
      ledger.attach(state, ownLimit);
    }
    if (undo != null) {
      undo.push(() -> remove(state, hasNames));
    }
  }

  private void remove(SubscriberState old) {
    remove(old, false);
  }

  private void remove(SubscriberState old, boolean keepsNames) {
    int index = old.index();
    List<IpPrefix> prefixes = old.subscriber().prefixes();
    Optional<RateLimit> ownLimit = ownLimit(old.subscriber());
    for (Ledger ledger : ledgers) {
      ledger.detach(old, ownLimit);
    }
    if (old.subscriber().isTimed()) {
      name(old.subscriber(), -1);
      due.removeSubscriber(index);
    }
    PrefixCounts counts = PrefixCounts.of(prefixes);
    prefixesV4 -= counts.v4();
    prefixesV6 -= counts.v6();
    indices.remove(index, counts.v4(), counts.v6());
    if (columns.packedTags(index) != 0) {
      pairs -= columns.vlans(index).get().isPair() ? 1 : 0;
      tags.remove(index);
      tagged--;
    }
    policies.leave(columns.policySlot(index), columns.attachment(index).port());
    if (isSplit(index)) {
      policies.useUpstream(columns.upstreamSlot(index), -1);
      split--;
    }
    subscribers--;
    if (!keepsNames) {
      if (leaving.remove(old.subscriber().id()) == null) {
        names.lift(index, prefixes);
      } else {
        prefixes.forEach(prefix -> leavingPrefixes(prefix).delete(prefix));
      }
      names.remove(index);
    }
    if (columns.tariff(index) != 0) {
      tariffs.use(columns.tariff(index), -1);
    }
    columns.clear(index);
    if (undo != null) {
      undo.push(() -> add(old, keepsNames));
    }
  }

  private void tariff(int index, String id) {
    int number = tariffs.numberOf(id);
    columns.tariff(index, number);
    tariffs.use(number, 1);
  }

  private void name(Subscriber subscriber, int by) {
    named(subscriber).forEach(id -> policies.name(policies.get(id).orElseThrow().slot(), by));
  }

  /** The policies that a subscriber may come to have, without those that it has. */
  private static Set<String> named(Subscriber subscriber) {
    Set<String> named = new HashSet<>();
    if (subscriber.isTimed()) {
      for (Direction direction : Direction.values()) {
        subscriber.policies(direction, (field, id) -> named.add(id));
      }
      named.removeAll(inForce(subscriber));
    }
    return named;
  }

  private static Set<String> inForce(Subscriber subscriber) {
    return new HashSet<>(List.of(subscriber.policyId(), subscriber.policyId(Direction.UP)));
  }

  private void putLimit(RateLimit limit) {
    putLimit(limit, limitNumber(limit.id()));
  }

  private void putLimit(RateLimit limit, int number) {
    Optional<RateLimit> old = limits.get(limit.id());
    int oldNumber = limits.numberOf(limit.id());
    takeOut(limit.id());
    limits.put(limit, number);
    int tree = ownTree(limit);
    for (Ledger ledger : ledgers) {
      ledger.put(limit, tree);
    }
    if (isLeaving(limit)) {
      names.liftLimit(limit.id());
    } else {
      names.enforceLimit(limit.id());
    }
    if (limit.isTimed()) {
      due.limit(limit.id(), limit);
    }
    if (undo != null) {
      undo.push(
          () -> old.ifPresentOrElse(of -> putLimit(of, oldNumber), () -> removeLimit(limit.id())));
    }
  }

  private void removeLimit(String id) {
    Optional<RateLimit> old = limits.get(id);
    int number = limits.numberOf(id);
    takeOut(id);
    names.liftLimit(id);
    if (undo != null && old.isPresent()) {
      undo.push(() -> putLimit(old.get(), number));
    }
  }

  private void takeOut(String limitId) {
    limits.get(limitId).ifPresent(this::removeFromLedgers);
    limits.remove(limitId);
    due.removeLimit(limitId);
  }

  private void removeFromLedgers(RateLimit limit) {
    int tree = ownTree(limit);
    for (Ledger ledger : ledgers) {
      ledger.remove(limit, tree);
    }
  }

  private boolean isLeaving(RateLimit limit) {
    return limit.scope() instanceof Scope.OfSubscriber of && leaving.containsKey(of.subscriberId());
  }

  private Optional<RateLimit> ownLimit(Subscriber subscriber) {
    return limits.size() == 0
        ? Optional.empty()
        : limits.of(new Scope.OfSubscriber(subscriber.id()));
  }

  /** While loading, limits come before their subscribers. */
  private int ownTree(RateLimit limit) {
    int index = limit.scope() instanceof Scope.OfSubscriber of ? indexOf(of.subscriberId()) : 0;
    return index == 0 ? Ledger.NO_TREE : columns.treeIndex(index);
  }

  private void allotAnew(int index, int allotment) {
    SubscriberState old = existing(names.id(index));
    if (former != null) {
      former.subscribers.putIfAbsent(old.subscriber().id(), old);
    }
    allot(index, allotment);
    pending.put(old.withAllotment(allotment));
  }

  private void allot(int index, int allotment) {
    int before = columns.allotment(index);
    if (allotment == before) {
      return;
    }
    columns.allotment(index, allotment);
    for (Ledger ledger : ledgers) {
      ledger.allot(index, before, allotment);
    }
    if (undo != null) {
      undo.push(() -> allot(index, before));
    }
  }

  /**
   * Has a subscriber in force leave for another switch, or one that leaves wait for another one;
   * its own rate limit goes with it. What the targets hold stays as it is.
   */
  public void leave(String subscriberId, Leaving towards) {
    names.changing();
    try {
      SubscriberState old = existing(subscriberId);
      SubscriberState departing = old.withLeaving(Optional.of(towards));
      allot(old.index(), SubscriberState.NONE);
      remove(old);
      add(departing);
      allot(departing.index(), departing.allotment());
      pending.put(departing);
    } finally {
      names.changed();
    }
  }

  /**
   * Begins changes that may be undone, when nothing has been applied since the last {@link #seal}.
   *
   * @param steps is given what undoes each step, the last first; those of several switches share it
   * @param together whether what is taken out gets again what it had, see {@link #formerly}
   */
  public void begin(Deque<Runnable> steps, boolean together) {
    names.changing();
    maybeUndone = true;
    undo = steps;
    former = together ? new Former() : null;
  }

  /** Ends changes that may be undone: they stay, or have been undone. */
  public void end(boolean isUndone) {
    if (maybeUndone) {
      names.changed();
    }
    maybeUndone = false;
    undo = null;
    former = null;
    if (isUndone) {
      pending = new StoreBatch();
    }
  }

  /**
   * Begins changes that may be undone alone, among others that stay, and perhaps among others that
   * may be undone themselves. Nothing is planned between it and {@link Attempt#stays} or {@link
   * Attempt#undo} but these.
   */
  public Attempt attempt() {
    return new Attempt();
  }

  /** Changes that may be undone alone. */
  public final class Attempt {
    private final StoreBatch before = pending;
    private final Deque<Runnable> outer = undo;
    private final Deque<Runnable> own = new ArrayDeque<>();

    private Attempt() {
      names.changing();
      pending = new StoreBatch();
      attempts.push(before);
      undo = own;
    }

    /** They stay. */
    public void stays() {
      before.add(pending);
      if (outer != null) {
        own.descendingIterator().forEachRemaining(outer::push);
      }
      end();
    }

    /** They are undone. */
    public void undo() {
      undo = null;
      own.forEach(Runnable::run);
      end();
    }

    private void end() {
      pending = attempts.pop();
      undo = outer;
      names.changed();
    }
  }

  /** The indices that changes planned together have given back, and that are free. */
  public BitSet givenBack() {
    return former.indices.free(indices::contains);
  }

  /** Before the steps are undone. */
  public void stopRecording() {
    undo = null;
  }

  /**
   * Takes out of the state, and of the store, what may not be in force here; with a subscriber goes
   * its own rate limit.
   *
   * @param out is given what was taken out
   */
  public void setAside(List<Names.Collision> collisions, StoreBatch out) {
    for (Names.Collision collision : collisions) {
      if (collision.kind() == Kind.SUBSCRIBER) {
        SubscriberState state = existing(collision.id());
        ownLimit(state.subscriber()).ifPresent(limit -> setAside(limit, out));
        out.put(state);
        int unused = deleteSubscriber(state);
      } else {
        limits.get(collision.id()).ifPresent(limit -> setAside(limit, out));
      }
    }
  }

  private void setAside(RateLimit limit, StoreBatch out) {
    if (Tariff.subscriberOf(limit.id()).isEmpty()) {
      out.put(limit);
    }
    try {
      // Planned as a deletion is, so that whoever was under it gives back what it had for it.
      int unused = apply(compiler.compile(this, new Change.Delete(Kind.RATE_LIMIT, limit.id())));
    } catch (Refusal refusal) {
      throw new IllegalStateException("a rate limit in force cannot be deleted", refusal);
    }
  }

  /**
   * Gives back to the network the names of what was applied and is not in the store. The state is
   * not to be used any more: it is to be loaded again.
   */
  public void withdraw() {
    names.changing();
    try {
      for (StoreBatch batch : List.of(pending, sealed)) {
        for (String id : batch.subscribers().keySet()) {
          int index = names.find(id);
          if (index != 0) {
            names.lift(index, existing(id).subscriber().prefixes());
          }
        }
        batch.rateLimits().keySet().forEach(names::liftLimit);
      }
    } finally {
      names.changed();
    }
  }

  /**
   * The declarations that cannot be in force here, because another switch of the network has their
   * names.
   */
  public List<Names.Collision> collisions(Names network, String switchName) {
    return network.collisions(switchName, part());
  }

  /**
   * Brings the names that are in force here into the network's, in place of those that the switch
   * had there.
   *
   * @return {@link #collisions}; if there are any, nothing has changed
   */
  public List<Names.Collision> join(Names network, String switchName) {
    return network.adopt(switchName, part(), part -> names = part);
  }

  /** The records applied since the last call, to be committed; the batch before it has been. */
  public StoreBatch seal() {
    if (!sealed.isEmpty()) {
      throw new IllegalStateException("the batch before is not committed yet");
    }
    sealed = pending;
    pending = new StoreBatch(sealed);
    return sealed;
  }

  /** Tells that what {@link #seal} returned is now in the store. */
  public void committed() {
    sealed = new StoreBatch();
  }

  // ---------------------------------------------------------------- beyond SlaState

  /** The index of a subscriber that is served here, in force or leaving; 0 if there is none. */
  public int indexOf(String subscriberId) {
    int index = names.find(subscriberId);
    if (index == 0 && !leaving.isEmpty()) {
      Departing departing = leaving.get(subscriberId);
      index = departing == null ? 0 : departing.index;
    }
    return index;
  }

  /** Whether a declaration is in force here; false for what leaves, and what there is not. */
  public boolean isInForce(Kind kind, String id) {
    return switch (kind) {
      case POLICY -> policies.get(id).isPresent();
      case SUBSCRIBER -> names.find(id) != 0;
      case RATE_LIMIT -> limits.get(id).filter(limit -> !isLeaving(limit)).isPresent();
      case TARIFF -> tariffs.get(id).isPresent();
    };
  }

  /** Number of declarations of a kind in force here. */
  public int inForce(Kind kind) {
    return switch (kind) {
      case POLICY -> policies.size();
      case SUBSCRIBER -> subscribers - leaving.size();
      case RATE_LIMIT -> limits.size() - leavingLimits();
      case TARIFF -> tariffs.size();
    };
  }

  private int leavingLimits() {
    return limits.size() == 0
        ? 0
        : (int)
            leaving.keySet().stream()
                .filter(id -> limits.of(new Scope.OfSubscriber(id)).isPresent())
                .count();
  }

  /** Why a subscriber leaves; empty if it does not. */
  public Optional<Leaving> leaving(String subscriberId) {
    return Optional.ofNullable(leaving.get(subscriberId)).map(Departing::leaving);
  }

  /** Those that leave, by id; a copy. */
  public Map<String, Leaving> leaving() {
    Map<String, Leaving> all = new TreeMap<>();
    leaving.forEach((id, departing) -> all.put(id, departing.leaving));
    return all;
  }

  /** Number of subscribers that leave. */
  public int leavers() {
    return leaving.size();
  }

  @Override
  public String idOf(int index) {
    return indices.contains(index) ? names.id(index) : null;
  }

  /**
   * A time before which nothing is due, as milliseconds of the epoch; {@link Long#MAX_VALUE} if
   * nothing ever is.
   */
  public long dueMillis() {
    return due.earliestMillis();
  }

  /**
   * The changes that are due by now.
   *
   * @param all whether every declaration is looked at, because the clock was put back
   */
  public Agenda agenda(Instant now, boolean all) {
    return new Agenda(this, now, all);
  }

  /** As {@link Due#take}. */
  void takeDue(
      Instant now,
      boolean all,
      ObjLongConsumer<Integer> ofSubscriber,
      ObjLongConsumer<String> ofLimit) {
    due.take(now.toEpochMilli(), all, ofSubscriber, ofLimit);
  }

  /** The subscriber in force with that index, if it is not always treated alike. */
  Optional<Subscriber> timedSubscriber(int index) {
    return columns.timed().get(index)
        ? Optional.of(existing(names.id(index)))
            .filter(state -> state.leaving().isEmpty())
            .map(SubscriberState::subscriber)
        : Optional.empty();
  }

  /** As {@link Due#allOut}. */
  Due.Out[] outOfForce() {
    return due.allOut();
  }

  /** Number of declarations that are out of force for now. */
  public int countOutOfForce() {
    return due.outOfForce();
  }

  /** The declaration that is out of force for the longest time. */
  public Optional<? extends Declaration> longestOutOfForce() {
    Optional<Due.Out> first = due.firstOut();
    return first.isEmpty() || first.get().kind() == Kind.SUBSCRIBER
        ? first.flatMap(out -> timedSubscriber(out.index()))
        : rateLimit(first.get().limitId());
  }

  /** True if a subscriber has that index. */
  public boolean isUsed(int index) {
    return indices.contains(index);
  }

  /** Higher than every index in use. */
  public int indexEnd() {
    return indices.end();
  }

  @Override
  public int prefixesOf(int index) {
    return columns.prefixes(index);
  }

  @Override
  public boolean isTagged(int index) {
    return columns.packedTags(index) != 0;
  }

  @Override
  public boolean isSplit(int index) {
    return columns.upstreamSlot(index) != 0;
  }

  /** The id of the policy that values what goes to the subscriber, or comes from it. */
  public String policyIdOf(int index, Direction direction) {
    int upstream = direction == Direction.UP ? columns.upstreamSlot(index) : 0;
    int slot = upstream == 0 ? columns.policySlot(index) : upstream;
    return policies.inSlot(slot).policy().id();
  }

  /** Where the subscriber is attached. */
  public Attachment attachmentOf(int index) {
    return columns.attachment(index);
  }

  @Override
  public int indexWithPrefix(IpPrefix prefix) {
    int departing = leavingPrefixes(prefix).exact(prefix);
    return departing == PrefixIndex.NONE ? names.exactOwner(prefix) : departing;
  }

  @Override
  public int indexTagged(IntPredicate bngPorts, VlanTags vlans) {
    int packed = SubscriberColumns.pack(vlans);
    return tags.find(
        SlotHash.mix(packed),
        n -> columns.packedTags(n) == packed && bngPorts.test(columns.attachment(n).port()));
  }

  @Override
  public SubscriberState outline(int index, List<IpPrefix> prefixes) {
    OptionalParts parts = columns.parts(index);
    if (isSplit(index)) {
      PolicyState upstream = policies.inSlot(columns.upstreamSlot(index));
      parts = parts.withUpstreamPolicy(Optional.of(upstream.policy().id()));
    }
    return new SubscriberState(
            new Subscriber(
                names.id(index),
                policies.inSlot(columns.policySlot(index)).policy().id(),
                prefixes,
                columns.vlans(index),
                columns.attachment(index),
                parts),
            index,
            columns.allotment(index))
        .withContract(columns.contract(index));
  }

  @Override
  public Optional<PolicyState> policyInSlot(int slot) {
    return Optional.ofNullable(policies.inSlot(slot));
  }

  @Override
  public Stream<PolicyState> allPolicies() {
    return policies.all();
  }

  /** The number of the rate limit of a scope, or -1. */
  public int limitNumber(Scope scope) {
    return limits.numberOf(scope);
  }

  /** The rate limit with that number; null if there is none. */
  public String limitId(int number) {
    return limits.idOf(number);
  }

  @Override
  public int rateLimits() {
    return limits.size();
  }

  /** Ids of all rate limits, in no order. */
  public Stream<String> rateLimitIds() {
    return limits.ids();
  }

  private Stream<RateLimit> allRateLimits() {
    return limits.ids().sorted().map(id -> limits.get(id).orElseThrow());
  }

  /** Bytes of the arrays that grow with the number of subscribers. */
  public long bytes() {
    return names.bytes() + columns.bytes() + tags.bytes() + indices.bytes();
  }

  // ---------------------------------------------------------------- SlaState

  @Override
  public Optional<PolicyState> policy(String id) {
    return policies.get(id);
  }

  @Override
  public Optional<Tariff> tariff(String id) {
    return tariffs.get(id);
  }

  @Override
  public Stream<Tariff> allTariffs() {
    return tariffs.all();
  }

  @Override
  public int subscribersUnder(String tariffId) {
    return tariffs.users(tariffId);
  }

  @Override
  public List<String> someSubscribersUnder(String tariffId, int max) {
    return indicesUnder(tariffId).limit(max).mapToObj(names::id).toList();
  }

  /** Indices of the subscribers that have a tariff, rising. */
  public IntStream indicesUnder(String tariffId) {
    if (tariffs.users(tariffId) == 0) {
      return IntStream.empty();
    }
    int number = tariffs.numberOf(tariffId);
    return indicesWhere(index -> columns.tariff(index) == number);
  }

  @Override
  public Optional<SubscriberState> formerly(String id) {
    return former == null ? Optional.empty() : Optional.ofNullable(former.subscribers.get(id));
  }

  @Override
  public Optional<SubscriberState> subscriber(String id) {
    return indexOf(id) == 0 ? Optional.empty() : Optional.of(existing(id));
  }

  /** The subscriber with an index that is used. */
  public SubscriberState at(int index) {
    return existing(names.id(index));
  }

  private SubscriberState existing(String id) {
    Optional<SubscriberState> changed = pending.subscribers().get(id);
    if (changed == null && !attempts.isEmpty()) {
      for (StoreBatch batch : attempts) {
        changed = changed == null ? batch.subscribers().get(id) : changed;
      }
    }
    if (changed == null) {
      changed = sealed.subscribers().get(id);
    }
    if (changed == null && below != null) {
      return below.existing(id);
    }
    Optional<SubscriberState> state = changed != null ? changed : store.subscriber(id);
    Supplier<StoreException> lost =
        () -> new StoreException("the store has lost the record of subscriber " + id);
    return state.orElseThrow(lost);
  }

  @Override
  public Optional<RateLimit> rateLimit(String id) {
    return limits.get(id);
  }

  @Override
  public int limitNumber(String id) {
    int number = limits.numberOf(id);
    if (number >= 0) {
      return number;
    }
    Integer had = former == null ? null : former.limitNumbers.get(id);
    return had != null && limits.idOf(had) == null ? had : limits.freeNumber();
  }

  @Override
  public Optional<RateLimit> rateLimitOf(Scope scope) {
    return limits.of(scope);
  }

  @Override
  public Optional<String> subscriberOverlapping(IpPrefix prefix, String exceptId) {
    Optional<String> inForce = names.overlapping(prefix, exceptId).map(Names.Owner::toString);
    if (inForce.isPresent() || leaving.isEmpty()) {
      return inForce;
    }
    Departing self = leaving.get(exceptId);
    int departing =
        leavingPrefixes(prefix).overlapping(prefix, self == null ? PrefixIndex.NONE : self.index);
    if (departing == PrefixIndex.NONE) {
      return Optional.empty();
    }
    String id = names.id(departing);
    return Optional.of(
        id + ", who is served here until switch " + leaving.get(id).leaving.toSwitch() + " does");
  }

  @Override
  public int lowestFreeIndex(int from) {
    int lowest = indices.lowestFree(from);
    if (former == null || !former.indices.contains(lowest)) {
      return lowest;
    }
    // What was counted under it is not another one's.
    MarkerLayout layout = compiler.switchProfile().markers();
    int other = former.indices.lowestOther(from, indices::lowestFree);
    boolean fits =
        other <= compiler.switchProfile().subscriberCapacity()
            && layout.instanceOf(other) == layout.instanceOf(from);
    return fits ? other : lowest;
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
    return policies.nextSlot();
  }

  @Override
  public Stream<SubscriberState> attachedTo(int port) {
    return where(index -> columns.attachment(index).port() == port);
  }

  @Override
  public Stream<SubscriberState> attachedTo(int port, int tree) {
    int wanted = new Attachment(port, tree).treeIndex();
    return where(index -> columns.treeIndex(index) == wanted);
  }

  private Stream<SubscriberState> where(IntPredicate matches) {
    return indicesWhere(matches).mapToObj(index -> existing(names.id(index)));
  }

  /** Indices in use that match, rising. */
  public IntStream indicesWhere(IntPredicate matches) {
    return indices.stream().filter(matches);
  }

  @Override
  public int subscribersUsing(String policyId) {
    return policies.get(policyId).map(policy -> policies.users(policy.slot())).orElse(0);
  }

  @Override
  public int subscribersUsing(String policyId, int bngPort) {
    return policies.get(policyId).map(policy -> policies.users(policy.slot(), bngPort)).orElse(0);
  }

  @Override
  public List<String> someSubscribersUsing(String policyId, int max) {
    int slot = policies.get(policyId).map(PolicyState::slot).orElse(NO_SLOT);
    return indicesWhere(
            index -> columns.policySlot(index) == slot || columns.upstreamSlot(index) == slot)
        .limit(max)
        .mapToObj(names::id)
        .toList();
  }

  @Override
  public int subscribersNaming(String policyId) {
    return policies.get(policyId).map(policy -> policies.naming(policy.slot())).orElse(0);
  }

  @Override
  public List<String> someSubscribersNaming(String policyId, int max) {
    return columns.timed().stream()
        .limit(MOST_READ)
        .mapToObj(names::id)
        .filter(id -> named(existing(id).subscriber()).contains(policyId))
        .limit(max)
        .toList();
  }

  @Override
  public int subscribers() {
    return subscribers;
  }

  @Override
  public int policies() {
    return policies.size();
  }

  @Override
  public int prefixes(Family family) {
    return family == Family.V4 ? prefixesV4 : prefixesV6;
  }

  @Override
  public int tagged() {
    return tagged;
  }

  @Override
  public int pairs() {
    return pairs;
  }

  @Override
  public int split() {
    return split;
  }

  @Override
  public <L extends Ledger> L ledger(Class<L> type) {
    for (Ledger ledger : ledgers) {
      if (type.isInstance(ledger)) {
        return type.cast(ledger);
      }
    }
    throw new IllegalArgumentException("no limiter or marker keeps a " + type.getSimpleName());
  }

  private PrefixIndex leavingPrefixes(IpPrefix prefix) {
    return prefix.family() == Family.V4 ? leavingV4 : leavingV6;
  }
}
