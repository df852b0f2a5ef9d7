package net.sluice.onos.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import net.sluice.core.store.BackupContract;
import net.sluice.core.store.BackupFile;
import net.sluice.core.store.NetworkStore;
import net.sluice.core.store.StoreException;
import net.sluice.onos.testing.TestCluster;

final class ClusterBackupTest extends BackupContract {
  private static final Clock CLOCK = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);

  private final List<StoreException> lost = new ArrayList<>();
  private TestCluster cluster;
  private TestCluster.Node node;
  private KnownCommits known;
  private ClusterNetworkStore open;

  @Override
  protected NetworkStore begin() {
    cluster = new TestCluster();
    node = cluster.node("node");
    known = new KnownCommits();
    return again();
  }

  @Override
  protected NetworkStore again() {
    open =
        ClusterNetworkStore.open(
            node.storage, "node", Duration.ofMillis(20), CLOCK, known, lost::add);
    return open;
  }

  @Override
  protected NetworkStore restore(byte[] backup) {
    lost.clear();
    var unused =
        open.restore(
            to -> BackupFile.read("the backup", new ByteArrayInputStream(backup), to),
            (name, document) -> true,
            "other",
            number -> List.of());
    assertThat(lost).hasSize(1);
    return again();
  }
}
