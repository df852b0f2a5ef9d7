package net.sluice.onos.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import net.sluice.core.store.Documents;
import net.sluice.core.store.DocumentsContract;
import net.sluice.core.store.NetworkStore;
import net.sluice.core.store.StoreException;
import net.sluice.onos.testing.TestCluster;
import net.sluice.onos.testing.TestCluster.Fault;
import org.junit.jupiter.api.Test;

class ClusterDocumentsTest extends DocumentsContract {
  private static final Clock CLOCK = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);

  private final TestCluster cluster = new TestCluster();
  private final List<StoreException> lost = new ArrayList<>();
  private TestCluster.Node node;

  @Override
  protected NetworkStore open() {
    node = cluster.node("node");
    return ClusterNetworkStore.open(
        node.storage, "node", Duration.ofMillis(20), CLOCK, new KnownCommits(), lost::add);
  }

  @Override
  protected void kill() {
    node.kill();
  }

  private Documents heir() {
    return open().documents("operations");
  }

  @Test
  void whoLedBeforeWritesAndDeletesNothingMoreAndIsTold() {
    documents.put("a", new byte[] {1});
    Documents heir = heir();
    for (Runnable write :
        List.<Runnable>of(
            () -> documents.put("a", new byte[] {2}),
            () -> documents.put("b", new byte[] {2}, Documents.ABSENT),
            () -> documents.delete("a"))) {
      assertThatThrownBy(write::run)
          .isInstanceOf(StoreException.class)
          .hasMessage("another instance leads now");
    }
    assertThat(lost).hasSize(1);
    assertThat(heir.names()).containsExactly("a");
    assertThat(heir.get("a").orElseThrow().bytes()).containsExactly(1);
  }

  @Test
  void whatAFormerLeaderSentDoesNotReplaceWhatWasWrittenSince() {
    documents.put("a", new byte[] {1});
    node.faults(operation -> operation == 3 ? Fault.LATE : Fault.NONE);
    assertThatThrownBy(() -> documents.put("a", new byte[] {2})).isInstanceOf(StoreException.class);
    Documents heir = heir();
    heir.put("a", new byte[] {3});
    cluster.arrive();
    assertThat(heir.get("a").orElseThrow().bytes()).containsExactly(3);
  }
}
