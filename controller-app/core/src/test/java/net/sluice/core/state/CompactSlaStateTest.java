package net.sluice.core.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.sluice.core.store.InMemoryIntentStore;
import net.sluice.core.store.StoreBatch;
import net.sluice.core.store.StoreException;
import net.sluice.core.testing.RandomChanges;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.limit.fpga.QueueLedger;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.IpPrefix.Family;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Expected;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.OwnerIds;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.QueueId;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.Write;
import net.sluice.intents.profile.MarkerLayout;
import net.sluice.intents.state.InMemorySlaState;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.state.SubscriberState;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;
import org.junit.jupiter.api.Test;

class CompactSlaStateTest {
  private static final Compiler COMPILER =
      new Compiler(
          TestNetwork.topology(), TestNetwork.switchProfile(500), TestNetwork.fpgaProfile());

  private static final Compiler DIVIDED =
      new Compiler(TestNetwork.topology(), TestNetwork.dividedSwitch(4), TestNetwork.fpgaProfile());

  /** The compiler cannot tell it from the reference, before and after a restart. */
  @Property(tries = 100, shrinking = ShrinkingMode.OFF, seed = "1")
  void isWhatTheReferenceIs(@ForAll long seed) {
    compare(COMPILER, seed);
  }

  @Property(tries = 100, shrinking = ShrinkingMode.OFF, seed = "1")
  void isWhatTheReferenceIsWhereSubscribersMoveBetweenPipes(@ForAll long seed) {
    compare(DIVIDED, seed);
  }

  private static void compare(Compiler compiler, long seed) {
    MarkerLayout markers = compiler.switchProfile().markers();
    InMemoryIntentStore store = new InMemoryIntentStore();
    CompactSlaState state = CompactSlaState.load(store, compiler);
    InMemorySlaState reference = new InMemorySlaState(markers);
    RandomChanges changes = new RandomChanges(seed, 15);
    for (int i = 0; i < 300; i++) {
      Change change = changes.next();
      Object expected = compile(compiler, reference, change);
      assertThat(ofAnyState(compile(compiler, state, change))).isEqualTo(ofAnyState(expected));
      if (expected instanceof Plan plan) {
        state.apply(plan);
        reference.apply(plan);
      }
      if (i % 7 == 0) {
        store.commit(state.seal());
        state.committed();
      }
      if (i % 100 == 99) {
        store.commit(state.seal());
        state = CompactSlaState.load(store, compiler);
      }
    }
    assertSame(compiler, state, reference);
    for (int instance = 0; instance < markers.allInstances(); instance++) {
      assertThat(state.subscribersIn(instance)).isEqualTo(reference.subscribersIn(instance));
      for (Family family : Family.values()) {
        assertThat(state.prefixesIn(family, instance))
            .isEqualTo(reference.prefixesIn(family, instance));
      }
    }
  }

  private static Object compile(Compiler compiler, SlaState state, Change change) {
    try {
      return compiler.compile(state, change);
    } catch (Refusal refusal) {
      // Not the details: which users of a policy are named is up to the state.
      return refusal.problems().stream().map(p -> p.code() + p.field() + p.value()).toList();
    }
  }

  private static List<FpgaSetting> entities(
      Compiler compiler, SlaState state, Direction direction) {
    return compiler.expectedSettings(state, direction).map(Expected::entity).toList();
  }

  /** A plan but for the numbers of limits, which may be others in each state. */
  private static Object ofAnyState(Object compiled) {
    return compiled instanceof Plan plan
        ? List.of(plan.delta(), plan.grants(), plan.notes(), writes(plan))
        : compiled;
  }

  private static List<Write<?>> writes(Plan plan) {
    return plan.writes().values().stream()
        .<Write<?>>flatMap(List::stream)
        .<Write<?>>map(
            write ->
                OwnerIds.isLimit(write.owner())
                    ? new Write<>(write.op(), write.entity(), OwnerIds.limit(0))
                    : write)
        .toList();
  }

  private static void assertSame(
      Compiler compiler, CompactSlaState state, InMemorySlaState reference) {
    assertThat(state.subscribers()).isEqualTo(reference.subscribers());
    assertThat(state.policies()).isEqualTo(reference.policies());
    assertThat(state.lowestFreeIndex(1)).isEqualTo(reference.lowestFreeIndex(1));
    assertThat(state.nextPolicySlot()).isEqualTo(reference.nextPolicySlot());
    for (Table table : Table.values()) {
      assertThat(state.subscriberEntries(table)).isEqualTo(reference.subscriberEntries(table));
    }
    for (int port = 0; port < 2; port++) {
      assertThat(state.attachedTo(port))
          .containsExactlyInAnyOrderElementsOf(reference.attachedTo(port).toList());
      for (int tree = 0; tree < 3; tree++) {
        assertThat(state.attachedTo(port, tree))
            .containsExactlyInAnyOrderElementsOf(reference.attachedTo(port, tree).toList());
        assertThat(state.rateLimitOf(new Scope.OfTree(port, tree)))
            .isEqualTo(reference.rateLimitOf(new Scope.OfTree(port, tree)));
        QueueLedger queues = state.ledger(QueueLedger.class);
        QueueLedger same = reference.ledger(QueueLedger.class);
        int index = QueueId.treeIndex(port, tree);
        assertThat(queues.customersInUse(index)).isEqualTo(same.customersInUse(index));
        // Whoever is under a limit has a queue, by which the status of the limit finds it.
        Predicate<SubscriberState> found =
            reference.rateLimitOf(new Scope.OfTree(port, tree)).isPresent()
                ? s -> true
                : SubscriberState::hasAllotment;
        assertThat(compiler.limiters().limited(state, new Scope.OfTree(port, tree)).boxed())
            .containsExactlyInAnyOrderElementsOf(
                reference
                    .attachedTo(port, tree)
                    .filter(found)
                    .map(SubscriberState::index)
                    .toList());
        for (int customer = 0; customer < 20; customer++) {
          int queue = QueueId.customerIndex(QueueId.of(port, tree, customer));
          assertThat(queues.ownerOf(queue)).isEqualTo(same.ownerOf(queue));
        }
      }
    }
    for (Direction direction : Direction.values()) {
      assertThat(entities(compiler, state, direction))
          .isEqualTo(entities(compiler, reference, direction));
    }
    reference
        .allSubscribers()
        .forEach(
            s -> {
              assertThat(state.subscriber(s.subscriber().id())).contains(s);
              assertThat(state.idOf(s.index())).isEqualTo(s.subscriber().id());
              assertThat(state.isSplit(s.index())).isEqualTo(reference.isSplit(s.index()));
              for (IpPrefix prefix : s.subscriber().prefixes()) {
                assertThat(state.indexWithPrefix(prefix)).isEqualTo(s.index());
              }
              assertThat(state.outline(s.index(), s.subscriber().prefixes()))
                  .isEqualTo(asOnTargets(s));
            });
    for (int p = 0; p < 4; p++) {
      assertThat(state.policy("p" + p)).isEqualTo(reference.policy("p" + p));
      assertThat(state.subscribersUsing("p" + p)).isEqualTo(reference.subscribersUsing("p" + p));
      assertThat(state.someSubscribersUsing("p" + p, 99))
          .containsExactlyInAnyOrderElementsOf(reference.someSubscribersUsing("p" + p, 99));
    }
  }

  /** The same without a policy of upstream traffic that is that of downstream traffic, too. */
  private static SubscriberState asOnTargets(SubscriberState state) {
    Subscriber of = state.subscriber();
    return of.isSplit()
        ? state
        : new SubscriberState(
                of.withParts(of.parts().withUpstreamPolicy(Optional.empty())),
                state.index(),
                state.allotment())
            .withContract(state.contract());
  }

  @Test
  void onlyTheVeryPrefixHasAnExactOwner() {
    CompactSlaState state = withSubscribers(List.of("10.0.0.0/24", "10.0.2.0/24"));
    assertThat(state.indexWithPrefix(IpPrefix.parse("10.0.0.0/24"))).isEqualTo(1);
    assertThat(state.indexWithPrefix(IpPrefix.parse("10.0.0.0/25"))).isZero();
    assertThat(state.indexWithPrefix(IpPrefix.parse("10.0.0.0/16"))).isZero();
    assertThat(state.indexWithPrefix(IpPrefix.parse("10.0.1.0/24"))).isZero();
    assertThat(state.indexWithPrefix(IpPrefix.parse("10.0.0.0/24"))).isEqualTo(1);
    assertThat(state.indexWithPrefix(IpPrefix.parse("10.0.2.0/24"))).isEqualTo(2);
  }

  private static CompactSlaState withSubscribers(List<String> prefixes) {
    InMemoryIntentStore store = new InMemoryIntentStore();
    StoreBatch batch = new StoreBatch();
    batch.put(new PolicyState(new Policy("gold", BuiltInFunction.GOLD), 1));
    for (int i = 0; i < prefixes.size(); i++) {
      batch.put(
          new SubscriberState(
              TestNetwork.subscriber("s" + i, prefixes.get(i)), i + 1, SubscriberState.NONE));
    }
    store.commit(batch);
    return TestNetwork.load(store);
  }

  @Test
  void aStoreThatContradictsItselfIsNotLoaded() {
    assertThatThrownBy(() -> withSubscribers(List.of("10.0.0.0/24", "10.0.0.128/25")))
        .isInstanceOf(StoreException.class)
        .hasMessage(
            "the store contradicts itself at the record of s1: 10.0.0.128/25 overlaps a prefix of"
                + " owner 1");
    InMemoryIntentStore store = new InMemoryIntentStore();
    StoreBatch batch = new StoreBatch();
    batch.put(
        new SubscriberState(TestNetwork.subscriber("s", "10.0.0.1/32"), 1, SubscriberState.NONE));
    store.commit(batch);
    assertThatThrownBy(() -> TestNetwork.load(store))
        .isInstanceOf(StoreException.class)
        .hasMessage("the store contradicts itself at the record of s: there is no policy gold");
  }

  /** The arrays of 200,000 subscribers with two prefixes and tags each. */
  @Test
  void aSubscriberTakesLessThan200BytesOfHeap() throws Refusal {
    int count = 200_000;
    Compiler compiler =
        new Compiler(
            TestNetwork.topology(), TestNetwork.switchProfile(count), TestNetwork.fpgaProfile());
    InMemoryIntentStore store = new InMemoryIntentStore();
    CompactSlaState state = TestNetwork.load(store);
    state.apply(compiler.compile(state, TestNetwork.policy("gold", BuiltInFunction.GOLD)));
    for (int i = 0; i < count; i++) {
      Subscriber one = (Subscriber) ((Change.Put) TestNetwork.numbered(i)).declaration();
      List<IpPrefix> prefixes = new ArrayList<>(one.prefixes());
      prefixes.add(IpPrefix.v6(0x20010db800000000L + ((long) i << 8), 0, 56));
      Change two =
          new Change.Put(new Subscriber(one.id(), "gold", prefixes, one.vlans(), one.attachment()));
      state.apply(compiler.compile(state, two));
      state.committed();
    }
    assertThat(state.bytes() / count).isLessThan(200);
  }
}
