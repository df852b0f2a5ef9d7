package net.sluice.rest.json;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.BuiltInFunction;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.Ids;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.PointsFunction;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.ThroughputValueFunction;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Refusal;

/**
 * Reads declarations as the API writes them. Each method finds all problems of its value: wrong
 * form is {@link Code#MALFORMED}, a value outside what is allowed {@link Code#INVALID}.
 */
public final class DeclarationReader {
  private static final String ID = "an id: " + Ids.ALLOWED;
  private static final String PREFIX = "a prefix such as \"192.0.2.0/24\" or \"2001:db8::/56\"";
  private static final String FUNCTION_FORM = "exactly one of the fields builtIn, points";
  private static final String SCOPE_FORM =
      "either the field subscriber, or the field port and optionally tree";
  private static final String BUILT_IN =
      Arrays.stream(BuiltInFunction.values())
          .map(f -> JsonText.quoted(f.text()))
          .collect(Collectors.joining(" or "));

  private DeclarationReader() {}

  /** Reads a declaration of any kind. */
  public static Declaration read(Kind kind, String id, JsonValue value) throws Refusal {
    return switch (kind) {
      case POLICY -> policy(id, value);
      case SUBSCRIBER -> subscriber(id, value);
      case RATE_LIMIT -> rateLimit(id, value);
    };
  }

  /** Reads {@code {"throughputValue": {"builtIn": ..} or {"points": [..]}}}. */
  public static Policy policy(String id, JsonValue value) throws Refusal {
    List<Problem> problems = new ArrayList<>();
    checkId(id, problems);
    ObjectReader body = new ObjectReader(value, "", problems);
    ThroughputValueFunction function = null;
    ObjectReader throughputValue = body.object("throughputValue");
    if (throughputValue != null && throughputValue.isObject()) {
      function = function(throughputValue);
      throughputValue.finish();
    }
    body.finish();
    refuseIfAny(problems);
    return new Policy(id, function);
  }

  /**
   * Reads {@code {"policy": .., "prefixes": [..], "sVlan": .., "cVlan": .., "attachment": {"port":
   * .., "tree": ..}}}; prefixes may be left out if there is an sVlan.
   */
  public static Subscriber subscriber(String id, JsonValue value) throws Refusal {
    List<Problem> problems = new ArrayList<>();
    checkId(id, problems);
    ObjectReader body = new ObjectReader(value, "", problems);
    String policy = body.string("policy", "the id of a policy");
    if (policy != null && !Ids.isValid(policy)) {
      body.problem(Code.INVALID, "policy", JsonText.quoted(policy), ID);
    }
    List<IpPrefix> prefixes = prefixes(body);
    Optional<VlanTags> vlans = vlans(body);
    ObjectReader attached = body.object("attachment");
    OptionalInt port = OptionalInt.empty();
    OptionalInt tree = OptionalInt.empty();
    if (attached != null) {
      port = attached.integer("port", 0, Attachment.MAX_PORT);
      tree = attached.integer("tree", 0, Attachment.MAX_TREE);
      attached.finish();
    }
    body.finish();
    refuseIfAny(problems);
    Attachment attachment = new Attachment(port.getAsInt(), tree.getAsInt());
    return build(() -> new Subscriber(id, policy, prefixes, vlans, attachment));
  }

  /**
   * Reads {@code {"scope": .., "downBps": .., "upBps": .., "burstBytes": ..}} where the scope is
   * {@code {"subscriber": ..}}, {@code {"port": .., "tree": ..}} or {@code {"port": ..}}.
   */
  public static RateLimit rateLimit(String id, JsonValue value) throws Refusal {
    List<Problem> problems = new ArrayList<>();
    checkId(id, problems);
    ObjectReader body = new ObjectReader(value, "", problems);
    ObjectReader scoped = body.object("scope");
    Scope scope = null;
    if (scoped != null && scoped.isObject()) {
      scope = scope(scoped);
      scoped.finish();
    }
    OptionalLong downBps = rate(body, "downBps");
    OptionalLong upBps = rate(body, "upBps");
    if (!body.has("downBps") && !body.has("upBps")) {
      body.problem(Code.MALFORMED, "downBps", "absent", "downBps, upBps or both");
    }
    OptionalInt burstBytes = body.optionalInteger("burstBytes", 1, Integer.MAX_VALUE);
    body.finish();
    refuseIfAny(problems);
    Scope of = scope;
    return build(() -> new RateLimit(id, of, downBps, upBps, burstBytes));
  }

  private static ThroughputValueFunction function(ObjectReader body) {
    body.know("builtIn", "points");
    if (body.has("builtIn") == body.has("points")) {
      String given = body.has("points") ? "both builtIn and points" : "neither builtIn nor points";
      body.problem(Code.MALFORMED, "", given, FUNCTION_FORM);
      return null;
    }
    if (body.has("points")) {
      return points(body);
    }
    String name = body.string("builtIn", BUILT_IN);
    if (name == null) {
      return null;
    }
    for (BuiltInFunction function : BuiltInFunction.values()) {
      if (function.text().equals(name)) {
        return function;
      }
    }
    body.problem(Code.INVALID, "builtIn", JsonText.quoted(name), BUILT_IN);
    return null;
  }

  private static PointsFunction points(ObjectReader body) {
    List<JsonValue> items = body.optionalArray("points", "an array of points");
    List<PointsFunction.Point> points = new ArrayList<>();
    for (int i = 0; i < items.size() && items.size() <= PointsFunction.MAX_POINTS; i++) {
      ObjectReader item = body.item("points", i, items.get(i));
      OptionalLong rateBps = item.whole("rateBps");
      OptionalDouble value = item.number("value");
      item.finish();
      if (item.sound()) {
        try {
          points.add(new PointsFunction.Point(rateBps.getAsLong(), value.getAsDouble()));
        } catch (InvalidValueException e) {
          item.invalid(e.field(), e);
        }
      }
    }
    if (!body.sound()) {
      return null;
    }
    if (items.size() > PointsFunction.MAX_POINTS || items.size() < PointsFunction.MIN_POINTS) {
      String allowed = PointsFunction.MIN_POINTS + " to " + PointsFunction.MAX_POINTS + " points";
      body.problem(
          Code.INVALID,
          "points",
          items.size() + (items.size() == 1 ? " point" : " points"),
          allowed);
      return null;
    }
    try {
      return new PointsFunction(points);
    } catch (InvalidValueException e) {
      // The model names the field from the declaration's top.
      body.addProblem(Problem.of(e));
      return null;
    }
  }

  private static List<IpPrefix> prefixes(ObjectReader body) {
    List<JsonValue> items = body.optionalArray("prefixes", "an array of prefixes");
    List<IpPrefix> prefixes = new ArrayList<>(items.size());
    if (items.size() > Subscriber.MAX_PREFIXES) {
      body.problem(
          Code.INVALID,
          "prefixes",
          items.size() + " prefixes",
          "at most " + Subscriber.MAX_PREFIXES + " prefixes");
      return prefixes;
    }
    for (int i = 0; i < items.size(); i++) {
      String field = "prefixes[" + i + "]";
      if (!(items.get(i) instanceof JsonValue.Str)) {
        body.wrongType(field, items.get(i), PREFIX);
        continue;
      }
      try {
        prefixes.add(IpPrefix.parse(((JsonValue.Str) items.get(i)).text()));
      } catch (InvalidValueException e) {
        body.invalid(field, e);
      }
    }
    return prefixes;
  }

  private static Optional<VlanTags> vlans(ObjectReader body) {
    OptionalInt sVlan = body.optionalInteger("sVlan", VlanTags.MIN, VlanTags.MAX);
    OptionalInt cVlan = body.optionalInteger("cVlan", VlanTags.MIN, VlanTags.MAX);
    if (body.has("cVlan") && !body.has("sVlan")) {
      body.problem(Code.INVALID, "sVlan", "absent", "given whenever cVlan is given");
    }
    if (sVlan.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(new VlanTags(sVlan.getAsInt(), cVlan.orElse(VlanTags.NONE)));
  }

  private static Scope scope(ObjectReader body) {
    body.know("subscriber", "port", "tree");
    boolean ofSubscriber = body.has("subscriber");
    if (ofSubscriber == (body.has("port") || body.has("tree"))) {
      String given = ofSubscriber ? "subscriber and port or tree" : "neither subscriber nor port";
      body.problem(Code.MALFORMED, "", given, SCOPE_FORM);
      return null;
    }
    if (ofSubscriber) {
      String id = body.string("subscriber", "the id of a subscriber");
      if (id != null && !Ids.isValid(id)) {
        body.problem(Code.INVALID, "subscriber", JsonText.quoted(id), ID);
        return null;
      }
      return id == null ? null : new Scope.OfSubscriber(id);
    }
    OptionalInt port = body.integer("port", 0, Attachment.MAX_PORT);
    OptionalInt tree = body.optionalInteger("tree", 0, Attachment.MAX_TREE);
    if (port.isEmpty() || (body.has("tree") && tree.isEmpty())) {
      return null;
    }
    return tree.isPresent()
        ? new Scope.OfTree(port.getAsInt(), tree.getAsInt())
        : new Scope.OfPort(port.getAsInt());
  }

  private static OptionalLong rate(ObjectReader body, String name) {
    OptionalLong rateBps = body.optionalWhole(name);
    if (rateBps.isPresent() && rateBps.getAsLong() <= 0) {
      body.problem(Code.INVALID, name, rateBps.getAsLong(), "more than 0 bit/s");
      return OptionalLong.empty();
    }
    return rateBps;
  }

  private static void checkId(String id, List<Problem> problems) {
    if (!Ids.isValid(id)) {
      problems.add(Problem.of(Code.INVALID, "id", JsonText.quoted(id), Ids.ALLOWED));
    }
  }

  private static void refuseIfAny(List<Problem> problems) throws Refusal {
    if (!problems.isEmpty()) {
      throw new Refusal(problems);
    }
  }

  private interface Construction<T> {
    T get();
  }

  /** What only the model checks: rules that span fields. */
  private static <T> T build(Construction<T> construction) throws Refusal {
    try {
      return construction.get();
    } catch (InvalidValueException e) {
      throw new Refusal(List.of(Problem.of(e)));
    }
  }
}
