package net.sluice.core.network;

import static net.sluice.core.testing.NetworkRig.at;
import static net.sluice.core.testing.TestNetwork.policy;
import static net.sluice.core.testing.TestNetwork.put;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import net.sluice.core.Declared;
import net.sluice.core.Page;
import net.sluice.core.testing.NetworkRig;
import net.sluice.intents.model.BuiltInFunction;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Change;
import org.junit.jupiter.api.Test;

/** Lists over several switches while declarations come and go. */
class NetworkListTest {
  /** Nothing here depends on how the threads take turns: every page must be right. */
  @Test
  void everyPageIsConsistentBesideWriters() throws Exception {
    try (NetworkRig rig = NetworkRig.settled("bng1", "bng2")) {
      rig.accept(policy("gold", BuiltInFunction.GOLD));
      rig.time.settle();
      AtomicBoolean stop = new AtomicBoolean();
      Thread writer = new Thread(() -> comeAndGo(rig, stop));
      writer.start();
      try {
        Random random = new Random(2);
        for (int i = 0; i < 2_000; i++) {
          Page page =
              rig.controller.list(Kind.SUBSCRIBER, random.nextInt(12), 1 + random.nextInt(12));
          assertThat(page.items())
              .hasSize((int) Math.min(page.limit(), Math.max(0, page.total() - page.offset())));
          List<String> ids = page.items().stream().map(Declared::id).toList();
          assertThat(ids).doesNotHaveDuplicates().isSorted();
        }
      } finally {
        stop.set(true);
        writer.join();
      }
    }
  }

  private static void comeAndGo(NetworkRig rig, AtomicBoolean stop) {
    Random random = new Random(1);
    while (!stop.get()) {
      int number = random.nextInt(20);
      String id = String.valueOf((char) ('a' + number));
      rig.accept(
          rig.controller.find(Kind.SUBSCRIBER, id).isPresent()
              ? new Change.Delete(Kind.SUBSCRIBER, id)
              : at("bng" + (1 + number % 2), put(id, "10.0.0." + number + "/32")));
    }
  }
}
