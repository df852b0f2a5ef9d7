package net.sluice.rest.bulk;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import net.sluice.core.ControllerException;
import net.sluice.core.UnavailableException;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.json.ObjectReader;
import net.sluice.rest.problem.BodyTooLargeException;

/** The body of a bulk request whose client does not wait, in a file that goes with it. */
public final class WholeBody {
  /** Longest body. */
  static final int MAX_BYTES = 256 << 20;

  private final FileChannel file;

  private WholeBody(FileChannel file) {
    this.file = file;
  }

  /**
   * Reads a body to its end.
   *
   * @throws Refusal if the client does not send all of it
   * @throws BodyTooLargeException if it is longer than {@link #MAX_BYTES}
   * @throws ControllerException if it cannot be kept
   */
  public static WholeBody of(InputStream body) throws Refusal {
    FileChannel file = null;
    boolean isWhole = false;
    try {
      file =
          FileChannel.open(
              Files.createTempFile("sluice-bulk", null),
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              StandardOpenOption.DELETE_ON_CLOSE);
      copy(body, file);
      isWhole = true;
      return new WholeBody(file.position(0));
    } catch (IOException e) {
      throw new UnavailableException(
          "the request cannot be kept: " + e.getMessage(), Duration.ofSeconds(1), e);
    } finally {
      if (!isWhole) {
        close(file);
      }
    }
  }

  private static void close(FileChannel file) {
    try {
      if (file != null) {
        file.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void copy(InputStream body, FileChannel file) throws IOException, Refusal {
    byte[] buffer = new byte[64 << 10];
    for (int n = read(body, buffer); n >= 0; n = read(body, buffer)) {
      ByteBuffer bytes = ByteBuffer.wrap(buffer, 0, n);
      while (bytes.hasRemaining()) {
        int unused = file.write(bytes);
      }
      if (file.position() > MAX_BYTES) {
        throw new BodyTooLargeException(MAX_BYTES);
      }
    }
  }

  private static int read(InputStream body, byte[] buffer) throws Refusal {
    try {
      return body.read(buffer);
    } catch (IOException e) {
      throw ObjectReader.cutOff();
    }
  }

  /** Its bytes, once; the file goes when the stream is closed. */
  public InputStream open() {
    return Channels.newInputStream(file);
  }
}
