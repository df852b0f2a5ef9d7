package net.sluice.core.store;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UTFDataFormatException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;
import net.sluice.core.StoreBackup;
import net.sluice.core.store.StoreContent.Kind;
import net.sluice.intents.value.Ids;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A backup as a file, which every host writes and reads: gzip (RFC 1952) over a first line with the
 * format, then pieces, each a byte with its kind and its fields as {@link DataOutputStream} writes
 * them. The last piece has the number of the others, so that a file that was cut short is told from
 * a whole one; gzip's checksum finds what was changed.
 */
public final class BackupFile {
  /** Media type of a backup. */
  public static final String MEDIA_TYPE = "application/gzip";

  private static final byte[] HEADER = "sluice-backup ".getBytes(StandardCharsets.US_ASCII);
  private static final int FORMAT = 3;

  /** Backups of the first format were ZIP archives, which begin so. */
  private static final byte[] ZIP = {'P', 'K'};

  private static final int BUFFER_BYTES = 64 << 10;

  /** More than any store keeps in one piece. */
  private static final int MAX_BYTES = 32 << 20;

  private static final int END = 0;
  private static final int IDENTITY = 1;
  private static final int LAST_SEEN = 2;
  private static final int HISTORY = 3;
  private static final int DECLARATION = 4;
  private static final int SWITCH = 5;
  private static final int SUBSCRIBER = 6;
  private static final int POLICY = 7;
  private static final int RATE_LIMIT = 8;
  private static final int JOURNAL = 9;
  private static final int ENTRY = 10;
  private static final int DOCUMENT = 11;
  private static final int TARIFF = 12;

  private static final Logger LOG = LoggerFactory.getLogger(BackupFile.class);

  private BackupFile() {}

  /**
   * Writes a backup, and leaves {@code out} open.
   *
   * @param content is given what takes the content of the store
   * @throws IOException if {@code out} cannot be written
   * @throws StoreException if the store cannot be read
   */
  public static void write(OutputStream out, Consumer<StoreContent> content) throws IOException {
    OutputStream open =
        new FilterOutputStream(out) {
          @Override
          public void write(byte[] bytes, int from, int length) throws IOException {
            out.write(bytes, from, length);
          }

          @Override
          public void close() throws IOException {
            flush();
          }
        };
    try (DataOutputStream to =
        new DataOutputStream(new BufferedOutputStream(new Gzip(open), BUFFER_BYTES))) {
      to.write(HEADER);
      to.writeByte('0' + FORMAT);
      to.writeByte('\n');
      Writer writer = new Writer(to);
      content.accept(writer);
      writer.end();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /**
   * Writes a backup to a temporary file, which is kept until it is closed.
   *
   * @throws StoreException if it cannot be written, or the store not be read
   */
  public static StoreBackup keep(Consumer<StoreContent> content) {
    Path file = null;
    try {
      file = Files.createTempFile("sluice-backup", "");
      try (OutputStream out = Files.newOutputStream(file)) {
        write(out, content);
      }
      return new Kept(file);
    } catch (IOException e) {
      new Kept(file).close();
      throw new StoreException("the backup cannot be written to a temporary file: " + e, e);
    } catch (RuntimeException e) {
      new Kept(file).close();
      throw e;
    }
  }

  private record Kept(Path file) implements StoreBackup {
    @Override
    public void writeTo(OutputStream out) throws IOException {
      long unused = Files.copy(file, out);
    }

    @Override
    public void close() {
      try {
        if (file != null) {
          Files.deleteIfExists(file);
        }
      } catch (IOException e) {
        LOG.warn("a temporary file is left: {}", e.toString());
      }
    }
  }

  private static final class Gzip extends GZIPOutputStream {
    Gzip(OutputStream out) throws IOException {
      super(out, BUFFER_BYTES);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }

  /** Writes pieces. Not thread-safe. */
  private static final class Writer implements StoreContent {
    private final DataOutputStream out;
    private long pieces;
    private String switchName;
    private String journal = "";

    Writer(DataOutputStream out) {
      this.out = out;
    }

    /** The fields of a piece. */
    private interface Fields {
      void write() throws IOException;
    }

    private void piece(int kind, Fields fields) {
      try {
        out.writeByte(kind);
        fields.write();
        pieces++;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private void blob(byte[] bytes) throws IOException {
      out.writeInt(bytes.length);
      out.write(bytes);
    }

    void end() throws IOException {
      out.writeByte(END);
      out.writeLong(pieces);
    }

    @Override
    public void identity(long identity) {
      piece(IDENTITY, () -> out.writeLong(identity));
    }

    @Override
    public void lastSeen(Map<String, Long> numbers) {
      piece(
          LAST_SEEN,
          () -> {
            out.writeShort(numbers.size());
            for (Map.Entry<String, Long> each : numbers.entrySet()) {
              out.writeUTF(each.getKey());
              out.writeLong(each.getValue());
            }
          });
    }

    /** Says once for all the pieces that follow which switch they are of. */
    private void at(String name) {
      if (!name.equals(switchName)) {
        switchName = name;
        piece(SWITCH, () -> out.writeUTF(name));
      }
    }

    @Override
    public void history(String name, StoreHistory history) {
      at(name);
      piece(
          HISTORY,
          () -> {
            out.writeLong(history.revision().number());
            blob(history.openings());
          });
    }

    @Override
    public void declaration(String name, byte[] document) {
      at(name);
      piece(DECLARATION, () -> blob(document));
    }

    @Override
    public void record(String name, Kind kind, String id, byte[] value) {
      at(name);
      piece(
          switch (kind) {
            case SUBSCRIBER -> SUBSCRIBER;
            case POLICY -> POLICY;
            case RATE_LIMIT -> RATE_LIMIT;
            case TARIFF -> TARIFF;
          },
          () -> {
            out.writeUTF(id);
            blob(value);
          });
    }

    @Override
    public void entry(String name, Journal.Entry entry) {
      if (!name.equals(journal)) {
        journal = name;
        piece(JOURNAL, () -> out.writeUTF(name));
      }
      piece(
          ENTRY,
          () -> {
            out.writeLong(entry.number());
            out.writeInt(entry.count());
            out.writeLong(entry.at().toEpochMilli());
            blob(entry.bytes());
          });
    }

    @Override
    public void document(String of, String name, byte[] bytes) {
      piece(
          DOCUMENT,
          () -> {
            out.writeUTF(of);
            out.writeUTF(name);
            blob(bytes);
          });
    }
  }

  /** A file that is no backup, is damaged, or of another format. */
  public static final class UnreadableBackup extends StoreException {
    private static final long serialVersionUID = 1L;

    private UnreadableBackup(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * Reads a backup whole, and checks every piece of it before it is passed on.
   *
   * @param name of the file, for messages
   * @param into may have got pieces by the time that the file is found damaged
   * @throws UnreadableBackup if it is no backup, is damaged, of another format, or cannot be read
   */
  public static void read(String name, InputStream in, StoreContent into) {
    try (DataInputStream from = open(name, in)) {
      new Reader(from, into).read();
    } catch (EOFException e) {
      throw damaged(name, "it ends early", e);
    } catch (ZipException | UTFDataFormatException | Malformed e) {
      throw damaged(name, e.getMessage(), e);
    } catch (IOException e) {
      throw new UnreadableBackup(name + " cannot be read: " + e.getMessage(), e);
    }
  }

  private static UnreadableBackup damaged(String name, String how, Exception cause) {
    return new UnreadableBackup(name + " is damaged: " + how, cause);
  }

  private static DataInputStream open(String name, InputStream in) throws IOException {
    DataInputStream from;
    byte[] header;
    try {
      BufferedInputStream beginning = new BufferedInputStream(in, BUFFER_BYTES);
      beginning.mark(ZIP.length);
      if (Arrays.equals(beginning.readNBytes(ZIP.length), ZIP)) {
        throw ofFormat(name, "1");
      }
      beginning.reset();
      GZIPInputStream unpacked = new GZIPInputStream(beginning, BUFFER_BYTES);
      from = new DataInputStream(new BufferedInputStream(unpacked, BUFFER_BYTES));
      header = from.readNBytes(HEADER.length);
    } catch (EOFException | ZipException e) {
      throw new UnreadableBackup(name + " is no backup of a store", e);
    }
    if (!Arrays.equals(header, HEADER)) {
      throw new UnreadableBackup(name + " is no backup of a store", null);
    }
    StringBuilder format = new StringBuilder();
    for (int next = from.readUnsignedByte(); next != '\n'; next = from.readUnsignedByte()) {
      format.append((char) next);
      if (format.length() > 8) {
        throw new Malformed("it has no format");
      }
    }
    if (!format.toString().equals(Integer.toString(FORMAT))) {
      throw ofFormat(name, format.toString());
    }
    return from;
  }

  private static UnreadableBackup ofFormat(String name, String format) {
    return new UnreadableBackup(
        "%s has format %s; this release reads format %d: %s"
            .formatted(name, format, FORMAT, StoreCodec.MIGRATION),
        null);
  }

  /** A piece that no writer writes. */
  private static final class Malformed extends IOException {
    private static final long serialVersionUID = 1L;

    Malformed(String message) {
      super(message);
    }
  }

  /** Reads pieces. Not thread-safe. */
  private static final class Reader {
    private final DataInputStream in;
    private final StoreContent into;
    private long pieces;
    private boolean hasIdentity;
    private String switchName;
    private String journal;
    private long lastNumber;

    Reader(DataInputStream in, StoreContent into) {
      this.in = in;
      this.into = into;
    }

    void read() throws IOException {
      for (int kind = in.readUnsignedByte(); kind != END; kind = in.readUnsignedByte()) {
        if (!hasIdentity && kind != IDENTITY) {
          throw new Malformed("it does not begin with an identity");
        }
        try {
          piece(kind);
        } catch (IllegalArgumentException e) {
          throw new Malformed(e.getMessage());
        }
        pieces++;
      }
      long written = in.readLong();
      if (!hasIdentity) {
        throw new Malformed("it has no identity");
      } else if (written != pieces) {
        throw new Malformed("it has %d pieces, and says %d".formatted(pieces, written));
      } else if (in.read() >= 0) { // The end of the stream is what compares gzip's checksum.
        throw new Malformed("it goes on after its end");
      }
    }

    private byte[] blob() throws IOException {
      int length = in.readInt();
      if (length < 0 || length > MAX_BYTES) {
        throw new Malformed("piece %d has %d bytes".formatted(pieces, length));
      }
      byte[] bytes = in.readNBytes(length);
      if (bytes.length < length) {
        throw new EOFException();
      }
      return bytes;
    }

    private String at() throws IOException {
      if (switchName == null) {
        throw new Malformed("piece %d is of no switch".formatted(pieces));
      }
      return switchName;
    }

    private void piece(int kind) throws IOException {
      switch (kind) {
        case IDENTITY -> identity(in.readLong());
        case LAST_SEEN -> lastSeen();
        case SWITCH -> switchName = Ids.require("switch", in.readUTF());
        case HISTORY -> history(in.readLong());
        case DECLARATION -> into.declaration(at(), blob());
        case SUBSCRIBER -> record(Kind.SUBSCRIBER, StoreCodec::subscriber);
        case POLICY -> record(Kind.POLICY, StoreCodec::policy);
        case RATE_LIMIT -> record(Kind.RATE_LIMIT, StoreCodec::rateLimit);
        case TARIFF -> record(Kind.TARIFF, StoreCodec::tariff);
        case JOURNAL -> {
          journal = in.readUTF();
          NetworkStore.requireName(journal);
          lastNumber = 0;
        }
        case ENTRY -> entry();
        case DOCUMENT -> document();
        default -> throw new Malformed("piece %d is of kind %d".formatted(pieces, kind));
      }
    }

    /** Passes on a record that can be decoded. */
    private void record(Kind kind, BiFunction<String, byte[], ?> decode) throws IOException {
      String id = in.readUTF();
      byte[] value = blob();
      try {
        Object unused = decode.apply(id, value);
      } catch (StoreException e) {
        throw new Malformed(e.getMessage());
      }
      into.record(at(), kind, id, value);
    }

    private void identity(long identity) throws IOException {
      if (hasIdentity || identity == 0) {
        throw new Malformed("it has identity " + identity);
      }
      hasIdentity = true;
      into.identity(identity);
    }

    private void lastSeen() throws IOException {
      Map<String, Long> numbers = new TreeMap<>();
      for (int left = in.readUnsignedShort(); left > 0; left--) {
        numbers.put(Ids.require("switch", in.readUTF()), in.readLong());
      }
      into.lastSeen(numbers);
    }

    private void history(long last) throws IOException {
      StoreHistory history;
      try {
        history = StoreHistory.of(blob(), last);
      } catch (StoreException e) {
        throw new Malformed(e.getMessage());
      }
      into.history(at(), history);
    }

    private void entry() throws IOException {
      long number = in.readLong();
      int count = in.readInt();
      Instant at = Instant.ofEpochMilli(in.readLong());
      byte[] bytes = blob();
      if (journal == null || number <= lastNumber) {
        throw new Malformed("piece %d is record %d of a journal".formatted(pieces, number));
      }
      Journal.requireItems(List.of(new Journal.Item(count, bytes)));
      Journal.Entry entry = new Journal.Entry(number, count, at, bytes);
      lastNumber = entry.last();
      into.entry(journal, entry);
    }

    private void document() throws IOException {
      String of = in.readUTF();
      String name = in.readUTF();
      byte[] bytes = blob();
      NetworkStore.requireName(of);
      Documents.require(name, bytes, MAX_BYTES);
      into.document(of, name, bytes);
    }
  }
}
