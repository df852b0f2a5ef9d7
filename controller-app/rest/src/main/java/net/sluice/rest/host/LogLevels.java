package net.sluice.rest.host;

import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Stream;
import net.sluice.intents.validate.Refusal;

/** The levels at which a host logs what Sluice's own classes say. Thread-safe. */
public interface LogLevels {
  /** The logger of all, to which a start gives a level. */
  String ALL = "net.sluice";

  /** Most loggers with a level of their own at a time. */
  int MOST = 256;

  /** The least that is logged. */
  enum Level {
    OFF,
    ERROR,
    WARN,
    INFO,
    DEBUG,
    TRACE;

    /** As options and bodies have it. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** The level of a text; empty if it is none. */
    public static Optional<Level> parse(String text) {
      return Stream.of(values()).filter(each -> each.text().equals(text)).findFirst();
    }
  }

  /** The loggers that have levels of their own, {@link #ALL} among them. */
  SortedMap<String, Level> own();

  /** The level in force for a logger: its own, or that of the nearest above it. */
  Level inForce(String logger);

  /**
   * Gives a logger and those below it a level, until the process ends.
   *
   * @throws Refusal CAPACITY if {@link #MOST} others have one
   */
  void set(String logger, Level level) throws Refusal;

  /** Takes the level of a logger away; {@link #ALL} gets that of the start. */
  void reset(String logger);
}
