package net.sluice.core.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import net.sluice.core.testing.NetworkRig;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.policy.BuiltInFunction;
import org.junit.jupiter.api.Test;

/** The check itself; every other test of the controller runs under it. */
class LockOrderTest {
  private static OrderedLock lock(LockOrder place, String owner) {
    return new OrderedLock(place, true, owner);
  }

  /** Takes two locks one after the other, and gives both up in the order in which they came. */
  private static void takeBoth(OrderedLock first, OrderedLock second) {
    first.lock();
    try {
      second.lock();
    } catch (AssertionError e) {
      first.unlock();
      throw e;
    }
    first.unlock();
    second.unlock();
  }

  @Test
  void locksAreTakenInTheOrderOfTheirPlaces() {
    for (LockOrder first : LockOrder.values()) {
      for (LockOrder second : LockOrder.values()) {
        if (first.compareTo(second) < 0) {
          takeBoth(lock(first, ""), lock(second, ""));
        } else {
          assertThatThrownBy(() -> takeBoth(lock(first, ""), lock(second, "")))
              .isInstanceOf(AssertionError.class)
              .hasMessage("%s is taken by a thread that holds [%s]", second, first);
        }
      }
    }
  }

  @Test
  void locksOfSeveralSwitchesAreTakenByName() {
    takeBoth(lock(LockOrder.PLANNING, "bng1"), lock(LockOrder.PLANNING, "bng2"));
    assertThatThrownBy(
            () -> takeBoth(lock(LockOrder.PLANNING, "bng2"), lock(LockOrder.PLANNING, "bng1")))
        .hasMessage("PLANNING of bng1 is taken by a thread that holds [PLANNING of bng2]");
  }

  @Test
  void aLockThatIsHeldMayBeTakenAgain() {
    OrderedLock memory = lock(LockOrder.MEMORY, "");
    OrderedLock session = lock(LockOrder.SESSION, "");
    memory.lock();
    session.lock();
    memory.lock();
    memory.unlock();
    session.unlock();
    memory.unlock();
    assertThat(memory.isLocked()).isFalse();
    takeBoth(lock(LockOrder.NETWORK, ""), memory);
  }

  @Test
  void anAttemptThatFailsHoldsNothing() throws Exception {
    OrderedLock memory = lock(LockOrder.MEMORY, "");
    Thread holder = new Thread(memory::lock);
    holder.start();
    holder.join();
    assertThat(memory.tryLock(1, TimeUnit.NANOSECONDS)).isFalse();
    takeBoth(lock(LockOrder.NETWORK, ""), lock(LockOrder.CLAIMS, ""));
  }

  /** Each lock of the engine is one of these: who holds a later place cannot take it. */
  @Test
  void theControllersLocksHaveTheirPlaces() {
    try (NetworkRig rig = NetworkRig.settled("bng1", "bng2")) {
      rig.accept(TestNetwork.policy("gold", BuiltInFunction.GOLD));
      rig.accept(NetworkRig.at("bng1", TestNetwork.put("a", "10.0.0.1/32")));
      rig.time.pass(Duration.ofSeconds(1));
      assertThatThrownBy(
              () -> holding(LockOrder.NETWORK, () -> rig.accept(TestNetwork.limit("l", "a"))))
          .hasMessageStartingWith("NETWORK is taken by");
      assertThatThrownBy(
              () -> holding(LockOrder.MEMORY, () -> rig.controller.find(Kind.SUBSCRIBER, "a")))
          .hasMessageStartingWith("MEMORY of bng1 is taken by");
      assertThatThrownBy(() -> holding(LockOrder.SESSION, () -> rig.controller.summary()))
          .hasMessageStartingWith("SESSION is taken by");
    }
  }

  private static void holding(LockOrder place, Runnable action) {
    OrderedLock held = lock(place, "z");
    held.lock();
    try {
      action.run();
    } finally {
      held.unlock();
    }
  }

  @Test
  void thePageNamesThePlacesInThisOrder() throws Exception {
    String page = Files.readString(Path.of("..", "..", "docs", "architecture.md"));
    String table = page.substring(page.indexOf("\n## Locks"), page.indexOf("\n## Stores"));
    List<String> rows =
        Pattern.compile("(?m)^\\| `([A-Z]+)` \\|")
            .matcher(table)
            .results()
            .map(row -> row.group(1))
            .toList();
    assertThat(rows).containsExactlyElementsOf(names());
  }

  private static List<String> names() {
    return List.of(LockOrder.values()).stream().map(LockOrder::name).toList();
  }
}
