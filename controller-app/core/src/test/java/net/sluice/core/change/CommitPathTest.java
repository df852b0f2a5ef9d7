package net.sluice.core.change;

import static net.sluice.core.testing.TestNetwork.limit;
import static net.sluice.core.testing.TestNetwork.policy;
import static net.sluice.core.testing.TestNetwork.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import net.sluice.core.ControllerException;
import net.sluice.core.Outcome;
import net.sluice.core.Selection;
import net.sluice.core.StoreHealth;
import net.sluice.core.SwitchStatus;
import net.sluice.core.TargetState;
import net.sluice.core.TargetStatus;
import net.sluice.core.UnavailableException;
import net.sluice.core.state.CompactSlaState;
import net.sluice.core.store.StoreException;
import net.sluice.core.testing.ControllerRig;
import net.sluice.core.testing.FaultyStore;
import net.sluice.core.testing.TestNetwork;
import net.sluice.core.trace.CurrentTrace;
import net.sluice.core.trace.Trace;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.value.Direction;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of changes when the store or the controller fails, or a target takes too long. */
class CommitPathTest {
  private static final String FULL = "cannot write the store: No space left on device";

  private final FaultyStore store = new FaultyStore();
  private ControllerRig rig = rig();

  private ControllerRig rig() {
    ControllerRig created = ControllerRig.create(TestNetwork.smallConfig(), store);
    created.time.pass(Duration.ofSeconds(1));
    created.accept(policy("gold", BuiltInFunction.GOLD));
    created.accept(policy("silver", BuiltInFunction.SILVER));
    created.accept(put("alice", "10.0.0.1/32"));
    created.time.settle();
    assertThat(created.controller.summary().isAllInstalled()).isTrue();
    return created;
  }

  @AfterEach
  void close() {
    rig.close();
  }

  private static StoreException full() {
    return new StoreException(FULL);
  }

  /** The targets hold what is in the store, and nothing else is declared. */
  private void assertConsistent() {
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
    CompactSlaState stored = TestNetwork.load(store);
    assertThat(rig.switchTarget.content()).isEqualTo(rig.expectedSwitch(stored));
    for (Direction direction : Direction.values()) {
      assertThat((direction == Direction.DOWN ? rig.down : rig.up).content().values())
          .containsExactlyInAnyOrderElementsOf(rig.expectedFpga(stored, direction));
    }
    assertThat(rig.controller.list(Kind.SUBSCRIBER, Selection.ALL, "", 1000).total())
        .hasValue(stored.subscribers());
  }

  private CompletableFuture<List<Outcome>> inBackground(Change... changes) {
    return CompletableFuture.supplyAsync(() -> rig.controller.applyAll(List.of(changes)));
  }

  private Change aliceAsSilver() {
    Subscriber alice = TestNetwork.subscriber("alice", "10.0.0.1/32");
    return new Change.Put(
        new Subscriber("alice", "silver", alice.prefixes(), alice.vlans(), new Attachment(0, 3)));
  }

  private TargetStatus switchStatus(Kind kind, String id) {
    return rig.controller.find(kind, id).orElseThrow().targets().get(0);
  }

  // ---------------------------------------------------------------- errors

  @Test
  void anErrorInACommitFailsTheWholeGroupAndLeavesNothingBehind() {
    store.failWith(() -> new StackOverflowError("deep"));
    assertThatThrownBy(
            () ->
                rig.controller.applyAll(
                    List.of(put("bob", "10.0.0.2/32"), put("carol", "10.0.0.3/32"))))
        .isInstanceOf(ControllerException.class)
        .hasMessage("the change failed: java.lang.StackOverflowError: deep");
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "bob")).isEmpty();

    store.failWith(null);
    rig.accept(put("dave", "10.0.0.2/32"));
    rig.time.settle();
    assertThat(store.commits().get(store.commits().size() - 1)).containsExactly("dave");
    assertConsistent();
  }

  @Test
  void anErrorWhilePlanningFailsTheWholeGroupToo() {
    store.unreadable(true);
    assertThatThrownBy(
            () -> rig.controller.applyAll(List.of(put("bob", "10.0.0.2/32"), aliceAsSilver())))
        .isInstanceOf(ControllerException.class);
    store.unreadable(false);
    rig.time.pass(Duration.ofMinutes(1));
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "bob")).isEmpty();
    rig.accept(aliceAsSilver());
    rig.time.settle();
    assertConsistent();
  }

  /** A trace that throws when it hears of a commit. */
  private static final class Faulty implements Trace {
    @Override
    public void compiled(int changes, long begunNanos, long endedNanos) {}

    @Override
    public void committed(int changes, long begunNanos, long endedNanos) {
      throw new IllegalStateException("a fault after the commit");
    }

    @Override
    public Writing writing(String target, int entries) {
      return answered -> {};
    }
  }

  @Test
  void aFaultAfterTheCommitDoesNotSayOfADurableChangeThatItFailed() {
    Outcome single;
    List<Outcome> bulk;
    CurrentTrace.Scope scope = CurrentTrace.enter(new Faulty());
    try {
      single = rig.controller.apply(put("bob", "10.0.0.2/32"));
      bulk = rig.controller.applyAll(List.of(put("carol", "10.0.0.3/32")));
    } finally {
      scope.close();
    }
    assertThat(single.isAccepted()).isTrue();
    assertThat(bulk).allMatch(Outcome::isAccepted);
    rig.time.pass(Duration.ofMinutes(1));
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "bob")).isPresent();
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "carol")).isPresent();
    assertConsistent();
  }

  // ---------------------------------------------------------------- status

  @Test
  void whatIsNotDurableYetIsPending() throws Exception {
    store.holdCommit();
    CompletableFuture<List<Outcome>> change =
        inBackground(aliceAsSilver(), limit("cap", "alice"), put("bob", "10.0.0.2/32"));
    store.awaitHeld();

    for (String id : List.of("alice", "bob")) {
      TargetStatus status = switchStatus(Kind.SUBSCRIBER, id);
      assertThat(status.state()).isEqualTo(TargetState.PENDING);
      assertThat(status.awaits()).contains("being written to the store");
      assertThat(rig.controller.whenInstalled(Kind.SUBSCRIBER, id, Duration.ofDays(1))).isNotDone();
    }
    assertThat(rig.controller.find(Kind.RATE_LIMIT, "cap").orElseThrow().targets())
        .hasSize(3)
        .allMatch(status -> status.state() == TargetState.PENDING);

    store.release();
    change.get();
    rig.time.settle();
    assertThat(switchStatus(Kind.SUBSCRIBER, "alice").state()).isEqualTo(TargetState.INSTALLED);
    assertConsistent();
  }

  /** Whoever reads everything anew holds the memory for as long as the store takes to answer. */
  @Test
  void theStatusDoesNotWaitForAStoreThatIsSilent() throws Exception {
    List<SwitchStatus> before = rig.controller.switches();
    store.failWith(CommitPathTest::full);
    assertThat(refused(put("bob", "10.0.0.2/32"))).isNotNull();
    store.failWith(null);
    store.holdLoad();
    CompletableFuture<Void> reopening =
        CompletableFuture.runAsync(() -> rig.time.pass(Duration.ofMinutes(1)));
    store.awaitHeld();

    assertThat(rig.controller.switches()).isEqualTo(before);
    assertThat(rig.controller.summary().targets()).hasSize(3);
    assertThat(rig.controller.summary().store()).isInstanceOf(StoreHealth.Failed.class);

    store.release();
    reopening.get();
    rig.accept(put("bob", "10.0.0.2/32"));
    rig.time.settle();
    assertConsistent();
  }

  // ---------------------------------------------------------------- two groups at a time

  private void awaitPlanned(String id) {
    Patience.await(id + " is planned", () -> rig.controller.find(Kind.SUBSCRIBER, id).isPresent());
  }

  @Test
  void theNextGroupIsPlannedWhileOneIsMadeDurableAndComesAfterIt() throws Exception {
    int before = store.commits().size();
    store.holdCommit();
    CompletableFuture<List<Outcome>> first = inBackground(put("bob", "10.0.0.2/32"));
    store.awaitHeld();
    // What is planned sees what is not durable yet.
    CompletableFuture<List<Outcome>> second =
        inBackground(put("carol", "10.0.0.3/32"), limit("cap", "bob"));
    awaitPlanned("carol");
    assertThat(store.commits()).hasSize(before);
    assertThat(first).isNotDone();

    store.release();
    assertThat(first.get()).allMatch(Outcome::isAccepted);
    assertThat(second.get()).allMatch(Outcome::isAccepted);
    assertThat(store.commits().get(before)).containsExactly("bob");
    assertThat(store.commits().get(before + 1)).containsExactly("bob", "cap", "carol");
    rig.time.settle();
    assertConsistent();
  }

  @Test
  void aGroupThatFailsFailsTheOnePlannedOnIt() throws Exception {
    store.holdCommit();
    store.failWith(CommitPathTest::full);
    CompletableFuture<List<Outcome>> first = inBackground(put("bob", "10.0.0.2/32"));
    store.awaitHeld();
    CompletableFuture<List<Outcome>> second = inBackground(limit("cap", "bob"));
    CompletableFuture<List<Outcome>> third = inBackground(put("carol", "10.0.0.3/32"));
    Patience.await(
        "one is planned",
        () ->
            rig.controller.find(Kind.SUBSCRIBER, "carol").isPresent()
                || rig.controller.find(Kind.RATE_LIMIT, "cap").isPresent());
    store.release();

    for (CompletableFuture<List<Outcome>> each : List.of(first, second, third)) {
      assertThat(catchThrowableOfType(ExecutionException.class, each::get).getCause())
          .isInstanceOf(UnavailableException.class);
    }
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "bob")).isEmpty();
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "carol")).isEmpty();
    store.failWith(null);
    rig.time.pass(Duration.ofMinutes(1));
    rig.accept(put("carol", "10.0.0.3/32"));
    rig.time.settle();
    assertConsistent();
  }

  // ---------------------------------------------------------------- a store that fails

  private UnavailableException refused(Change change) {
    return catchThrowableOfType(UnavailableException.class, () -> rig.controller.apply(change));
  }

  @Test
  void aStoreThatFailedIsOpenedAgainByItself() {
    store.failWith(CommitPathTest::full);
    UnavailableException first = refused(put("bob", "10.0.0.2/32"));
    assertThat(first).hasMessage("the change failed: " + FULL);
    assertThat(first.retryAfter()).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
    rig.time.pass(Duration.ofMinutes(1));

    // Nothing is read anew for a change that is refused, however many there are.
    int loads = store.loads();
    int reads = rig.switchTarget.reads();
    for (int i = 0; i < 10; i++) {
      assertThat(refused(put("bob", "10.0.0.2/32")))
          .hasMessage("the store takes no changes: " + FULL);
    }
    rig.time.pass(Duration.ofMinutes(1));
    assertThat(store.loads()).isEqualTo(loads);
    assertThat(rig.switchTarget.reads()).isEqualTo(reads);
    assertThat(store.reopened()).isBetween(10, 30);

    // Reads and status go on.
    assertThat(switchStatus(Kind.SUBSCRIBER, "alice").state()).isEqualTo(TargetState.INSTALLED);
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "bob")).isEmpty();
    assertThat(rig.controller.switches().get(0).tables()).isNotEmpty();
    assertThat(rig.controller.summary().isAllInstalled()).isFalse();
    StoreHealth.Failed failed = (StoreHealth.Failed) rig.controller.storeHealth();
    assertThat(failed.reason()).isEqualTo(FULL);
    assertThat(failed.next()).isPresent();
    assertThat(failed.since()).isBefore(rig.time.instant().minusSeconds(100));

    store.failWith(null);
    rig.time.pass(Duration.ofSeconds(10));
    assertThat(rig.controller.storeHealth().isWritable()).isTrue();
    rig.accept(put("bob", "10.0.0.2/32"));
    rig.time.settle();
    assertConsistent();
  }

  @Test
  void aStoreThatCannotEvenBeReadIsTriedAgainToo() {
    rig.accept(limit("cap", "alice"));
    store.unreadable(true);
    store.failWith(CommitPathTest::full);
    assertThat(refused(put("bob", "10.0.0.2/32"))).hasMessage("the change failed: " + FULL);
    assertThatThrownBy(() -> rig.controller.find(Kind.SUBSCRIBER, "alice"))
        .isInstanceOf(StoreException.class)
        .hasMessage("the store cannot be read: input/output error");
    assertThat(rig.controller.summary().isAllInstalled()).isFalse();
    assertThat(rig.controller.switches().get(0).tables()).isEmpty();
    // It can be written again, but not read.
    store.failWith(null);
    rig.time.pass(Duration.ofMinutes(1));
    assertThat(rig.controller.storeHealth().isWritable()).isFalse();

    store.unreadable(false);
    rig.time.pass(Duration.ofMinutes(1));
    assertThat(rig.controller.storeHealth().isWritable()).isTrue();
    rig.accept(put("bob", "10.0.0.2/32"));
    rig.time.settle();
    assertConsistent();
  }

  // ---------------------------------------------------------------- room

  @Test
  void everyChangeWaitsForRoomAndIsRefusedAfterAWhile() {
    rig.close();
    rig =
        ControllerRig.create(
            TestNetwork.smallConfig()
                .queueCapacity(1_000)
                .batchSize(100)
                .window(2)
                .roomWait(Duration.ofMillis(20)),
            store);
    rig.time.pass(Duration.ofSeconds(1));
    rig.switchTarget.holdAnswers();
    for (int i = 0; i < 3; i++) {
      rig.accept(policy("p" + i, BuiltInFunction.GOLD));
      rig.time.settle();
    }
    // 3 x 1,024 writes less 2 batches: more than twice the capacity.
    UnavailableException refused = refused(put("bob", "10.0.0.2/32"));
    assertThat(refused).hasMessage("the queue of switch is full");
    assertThatThrownBy(() -> rig.controller.applyAll(List.of(put("bob", "10.0.0.2/32"))))
        .isInstanceOf(UnavailableException.class);
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "bob")).isEmpty();

    while (rig.switchTarget.answer()) {
      rig.time.settle();
    }
    rig.accept(put("bob", "10.0.0.2/32"));
    rig.switchTarget.answerAll();
    rig.time.settle();
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "bob")).isPresent();
  }

  @Test
  void aCommitIsBoundedByItsWrites() {
    rig.close();
    rig = ControllerRig.create(TestNetwork.smallConfig().commitWrites(2_000), store);
    rig.time.pass(Duration.ofSeconds(1));
    int before = store.commits().size();
    List<Change> policies = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      policies.add(policy("p" + i, BuiltInFunction.GOLD));
    }
    List<Integer> toldAfter = new ArrayList<>();
    rig.controller.applyAll(policies, outcome -> toldAfter.add(store.commits().size() - before));
    // 1,024 writes each.
    assertThat(store.commits().subList(before, store.commits().size()))
        .containsExactly(Set.of("p0", "p1"), Set.of("p2", "p3"), Set.of("p4"));
    assertThat(toldAfter).containsExactly(1, 1, 2, 2, 3);
    rig.time.settle();
    assertConsistent();
  }
}
