package net.sluice.intents.validate;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Supplier;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.BuiltInFunction;
import net.sluice.intents.model.Ids;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.PointsFunction;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.ThroughputValueFunction;
import net.sluice.intents.model.VlanTags;

/**
 * Turns raw fields into model objects, with every problem of a declaration found at once.
 *
 * <p>An argument that is null stands for a field that is absent. Only what a declaration alone
 * shows is checked here; what depends on other declarations or on the targets is checked when
 * compiling.
 */
public final class Declarations {
  private Declarations() {}

  /**
   * A point of a throughput-value function as declared.
   *
   * @param rateBps bit/s
   * @param value packet value
   */
  public record RawPoint(Long rateBps, Double value) {}

  /** A subscriber; {@code policy}, {@code port} and {@code tree} are required. */
  public static Subscriber subscriber(
      String id, String policy, List<String> prefixes, Long sVlan, Long cVlan, Long port, Long tree)
      throws Refusal {
    Collector problems = new Collector();
    problems.check(() -> Ids.require("id", id));
    if (problems.require("policy", policy, "the id of a policy")) {
      problems.check(() -> Ids.require("policy", policy));
    }
    List<IpPrefix> parsed = new ArrayList<>();
    List<String> texts = prefixes == null ? List.of() : prefixes;
    for (int i = 0; i < texts.size(); i++) {
      prefix("prefixes[" + i + "]", texts.get(i), parsed, problems);
    }
    Integer service = problems.range("sVlan", sVlan, VlanTags.MIN, VlanTags.MAX);
    Integer customer = problems.range("cVlan", cVlan, VlanTags.MIN, VlanTags.MAX);
    if (cVlan != null && sVlan == null) {
      problems.add(Problem.of(Problem.Code.INVALID, "cVlan", cVlan, "only together with an sVlan"));
    }
    String ports = "0 to " + Attachment.MAX_PORT;
    String trees = "0 to " + Attachment.MAX_TREE;
    if (problems.require("attachment.port", port, ports)) {
      problems.range("attachment.port", port, 0, Attachment.MAX_PORT);
    }
    if (problems.require("attachment.tree", tree, trees)) {
      problems.range("attachment.tree", tree, 0, Attachment.MAX_TREE);
    }
    if (texts.isEmpty() && sVlan == null) {
      problems.add(
          Problem.of(Problem.Code.INVALID, "prefixes", "[]", "at least one prefix, or an sVlan"));
    }
    if (texts.size() > Subscriber.MAX_PREFIXES) {
      problems.add(
          Problem.of(
              Problem.Code.INVALID,
              "prefixes",
              texts.size() + " prefixes",
              "at most " + Subscriber.MAX_PREFIXES + " prefixes"));
    }
    problems.refuseIfAny();
    Optional<VlanTags> vlans =
        service == null
            ? Optional.empty()
            : Optional.of(new VlanTags(service, customer == null ? VlanTags.NONE : customer));
    return new Subscriber(
        id, policy, parsed, vlans, new Attachment(port.intValue(), tree.intValue()));
  }

  /** A policy; exactly one of {@code builtIn} and {@code points} is required. */
  public static Policy policy(String id, String builtIn, List<RawPoint> points) throws Refusal {
    Collector problems = new Collector();
    problems.check(() -> Ids.require("id", id));
    ThroughputValueFunction function = null;
    if ((builtIn == null) == (points == null)) {
      problems.add(
          Problem.of(
              Problem.Code.MALFORMED,
              "throughputValue",
              builtIn == null ? "neither builtIn nor points" : "both builtIn and points",
              "one of builtIn and points"));
    } else if (builtIn != null) {
      function = builtIn(builtIn, problems);
    } else {
      function = points(points, problems);
    }
    problems.refuseIfAny();
    return new Policy(id, function);
  }

  /**
   * A rate limit; the scope is {@code scopeSubscriber} alone, {@code scopePort} alone, or {@code
   * scopePort} with {@code scopeTree}.
   */
  public static RateLimit rateLimit(
      String id,
      String scopeSubscriber,
      Long scopePort,
      Long scopeTree,
      Long downBps,
      Long upBps,
      Long burstBytes)
      throws Refusal {
    Collector problems = new Collector();
    problems.check(() -> Ids.require("id", id));
    Scope scope = scope(scopeSubscriber, scopePort, scopeTree, problems);
    problems.positive("downBps", downBps, "bit/s");
    problems.positive("upBps", upBps, "bit/s");
    if (downBps == null && upBps == null) {
      problems.add(Problem.of(Problem.Code.INVALID, "downBps", "absent", "downBps, upBps or both"));
    }
    Integer burst = problems.range("burstBytes", burstBytes, 1, Integer.MAX_VALUE);
    problems.refuseIfAny();
    return new RateLimit(
        id,
        scope,
        downBps == null ? OptionalLong.empty() : OptionalLong.of(downBps),
        upBps == null ? OptionalLong.empty() : OptionalLong.of(upBps),
        burst == null ? OptionalInt.empty() : OptionalInt.of(burst));
  }

  private static void prefix(String field, String text, List<IpPrefix> parsed, Collector problems) {
    if (!problems.require(field, text, "an IPv4 or IPv6 prefix")) {
      return;
    }
    try {
      parsed.add(IpPrefix.parse(text));
    } catch (InvalidValueException invalid) {
      problems.add(Problem.of(Problem.Code.INVALID, field, invalid.value(), invalid.allowed()));
    }
  }

  private static ThroughputValueFunction builtIn(String name, Collector problems) {
    List<String> names = new ArrayList<>();
    for (BuiltInFunction function : BuiltInFunction.values()) {
      if (function.text().equals(name)) {
        return function;
      }
      names.add(function.text());
    }
    problems.add(
        Problem.of(
            Problem.Code.INVALID, "throughputValue.builtIn", name, String.join(", ", names)));
    return null;
  }

  private static ThroughputValueFunction points(List<RawPoint> raw, Collector problems) {
    List<PointsFunction.Point> points = new ArrayList<>();
    for (int i = 0; i < raw.size(); i++) {
      String field = "throughputValue.points[" + i + "]";
      RawPoint point = raw.get(i);
      boolean hasRate = problems.require(field + ".rateBps", point.rateBps, "a rate in bit/s");
      boolean hasValue = problems.require(field + ".value", point.value, "a packet value");
      if (hasRate && hasValue) {
        try {
          points.add(new PointsFunction.Point(point.rateBps, point.value));
        } catch (InvalidValueException invalid) {
          problems.add(
              Problem.of(
                  Problem.Code.INVALID,
                  field + "." + invalid.field(),
                  invalid.value(),
                  invalid.allowed()));
        }
      }
    }
    return points.size() < raw.size() ? null : problems.check(() -> new PointsFunction(points));
  }

  private static Scope scope(String subscriber, Long port, Long tree, Collector problems) {
    String forms = "{subscriber}, {port} or {port, tree}";
    if (subscriber != null && (port != null || tree != null)) {
      problems.add(
          Problem.of(
              Problem.Code.MALFORMED, "scope", "a subscriber together with a port or tree", forms));
      return null;
    }
    if (subscriber != null) {
      return problems.check(() -> new Scope.OfSubscriber(subscriber));
    }
    if (port == null) {
      problems.add(
          Problem.of(
              Problem.Code.MALFORMED,
              "scope",
              tree == null ? "empty" : "a tree without a port",
              forms));
      return null;
    }
    Integer validPort = problems.range("scope.port", port, 0, Attachment.MAX_PORT);
    Integer validTree = problems.range("scope.tree", tree, 0, Attachment.MAX_TREE);
    if (validPort == null || (tree != null && validTree == null)) {
      return null;
    }
    return validTree == null ? new Scope.OfPort(validPort) : new Scope.OfTree(validPort, validTree);
  }

  /** Collects problems; methods that return a value return null after adding one. */
  private static final class Collector {
    private final Problems problems = new Problems();

    void add(Problem problem) {
      problems.add(problem);
    }

    void refuseIfAny() throws Refusal {
      problems.refuseIfAny();
    }

    <T> T check(Supplier<T> maker) {
      try {
        return maker.get();
      } catch (InvalidValueException invalid) {
        add(Problem.of(invalid));
        return null;
      }
    }

    boolean require(String field, Object value, String allowed) {
      if (value == null) {
        add(Problem.of(Problem.Code.MALFORMED, field, "absent", allowed));
      }
      return value != null;
    }

    Integer range(String field, Long value, int low, int high) {
      if (value == null) {
        return null;
      }
      if (value < low || value > high) {
        add(
            Problem.of(
                Problem.Code.INVALID,
                field,
                value,
                String.format(Locale.ROOT, "%d to %d", low, high)));
        return null;
      }
      return value.intValue();
    }

    void positive(String field, Long value, String unit) {
      if (value != null && value <= 0) {
        add(Problem.of(Problem.Code.INVALID, field, value, "more than 0 " + unit));
      }
    }
  }
}
