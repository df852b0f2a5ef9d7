package net.sluice.rest.json;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import net.sluice.core.declaration.Shape;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.InvalidValueException;

/**
 * Reads the fields of one JSON object and collects what is wrong with them.
 *
 * <p>A field that is missing or not acceptable reads as null or empty, and a problem that names it
 * is added; so callers read on, and build their value only if {@link #sound()}. Fields that were
 * not asked for are unknown; {@link #finish()} reports them.
 */
public final class ObjectReader {
  /** Names the document itself where a field is expected. */
  public static final String DOCUMENT = "body";

  private static final String ABSENT = "absent";
  private static final String BOOLEAN = "true or false";
  private static final String WHOLE = "a whole number without fraction or exponent";
  private static final int MAX_DIGITS = 18;

  private final String path;
  private final List<Problem> problems;
  private final Map<String, JsonValue> fields = new HashMap<>();
  private final List<String> order = new ArrayList<>();
  private final Set<String> known = new LinkedHashSet<>();
  private final int problemsBefore;
  private final boolean isObject;

  /**
   * A reader of {@code value}, which should be an object.
   *
   * @param path where the object is in its document, empty for the document itself
   * @param problems receives problems
   */
  public ObjectReader(JsonValue value, String path, List<Problem> problems) {
    this.path = path;
    this.problems = problems;
    this.problemsBefore = problems.size();
    this.isObject = value instanceof JsonValue.Obj;
    List<JsonValue.Member> members =
        typed("", value, JsonValue.Obj.class, "an object")
            .map(JsonValue.Obj::members)
            .orElse(List.of());
    // Jackson's strict duplicate detection ends at the first; here every one is told, beside the
    // document's other problems.
    Set<String> repeated = new HashSet<>();
    for (JsonValue.Member member : members) {
      if (fields.putIfAbsent(member.name(), member.value()) == null) {
        order.add(member.name());
      } else if (repeated.add(member.name())) {
        problem(Code.MALFORMED, member.name(), "given more than once", "given once");
      }
    }
  }

  /** True if this object read without any problem so far, its members included. */
  public boolean sound() {
    return problems.size() == problemsBefore;
  }

  /** True if there is an object to read from. */
  public boolean isObject() {
    return isObject;
  }

  /** True if the object has a field of that name, of whatever type. */
  public boolean has(String name) {
    return fields.containsKey(name);
  }

  /** The refusal of a document that ends too soon: its client went away or sent broken chunks. */
  public static Refusal cutOff() {
    return new Refusal(
        List.of(
            new Problem(
                Code.MALFORMED,
                DOCUMENT,
                "cut off",
                "a whole body",
                "The body could not be read to its end.")));
  }

  /** Where {@code name} is in the document, e.g. {@code attachment.tree}. */
  public String at(String name) {
    if (path.isEmpty()) {
      return name.isEmpty() ? DOCUMENT : name;
    }
    return name.isEmpty() ? path : path + "." + name;
  }

  /** Reports every field that was never asked for. */
  public void finish() {
    for (String name : order) {
      if (!known.contains(name)) {
        String allowed = "only the fields " + String.join(", ", known);
        problems.add(
            new Problem(
                Code.MALFORMED,
                at(name),
                fields.get(name).shown(),
                allowed,
                "There is no field " + at(name) + "; allowed: " + allowed + "."));
      }
    }
  }

  /** Says that a field may be there without reading it. */
  public void know(String... names) {
    known.addAll(List.of(names));
  }

  /** A required value of any type; null if missing. */
  public JsonValue any(String name, String allowed) {
    return required(name, allowed);
  }

  /** A required string; null if missing or no string. {@code allowed} describes it. */
  public String string(String name, String allowed) {
    return typed(name, required(name, allowed), JsonValue.Str.class, allowed)
        .map(JsonValue.Str::text)
        .orElse(null);
  }

  /** Text that may be missing; empty if it is, and if it is no text, which is reported. */
  public Optional<String> optionalString(String name, String allowed) {
    return absent(name) ? Optional.empty() : Optional.ofNullable(string(name, allowed));
  }

  /** A required object; null if missing. The reader reports it if it is no object. */
  public ObjectReader object(String name) {
    JsonValue value = required(name, "an object");
    return value == null ? null : new ObjectReader(value, at(name), problems);
  }

  /** An object that may be missing; empty if it is. The reader reports it if it is no object. */
  public Optional<ObjectReader> optionalObject(String name) {
    return absent(name) ? Optional.empty() : Optional.ofNullable(object(name));
  }

  /** A record that may be missing; empty if it is, or if there is a problem. */
  public <T> Optional<T> optionalRecord(String name, Shape<T> shape) {
    JsonValue value = optional(name);
    return value == null
        ? Optional.empty()
        : Optional.ofNullable(Binder.read(shape, value, at(name), problems));
  }

  /** The names of the object's fields, in their order. */
  public List<String> names() {
    return List.copyOf(order);
  }

  /** An array's items; empty if missing (which is no problem) or no array. */
  public List<JsonValue> optionalArray(String name, String allowed) {
    return typed(name, optional(name), JsonValue.Arr.class, allowed)
        .map(JsonValue.Arr::items)
        .orElse(List.of());
  }

  /**
   * The whole numbers in {@code [low, high]} of an array; none if missing, or if it is no array.
   */
  public List<Integer> optionalIntegers(String name, int low, int high) {
    List<JsonValue> items = optionalArray(name, "an array of whole numbers");
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      integer(name + "[" + i + "]", items.get(i), low, high).ifPresent(numbers::add);
    }
    return numbers;
  }

  /** A required whole number in {@code [low, high]}; empty if there is none. */
  public OptionalInt integer(String name, int low, int high) {
    return integer(name, required(name, "a whole number, " + low + " to " + high), low, high);
  }

  /** A whole number in {@code [low, high]}; empty if missing, which is no problem. */
  public OptionalInt optionalInteger(String name, int low, int high) {
    return integer(name, optional(name), low, high);
  }

  /** A whole number of at most 18 digits; empty if missing, which is no problem. */
  public OptionalLong optionalWhole(String name) {
    return whole(name, optional(name));
  }

  /** A required whole number of at most 18 digits. */
  public OptionalLong whole(String name) {
    return whole(name, required(name, WHOLE));
  }

  /** A required number; its range is the caller's concern. */
  public OptionalDouble number(String name) {
    JsonValue value = required(name, "a number");
    Optional<JsonValue.Num> written = typed(name, value, JsonValue.Num.class, "a number");
    if (written.isEmpty()) {
      return OptionalDouble.empty();
    }
    double number = Double.parseDouble(written.get().text());
    if (Double.isInfinite(number)) {
      problem(Code.MALFORMED, name, value.shown(), "a number of at most 1e308");
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(number);
  }

  /** True or false; {@code byDefault} if missing, or if it is neither. */
  public boolean flag(String name, boolean byDefault) {
    JsonValue value = optional(name);
    if (value == null || value == JsonValue.Literal.TRUE || value == JsonValue.Literal.FALSE) {
      return value == null ? byDefault : value == JsonValue.Literal.TRUE;
    }
    wrongType(name, value, BOOLEAN);
    return byDefault;
  }

  /** A reader of item {@code i} of the array {@code name}. */
  public ObjectReader item(String name, int i, JsonValue value) {
    return new ObjectReader(value, at(name) + "[" + i + "]", problems);
  }

  /** Adds a problem that names its field from the top of the document. */
  public void addProblem(Problem problem) {
    problems.add(problem);
  }

  /** Adds the problem of a value that the model refuses, under the field's place in this object. */
  public void invalid(String name, InvalidValueException refused) {
    problem(Code.INVALID, name, refused.value(), refused.allowed());
  }

  /** Adds a problem with a field of this object. */
  public void problem(Code code, String name, Object value, String allowed) {
    problems.add(Problem.of(code, at(name), value, allowed));
  }

  /** Adds the problem of a value of the wrong type. */
  public void wrongType(String name, JsonValue value, String allowed) {
    problems.add(wrongTypeOf(at(name), value, allowed));
  }

  /** The problem of a value of the wrong type, at a place in the document. */
  static Problem wrongTypeOf(String field, JsonValue value, String allowed) {
    return new Problem(
        Code.MALFORMED,
        field,
        value.shown(),
        allowed,
        field + " is " + described(value) + "; allowed: " + allowed + ".");
  }

  /** True for a field that is not there, though it might. */
  public boolean absent(String name) {
    if (!has(name)) {
      known.add(name);
    }
    return !has(name);
  }

  private static String described(JsonValue value) {
    return value == JsonValue.Literal.NULL ? "null" : value.kind() + ", " + value.shown();
  }

  private JsonValue optional(String name) {
    known.add(name);
    return fields.get(name);
  }

  /** The value if it is of that type; a value of another type is a problem, none is not. */
  private <T extends JsonValue> Optional<T> typed(
      String name, JsonValue value, Class<T> type, String allowed) {
    if (value != null && !type.isInstance(value)) {
      wrongType(name, value, allowed);
    }
    return Optional.ofNullable(value).filter(type::isInstance).map(type::cast);
  }

  private JsonValue required(String name, String allowed) {
    JsonValue value = optional(name);
    // What is no object has been reported as that; its fields are not missed on top of it.
    if (value == null && isObject) {
      problem(Code.MALFORMED, name, ABSENT, allowed);
    }
    return value;
  }

  private OptionalInt integer(String name, JsonValue value, int low, int high) {
    OptionalLong number = whole(name, value);
    if (number.isEmpty()) {
      return OptionalInt.empty();
    }
    if (number.getAsLong() < low || number.getAsLong() > high) {
      problem(Code.INVALID, name, number.getAsLong(), low + " to " + high);
      return OptionalInt.empty();
    }
    return OptionalInt.of((int) number.getAsLong());
  }

  private OptionalLong whole(String name, JsonValue value) {
    Optional<JsonValue.Num> written = typed(name, value, JsonValue.Num.class, WHOLE);
    if (written.isEmpty()) {
      return OptionalLong.empty();
    }
    String text = written.get().text();
    int from = text.startsWith("-") ? 1 : 0;
    for (int i = from; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        wrongType(name, value, WHOLE);
        return OptionalLong.empty();
      }
    }
    if (text.length() - from > MAX_DIGITS) {
      problem(Code.MALFORMED, name, value.shown(), "a whole number of at most 18 digits");
      return OptionalLong.empty();
    }
    return OptionalLong.of(Long.parseLong(text));
  }
}
