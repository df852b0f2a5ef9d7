package net.sluice.onos.store;

import java.time.Clock;
import java.time.Duration;
import net.sluice.core.store.IntentStore;
import net.sluice.core.store.IntentStoreContract;
import net.sluice.onos.testing.TestCluster;

/** What is kept for a switch with a name is a store as any other. */
class NamedSwitchStoreTest extends IntentStoreContract {
  private final TestCluster.Node node = new TestCluster().node("node");

  @Override
  protected IntentStore open() {
    return ClusterNetworkStore.open(
            node.storage,
            "node",
            Duration.ofSeconds(1),
            Clock.systemUTC(),
            new KnownCommits(),
            lost -> {})
        .of("bng1");
  }
}
