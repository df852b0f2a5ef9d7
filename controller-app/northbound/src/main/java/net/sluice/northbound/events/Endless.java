package net.sluice.northbound.events;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The rest of an answer that has no end: sent as it comes, as far as the client takes it. No thread
 * waits for either.
 */
public interface Endless extends Closeable {
  /** The attribute of a request whose answer goes on with this. */
  String ATTRIBUTE = "net.sluice.endless";

  /**
   * Begins; called once, before {@link #next}.
   *
   * @param more to be run whenever there may be more, on a thread that may send it
   */
  void begin(Runnable more);

  /**
   * The next bytes, which are sent before it is called again.
   *
   * @return without any bytes if there are none by now; null at the end
   * @throws IOException if there will be none
   */
  ByteBuffer next() throws IOException;

  /** The client is gone, or was told the end. */
  @Override
  void close();
}
