package net.sluice.rest.request;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import javax.ws.rs.core.UriInfo;
import net.sluice.core.Page;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Refusal;
import net.sluice.northbound.json.JsonText;
import net.sluice.rest.json.JsonValue;

/**
 * The query parameters of one request. A parameter that is not known is refused rather than
 * ignored: a misspelt {@code dryRun} would otherwise change what it was to leave alone.
 */
public final class Query {
  public static final String ATOMIC = "atomic";
  public static final String DRY_RUN = "dryRun";
  public static final String WAIT_MILLIS = "waitMillis";
  public static final String LIMIT = "limit";

  /** How long an answer waits for the targets if its request does not say. */
  public static final long DEFAULT_WAIT_MILLIS = 1000;

  /** The longest that it waits. */
  public static final long MAX_WAIT_MILLIS = 60_000;

  /** Most items of an answer if its request does not say. */
  public static final int DEFAULT_LIMIT = 100;

  private static final int MAX_DIGITS = 18;

  private final Map<String, List<String>> given;
  private final List<Problem> problems = new ArrayList<>();

  /** Reads the request's parameters, of which {@code known} are allowed. */
  public Query(UriInfo uri, String... known) {
    given = uri.getQueryParameters();
    String allowed =
        known.length == 0
            ? "no query parameters"
            : "only the query parameters " + String.join(", ", known);
    for (String name : new TreeSet<>(given.keySet())) {
      List<String> values = given.get(name);
      if (!Set.of(known).contains(name)) {
        problems.add(
            new Problem(
                Code.MALFORMED,
                name,
                JsonText.quoted(values.get(0)),
                allowed,
                "There is no query parameter " + name + "; allowed: " + allowed + "."));
      } else if (values.size() > 1) {
        problems.add(Problem.of(Code.MALFORMED, name, "given more than once", "given once"));
      }
    }
  }

  /** A parameter that is {@code true} or {@code false}, false if not given. */
  public boolean flag(String name) {
    String text = text(name);
    if (text != null && !text.equals("true") && !text.equals("false")) {
      problems.add(Problem.of(Code.MALFORMED, name, JsonText.quoted(text), "true or false"));
    }
    return "true".equals(text);
  }

  /** A whole number in {@code [low, high]}. */
  public long number(String name, long byDefault, long low, long high) {
    String text = text(name);
    if (text == null) {
      return byDefault;
    }
    String range = low + " to " + high;
    if (!text.matches("-?[0-9]{1," + MAX_DIGITS + "}")) {
      problems.add(
          Problem.of(Code.MALFORMED, name, JsonText.quoted(text), "a whole number, " + range));
      return byDefault;
    }
    long number = Long.parseLong(text);
    if (number < low || number > high) {
      problems.add(Problem.of(Code.INVALID, name, number, range));
    }
    return number;
  }

  /** Most items of the answer. */
  public int limit() {
    return (int) number(LIMIT, DEFAULT_LIMIT, 1, Page.MAX_LIMIT);
  }

  /** How long the answer may wait for the targets. */
  public long waitMillis(long byDefault) {
    return number(WAIT_MILLIS, byDefault, 0, MAX_WAIT_MILLIS);
  }

  /** A whole number in {@code [low, high]}; empty if not given. */
  public OptionalInt optional(String name, int low, int high) {
    return text(name) == null
        ? OptionalInt.empty()
        : OptionalInt.of((int) number(name, low, low, high));
  }

  /**
   * The value of a parameter; empty if not given.
   *
   * @param parse empty for a text that is not {@code allowed}
   */
  public <T> Optional<T> parsed(String name, String allowed, Function<String, Optional<T>> parse) {
    String text = text(name);
    if (text == null) {
      return Optional.empty();
    }
    Optional<T> value = parse.apply(text);
    if (value.isEmpty()) {
      problems.add(Problem.of(Code.INVALID, name, JsonText.quoted(shown(text)), allowed));
    }
    return value;
  }

  private static String shown(String text) {
    return text.length() <= JsonValue.MAX_SHOWN
        ? text
        : text.substring(0, JsonValue.MAX_SHOWN - 3) + "...";
  }

  /** Refuses the request if any parameter read so far is not acceptable. */
  public void refuseIfUnsound() throws Refusal {
    if (!problems.isEmpty()) {
      throw new Refusal(problems);
    }
  }

  /** A parameter as it is; null if not given. */
  public String text(String name) {
    List<String> values = given.get(name);
    return values == null || values.isEmpty() ? null : values.get(0);
  }
}
