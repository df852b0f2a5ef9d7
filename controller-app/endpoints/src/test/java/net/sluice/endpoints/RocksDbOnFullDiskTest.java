package net.sluice.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import net.sluice.core.store.NetworkStore;
import net.sluice.core.store.RecordedChangesContract;
import net.sluice.testing.Prerequisite;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The disk gets full in the midst of a write, and has room again. */
class RocksDbOnFullDiskTest extends RecordedChangesContract {
  /** Less than RocksDB would set aside for its log, which then is not set aside. */
  private static final String SIZE = "24m";

  /** What is left of the disk when it gets full, at most; a few commits. */
  private static final int LEFT = 50_000;

  @TempDir Path folder;
  private int stores;
  private RocksDbIntentStore store;

  @BeforeEach
  void mount() throws Exception {
    if (run("mount", "-t", "tmpfs", "-o", "size=" + SIZE, "tmpfs", folder.toString()) != 0) {
      Prerequisite.MOUNTS.skip("no tmpfs can be mounted, so no store on a full disk is tested");
    }
  }

  @AfterEach
  void unmount() throws Exception {
    if (store != null) {
      store.close();
    }
    assertThat(run("umount", folder.toString())).isZero();
  }

  private static int run(String... command) throws Exception {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  private Path filling() {
    return folder.resolve("filling");
  }

  @Override
  protected NetworkStore begin() {
    try {
      Folders.delete(folder.resolve("store" + stores++));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    store = new RocksDbIntentStore(folder.resolve("store" + stores));
    return store;
  }

  @Override
  protected void fail(Random by) {
    byte[] block = new byte[4096];
    try (RandomAccessFile file = new RandomAccessFile(filling().toFile(), "rw")) {
      fill(file, block);
      file.setLength(Math.max(0, file.length() - by.nextInt(LEFT)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void fill(RandomAccessFile file, byte[] block) {
    try {
      file.seek(file.length());
      while (true) {
        file.write(block);
      }
    } catch (IOException full) {
      assertThat(full).hasMessage("No space left on device");
    }
  }

  @Override
  protected NetworkStore goOn(Random by) {
    try {
      Files.deleteIfExists(filling());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    store.reopen();
    return store;
  }

  @Override
  protected int steps() {
    return 12;
  }
}
