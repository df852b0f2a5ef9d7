package net.sluice.core.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.sluice.core.Outcome;
import net.sluice.core.SetOutcome;
import net.sluice.core.lock.OrderedLock;
import net.sluice.core.testing.ControllerRig;
import net.sluice.core.testing.NetworkRig;
import net.sluice.core.testing.RandomChanges;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A dry run of changes that are made together, and others beside it. */
@Timeout(
    value = Patience.SECONDS,
    unit = TimeUnit.SECONDS,
    threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ChangeSetDryRunTest {
  private static final String ADDRESS = "10.9.0.1/32";

  /** Another thread, which asks or changes something while a step is planned. */
  private static final class Beside<T> {
    private final FutureTask<T> task;
    private final Thread thread;

    Beside(Callable<T> action) {
      task = new FutureTask<>(action);
      thread = new Thread(task, "beside");
      thread.setDaemon(true);
      thread.start();
      Patience.await("it waits for a lock", this::waits);
    }

    /** Returns when it can do no more until a lock is free. */
    void goOn() {
      Patience.await("it waits for a lock or is done", () -> task.isDone() || waits());
    }

    private boolean waits() {
      if (thread.getState() != Thread.State.WAITING) {
        return false;
      }
      for (StackTraceElement frame : thread.getStackTrace()) {
        if (frame.getClassName().equals(OrderedLock.class.getName())) {
          return true;
        }
      }
      return false;
    }

    T done() {
      try {
        return task.get(Patience.SECONDS, TimeUnit.SECONDS);
      } catch (Exception e) {
        throw new AssertionError("it waits longer", e);
      }
    }
  }

  private static ControllerRig rig(int subscribers) {
    ControllerRig rig = ControllerRig.settled();
    rig.accept(TestNetwork.policy("gold", BuiltInFunction.GOLD));
    rig.accept(TestNetwork.policy("silver", BuiltInFunction.SILVER));
    for (int i = 0; i < subscribers; i++) {
      rig.accept(TestNetwork.numbered(i));
    }
    rig.time.pass(Duration.ofSeconds(1));
    int unused = rig.compiler.takeCount();
    return rig;
  }

  /** Each subscriber gets the address of the next one, and the last that of the first. */
  private static List<Change> turned(int subscribers) {
    List<Change> set = new ArrayList<>();
    for (int i = 0; i < subscribers; i++) {
      Change.Put next = (Change.Put) TestNetwork.numbered((i + 1) % subscribers);
      set.add(
          new Change.Put(
              TestNetwork.subscriber(
                  TestNetwork.numbered(i).id(),
                  ((Subscriber) next.declaration())
                      .prefixes().stream().map(Object::toString).toArray(String[]::new))));
    }
    return set;
  }

  @Test
  void aReadWaitsForOneStepAtMost() {
    int subscribers = 100;
    try (ControllerRig rig = rig(subscribers)) {
      List<Beside<?>> asking = new ArrayList<>();
      List<Integer> answeredAt = new ArrayList<>();
      rig.compiler.onPlan(
          number -> {
            if (!asking.isEmpty()) {
              asking.remove(0).done();
              answeredAt.add(number);
            }
            asking.add(new Beside<>(() -> rig.controller.find(Kind.POLICY, "gold")));
          });

      SetOutcome outcome = rig.controller.applyTogether(turned(subscribers), true);

      assertThat(outcome.isMade()).isTrue();
      // Out and in again, by a step each.
      assertThat(answeredAt).hasSize(2 * subscribers - 1);
    }
  }

  @Test
  void whatIsChangedMeanwhileCounts() {
    try (ControllerRig rig = rig(10)) {
      List<Change> set = new ArrayList<>(turned(10));
      set.add(TestNetwork.put("new", ADDRESS));
      List<Beside<Outcome>> changing = new ArrayList<>();
      Thread own = Thread.currentThread();
      int[] steps = {0};
      rig.compiler.onPlan(
          number -> {
            if (Thread.currentThread() != own) {
              return;
            }
            // The change takes several locks: without waiting, the run may end before it has them.
            changing.forEach(Beside::goOn);
            if (++steps[0] == 10) {
              changing.add(
                  new Beside<>(() -> rig.controller.apply(TestNetwork.put("other", ADDRESS))));
            }
          });

      SetOutcome outcome = rig.controller.applyTogether(set, true);

      assertThat(changing.get(0).done().isAccepted()).isTrue();
      assertThat(outcome.isMade()).isFalse();
      assertThat(outcome.outcomes().get(10)).isInstanceOf(Outcome.Refused.class);
      assertThat(rig.controller.applyTogether(set, false).outcomes().toString())
          .isEqualTo(outcome.outcomes().toString());
    }
  }

  @Test
  void whereOthersKeepChangingTheyWaitInTheEnd() {
    try (ControllerRig rig = rig(10)) {
      List<Beside<Outcome>> changing = new ArrayList<>();
      Thread own = Thread.currentThread();
      int[] steps = {0};
      IntConsumer hook =
          number -> {
            if (Thread.currentThread() == own && steps[0]++ % 10 == 0) {
              String id = "other-" + changing.size();
              String address = "10.9.1." + changing.size() + "/32";
              changing.add(new Beside<>(() -> rig.controller.apply(TestNetwork.put(id, address))));
            }
          };
      rig.compiler.onPlan(hook);

      SetOutcome outcome = rig.controller.applyTogether(turned(10), true);

      assertThat(outcome.isMade()).isTrue();
      rig.compiler.onPlan(number -> {});
      assertThat(changing).hasSizeGreaterThanOrEqualTo(3);
      assertThat(changing).allMatch(each -> each.done().isAccepted());
    }
  }

  @Property(tries = 30, shrinking = ShrinkingMode.OFF, seed = "1")
  void saysWhatTheRealOneWouldAtSeveralSwitches(@ForAll long seed) {
    run(seed);
  }

  @Tag("long")
  @Property(tries = 1000, shrinking = ShrinkingMode.OFF, seed = "2")
  void saysSoByFarMoreSeeds(@ForAll long seed) {
    run(seed);
  }

  private static void run(long seed) {
    try (NetworkRig rig = NetworkRig.settled("one", "two")) {
      Random random = new Random(seed);
      RandomChanges changes = new RandomChanges(seed, 8);
      for (int step = 0; step < 40; step++) {
        List<Change> set = set(changes, random, 1 + random.nextInt(5));
        String before = declared(rig);

        SetOutcome dryRun = rig.controller.applyTogether(set, true);

        assertThat(declared(rig)).isEqualTo(before);
        SetOutcome outcome = rig.controller.applyTogether(set, false);
        assertThat(outcome.isMade()).isEqualTo(dryRun.isMade());
        assertThat(outcome.outcomes().toString()).isEqualTo(dryRun.outcomes().toString());
        if (random.nextInt(3) == 0) {
          // Until then a switch serves those that leave it.
          rig.time.pass(Duration.ofMillis(random.nextInt(1_000)));
        }
      }
    }
  }

  private static String declared(NetworkRig rig) {
    List<String> all = new ArrayList<>();
    rig.controller.export(each -> all.add(each.put().toString()));
    return String.join("\n", all);
  }

  /** Changes of which no two are of the same declaration. */
  private static List<Change> set(RandomChanges changes, Random random, int count) {
    Map<String, Change> set = new LinkedHashMap<>();
    while (set.size() < count) {
      Change change = changes.next();
      Optional<String> at = Optional.of(random.nextBoolean() ? "one" : "two");
      set.put(
          change.kind() + change.id(),
          change instanceof Change.Put put && put.kind() != Kind.POLICY
              ? new Change.Put(put.declaration(), at)
              : change);
    }
    List<Change> all = new ArrayList<>(set.values());
    Collections.shuffle(all, random);
    return all;
  }
}
