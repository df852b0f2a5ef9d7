package net.sluice.endpoints;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import net.sluice.core.StoreBackup;
import net.sluice.core.store.BackupFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A copy of a store's files in a directory of its own, which is in the store's. */
final class StoreCopy implements StoreBackup {
  /** The beginning of the names of copies. */
  static final String COPY = "copy-";

  private static final Logger LOG = LoggerFactory.getLogger(StoreCopy.class);

  private final Path copy;

  /** Owns the directory {@code copy}, which holds no other directory. */
  StoreCopy(Path copy) {
    this.copy = copy;
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    try (RocksDbIntentStore store = RocksDbIntentStore.readOnly(copy)) {
      BackupFile.write(out, store::copyTo);
    }
  }

  @Override
  public void close() {
    remove(copy);
  }

  /** Removes copies in a store's directory that are not used any more. */
  static void removeAll(Path store) {
    try (Stream<Path> all = Files.list(store)) {
      all.filter(each -> each.getFileName().toString().startsWith(COPY))
          .filter(Files::isDirectory)
          .forEach(StoreCopy::remove);
    } catch (IOException e) {
      LOG.warn("copies of the store cannot be removed from {}: {}", store, e.toString());
    }
  }

  private static void remove(Path directory) {
    try {
      Folders.delete(directory);
    } catch (IOException e) {
      LOG.warn("{} cannot be removed: {}", directory, e.toString());
    }
  }
}
