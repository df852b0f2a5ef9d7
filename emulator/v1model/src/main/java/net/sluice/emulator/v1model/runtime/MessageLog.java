package net.sluice.emulator.v1model.runtime;

import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The destination of a program's {@code log_msg}: a listener if there is one, else the log. */
public final class MessageLog {

  private static final Logger LOG = LoggerFactory.getLogger("net.sluice.emulator.program");

  private volatile Consumer<String> listener;

  /** Sets the listener; null for the log. Any thread. */
  public void listener(Consumer<String> newListener) {
    listener = newListener;
  }

  /** Whether messages are wanted; if not, they need not be formatted. */
  public boolean isOn() {
    return listener != null || LOG.isInfoEnabled();
  }

  /** Takes a message. */
  public void message(String text) {
    Consumer<String> current = listener;
    if (current == null) {
      LOG.info("{}", text);
    } else {
      current.accept(text);
    }
  }
}
