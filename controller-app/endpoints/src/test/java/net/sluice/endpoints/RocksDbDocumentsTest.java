package net.sluice.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import net.sluice.core.store.DocumentsContract;
import net.sluice.core.store.NetworkStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RocksDbDocumentsTest extends DocumentsContract {
  @TempDir Path folder;
  private int copies;
  private RocksDbIntentStore store;

  private Path directory() {
    return folder.resolve("store" + copies);
  }

  @Override
  protected NetworkStore open() {
    store = new RocksDbIntentStore(directory());
    return store;
  }

  @Override
  protected void kill() {
    Path killed = directory();
    copies++;
    RocksDbJournalTest.copy(killed, directory());
    store.close();
  }

  @Test
  void theyGoOnWhenTheStoreIsOpenedAgain() {
    long version = documents.put("a", new byte[] {1}, 0).orElseThrow();
    store.reopen();
    assertThat(documents.put("a", new byte[] {2}, version)).isPresent();
    assertThat(documents.get("a").orElseThrow().bytes()).containsExactly(2);
  }
}
