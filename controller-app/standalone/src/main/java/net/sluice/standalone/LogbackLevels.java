package net.sluice.standalone;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.host.LogLevels;
import org.slf4j.LoggerFactory;

/** The levels of this process's log. */
final class LogbackLevels implements LogLevels {
  private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(LogbackLevels.class);

  private final LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
  private final Level atStart = inForce(ALL);

  private static Level level(ch.qos.logback.classic.Level of) {
    return Level.valueOf(of.toString());
  }

  @Override
  public synchronized SortedMap<String, Level> own() {
    SortedMap<String, Level> own = new TreeMap<>();
    for (Logger each : context.getLoggerList()) {
      String name = each.getName();
      if (each.getLevel() != null && (name.equals(ALL) || name.startsWith(ALL + "."))) {
        own.put(name, level(each.getLevel()));
      }
    }
    return own;
  }

  @Override
  public Level inForce(String logger) {
    // Those that are asked for do not come to be by that.
    String name = logger;
    while (context.exists(name) == null) {
      int end = name.lastIndexOf('.');
      name = end < 0 ? org.slf4j.Logger.ROOT_LOGGER_NAME : name.substring(0, end);
    }
    return level(context.getLogger(name).getEffectiveLevel());
  }

  @Override
  public synchronized void set(String logger, Level level) throws Refusal {
    SortedMap<String, Level> own = own();
    if (own.size() >= MOST && !own.containsKey(logger)) {
      throw new Refusal(
          List.of(
              Problem.of(
                  Problem.Code.CAPACITY,
                  "logger",
                  logger,
                  "one of the "
                      + MOST
                      + " that have levels of their own; take one of theirs away")));
    }
    context.getLogger(logger).setLevel(ch.qos.logback.classic.Level.valueOf(level.name()));
    LOG.warn("from now on the level of {} is {}", logger, level.text());
  }

  @Override
  public synchronized void reset(String logger) {
    if (own().containsKey(logger)) {
      context
          .getLogger(logger)
          .setLevel(
              logger.equals(ALL) ? ch.qos.logback.classic.Level.valueOf(atStart.name()) : null);
      LOG.warn("from now on the level of {} is {}", logger, inForce(logger).text());
    }
  }
}
