package net.sluice.endpoints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.sluice.core.store.Journal;
import net.sluice.core.store.JournalContract;
import net.sluice.core.store.StoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.Statistics;
import org.rocksdb.TickerType;

class RocksDbJournalTest extends JournalContract {
  private static final List<Journal.Item> ONE = List.of(new Journal.Item(1, new byte[] {1}));

  @TempDir Path folder;
  private int copies;
  private RocksDbIntentStore store;

  private Path directory() {
    return folder.resolve("store" + copies);
  }

  @Override
  protected Journal open() {
    store = new RocksDbIntentStore(directory(), time);
    return store.journal("events");
  }

  @Override
  protected void close() {
    store.close();
  }

  @Override
  protected void kill() {
    Path killed = directory();
    copies++;
    copy(killed, directory());
    store.close();
  }

  /** Copies a store as it is at one moment, though RocksDB changes files in the background. */
  static void copy(Path from, Path to) {
    try {
      Map<Path, Long> before = Map.of();
      Map<Path, Long> now = sizes(from);
      while (!now.equals(before)) {
        before = now;
        Folders.delete(to);
        Files.createDirectories(to);
        for (Path file : before.keySet()) {
          try {
            Files.copy(file, to.resolve(file.getFileName()));
          } catch (NoSuchFileException e) {
            // Then the sizes differ.
            break;
          }
        }
        now = sizes(from);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<Path, Long> sizes(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.collect(Collectors.toMap(file -> file, file -> file.toFile().length()));
    }
  }

  @Test
  void journalsOfAStoreDoNotMixAndAreTheSameEachTime() {
    Journal other = store.journal("events-2");
    assertThat(store.journal("events")).isSameAs(journal);
    other.append(ONE);
    journal.append(ONE);
    journal.append(ONE);
    assertThat(other.last()).isEqualTo(1);
    assertThat(other.read(0, 100)).hasSize(1);
    assertThat(other.id()).isNotEqualTo(journal.id());
    other.append(ONE);
    other.trim(0, time.instant());
    assertThat(other.first()).isEqualTo(2);
    assertThat(journal.read(0, 100)).hasSize(2);
  }

  @Test
  void itGoesOnWhenTheStoreIsOpenedAgain() {
    journal.append(ONE);
    store.reopen();
    assertThat(journal.read(0, 100)).hasSize(1);
    assertThat(journal.isWhole()).isTrue();
    assertThat(journal.append(ONE)).isEqualTo(2);
    close();
    journal = open();
    assertThat(journal.last()).isEqualTo(2);
  }

  @Test
  void aNumberThatWasGivenAndLostWithTheMachineIsNotGivenAgain() {
    journal.append(ONE);
    close();
    journal = open();
    Path opened = directory();
    copies++;
    copy(opened, directory());
    // Not synced, so that the machine's death may leave what there was before.
    long lost = journal.append(ONE);
    store.close();
    journal = open();
    assertThat(journal.isWhole()).isFalse();
    assertThat(journal.append(ONE)).isGreaterThan(lost);
  }

  @Test
  void aClosedStoreTakesNoMoreRecords() {
    close();
    assertThatThrownBy(() -> journal.append(ONE))
        .isInstanceOf(StoreException.class)
        .hasMessage("the store in " + directory() + " is closed");
  }

  @Test
  void whatASyncedWriteHasSyncedAlreadyIsNotSyncedAgain() {
    close();
    try (Statistics statistics = new Statistics();
        RocksDbIntentStore measured =
            new RocksDbIntentStore(directory(), o -> o.setStatistics(statistics))) {
      Journal synced = measured.journal("events");
      long before = syncs(statistics);
      synced.append(ONE);
      synced.append(ONE);
      assertThat(syncs(statistics)).isEqualTo(before);
      synced.sync(1);
      synced.sync(2);
      assertThat(syncs(statistics)).isEqualTo(before + 1);
      synced.append(ONE);
      measured.documents("operations").put("a", new byte[0]);
      synced.sync(3);
      assertThat(syncs(statistics)).isEqualTo(before + 2);
    }
    store = new RocksDbIntentStore(directory());
  }

  private static long syncs(Statistics statistics) {
    return statistics.getTickerCount(TickerType.WAL_FILE_SYNCED);
  }

  @Test
  void aNameThatIsNoneIsRefused() {
    for (String name : List.of("", "Events", "a b", "a".repeat(33))) {
      assertThatThrownBy(() -> store.journal(name))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("name is \"%s\"; allowed: 1 to 32 of a to z, 0 to 9 and \"-\"", name);
    }
  }
}
