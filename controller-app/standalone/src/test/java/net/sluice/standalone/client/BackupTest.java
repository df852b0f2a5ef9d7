package net.sluice.standalone.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import net.sluice.standalone.client.ServedStore.Ended;
import net.sluice.testing.Http;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups of a controller that takes changes, and of one that is killed. */
final class BackupTest {
  @TempDir Path folder;
  private Process victim;

  @AfterEach
  void end() {
    if (victim != null) {
      victim.destroyForcibly();
    }
  }

  /** The process that is killed: serves a store and tells on which port. */
  static final class Victim {
    public static void main(String[] args) throws Exception {
      ServedStore served = new ServedStore(Path.of(args[0]));
      System.out.println(served.port());
      System.out.flush();
      Thread.currentThread().join();
    }
  }

  private Process start(Path store) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx512m",
            "-cp",
            System.getProperty("java.class.path"),
            Victim.class.getName(),
            store.toString())
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private static String line(int i) {
    return ("{\"op\":\"put\",\"kind\":\"subscriber\",\"id\":\"s%06d\",\"value\":{\"policy\":\"gold\",\"prefixes\":[\"10.%d.%d.%d/32\"],\"attachment\":{\"port\":0,\"tree\":3}}}\n")
        .formatted(i, i >> 16, i >> 8 & 255, i & 255);
  }

  private static void put(String base, int from, int to) throws IOException, InterruptedException {
    StringBuilder lines = new StringBuilder();
    if (from == 0) {
      lines.append(
          "{\"op\":\"put\",\"kind\":\"policy\",\"id\":\"gold\","
              + "\"value\":{\"throughputValue\":{\"builtIn\":\"gold\"}}}\n");
    }
    for (int i = from; i < to; i++) {
      lines.append(line(i));
    }
    String answer =
        Http.send("POST", base + "/bulk", lines.toString(), "Content-Type", "application/x-ndjson")
            .body();
    assertThat(answer.lines()).allMatch(each -> each.contains("\"status\":200"));
  }

  private List<String> exported(Path directory) throws IOException {
    try (ServedStore served = new ServedStore(directory)) {
      Path file = folder.resolve("exported");
      assertThat(served.run("export", file.toString()).exitCode()).isZero();
      return Files.readAllLines(file);
    }
  }

  private static boolean isBeingCopied(Path store) throws IOException {
    try (Stream<Path> files = Files.list(store)) {
      return files.anyMatch(file -> file.getFileName().toString().startsWith("copy-"));
    }
  }

  @Test
  void aRestoreLeadsToAnEqualExport() throws Exception {
    Path backup = folder.resolve("backup.zip");
    Path before = folder.resolve("before");
    Path store = folder.resolve("store");
    try (ServedStore served = new ServedStore(store)) {
      put(served.base().toString(), 0, 3_000);
      assertThat(served.run("backup", backup.toString()))
          .isEqualTo(new Ended(0, "the store is backed up in " + backup + "\n", ""));
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(backup)))
          .isEqualTo("rw-------");
      assertThat(served.run("export", before.toString()).exitCode()).isZero();
      put(served.base().toString(), 3_000, 3_010);
      Ended inUse = restore(backup, store, "--replace");
      assertThat(inUse.exitCode()).isEqualTo(2);
      assertThat(inUse.err()).contains("it is in use by this process");
    }
    Path fresh = folder.resolve("fresh");
    assertThat(restore(backup, fresh).out())
        .startsWith("restored the store in " + fresh + ": identity ")
        .contains("revision ")
        .contains("adopt them all");
    assertThat(exported(fresh)).isEqualTo(Files.readAllLines(before));
    assertThat(restore(backup, store).err()).contains("there is a store in " + store);
    assertThat(exported(store)).hasSize(3_011);
    assertThat(restore(backup, store, "--replace").out()).contains("the old store is in " + store);
    assertThat(exported(store)).isEqualTo(Files.readAllLines(before));
  }

  private static Ended restore(Path backup, Path store, String... options) {
    String[] command = new String[options.length + 4];
    command[0] = "restore";
    command[1] = backup.toString();
    command[2] = "--data";
    command[3] = store.toString();
    System.arraycopy(options, 0, command, 4, options.length);
    return ServedStore.run(0, command);
  }

  /**
   * Killed while it copies, under load: what was acknowledged is there, and no half of a backup.
   */
  @Test
  void aServerThatIsKilledLeavesNoHalfOfABackup() throws Exception {
    Path store = folder.resolve("store");
    Path backup = folder.resolve("backup.zip");
    victim = start(store);
    AtomicInteger acknowledged = new AtomicInteger();
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(victim.getInputStream(), StandardCharsets.US_ASCII))) {
      int port = Integer.parseInt(out.readLine());
      String base = "http://127.0.0.1:" + port + "/sluice/v1";
      put(base, 0, 20_000);
      acknowledged.set(20_000);
      CompletableFuture<Void> load =
          CompletableFuture.runAsync(
              () -> {
                try {
                  while (true) {
                    put(base, acknowledged.get(), acknowledged.get() + 10);
                    int unused = acknowledged.addAndGet(10);
                  }
                } catch (IOException | InterruptedException | AssertionError e) {
                  // It was killed.
                }
              });
      CompletableFuture<Ended> copying =
          CompletableFuture.supplyAsync(() -> ServedStore.run(port, "backup", backup.toString()));
      Patience.await("the copy begins", () -> isBeingCopied(store) || copying.isDone());
      victim.toHandle().destroyForcibly();
      load.join();
      Ended ended = copying.join();
      assertThat(ended.exitCode()).as(ended.err()).isEqualTo(2);
      assertThat(ended.err()).contains("does not answer");
    }
    assertThat(victim.waitFor()).isEqualTo(137);
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left.filter(file -> file.toString().contains("backup"))).isEmpty();
    }
    assertThat(isBeingCopied(store)).isTrue();
    assertThat(exported(store)).hasSizeGreaterThanOrEqualTo(1 + acknowledged.get());
    assertThat(isBeingCopied(store)).isFalse();
  }

  /** Each commit of the load is there with all before it, or not at all. */
  @Test
  void aBackupUnderLoadIsAStateThatTheStoreHad() throws Exception {
    Path store = folder.resolve("store");
    Path backup = folder.resolve("backup.zip");
    AtomicInteger acknowledged = new AtomicInteger(1_000);
    AtomicBoolean enough = new AtomicBoolean();
    int atLeast;
    try (ServedStore served = new ServedStore(store)) {
      String base = served.base().toString();
      put(base, 0, 1_000);
      CompletableFuture<Void> load =
          CompletableFuture.runAsync(
              () -> {
                try {
                  while (!enough.get()) {
                    put(base, acknowledged.get(), acknowledged.get() + 10);
                    int unused = acknowledged.addAndGet(10);
                  }
                } catch (IOException | InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              });
      Patience.await("a load", () -> acknowledged.get() >= 1_100);
      atLeast = acknowledged.get();
      assertThat(served.run("backup", backup.toString()).exitCode()).isZero();
      enough.set(true);
      load.join();
    }
    Path fresh = folder.resolve("fresh");
    assertThat(restore(backup, fresh).exitCode()).isZero();
    List<String> restored = exported(fresh);
    int count = restored.size() - 1;
    assertThat(count).isBetween(atLeast, acknowledged.get());
    for (int i = 0; i < count; i++) {
      assertThat(restored.get(i + 1)).isEqualTo(line(i).strip());
    }
  }
}
