package net.sluice.endpoints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import net.sluice.core.StoreBackup;
import net.sluice.core.store.Journal;
import net.sluice.core.store.StoreBatch;
import net.sluice.core.store.StoreCodec;
import net.sluice.core.store.StoreException;
import net.sluice.core.testing.TestNetwork;
import net.sluice.endpoints.StoreRestore.Restored;
import net.sluice.intents.state.SubscriberState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups of a store that is used, and stores that are made of them. */
final class StoreRestoreTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  @TempDir Path folder;

  private static StoreBatch subscriber(int i) {
    StoreBatch batch = new StoreBatch();
    batch.put(
        new SubscriberState(
            TestNetwork.subscriber("s" + i, "10.0.0." + i + "/32"), i, SubscriberState.NONE));
    return batch;
  }

  private static List<String> ids(Path directory, String switchName) {
    try (RocksDbIntentStore store = new RocksDbIntentStore(directory)) {
      List<String> ids = new ArrayList<>();
      int unused =
          store.of(switchName).scanSubscribers("", 0, 100, s -> ids.add(s.subscriber().id()));
      return ids;
    }
  }

  /** Of a store with s1 and s2 at one switch and s3 at another; s4 came later. */
  private Path backUp(Path directory) throws IOException {
    try (RocksDbIntentStore store = new RocksDbIntentStore(directory)) {
      store.of("bng1").commit(subscriber(1));
      store.of("bng1").commit(subscriber(2));
      store.of("bng2").commit(subscriber(3));
      Path file = folder.resolve("backup.zip");
      try (StoreBackup backup = store.backUp();
          OutputStream out = Files.newOutputStream(file)) {
        store.of("bng1").commit(subscriber(4));
        backup.writeTo(out);
      }
      try (Stream<Path> left = Files.list(directory)) {
        assertThat(left.filter(Files::isDirectory)).isEmpty();
      }
      return file;
    }
  }

  @Test
  void aBackupHasWhatWasThereWhenItBegan() throws IOException {
    Path old = folder.resolve("old");
    Path file = backUp(old);
    Path restored = folder.resolve("new");
    Restored made = StoreRestore.run(file, restored, false, NOW);
    assertThat(made.revisions()).isEqualTo(Map.of("bng1", 2L, "bng2", 1L));
    assertThat(made.replaced()).isEmpty();
    // There are secrets in it.
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(restored)))
        .isEqualTo("rwx------");
    assertThat(ids(restored, "bng1")).containsExactly("s1", "s2");
    assertThat(ids(restored, "bng2")).containsExactly("s3");
    assertThat(ids(old, "bng1")).containsExactly("s1", "s2", "s4");
    try (RocksDbIntentStore before = new RocksDbIntentStore(old)) {
      assertThat(made.identity()).isEqualTo(before.identity());
    }
  }

  @Test
  void aBackupHasJournalsAndDocumentsWhichGoOnUnderOtherIdsWhereItIsRestored() throws IOException {
    Path file = folder.resolve("backup.zip");
    Map<String, String> ids = new TreeMap<>();
    List<Journal.Item> record = List.of(new Journal.Item(1, new byte[] {7}));
    try (RocksDbIntentStore store = new RocksDbIntentStore(folder.resolve("old"))) {
      for (String name : List.of("audit", "events")) {
        Journal journal = store.journal(name);
        journal.append(record);
        ids.put(name, journal.id());
      }
      store.documents("webhooks").put("to-billing", new byte[] {8});
      try (StoreBackup backup = store.backUp();
          OutputStream out = Files.newOutputStream(file)) {
        store.journal("events").append(record);
        backup.writeTo(out);
      }
    }
    Path restored = folder.resolve("new");
    Restored unused = StoreRestore.run(file, restored, false, NOW);
    try (RocksDbIntentStore store = new RocksDbIntentStore(restored)) {
      ids.forEach(
          (name, id) -> {
            Journal journal = store.journal(name);
            assertThat(journal.read(0, 100)).hasSize(1);
            assertThat(journal.isWhole()).isFalse();
            assertThat(journal.append(record)).isEqualTo(2 + Journal.SKIPPED);
            assertThat(journal.id()).isNotEqualTo(id);
          });
      assertThat(store.journal("audit").id()).isNotEqualTo(store.journal("events").id());
      assertThat(store.documents("webhooks").get("to-billing").orElseThrow().bytes())
          .containsExactly(8);
    }
  }

  @Test
  void whatIsReadAsOfOneMomentSeesNoLaterCommit() {
    try (RocksDbIntentStore store = new RocksDbIntentStore(folder.resolve("store"))) {
      store.of("bng1").commit(subscriber(1));
      List<String> ids = new ArrayList<>();
      store.atOneMoment(
          stores -> {
            store.of("bng1").commit(subscriber(2));
            stores.apply("bng1").scanSubscribers("", 0, 10, s -> ids.add(s.subscriber().id()));
            stores.apply("bng2").scanSubscribers("", 0, 10, s -> ids.add(s.subscriber().id()));
          });
      assertThat(ids).containsExactly("s1");
    }
  }

  @Test
  void anOldStoreIsPutAsideOnlyWhenToldTo() throws IOException {
    Path directory = folder.resolve("store");
    Path file = backUp(directory);
    Files.writeString(directory.resolve("tokens"), "of another kind");
    assertThatThrownBy(() -> StoreRestore.run(file, directory, false, NOW))
        .isInstanceOf(StoreException.class)
        .hasMessage("there is a store in " + directory + "; with --replace it is put aside");
    assertThat(ids(directory, "bng1")).containsExactly("s1", "s2", "s4");
    Restored made = StoreRestore.run(file, directory, true, NOW);
    assertThat(made.replaced()).contains(directory.resolve("replaced-20260102T030405Z"));
    assertThat(ids(directory, "bng1")).containsExactly("s1", "s2");
    assertThat(ids(made.replaced().orElseThrow(), "bng1")).containsExactly("s1", "s2", "s4");
    assertThat(directory.resolve("tokens")).exists();
  }

  @Test
  void aStoreInUseIsLeftAlone() throws IOException {
    Path directory = folder.resolve("store");
    Path file = backUp(directory);
    try (RocksDbIntentStore used = new RocksDbIntentStore(directory)) {
      assertThatThrownBy(() -> StoreRestore.run(file, directory, true, NOW))
          .isInstanceOf(StoreException.class)
          .hasMessage(
              "cannot restore the store in " + directory + ": it is in use by this process");
      used.of("bng1").commit(subscriber(5));
    }
    assertThat(ids(directory, "bng1")).containsExactly("s1", "s2", "s4", "s5");
  }

  /** At every 293rd byte, and cut off at as many places. */
  @Test
  void aDamagedBackupChangesNothing() throws IOException {
    Path directory = folder.resolve("store");
    byte[] whole = Files.readAllBytes(backUp(directory));
    Path damaged = folder.resolve("damaged.zip");
    int refused = 0;
    for (int at = 0; at < whole.length; at += 293) {
      byte[] flipped = whole.clone();
      flipped[at] ^= 0x10;
      for (byte[] bytes : List.of(flipped, Arrays.copyOf(whole, at))) {
        Files.write(damaged, bytes);
        try {
          // Times of files and such say nothing about the store.
          Path elsewhere = folder.resolve("at-" + at);
          Restored made = StoreRestore.run(damaged, elsewhere, false, NOW);
          assertThat(bytes).hasSameSizeAs(whole);
          assertThat(made.revisions()).isEqualTo(Map.of("bng1", 2L, "bng2", 1L));
          assertThat(ids(elsewhere, "bng1")).containsExactly("s1", "s2");
          Folders.delete(elsewhere);
        } catch (StoreException e) {
          refused++;
          assertThatThrownBy(() -> StoreRestore.run(damaged, directory, true, NOW))
              .isInstanceOf(StoreException.class)
              .hasMessageContaining(damaged.toString());
        }
      }
    }
    assertThat(refused).isGreaterThan(whole.length / 293);
    assertThat(ids(directory, "bng1")).containsExactly("s1", "s2", "s4");
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left.filter(Files::isDirectory)).isEmpty();
    }
  }

  @Test
  void aBackupOfAnEarlierReleaseIsRefused() throws IOException {
    Path file = folder.resolve("earlier.zip");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      zip.putNextEntry(new ZipEntry("sluice-backup"));
      zip.write("1\nCURRENT".getBytes(StandardCharsets.US_ASCII));
    }
    Path directory = folder.resolve("new");
    assertThatThrownBy(() -> StoreRestore.run(file, directory, false, NOW))
        .hasMessage(file + " has format 1; this release reads format 3: " + StoreCodec.MIGRATION);
    assertThat(directory.resolve("CURRENT")).doesNotExist();
  }

  /** Wherever it was cut short, no start takes what is there for the store. */
  @Test
  void aRestoreThatWasCutShortIsDoneAgain() throws IOException {
    Path begun = folder.resolve("begun");
    Path file = backUp(begun);
    for (int moved = 0; moved < 8; moved++) {
      // The old store is on its way out.
      Path directory = copy(begun, "out-" + moved);
      Files.createDirectory(directory.resolve("restored.next"));
      Files.createDirectory(directory.resolve("replaced.part"));
      move(directory, directory.resolve("replaced.part"), moved);
      assertUnopenable(directory);
      Restored made = StoreRestore.run(file, directory, true, NOW);
      assertThat(ids(directory, "bng1")).containsExactly("s1", "s2");
      assertThat(ids(made.replaced().orElseThrow(), "bng1")).containsExactly("s1", "s2", "s4");
    }
    for (int moved = 0; moved < 8; moved++) {
      // The old store is out, the backup's on its way in.
      Path directory = Files.createDirectory(folder.resolve("in-" + moved));
      Path old = copy(begun, "in-" + moved + "/replaced.part");
      Path moving = directory.resolve("restored.moving");
      Restored unused = StoreRestore.run(file, moving, false, NOW);
      move(moving, directory, moved);
      assertUnopenable(directory);
      Restored made = StoreRestore.run(file, directory, false, NOW);
      assertThat(made.replaced()).isEqualTo(Optional.empty());
      assertThat(old).doesNotExist();
      assertThat(ids(directory, "bng1")).containsExactly("s1", "s2");
      assertThat(ids(directory.resolve("replaced-20260102T030405Z"), "bng1"))
          .containsExactly("s1", "s2", "s4");
    }
  }

  private static void assertUnopenable(Path directory) {
    assertThatThrownBy(() -> new RocksDbIntentStore(directory))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("a restore of it was cut short; run sluice restore again");
  }

  private static void move(Path from, Path to, int count) throws IOException {
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().limit(count).toList()) {
        Path unused = Files.move(file, to.resolve(file.getFileName()));
      }
    }
  }

  private Path copy(Path from, String name) throws IOException {
    Path to = Files.createDirectories(folder.resolve(name));
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.filter(f -> !f.endsWith("LOCK")).toList()) {
        Path unused = Files.copy(file, to.resolve(file.getFileName()));
      }
    }
    return to;
  }

  @Test
  void copiesThatAProcessLeftBehindAreRemoved() throws IOException {
    Path directory = folder.resolve("store");
    StoreBackup abandoned;
    try (RocksDbIntentStore store = new RocksDbIntentStore(directory)) {
      store.of("bng1").commit(subscriber(1));
      abandoned = store.backUp();
    }
    Path left = Files.createDirectory(directory.resolve("copy-x.tmp"));
    assertThat(ids(directory, "bng1")).containsExactly("s1");
    assertThat(left).doesNotExist();
    assertThatThrownBy(() -> abandoned.writeTo(OutputStream.nullOutputStream()))
        .isInstanceOf(StoreException.class);
    abandoned.close();
  }
}
