package net.sluice.core.status;

import static net.sluice.core.testing.TestNetwork.policy;
import static net.sluice.core.testing.TestNetwork.put;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import net.sluice.core.Declared;
import net.sluice.core.Page;
import net.sluice.core.Selection;
import net.sluice.core.TargetState;
import net.sluice.core.store.InMemoryIntentStore;
import net.sluice.core.store.IntentStore;
import net.sluice.core.testing.ControllerRig;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Labels;
import net.sluice.intents.model.OptionalParts;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.policy.BuiltInFunction;
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

  private Page page(Selection which, String afterId, int limit) {
    return rig.controller.list(Kind.SUBSCRIBER, which, afterId, limit);
  }

  private static List<String> ids(Page page) {
    assertThat(page.items()).allMatch(item -> !item.targets().isEmpty());
    return page.items().stream().map(Declared::id).toList();
  }

  /** The ids of all pages, one after the other. */
  private List<String> walked(Selection which, int limit) {
    List<String> ids = new ArrayList<>();
    Optional<String> after = Optional.of("");
    while (after.isPresent()) {
      Page page = page(which, after.get(), limit);
      ids.addAll(ids(page));
      after = page.next();
    }
    return ids;
  }

  @Test
  void whatIsDeletedWhileTheStoreIsReadIsNotListed() {
    afterScans.add(() -> delete("b"));
    assertThat(ids(page(Selection.ALL, "", 10))).containsExactly("a", "c");
  }

  @Test
  void whatIsDeclaredAnewWhileTheStoreIsReadIsListedAsItIs() {
    afterScans.add(
        () -> {
          delete("b");
          rig.accept(put("b", "10.0.1.0/24"));
        });
    Page page = page(Selection.ALL, "", 10);
    assertThat(ids(page)).containsExactly("a", "b", "c");
    assertThat(page.items().get(1).declared())
        .isEqualTo(TestNetwork.subscriber("b", "10.0.1.0/24"));
    assertThat(page.total()).hasValue(3);
  }

  @Test
  void aPageIsFilledUpForWhatIsGone() {
    afterScans.add(() -> delete("a"));
    Page page = page(Selection.ALL, "", 2);
    assertThat(ids(page)).containsExactly("b", "c");
    assertThat(page.next()).isEmpty();
  }

  @Test
  void aWalkGoesOnAfterADeclarationThatIsGone() {
    Page first = page(Selection.ALL, "", 2);
    assertThat(first.next()).hasValue("b");
    delete("b");
    rig.accept(put("aa", "10.0.1.0/24"));
    assertThat(ids(page(Selection.ALL, first.next().get(), 2))).containsExactly("c");
  }

  @Test
  void onlyTheHolderOfAnAddressIsListed() {
    IpPrefix address = IpPrefix.parse(address("b"));
    Selection which =
        new Selection(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            OptionalInt.empty(),
            OptionalInt.empty(),
            Optional.empty(),
            Optional.of(address),
            Labels.NONE,
            Optional.empty());
    assertThat(ids(page(which, "", 10))).containsExactly("b");
    assertThat(ids(page(which, "b", 10))).isEmpty();
    rig.accept(put("b", "10.0.1.0/24"));
    assertThat(ids(page(which, "", 10))).isEmpty();
  }

  @Test
  void onlyThoseWithAllLabelsAreListed() {
    label("a", "north", "1");
    label("c", "north", "2");
    assertThat(walked(labelled(Map.of("site", "north")), 1)).containsExactly("a", "c");
    assertThat(walked(labelled(Map.of("site", "north", "tier", "2")), 1)).containsExactly("c");
    assertThat(walked(labelled(Map.of("site", "south")), 1)).isEmpty();
  }

  @Test
  void aTextFindsIdsAndNamesInSmallAndCapitalLetters() {
    Subscriber named = TestNetwork.subscriber("b", address("b"));
    rig.accept(
        new Change.Put(
            named.withParts(OptionalParts.NONE.withDisplayName(Optional.of("Café Zoë")))));
    assertThat(walked(having("CAFÉ"), 1)).containsExactly("b");
    assertThat(walked(having("A"), 1)).containsExactly("a", "b");
    assertThat(walked(having("zoo"), 1)).isEmpty();
  }

  private static Selection having(String text) {
    return new Selection(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        OptionalInt.empty(),
        OptionalInt.empty(),
        Optional.empty(),
        Optional.empty(),
        Labels.NONE,
        Optional.of(text));
  }

  private void label(String id, String site, String tier) {
    Subscriber subscriber = TestNetwork.subscriber(id, address(id));
    Labels labels = new Labels(new TreeMap<>(Map.of("site", site, "tier", tier)));
    rig.accept(new Change.Put(subscriber.withParts(OptionalParts.NONE.withLabels(labels))));
  }

  private static Selection labelled(Map<String, String> labels) {
    return new Selection(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        OptionalInt.empty(),
        OptionalInt.empty(),
        Optional.empty(),
        Optional.empty(),
        new Labels(new TreeMap<>(labels)),
        Optional.empty());
  }

  private static Selection in(TargetState state) {
    return new Selection(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        OptionalInt.empty(),
        OptionalInt.empty(),
        Optional.of(state),
        Optional.empty(),
        Labels.NONE,
        Optional.empty());
  }

  @Test
  void whatATargetDoesNotHoldYetIsListedByThat() {
    assertThat(walked(in(TargetState.INSTALLED), 1)).containsExactly("a", "b", "c");
    rig.switchTarget.holdAnswers();
    add("d");
    assertThat(walked(in(TargetState.PENDING), 2)).containsExactly("d");
    assertThat(walked(in(TargetState.INSTALLED), 2)).containsExactly("a", "b", "c");
    assertThat(walked(in(TargetState.FAILED), 2)).isEmpty();
  }

  /** Nothing here depends on how the threads take turns: every walk must be right. */
  @Test
  void aWalkBesideWritersTellsOnceWhatStays() throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    Thread writer =
        new Thread(
            () -> {
              Random random = new Random(1);
              while (!stop.get()) {
                String id = String.valueOf((char) ('d' + random.nextInt(17)));
                if (rig.controller.find(Kind.SUBSCRIBER, id).isPresent()) {
                  delete(id);
                } else {
                  add(id);
                }
              }
            });
    rig.accept(put("k1", "10.0.1.0/24"));
    writer.start();
    try {
      Random random = new Random(2);
      for (int i = 0; i < 500; i++) {
        List<String> ids = walked(Selection.ALL, 1 + random.nextInt(6));
        assertThat(ids).doesNotHaveDuplicates().isSorted().contains("a", "b", "c", "k1");
      }
    } finally {
      stop.set(true);
      writer.join();
    }
  }
}
