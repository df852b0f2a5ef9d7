package net.sluice.core.target;

import java.util.Optional;

/** The answers of a target to the writes of a batch. Takes no room while all is well. */
public final class WriteResults {
  private static final WriteResults ALL_OK = new WriteResults(0);

  private final WriteCode[] codes;
  private final String[] messages;

  /** Results of {@code size} writes, each OK until set otherwise. */
  public WriteResults(int size) {
    codes = new WriteCode[size];
    messages = new String[size];
  }

  /** Every write was done. */
  public static WriteResults allOk() {
    return ALL_OK;
  }

  /** The answer to write {@code i}, with the target's words. */
  public void set(int i, WriteCode code, String message) {
    codes[i] = code;
    messages[i] = message;
  }

  /** The answer to write {@code i}. */
  public WriteCode code(int i) {
    return i >= codes.length || codes[i] == null ? WriteCode.OK : codes[i];
  }

  /** The target's words about write {@code i}; "" if it has none. */
  public String message(int i) {
    return i >= messages.length || messages[i] == null ? "" : messages[i];
  }

  /** The words of the first write answered UNAVAILABLE; empty if none was. */
  public Optional<String> unavailable() {
    for (int i = 0; i < codes.length; i++) {
      if (codes[i] == WriteCode.UNAVAILABLE) {
        return Optional.of(message(i));
      }
    }
    return Optional.empty();
  }
}
