package net.sluice.onos;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.northbound.webhooks.AllowedTargets;
import net.sluice.rest.host.AllowedCallers;
import net.sluice.rest.traces.TraceSettings;

/**
 * The application's properties about requests of clients, checked. They count from the next request
 * on.
 *
 * @param webhooks where events may be sent
 * @param needsConditions whether declarations are changed only by requests with a condition
 * @param allowed the hosts and web pages that requests may name
 * @param traces how requests are traced; empty if they are not
 */
public record EdgeSettings(
    AllowedTargets webhooks,
    boolean needsConditions,
    AllowedCallers allowed,
    Optional<TraceSettings> traces) {
  /** Names of the properties and their values by default, in the order to show them. */
  static final Map<String, String> DEFAULTS = defaults();

  /** The settings without any property. */
  public static final EdgeSettings DEFAULT = of(Map.of());

  private static Map<String, String> defaults() {
    Map<String, String> values = new LinkedHashMap<>();
    values.put(OsgiProperties.WEBHOOK_ALLOW, OsgiProperties.WEBHOOK_ALLOW_DEFAULT);
    values.put(
        OsgiProperties.REQUIRE_IF_MATCH, Boolean.toString(OsgiProperties.REQUIRE_IF_MATCH_DEFAULT));
    values.put(OsgiProperties.ALLOWED_HOSTS, OsgiProperties.ALLOWED_HOSTS_DEFAULT);
    values.put(OsgiProperties.ALLOWED_ORIGINS, OsgiProperties.ALLOWED_ORIGINS_DEFAULT);
    values.put(OsgiProperties.OTLP_TRACES, OsgiProperties.OTLP_TRACES_DEFAULT);
    values.put(
        OsgiProperties.TRACE_PERCENT, Integer.toString(OsgiProperties.TRACE_PERCENT_DEFAULT));
    return values;
  }

  /**
   * The settings of a set of values; a property without a value has its default.
   *
   * @throws InvalidValueException if a value is not acceptable
   */
  static EdgeSettings of(Map<String, String> values) {
    Function<String, String> value =
        name -> Objects.requireNonNullElse(values.get(name), DEFAULTS.get(name)).trim();
    return new EdgeSettings(
        AllowedTargets.of(
            OsgiProperties.WEBHOOK_ALLOW,
            list(value, OsgiProperties.WEBHOOK_ALLOW).map(EdgeSettings::target).toList(),
            List.of()),
        yesOrNo(value, OsgiProperties.REQUIRE_IF_MATCH),
        AllowedCallers.ofShared(
            texts(
                value, OsgiProperties.ALLOWED_HOSTS, AllowedCallers::isHost, AllowedCallers.HOSTS),
            texts(
                value,
                OsgiProperties.ALLOWED_ORIGINS,
                AllowedCallers::isOrigin,
                AllowedCallers.ORIGINS)),
        traces(value));
  }

  private static boolean yesOrNo(Function<String, String> value, String name) {
    String text = value.apply(name);
    if (text.equals("true") || text.equals("false")) {
      return text.equals("true");
    }
    throw new InvalidValueException(name, text, "true or false");
  }

  private static int percent(Function<String, String> value) {
    String text = value.apply(OsgiProperties.TRACE_PERCENT);
    if (text.matches("\\d{1,3}") && Integer.parseInt(text) <= 100) {
      return Integer.parseInt(text);
    }
    throw new InvalidValueException(OsgiProperties.TRACE_PERCENT, text, "a whole number, 0 to 100");
  }

  private static Stream<String> list(Function<String, String> value, String name) {
    String text = value.apply(name);
    return text.isEmpty() ? Stream.of() : Stream.of(text.split(",", -1)).map(String::trim);
  }

  private static AllowedTargets.Rule target(String text) {
    try {
      return AllowedTargets.parse(text);
    } catch (InvalidValueException e) {
      throw new InvalidValueException(OsgiProperties.WEBHOOK_ALLOW, text, e.allowed());
    }
  }

  private static List<String> texts(
      Function<String, String> value, String name, Predicate<String> isAllowed, String allowed) {
    return list(value, name)
        .peek(
            each -> {
              if (!isAllowed.test(each)) {
                throw new InvalidValueException(name, each, allowed);
              }
            })
        .toList();
  }

  private static Optional<TraceSettings> traces(Function<String, String> value) {
    String text = value.apply(OsgiProperties.OTLP_TRACES);
    int percent = percent(value);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    URI endpoint =
        TraceSettings.endpoint(text)
            .orElseThrow(
                () ->
                    new InvalidValueException(
                        OsgiProperties.OTLP_TRACES, text, TraceSettings.ALLOWED + ", or nothing"));
    return Optional.of(new TraceSettings(endpoint, percent));
  }
}
