package net.sluice.endpoints;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.sluice.core.store.NetworkStore;
import net.sluice.core.store.RecordedChangesContract;
import org.junit.jupiter.api.io.TempDir;

/** The machine's power fails in the midst of a write: the log of the store ends somewhere there. */
class RocksDbRecordedChangesTest extends RecordedChangesContract {
  /** Of the log's end, what may be lost: a few commits. */
  private static final int LOST = 50_000;

  @TempDir Path folder;
  private int stores;
  private RocksDbIntentStore store;

  private Path directory() {
    return folder.resolve("store" + stores);
  }

  @Override
  protected NetworkStore begin() {
    stores++;
    store = new RocksDbIntentStore(directory());
    return store;
  }

  @Override
  protected void fail(Random by) {}

  @Override
  protected NetworkStore goOn(Random by) {
    if (by.nextInt(4) == 0) {
      store.reopen();
      return store;
    }
    Path ended = directory();
    stores++;
    RocksDbJournalTest.copy(ended, directory());
    store.close();
    if (by.nextBoolean()) {
      cutLog(by.nextInt(LOST));
    }
    store = new RocksDbIntentStore(directory());
    return store;
  }

  private void cutLog(int bytes) {
    try (Stream<Path> files = Files.list(directory())) {
      List<Path> logs = files.filter(file -> file.toString().endsWith(".log")).sorted().toList();
      Path last = logs.get(logs.size() - 1);
      try (FileChannel log = FileChannel.open(last, StandardOpenOption.WRITE)) {
        log.truncate(Math.max(0, log.size() - bytes));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A store takes long to be opened. */
  @Override
  protected int steps() {
    return 12;
  }

  @Override
  protected boolean mayLose() {
    return true;
  }
}
