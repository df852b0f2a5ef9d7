package net.sluice.endpoints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import net.sluice.core.store.InMemoryIntentStore;
import net.sluice.core.store.IntentStore;
import net.sluice.core.store.IntentStoreContract;
import net.sluice.core.store.Revision;
import net.sluice.core.store.StoreBatch;
import net.sluice.core.store.StoreCodec;
import net.sluice.core.store.StoreException;
import net.sluice.intents.state.SubscriberState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

class RocksDbIntentStoreTest extends IntentStoreContract {
  @TempDir Path directory;

  @Override
  protected IntentStore open() {
    return new RocksDbIntentStore(directory.resolve("store"));
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  @Test
  void aSubscriberOfANetworkTakesFewBytesOnDisk() throws IOException {
    int count = 50_000;
    Path network = directory.resolve("network");
    try (RocksDbIntentStore several = new RocksDbIntentStore(network)) {
      StoreBatch batch = new StoreBatch();
      for (int i = 0; i < count; i++) {
        String address = "10." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255) + "/32";
        batch.put(subscriber("subscriber-" + i, i + 1, SubscriberState.NONE, address));
        if (batch.subscribers().size() == 10_000) {
          several.of("bng" + i / 10_000).commit(batch);
          batch = new StoreBatch();
        }
      }
    }
    try (Stream<Path> files = Files.walk(network)) {
      long bytes =
          files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
      assertThat(bytes / count).isLessThan(64);
    }
  }

  @Test
  void whatIsCommittedSurvivesWithoutClosing() throws IOException {
    for (int i = 1; i <= 200; i++) {
      commit(subscriber("s" + i, i, i, "10.0.0." + i + "/32"));
    }
    Path crashed = directory.resolve("crashed");
    copy(directory.resolve("store"), crashed);
    try (IntentStore reopened = new RocksDbIntentStore(crashed)) {
      for (int i = 1; i <= 200; i++) {
        assertThat(reopened.subscriber("s" + i))
            .contains(subscriber("s" + i, i, i, "10.0.0." + i + "/32"));
      }
    }
  }

  @Test
  void anOlderCopyHasNeitherTheLaterCommitsNorHidesThemByOthers() throws IOException {
    commit(subscriber("alice", 1, 1, "10.0.0.1/32"));
    Path older = directory.resolve("older");
    copy(directory.resolve("store"), older);
    Revision common = store.history().revision();
    commit(subscriber("bob", 2, 2, "10.0.0.2/32"));
    Revision lost = store.history().revision();
    try (RocksDbIntentStore copy = new RocksDbIntentStore(older)) {
      assertThat(copy.history().revision()).isEqualTo(common);
      assertThat(copy.has(lost)).isFalse();
      StoreBatch batch = new StoreBatch();
      batch.put(subscriber("carol", 2, 2, "10.0.0.3/32"));
      copy.commit(batch);
      assertThat(copy.history().revision().number()).isEqualTo(lost.number());
      assertThat(copy.has(lost)).isFalse();
      assertThat(copy.history().upTo(lost)).hasValue(common.number());
      // What it is asked for by another switch's name is the same store's.
      assertThat(copy.of("bng1").has(common)).isTrue();
      assertThat(copy.of("bng1").history().has(common)).isFalse();
      copy.commit(Map.of("bng1", batch, "bng2", batch));
      copy.reopen();
      assertThat(copy.of("bng1").history().revision().number()).isEqualTo(1);
      assertThat(copy.of("bng2").history().revision().number()).isEqualTo(1);
      copy.commit(batch);
      assertThat(copy.history().revision().number()).isEqualTo(lost.number() + 1);
      assertThat(copy.has(common)).isTrue();
    }
  }

  @Test
  void aBatchCutShortIsGoneAsAWhole() throws IOException {
    commit(subscriber("before", 1, 1, "10.0.0.1/32"));
    commit(subscriber("a", 2, 2, "10.0.0.2/32"), subscriber("b", 3, 3, "10.0.0.3/32"));
    Path crashed = directory.resolve("crashed");
    copy(directory.resolve("store"), crashed);
    Path log;
    try (Stream<Path> files = Files.list(crashed)) {
      log = files.filter(f -> f.toString().endsWith(".log")).max(Path::compareTo).orElseThrow();
    }
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "rw")) {
      file.setLength(file.length() - 10);
    }
    try (IntentStore reopened = new RocksDbIntentStore(crashed)) {
      assertThat(reopened.subscriber("before")).isPresent();
      assertThat(reopened.subscriber("a")).isEmpty();
      assertThat(reopened.subscriber("b")).isEmpty();
    }
  }

  @Test
  void whatIsOnlyReadIsNotChanged() throws IOException {
    commit(subscriber("alice", 1, 1, "10.0.0.1/32"));
    Path crashed = directory.resolve("crashed");
    copy(directory.resolve("store"), crashed);
    Map<String, String> before = content(crashed);
    StoreBatch batch = new StoreBatch();
    batch.deleteSubscriber("alice");
    try (RocksDbIntentStore read = RocksDbIntentStore.readOnly(crashed)) {
      assertThat(read.subscriber("alice")).isPresent();
      assertThatThrownBy(() -> read.commit(batch)).isInstanceOf(StoreException.class);
      assertThatThrownBy(() -> read.journal("events"))
          .hasMessageEndingWith("is open for reading only");
      assertThatThrownBy(() -> read.documents("operations"))
          .hasMessageEndingWith("is open for reading only");
      assertThatThrownBy(read::reopen).hasMessageEndingWith("is open for reading only");
    }
    assertThat(content(crashed)).isEqualTo(before);
  }

  private static Map<String, String> content(Path folder) throws IOException {
    Map<String, String> content = new TreeMap<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        content.put(
            file.getFileName().toString(),
            Files.getLastModifiedTime(file) + " " + Arrays.hashCode(Files.readAllBytes(file)));
      }
    }
    return content;
  }

  @Test
  void aStoreInUseCannotBeOpenedTwice() {
    assertThatThrownBy(() -> new RocksDbIntentStore(directory.resolve("store")))
        .isInstanceOf(StoreException.class)
        .hasMessage(
            "cannot open the store in "
                + directory.resolve("store")
                + ": it is in use by this process");
  }

  /** A process that has a store open until its standard input ends. */
  static final class Holder {
    public static void main(String[] args) throws IOException {
      try (IntentStore held = new RocksDbIntentStore(Path.of(args[0]))) {
        System.out.println(held.subscriber("nobody").isEmpty());
        System.out.flush();
        int unused = System.in.read();
      }
    }
  }

  @Test
  void whoElseHasAStoreInUseIsTold() throws Exception {
    Path held = directory.resolve("held");
    Process holder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                Holder.class.getName(),
                held.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      assertThat(holder.inputReader().readLine()).isEqualTo("true");
      String pid = Files.isReadable(Path.of("/proc/locks")) ? ", pid " + holder.pid() : "";
      assertThatThrownBy(() -> new RocksDbIntentStore(held))
          .isInstanceOf(StoreException.class)
          .hasMessage(
              "cannot open the store in " + held + ": it is in use by another process" + pid);
    } finally {
      holder.destroyForcibly();
    }
  }

  @Test
  void aCorruptStoreIsReportedAndLeftAlone() throws IOException {
    for (int i = 1; i <= 50; i++) {
      commit(subscriber("s" + i, i, i, "10.0.0." + i + "/32"));
    }
    store.close();
    Path manifest;
    Path path = directory.resolve("store");
    try (Stream<Path> files = Files.list(path)) {
      manifest = files.filter(f -> f.toString().contains("MANIFEST")).findFirst().orElseThrow();
    }
    try (RandomAccessFile file = new RandomAccessFile(manifest.toFile(), "rw")) {
      file.seek(file.length() / 2);
      file.write("garbage".getBytes(StandardCharsets.US_ASCII));
    }
    Map<String, Long> before = tableFiles(path);

    assertThatThrownBy(() -> new RocksDbIntentStore(path))
        .isInstanceOf(StoreException.class)
        .hasMessageStartingWith("cannot open the store in " + path + ": ")
        .hasMessageEndingWith("; nothing was changed");
    assertThat(tableFiles(path)).isEqualTo(before);
    store = new InMemoryIntentStore();
  }

  private static Map<String, Long> tableFiles(Path path) throws IOException {
    Map<String, Long> sizes = new TreeMap<>();
    try (Stream<Path> files = Files.list(path)) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        if (name.endsWith(".sst") || name.endsWith(".log") || name.startsWith("MANIFEST")) {
          sizes.put(name, Files.size(file));
        }
      }
    }
    return sizes;
  }

  private void withRawStore(RawAction action) throws RocksDBException {
    store.close();
    List<ColumnFamilyDescriptor> families =
        Stream.of("default", "subscribers", "policies", "rate-limits")
            .map(name -> new ColumnFamilyDescriptor(name.getBytes(StandardCharsets.US_ASCII)))
            .toList();
    List<ColumnFamilyHandle> handles = new java.util.ArrayList<>();
    try (DBOptions options = new DBOptions();
        RocksDB db =
            RocksDB.open(options, directory.resolve("store").toString(), families, handles)) {
      action.run(db, handles);
      handles.forEach(ColumnFamilyHandle::close);
    }
  }

  private interface RawAction {
    void run(RocksDB db, List<ColumnFamilyHandle> handles) throws RocksDBException;
  }

  @Test
  void aStoreOfAnEarlierReleaseIsNotTouched() throws RocksDBException {
    withRawStore(
        (db, handles) ->
            db.put(handles.get(0), "format".getBytes(StandardCharsets.US_ASCII), new byte[] {1}));
    assertThatThrownBy(this::open)
        .isInstanceOf(StoreException.class)
        .hasMessage(
            "the store in "
                + directory.resolve("store")
                + " has format 1; this release reads format 2, and has changed nothing: "
                + StoreCodec.MIGRATION);
    withRawStore(
        (db, handles) ->
            assertThat(db.get(handles.get(0), "format".getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo(new byte[] {1}));
  }

  @Test
  void unreadableRecordsAreNamed() throws RocksDBException {
    commit(subscriber("alice", 1, 1, "10.0.0.1/32"));
    withRawStore(
        (db, handles) -> {
          byte[] key = "alice".getBytes(StandardCharsets.US_ASCII);
          byte[] value = db.get(handles.get(1), key);
          db.put(
              handles.get(1),
              "short".getBytes(StandardCharsets.US_ASCII),
              java.util.Arrays.copyOf(value, 9));
          db.put(
              handles.get(1),
              "long".getBytes(StandardCharsets.US_ASCII),
              java.util.Arrays.copyOf(value, 99));
          value[0] = 9;
          db.put(handles.get(1), "older".getBytes(StandardCharsets.US_ASCII), value);
        });
    store = open();
    assertThatThrownBy(() -> store.subscriber("short"))
        .hasMessageStartingWith("the record of subscriber short is corrupt: ");
    assertThatThrownBy(() -> store.subscriber("long"))
        .hasMessageStartingWith("the record of subscriber long is corrupt: ");
    assertThatThrownBy(() -> store.subscriber("older"))
        .hasMessage(
            "subscriber older has record version 9; this release reads 10: "
                + StoreCodec.MIGRATION);
    assertThat(store.subscriber("alice")).isPresent();
  }

  @Test
  void aClosedStoreSaysSo() {
    store.close();
    assertThatThrownBy(() -> store.subscriber("a"))
        .isInstanceOf(StoreException.class)
        .hasMessage("the store in " + directory.resolve("store") + " is closed");
  }

  @Test
  void whatIsKeptForOneSwitchIsNotAnothersAndSurvives() {
    RocksDbIntentStore all = (RocksDbIntentStore) store;
    IntentStore bng1 = all.of("bng1");
    IntentStore bng10 = all.of("bng10");
    StoreBatch first = new StoreBatch();
    first.put(subscriber("a", 1, 1, "10.0.0.1/32"));
    first.put(subscriber("b", 2, 2, "10.0.0.2/32"));
    StoreBatch second = new StoreBatch();
    second.put(subscriber("a2", 1, 1, "10.0.0.3/32"));
    all.commit(Map.of("bng1", first, "bng10", second));
    commit(subscriber("only", 1, 1, "10.0.0.4/32"));
    assertThat(ids(bng1, "")).containsExactly("a", "b");
    assertThat(ids(bng1, "a")).containsExactly("b");
    assertThat(ids(bng10, "")).containsExactly("a2");
    assertThat(ids(store, "")).containsExactly("only");
    assertThat(bng10.subscriber("a")).isEmpty();
    assertThat(bng1.identity()).isEqualTo(store.identity());
    store.close();
    try (RocksDbIntentStore read = RocksDbIntentStore.readOnly(directory.resolve("store"))) {
      assertThat(ids(read.of("bng1"), "")).containsExactly("a", "b");
      assertThat(ids(read.of("bng7"), "")).isEmpty();
    }
    store = open();
    StoreBatch gone = new StoreBatch();
    gone.deleteSubscriber("a");
    ((RocksDbIntentStore) store).of("bng1").commit(gone);
    assertThat(ids(((RocksDbIntentStore) store).of("bng1"), "")).containsExactly("b");
  }

  @Test
  void aStoreThatIsOnlyReadHasNothingOfSwitchesItNeverHad() {
    store.close();
    try (RocksDbIntentStore read = RocksDbIntentStore.readOnly(directory.resolve("store"))) {
      assertThat(ids(read.of("bng1"), "")).isEmpty();
      assertThat(read.of("bng1").policy("gold")).isEmpty();
    }
  }

  private static List<String> ids(IntentStore of, String afterId) {
    List<String> ids = new ArrayList<>();
    int unused = of.scanSubscribers(afterId, 0, 10, s -> ids.add(s.subscriber().id()));
    return ids;
  }

  @Test
  void othersMayNotReadWhatHasSecrets() throws Exception {
    Path made = directory.resolve("made/store");
    new RocksDbIntentStore(made).close();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
        .isEqualTo("rwx------");
    Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxr-xr-x"));
    new RocksDbIntentStore(made).close();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
        .isEqualTo("rwxr-x---");
  }
}
