package net.sluice.endpoints;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import net.sluice.core.store.BackupContract;
import net.sluice.core.store.NetworkStore;
import org.junit.jupiter.api.io.TempDir;

final class RocksDbBackupTest extends BackupContract {
  @TempDir Path folder;
  private int stores;
  private int restores;
  private RocksDbIntentStore open;

  private Path directory() {
    return folder.resolve("store" + stores);
  }

  @Override
  protected NetworkStore begin() {
    stores++;
    return again();
  }

  @Override
  protected NetworkStore again() {
    if (open != null) {
      open.close();
    }
    open = new RocksDbIntentStore(directory());
    return open;
  }

  @Override
  protected NetworkStore restore(byte[] backup) {
    open.close();
    try {
      Path file = Files.write(folder.resolve("backup"), backup);
      Instant now = Instant.ofEpochSecond(++restores);
      StoreRestore.Restored unused = StoreRestore.run(file, directory(), true, now);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return again();
  }
}
