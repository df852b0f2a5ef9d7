package net.sluice.core.network;

import static net.sluice.core.testing.NetworkRig.at;
import static net.sluice.core.testing.TestNetwork.policy;
import static net.sluice.core.testing.TestNetwork.put;
import static net.sluice.core.testing.TestNetwork.smallConfig;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import net.sluice.core.ControllerException;
import net.sluice.core.Outcome;
import net.sluice.core.Selection;
import net.sluice.core.SetOutcome;
import net.sluice.core.lock.OrderedLock;
import net.sluice.core.testing.NetworkRig;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Bulks whose changes are for several switches. */
class NetworkBulkTest {
  private NetworkRig rig;

  @BeforeEach
  void connect() {
    rig = NetworkRig.settled("bng1", "bng2", "bng3");
    rig.accept(policy("gold", BuiltInFunction.GOLD));
    rig.time.settle();
  }

  @AfterEach
  void close() {
    rig.close();
  }

  /** Subscribers in turn at the switches. */
  private static List<Change> subscribers(int from, int to) {
    List<Change> changes = new ArrayList<>();
    for (int i = from; i < to; i++) {
      changes.add(at("bng" + (1 + i % 3), put("s" + i, "10.0.1." + i + "/32")));
    }
    return changes;
  }

  private void assertInstalled(int subscribers) {
    rig.time.settle();
    assertThat(rig.controller.list(Kind.SUBSCRIBER, Selection.ALL, "", 1).total())
        .hasValue(subscribers);
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
  }

  @Test
  void theChangesOfABulkAtAllSwitchesAreOneCommit() {
    int before = rig.store.commits().size();
    assertThat(rig.controller.applyAll(subscribers(0, 60))).allMatch(Outcome::isAccepted);
    List<Set<String>> commits = rig.store.commits();
    assertThat(commits.subList(before, commits.size()))
        .containsExactly(Set.of("bng1", "bng2", "bng3"));
    assertInstalled(60);
  }

  @Test
  void whatIsToldOfABulkHoldsNoWrites() {
    assertThat(rig.controller.applyAll(subscribers(0, 9)))
        .allMatch(outcome -> ((Outcome.Accepted) outcome).plan().writesNothing());
    assertInstalled(9);
  }

  @Test
  void ifTheStoreFailsNothingOfItIsMadeAnywhere() {
    rig.store.failNext();
    assertThatThrownBy(() -> rig.controller.applyAll(subscribers(0, 9)))
        .isInstanceOf(ControllerException.class)
        .hasMessageContaining("no space left");
    assertThat(rig.controller.list(Kind.SUBSCRIBER, Selection.ALL, "", 1).total()).hasValue(0);
    rig.time.pass(Duration.ofSeconds(10));
    assertThat(rig.controller.applyAll(subscribers(0, 9))).allMatch(Outcome::isAccepted);
    assertInstalled(9);
  }

  @Test
  void aCommitIsBoundedOverAllSwitches() {
    for (String name : List.of("bng1", "bng2", "bng3")) {
      rig.add(name, smallConfig().bulkCommitChanges(7).build());
    }
    rig.open();
    rig.time.pass(Duration.ofSeconds(1));
    int before = rig.store.commits().size();
    assertThat(rig.controller.applyAll(subscribers(0, 20))).allMatch(Outcome::isAccepted);
    assertThat(rig.store.commits()).hasSize(before + 3);
    assertInstalled(20);
  }

  private FutureTask<List<Outcome>> inBackground(
      List<Change> changes, List<? super Thread> threads) {
    return inBackground(() -> rig.controller.applyAll(changes), threads);
  }

  private static <T> FutureTask<T> inBackground(Callable<T> action, List<? super Thread> threads) {
    FutureTask<T> task = new FutureTask<>(action);
    Thread thread = new Thread(task, "changes");
    thread.setDaemon(true);
    thread.start();
    threads.add(thread);
    return task;
  }

  private static boolean waitsForItsTurn(Thread thread) {
    StackTraceElement[] stack = thread.getStackTrace();
    for (int i = 1; i < stack.length; i++) {
      if (stack[i].getClassName().equals(BulkGroupCommit.class.getName())) {
        return thread.getState() == Thread.State.WAITING
            && stack[i - 1].getClassName().equals(OrderedLock.class.getName());
      }
    }
    return false;
  }

  /** One that is held, one planned on it, and five that come meanwhile. */
  private List<FutureTask<List<Outcome>>> seven() throws InterruptedException {
    List<FutureTask<List<Outcome>>> bulks = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    rig.store.holdNext();
    bulks.add(inBackground(subscribers(0, 3), new ArrayList<>()));
    rig.store.awaitHeld();
    bulks.add(inBackground(subscribers(3, 6), new ArrayList<>()));
    Patience.await(
        "the second is planned", () -> rig.controller.find(Kind.SUBSCRIBER, "s3").isPresent());
    for (int i = 2; i < 7; i++) {
      bulks.add(inBackground(subscribers(3 * i, 3 * i + 3), threads));
    }
    Patience.await(
        "five wait for their turn",
        () -> threads.stream().allMatch(NetworkBulkTest::waitsForItsTurn));
    rig.store.release();
    return bulks;
  }

  @Test
  void bulksThatComeMeanwhileShareTheNextCommit() throws Exception {
    int before = rig.store.commits().size();
    for (FutureTask<List<Outcome>> bulk : seven()) {
      assertThat(bulk.get()).hasSize(3).allMatch(Outcome::isAccepted);
    }
    assertThat(rig.store.commits()).hasSize(before + 3);
    assertInstalled(21);
  }

  @Test
  void aSwitchWithoutRoomKeepsOnlyItsOwnChangesWaiting() {
    for (String name : List.of("bng1", "bng2", "bng3")) {
      rig.add(
          name,
          smallConfig()
              .queueCapacity(100)
              .batchSize(10)
              .window(2)
              .roomWait(Duration.ofMillis(20))
              .build());
    }
    rig.open();
    rig.time.pass(Duration.ofSeconds(1));
    rig.switches.get("bng2").holdAnswers();
    List<Change> bulk = subscribers(0, 3);
    List<Change> many = new ArrayList<>();
    for (int i = 0; i < 250; i++) {
      many.add(at("bng2", put("m" + i, "10.0.2." + i + "/32")));
    }
    assertThat(rig.controller.applyAll(many)).allMatch(Outcome::isAccepted);
    rig.time.settle();
    // One that moves away from there takes room, too, and is not waited for again.
    bulk.add(at("bng3", put("m0", "10.0.2.0/32")));
    bulk.add(at("bng1", put("s3", "10.0.1.3/32")));
    List<Outcome> outcomes = rig.controller.applyAll(bulk);
    assertThat(outcomes).extracting(Outcome::change).isEqualTo(bulk);
    assertThat(outcomes)
        .extracting(Outcome::isAccepted)
        .containsExactly(true, false, true, false, true);
    for (int unmade : new int[] {1, 3}) {
      assertThat(outcomes.get(unmade))
          .isEqualTo(new Outcome.Unmade(bulk.get(unmade), "the queue of bng2 is full"));
    }
    rig.time.settle();
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "s1")).isEmpty();
    for (String id : List.of("s0", "s2", "s3")) {
      assertThat(rig.controller.whenInstalled(Kind.SUBSCRIBER, id, Duration.ZERO))
          .isCompletedWithValue(true);
    }
    rig.switches.get("bng2").answerAll();
    rig.time.settle();
    assertThat(rig.controller.applyAll(bulk)).allMatch(Outcome::isAccepted);
    assertInstalled(254);
  }

  @Test
  void aSetThatIsMadeDurableKeepsOnlyThoseWaitingWhoWantTheSame() throws Exception {
    assertThat(rig.controller.applyAll(subscribers(0, 3))).allMatch(Outcome::isAccepted);
    rig.store.holdNext();
    // One gives its address up, which another one gets.
    FutureTask<SetOutcome> set =
        inBackground(
            () ->
                rig.controller.applyTogether(
                    List.of(
                        at("bng1", put("s0", "10.0.2.1/32")), at("bng2", put("s1", "10.0.1.0/32"))),
                    false),
            new ArrayList<>());
    rig.store.awaitHeld();
    List<Thread> threads = new ArrayList<>();
    FutureTask<Outcome> same =
        inBackground(() -> rig.controller.apply(at("bng3", put("other", "10.0.1.1/32"))), threads);
    FutureTask<Outcome> another =
        inBackground(
            () -> rig.controller.apply(at("bng3", put("s9", "10.0.1.9/32"))), new ArrayList<>());
    assertThat(another.get(Patience.SECONDS, TimeUnit.SECONDS).isAccepted()).isTrue();
    // The address that is given up is free when it is gone for good.
    Patience.await("it waits for the set", () -> threads.get(0).getState() == Thread.State.WAITING);
    assertThat(set.isDone()).isFalse();
    rig.store.release();
    assertThat(set.get().isMade()).isTrue();
    assertThat(same.get().isAccepted()).isTrue();
    assertInstalled(5);
  }

  @Test
  void whatTheStoreHeldBeforeIsLookedForAtItsSwitch() {
    assertThat(rig.controller.applyAll(subscribers(0, 3))).allMatch(Outcome::isAccepted);
    rig.open();
    rig.time.pass(Duration.ofSeconds(1));
    List<Outcome> outcomes =
        rig.controller.applyAll(
            List.of(
                at("bng3", put("other", "10.0.1.0/31")),
                at("bng3", put("s0", "10.0.1.0/32")),
                new Change.Delete(Kind.SUBSCRIBER, "s1")));
    assertThat(outcomes).extracting(Outcome::isAccepted).containsExactly(false, true, true);
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "s0").orElseThrow().switchName())
        .hasValue("bng3");
    assertInstalled(2);
  }

  @Test
  void aCommitThatFailsFailsTheBulksInIt() throws Exception {
    int before = rig.store.commits().size();
    rig.store.failAt(before + 3);
    List<FutureTask<List<Outcome>>> bulks = seven();
    for (FutureTask<List<Outcome>> bulk : bulks.subList(0, 2)) {
      assertThat(bulk.get()).hasSize(3).allMatch(Outcome::isAccepted);
    }
    for (FutureTask<List<Outcome>> bulk : bulks.subList(2, 7)) {
      assertThatThrownBy(bulk::get)
          .isInstanceOf(ExecutionException.class)
          .cause()
          .isInstanceOf(ControllerException.class)
          .hasMessageContaining("no space left");
    }
    rig.time.pass(Duration.ofSeconds(10));
    assertInstalled(6);
  }
}
