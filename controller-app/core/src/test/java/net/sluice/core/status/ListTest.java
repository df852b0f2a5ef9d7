package net.sluice.core.status;

import static net.sluice.core.testing.TestNetwork.policy;
import static net.sluice.core.testing.TestNetwork.put;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import net.sluice.core.Declared;
import net.sluice.core.Page;
import net.sluice.core.store.InMemoryIntentStore;
import net.sluice.core.store.IntentStore;
import net.sluice.core.testing.ControllerRig;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.model.BuiltInFunction;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Change;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lists while declarations come and go. */
final class ListTest {
  /** Each is run once, when a scan of the store has ended and before its result is used. */
  private final Deque<Runnable> afterScans = new ArrayDeque<>();

  private final ControllerRig rig =
      ControllerRig.create(TestNetwork.smallConfig(), interrupted(new InMemoryIntentStore()));

  private IntentStore interrupted(IntentStore store) {
    return (IntentStore)
        Proxy.newProxyInstance(
            IntentStore.class.getClassLoader(),
            new Class<?>[] {IntentStore.class},
            (proxy, method, arguments) -> {
              try {
                Object result = method.invoke(store, arguments);
                if (method.getName().startsWith("scan") && !afterScans.isEmpty()) {
                  afterScans.removeFirst().run();
                }
                return result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @BeforeEach
  void declare() {
    rig.accept(policy("gold", BuiltInFunction.GOLD));
    for (String id : List.of("a", "b", "c")) {
      rig.accept(put(id, address(id)));
    }
    rig.time.pass(Duration.ofSeconds(1));
  }

  @AfterEach
  void close() {
    rig.close();
  }

  private static String address(String id) {
    return "10.0.0." + (int) id.charAt(0) + "/32";
  }

  private void add(String id) {
    rig.accept(put(id, address(id)));
  }

  private void delete(String id) {
    rig.accept(new Change.Delete(Kind.SUBSCRIBER, id));
  }

  private static void assertConsistent(Page page) {
    assertThat(page.items())
        .hasSize((int) Math.min(page.limit(), Math.max(0, page.total() - page.offset())))
        .allMatch(item -> !item.targets().isEmpty());
    List<String> ids = page.items().stream().map(Declared::id).toList();
    assertThat(ids).doesNotHaveDuplicates().isSorted();
  }

  private List<String> listed() {
    Page page = rig.controller.list(Kind.SUBSCRIBER, 0, 10);
    assertConsistent(page);
    return page.items().stream().map(Declared::id).toList();
  }

  @Test
  void whatIsDeletedWhileTheStoreIsReadIsNotListed() {
    afterScans.add(() -> delete("b"));
    assertThat(listed()).containsExactly("a", "c");
  }

  @Test
  void whatIsDeclaredWhileTheStoreIsReadIsListed() {
    afterScans.add(() -> add("d"));
    assertThat(listed()).containsExactly("a", "b", "c", "d");
  }

  @Test
  void oneInTheOthersPlaceIsNotMistakenForIt() {
    afterScans.add(
        () -> {
          delete("b");
          add("d");
        });
    assertThat(listed()).containsExactly("a", "c", "d");
  }

  @Test
  void declarationsThatComeAndGoFasterThanTheyAreListedWait() {
    for (String id : List.of("d", "e", "f")) {
      afterScans.add(() -> add(id));
    }
    assertThat(listed()).containsExactly("a", "b", "c", "d", "e", "f");
    assertThat(afterScans).isEmpty();
  }

  @Test
  void aPageInTheMiddleIsFullWhateverComesAndGoesBeforeIt() {
    afterScans.add(() -> delete("a"));
    Page page = rig.controller.list(Kind.SUBSCRIBER, 1, 1);
    assertConsistent(page);
    assertThat(page.total()).isEqualTo(2);
  }

  /** Nothing here depends on how the threads take turns: every page must be right. */
  @Test
  void everyPageIsConsistentBesideWriters() throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    Thread writer =
        new Thread(
            () -> {
              Random random = new Random(1);
              while (!stop.get()) {
                String id = String.valueOf((char) ('a' + random.nextInt(20)));
                if (rig.controller.find(Kind.SUBSCRIBER, id).isPresent()) {
                  delete(id);
                } else {
                  add(id);
                }
              }
            });
    writer.start();
    try {
      Random random = new Random(2);
      for (int i = 0; i < 2_000; i++) {
        assertConsistent(
            rig.controller.list(Kind.SUBSCRIBER, random.nextInt(12), 1 + random.nextInt(12)));
      }
    } finally {
      stop.set(true);
      writer.join();
    }
  }
}
