package net.sluice.onos.cluster;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import net.sluice.core.ControllerException;

/** How messages between instances are written and read, whatever they say. */
public final class MessageForm {
  private MessageForm() {}

  /** Writes what a message says. */
  @FunctionalInterface
  public interface Out {
    void to(DataOutputStream out) throws IOException;
  }

  /** Reads what a message says. */
  @FunctionalInterface
  public interface In<T> {
    T from(DataInputStream in) throws IOException;
  }

  /** A message. */
  public static byte[] write(Out content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      content.to(new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /**
   * Reads the content of a message.
   *
   * @throws ControllerException if it is none of these; its instance runs another version
   */
  public static <T> T read(byte[] message, In<T> content) {
    try {
      return content.from(new DataInputStream(new ByteArrayInputStream(message)));
    } catch (IOException e) {
      throw new ControllerException("a message of another instance is not understood: " + e, e);
    }
  }

  /** Bytes with their number before them. */
  public static void putBytes(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  /** Reads bytes that {@link #putBytes} has written. */
  public static byte[] bytes(DataInputStream in) throws IOException {
    byte[] bytes = new byte[in.readInt()];
    in.readFully(bytes);
    return bytes;
  }
}
