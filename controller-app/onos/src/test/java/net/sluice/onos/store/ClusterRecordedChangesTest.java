package net.sluice.onos.store;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Random;
import net.sluice.core.store.NetworkStore;
import net.sluice.core.store.RecordedChangesContract;
import net.sluice.core.store.StoreException;
import net.sluice.onos.testing.TestCluster;
import net.sluice.onos.testing.TestCluster.Fault;

/**
 * Operations are lost, not answered, or done when another instance leads already; instances die at
 * any of them.
 */
class ClusterRecordedChangesTest extends RecordedChangesContract {
  private static final Clock CLOCK = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
  private static final int OPERATIONS = 60;

  private TestCluster cluster;
  private TestCluster.Node node;
  private ClusterNetworkStore store;
  private boolean isLost;

  @Override
  protected NetworkStore begin() {
    cluster = new TestCluster();
    return open();
  }

  private NetworkStore open() {
    node = cluster.node("node");
    isLost = false;
    TestCluster.Node mine = node;
    store =
        ClusterNetworkStore.open(
            node.storage,
            "node",
            Duration.ofMillis(5),
            CLOCK,
            new KnownCommits(),
            reason -> isLost |= mine == node);
    return store;
  }

  @Override
  protected void fail(Random by) {
    Fault[] faults = {Fault.LOST, Fault.UNANSWERED, Fault.LATE, Fault.DEAD};
    Fault fault = faults[by.nextInt(faults.length)];
    long first = 1 + by.nextInt(OPERATIONS);
    long last = by.nextBoolean() ? first : Long.MAX_VALUE;
    node.faults(operation -> operation >= first && operation <= last ? fault : Fault.NONE);
  }

  @Override
  protected NetworkStore goOn(Random by) {
    if (by.nextBoolean()) {
      cluster.arrive();
    }
    boolean canGoOn = !node.isDead() && !isLost && by.nextBoolean();
    if (!node.isDead()) {
      node.faults(operation -> Fault.NONE);
    }
    if (canGoOn) {
      try {
        for (String name : SWITCHES) {
          store.of(name).reopen();
        }
        cluster.arrive();
        return store;
      } catch (StoreException e) {
        // It cannot tell what has become of something, and leaves that to who takes over.
      }
    }
    NetworkStore next = open();
    cluster.arrive();
    return next;
  }
}
