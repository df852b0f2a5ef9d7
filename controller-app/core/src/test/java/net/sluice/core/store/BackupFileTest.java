package net.sluice.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import net.sluice.core.StoreBackup;
import org.junit.jupiter.api.Test;

final class BackupFileTest {
  private static final byte[] HEADER = {
    's', 'l', 'u', 'i', 'c', 'e', '-', 'b', 'a', 'c', 'k', 'u', 'p', ' '
  };

  private static byte[] written(long seed) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BackupFile.write(out, new RandomContent(seed)::copyTo);
    return out.toByteArray();
  }

  private static NotedContent read(byte[] file) {
    NotedContent noted = new NotedContent();
    BackupFile.read("FILE", new ByteArrayInputStream(file), noted);
    return noted;
  }

  @Test
  void whatIsWrittenIsRead() throws IOException {
    for (int seed = 0; seed < 200; seed++) {
      RandomContent content = new RandomContent(seed);
      NotedContent wanted = new NotedContent();
      content.copyTo(wanted);
      NotedContent got = read(written(seed));
      assertThat(got.lines).isEqualTo(wanted.lines);
      assertThat(got.histories.keySet()).isEqualTo(wanted.histories.keySet());
      wanted.histories.forEach(
          (name, history) -> {
            StoreHistory kept = got.histories.get(name);
            assertThat(kept.openings()).isEqualTo(history.openings());
            assertThat(kept.revision()).isEqualTo(history.revision());
          });
    }
  }

  @Test
  void aFileThatIsDamagedAnywhereIsRefused() throws IOException {
    byte[] whole = written(3);
    for (int at = 10; at < whole.length; at += 97) {
      byte[] flipped = whole.clone();
      flipped[at] ^= 1;
      assertThatThrownBy(() -> read(flipped))
          .isInstanceOf(StoreException.class)
          .hasMessageStartingWith("FILE ");
      int end = at;
      assertThatThrownBy(() -> read(Arrays.copyOf(whole, end)))
          .isInstanceOf(StoreException.class)
          .hasMessageStartingWith("FILE ");
    }
  }

  private static byte[] packed(byte[] content) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(content);
    }
    return out.toByteArray();
  }

  /** Writes pieces by hand. */
  private interface Pieces {
    void write(DataOutputStream out) throws IOException;
  }

  private static void assertRefused(String message, String format, Pieces pieces)
      throws IOException {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(content);
    out.write(HEADER);
    out.writeBytes(format + "\n");
    pieces.write(out);
    byte[] file = packed(content.toByteArray());
    assertThatThrownBy(() -> read(file)).isInstanceOf(StoreException.class).hasMessage(message);
  }

  private static void begun(DataOutputStream out) throws IOException {
    out.writeByte(1);
    out.writeLong(7);
  }

  @Test
  void whatNoReleaseWritesIsRefused() throws IOException {
    assertThatThrownBy(() -> read(packed(new byte[] {1, 2})))
        .hasMessage("FILE is no backup of a store");
    assertThatThrownBy(() -> read(new byte[] {1, 2})).hasMessage("FILE is no backup of a store");
    assertRefused(
        "FILE has format 2; this release reads format 3: " + StoreCodec.MIGRATION, "2", out -> {});
    assertThatThrownBy(() -> read(new byte[] {'P', 'K', 3, 4}))
        .hasMessage("FILE has format 1; this release reads format 3: " + StoreCodec.MIGRATION);
    assertRefused("FILE is damaged: it ends early", "3", out -> {});
    assertRefused(
        "FILE is damaged: it does not begin with an identity", "3", out -> out.writeByte(5));
    assertRefused(
        "FILE is damaged: it has identity 0",
        "3",
        out -> {
          out.writeByte(1);
          out.writeLong(0);
        });
    assertRefused(
        "FILE is damaged: piece 1 is of kind 77",
        "3",
        out -> {
          begun(out);
          out.writeByte(77);
        });
    assertRefused(
        "FILE is damaged: piece 1 is of no switch",
        "3",
        out -> {
          begun(out);
          out.writeByte(4);
          out.writeInt(0);
        });
    assertRefused(
        "FILE is damaged: piece 1 has -1 bytes",
        "3",
        out -> {
          begun(out);
          out.writeByte(11);
          out.writeUTF("webhooks");
          out.writeUTF("x");
          out.writeInt(-1);
        });
    assertRefused(
        "FILE is damaged: name is \"a/b\"; allowed: 1 to 32 of a to z, 0 to 9 and \"-\"",
        "3",
        out -> {
          begun(out);
          out.writeByte(9);
          out.writeUTF("a/b");
        });
    assertRefused(
        "FILE is damaged: it has 1 pieces, and says 9",
        "3",
        out -> {
          begun(out);
          out.writeByte(0);
          out.writeLong(9);
        });
    assertRefused(
        "FILE is damaged: it goes on after its end",
        "3",
        out -> {
          begun(out);
          out.writeByte(0);
          out.writeLong(1);
          out.writeByte(0);
        });
    assertRefused(
        "FILE is damaged: it has no identity",
        "3",
        out -> {
          out.writeByte(0);
          out.writeLong(0);
        });
  }

  @Test
  void aSwitchOfABackupHasANameThatASwitchMayHave() throws IOException {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(content);
    out.write(HEADER);
    out.writeBytes("3\n");
    begun(out);
    out.writeByte(5);
    out.writeUTF("a/b");
    byte[] file = packed(content.toByteArray());
    assertThatThrownBy(() -> read(file)).hasMessageStartingWith("FILE is damaged: switch is");
  }

  @Test
  void theFileThatIsKeptIsTheSame() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (StoreBackup kept = BackupFile.keep(new RandomContent(4)::copyTo)) {
      kept.writeTo(out);
    }
    try (GZIPInputStream packed = new GZIPInputStream(new ByteArrayInputStream(out.toByteArray()));
        GZIPInputStream direct = new GZIPInputStream(new ByteArrayInputStream(written(4)))) {
      assertThat(packed.readAllBytes()).isEqualTo(direct.readAllBytes());
    }
  }
}
