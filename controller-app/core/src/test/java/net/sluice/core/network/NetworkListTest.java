package net.sluice.core.network;

import static net.sluice.core.testing.NetworkRig.at;
import static net.sluice.core.testing.TestNetwork.policy;
import static net.sluice.core.testing.TestNetwork.put;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import net.sluice.core.Page;
import net.sluice.core.Selection;
import net.sluice.core.testing.NetworkRig;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Labels;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import org.junit.jupiter.api.Test;

/** Lists over several switches while declarations come, go and move. */
class NetworkListTest {
  private static List<String> walked(NetworkRig rig, Selection which, int limit) {
    List<String> ids = new ArrayList<>();
    Optional<String> after = Optional.of("");
    while (after.isPresent()) {
      Page page = rig.controller.list(Kind.SUBSCRIBER, which, after.get(), limit);
      page.items().forEach(item -> ids.add(item.id()));
      after = page.next();
    }
    return ids;
  }

  /** Nothing here depends on how the threads take turns: every walk must be right. */
  @Test
  void aWalkBesideWritersTellsOnceWhatStaysWhereverItMoves() throws Exception {
    try (NetworkRig rig = NetworkRig.settled("bng1", "bng2")) {
      rig.accept(policy("gold", BuiltInFunction.GOLD));
      rig.accept(at("bng1", put("mover", "10.1.0.0/16")));
      rig.time.settle();
      AtomicBoolean stop = new AtomicBoolean();
      Thread writer = new Thread(() -> comeAndGo(rig, stop));
      writer.start();
      try {
        Random random = new Random(2);
        for (int i = 0; i < 1_000; i++) {
          assertThat(walked(rig, Selection.ALL, 1 + random.nextInt(6)))
              .doesNotHaveDuplicates()
              .isSorted()
              .contains("mover");
        }
      } finally {
        stop.set(true);
        writer.join();
      }
    }
  }

  @Test
  void whatMovesIsListedWhereItIs() throws Exception {
    try (NetworkRig rig = NetworkRig.settled("bng1", "bng2")) {
      rig.accept(policy("gold", BuiltInFunction.GOLD));
      rig.accept(at("bng1", put("a", "10.0.0.1/32")));
      rig.accept(at("bng1", put("b", "10.0.0.2/32")));
      rig.time.settle();
      rig.accept(at("bng2", put("b", "10.0.0.2/32")));
      for (int limit = 1; limit < 4; limit++) {
        assertThat(walked(rig, Selection.ALL, limit)).containsExactly("a", "b");
        assertThat(walked(rig, atSwitch("bng1"), limit)).containsExactly("a");
        assertThat(walked(rig, atSwitch("bng2"), limit)).containsExactly("b");
        assertThat(walked(rig, atSwitch("bng3"), limit)).isEmpty();
      }
    }
  }

  private static Selection atSwitch(String name) {
    return new Selection(
        Optional.empty(),
        Optional.empty(),
        Optional.of(name),
        OptionalInt.empty(),
        OptionalInt.empty(),
        Optional.empty(),
        Optional.empty(),
        Labels.NONE,
        Optional.empty());
  }

  private static void comeAndGo(NetworkRig rig, AtomicBoolean stop) {
    Random random = new Random(1);
    for (int i = 0; !stop.get(); i++) {
      int number = random.nextInt(20);
      String id = String.valueOf((char) ('a' + number));
      rig.accept(
          rig.controller.find(Kind.SUBSCRIBER, id).isPresent()
              ? new Change.Delete(Kind.SUBSCRIBER, id)
              : at("bng" + (1 + number % 2), put(id, "10.0.0." + number + "/32")));
      rig.accept(at("bng" + (1 + i % 2), put("mover", "10.1.0.0/16")));
    }
  }
}
