package net.sluice.rest.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import net.sluice.core.declaration.Component;
import net.sluice.core.declaration.Scalar;
import net.sluice.core.declaration.Shape;
import net.sluice.core.declaration.ValueType;
import net.sluice.intents.field.Given;
import net.sluice.intents.field.OrTrue;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Ids;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.northbound.json.JsonContent;
import net.sluice.northbound.json.JsonText;

/**
 * Reads records from JSON as it streams by, and collects all that is wrong with them: the problems
 * of an object in the order of its record's components, and those of unknown fields last. One
 * document, one binder; not thread-safe.
 */
public final class Binder {
  private static final int MAX_DIGITS = 18;
  private static final int REPEATED = -1;
  private static final String WHOLE = "a whole number without fraction or exponent";

  /** A flag that is the same as none. */
  private static final Object FALSE = new Object();

  private final JsonParser parser;
  private final Findings findings;

  private Binder(JsonParser parser, Findings findings) {
    this.parser = parser;
    this.findings = findings;
  }

  /**
   * Reads the value that a parser is at; null if there is a problem.
   *
   * @param at where the value is in its document, "" for the document itself
   * @param problems receives what is wrong
   * @throws IOException if it is not JSON
   */
  public static <T> T read(Shape<T> shape, JsonParser parser, String at, List<Problem> problems)
      throws IOException {
    return shape.type().cast(new Binder(parser, new Findings(at, problems)).object(shape));
  }

  /** Reads a value; null if there is a problem. */
  public static <T> T read(Shape<T> shape, JsonValue value, String at, List<Problem> problems) {
    StringWriter text = new StringWriter();
    // Characters, because a lone surrogate has no bytes.
    try (JsonGenerator json = JsonContent.FACTORY.createGenerator(text)) {
      value.write(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    try (JsonParser parser = JsonTree.parser(text.toString())) {
      parser.nextToken();
      return read(shape, parser, at, problems);
    } catch (IOException e) {
      throw new UncheckedIOException("a value is no JSON", e);
    }
  }

  /**
   * Reads a document of UTF-8; null if there is a problem.
   *
   * @throws Refusal if it is not JSON
   */
  public static <T> T read(Shape<T> shape, byte[] document, List<Problem> problems) throws Refusal {
    List<Problem> found = new ArrayList<>();
    try (JsonParser parser = JsonTree.parser(document, 0, document.length)) {
      if (parser.nextToken() != null) {
        T read = read(shape, parser, "", found);
        if (parser.nextToken() == null) {
          problems.addAll(found);
          return read;
        }
      }
    } catch (IOException e) {
      // Told below, with its place.
    }
    throw JsonTree.refusal(document, 0, document.length);
  }

  // ---------------------------------------------------------------- objects

  private Object object(Shape<?> shape) throws IOException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      wrongType("an object");
      return null;
    }
    Members members = new Members(shape);
    int likely = 0;
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      int place = shape.place(name, likely);
      likely = place + 1;
      parser.nextToken();
      if (place < 0 || (members.given & 1L << place) != 0) {
        members.other(name, place);
        continue;
      }
      members.given |= 1L << place;
      int before = findings.count();
      findings.enter(name);
      Object value = value(shape.component(place));
      findings.leave();
      findings.place(before, place);
      if (value == FALSE) {
        members.given &= ~(1L << place);
      } else {
        members.values[place] = value;
      }
    }
    return members.end();
  }

  /** The members of an object, and what its rules say of them. */
  private final class Members implements Given {
    private final Shape<?> shape;
    private final Object[] values;
    private final int start = findings.count();
    private long given;

    /** Those of other names, as text. */
    private Map<String, String> unknown = Map.of();

    private Set<String> repeated = Set.of();
    private long allowed = -1;

    Members(Shape<?> shape) {
      this.shape = shape;
      this.values = new Object[shape.size()];
    }

    /** A member that is there already, or that the object does not have. */
    void other(String name, int place) throws IOException {
      if (place >= 0 || unknown.containsKey(name)) {
        if (repeated.isEmpty()) {
          repeated = new HashSet<>();
        }
        if (repeated.add(name)) {
          findings.add(
              REPEATED,
              Problem.of(Code.MALFORMED, findings.at(name), "given more than once", "given once"));
        }
        parser.skipChildren();
        return;
      }
      if (unknown.isEmpty()) {
        unknown = new LinkedHashMap<>();
      }
      unknown.put(name, JsonTree.value(parser, parser.currentToken()).shown());
    }

    Object end() {
      for (int at = shape.missing(values, 0); at >= 0; at = shape.missing(values, at + 1)) {
        if ((given & 1L << at) == 0) {
          Component component = shape.component(at);
          findings.add(
              at,
              Problem.of(
                  Code.MALFORMED, findings.at(component.name()), "absent", component.allowed()));
        }
      }
      shape.rules().check(this);
      if (allowed != -1) {
        refuseOthers();
      }
      if (!unknown.isEmpty()) {
        List<String> names =
            IntStream.range(0, values.length)
                .filter(i -> (allowed & 1L << i) != 0)
                .mapToObj(i -> shape.component(i).name())
                .toList();
        unknown.forEach((name, shown) -> unknown(name, shown, names));
      }
      if (!isSound()) {
        findings.sort(start);
        return null;
      }
      try {
        return shape.make(values);
      } catch (InvalidValueException e) {
        String here = findings.at("");
        // The model names some fields from the top of the declaration.
        String field = e.field().startsWith(here + ".") ? e.field() : findings.at(e.field());
        return findings.add(Problem.of(Code.INVALID, field, e.value(), e.allowed()));
      }
    }

    /** Fields that the object has, but not with what else is given, are unknown. */
    private void refuseOthers() {
      for (int i = 0; i < values.length; i++) {
        if ((given & ~allowed & 1L << i) != 0) {
          String shown = "given";
          if (values[i] != null) {
            StringWriter text = new StringWriter();
            try (JsonGenerator json = JsonContent.FACTORY.createGenerator(text)) {
              RecordJson.write(json, shape.component(i).part(), values[i]);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
            shown = JsonValue.cut(text.toString());
          }
          findings.drop(start, i, i);
          if (unknown.isEmpty()) {
            unknown = new LinkedHashMap<>();
          }
          unknown.put(shape.component(i).name(), shown);
        }
      }
    }

    private void unknown(String name, String shown, List<String> names) {
      String only = "only the fields " + String.join(", ", names);
      findings.add(
          values.length + 1,
          new Problem(
              Code.MALFORMED,
              findings.at(name),
              shown,
              only,
              "There is no field " + findings.at(name) + "; allowed: " + only + "."));
    }

    /** The place of a field that the rules name; of the object itself behind all. */
    private int place(String field) {
      int place = field.isEmpty() ? values.length : shape.place(field, 0);
      if (place < 0) {
        throw new IllegalStateException(shape.type() + " has no field " + field);
      }
      return place;
    }

    @Override
    public boolean has(String field) {
      return (given & 1L << place(field)) != 0;
    }

    @Override
    public Object value(String field) {
      return values[place(field)];
    }

    @Override
    public boolean isEmpty() {
      return given == 0 && unknown.isEmpty();
    }

    @Override
    public boolean isSound() {
      return findings.count() == start;
    }

    @Override
    public void malformed(String field, Object value, String allowed) {
      findings.add(place(field), Problem.of(Code.MALFORMED, findings.at(field), value, allowed));
    }

    @Override
    public void invalid(String field, Object value, String allowed) {
      findings.add(place(field), Problem.of(Code.INVALID, findings.at(field), value, allowed));
    }

    @Override
    public void refuse(String value, String allowed) {
      findings.drop(start, 0, values.length);
      malformed("", value, allowed);
    }

    @Override
    public void only(String... fields) {
      allowed = 0;
      for (String field : fields) {
        allowed |= 1L << place(field);
      }
    }
  }

  // ---------------------------------------------------------------- values

  /** The value of a field; null if there is a problem. */
  private Object value(Component of) throws IOException {
    return switch (of.type()) {
      case TEXT -> text(of);
      case LIST -> list(of);
      case MAP -> map(of);
      case RECORD_OR_TRUE -> orTrue(of);
      default -> single(of, of.part(), of.allowed());
    };
  }

  /** A value, or an item of one. */
  private Object single(Component of, Component.Part part, String allowed) throws IOException {
    JsonToken token = parser.currentToken();
    return switch (part.type()) {
      case RECORD -> object(part.shape());
      case INT, LONG -> whole(of, part.type());
      case FLAG ->
          token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE
              ? (Object) (token == JsonToken.VALUE_TRUE)
              : wrongType(allowed);
      case DOUBLE -> token.isNumeric() ? number() : wrongType(allowed);
      case SCALAR ->
          token == JsonToken.VALUE_STRING
              ? scalar(part.scalar(), parser.getText())
              : wrongType(allowed);
      default -> throw new IllegalStateException("a value cannot be " + part.type());
    };
  }

  private Object whole(Component of, ValueType type) throws IOException {
    if (parser.currentToken() != JsonToken.VALUE_NUMBER_INT) {
      return wrongType(WHOLE);
    }
    int length = parser.getTextLength();
    if (length > MAX_DIGITS && (length > MAX_DIGITS + 1 || !parser.getText().startsWith("-"))) {
      return findings.add(Code.MALFORMED, shown(), "a whole number of at most 18 digits");
    }
    long number = parser.getLongValue();
    if (!of.isInRange(number)) {
      return findings.add(Code.INVALID, number, of.range());
    }
    return type == ValueType.INT ? (Object) (int) number : (Object) number;
  }

  private Object number() throws IOException {
    double number = Double.parseDouble(parser.getText());
    return Double.isInfinite(number)
        ? findings.add(Code.MALFORMED, shown(), "a number of at most 1e308")
        : (Object) number;
  }

  private Object scalar(Scalar scalar, String text) {
    try {
      Optional<Object> read = scalar.read(text);
      return read.isPresent()
          ? read.get()
          : findings.add(Code.INVALID, JsonText.quoted(text), scalar.refused());
    } catch (InvalidValueException e) {
      return findings.add(Code.INVALID, e.value(), e.allowed());
    }
  }

  private Object text(Component of) throws IOException {
    if (parser.currentToken() != JsonToken.VALUE_STRING) {
      return wrongType(of.allowed());
    }
    String text = parser.getText();
    return of.isText(text) ? text : findings.add(Code.INVALID, JsonText.quoted(text), of.refused());
  }

  private Object orTrue(Component of) throws IOException {
    switch (parser.currentToken()) {
      case VALUE_TRUE:
        return new OrTrue<>(Optional.empty());
      case VALUE_FALSE:
        return FALSE;
      case START_OBJECT:
        Object read = object(of.part().shape());
        return read == null ? null : new OrTrue<>(Optional.of(read));
      default:
        return wrongType(of.allowed());
    }
  }

  private Object list(Component of) throws IOException {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      return wrongType(of.allowed());
    }
    Component.Part part = of.part().item();
    String allowed = Component.allowed(part);
    List<Object> list = new ArrayList<>(2);
    int before = findings.count();
    int count = 0;
    for (; parser.nextToken() != JsonToken.END_ARRAY; count++) {
      if (count >= of.maxItems()) {
        parser.skipChildren();
        continue;
      }
      findings.item(count);
      Object item = single(of, part, allowed);
      if (of.isUnique() && item != null && list.contains(item)) {
        findings.add(Code.INVALID, shown(), "each once");
      }
      list.add(item);
    }
    findings.noItem();
    if (count > of.maxItems()) {
      findings.drop(before);
    }
    if (findings.count() == before) {
      countedItems(of, count);
    }
    return findings.count() == before ? list : null;
  }

  private void countedItems(Component of, int count) {
    if (count >= of.minItems() && count <= of.maxItems()) {
      return;
    }
    String noun = of.field().items();
    String counted = count == 1 ? "1 " + noun.substring(0, noun.length() - 1) : count + " " + noun;
    String bounds =
        of.minItems()
            + (of.maxItems() == Integer.MAX_VALUE ? " or more " : " to " + of.maxItems() + " ")
            + noun;
    findings.add(
        Code.INVALID,
        counted,
        switch (of.minItems()) {
          case 0 -> "at most " + of.maxItems() + " " + noun;
          case 1 -> "absent, or " + bounds;
          default -> bounds;
        });
  }

  /** Texts by key; a key that is none is a problem of the map itself. */
  private Object map(Component of) throws IOException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      return wrongType(of.allowed());
    }
    List<Problem> twice = new ArrayList<>();
    Set<String> keys = new HashSet<>();
    Set<String> repeated = new HashSet<>();
    TreeMap<String, String> map = new TreeMap<>();
    int before = findings.count();
    for (String key = parser.nextFieldName(); key != null; key = parser.nextFieldName()) {
      parser.nextToken();
      if (!keys.add(key)) {
        if (repeated.add(key)) {
          twice.add(
              Problem.of(Code.MALFORMED, findings.at(key), "given more than once", "given once"));
        }
        parser.skipChildren();
        continue;
      }
      if (!Ids.isValid(key)) {
        findings.add(Code.INVALID, JsonText.quoted(key), "keys of " + Ids.ALLOWED);
        parser.skipChildren();
        continue;
      }
      findings.enter(key);
      if (parser.currentToken() != JsonToken.VALUE_STRING) {
        wrongType("a string");
      } else if (!Ids.isValid(parser.getText())) {
        findings.add(Code.INVALID, JsonText.quoted(parser.getText()), Ids.ALLOWED);
      } else {
        map.put(key, parser.getText());
      }
      findings.leave();
    }
    findings.insert(before, twice);
    if (findings.count() == before || keys.size() > of.maxItems()) {
      countedItems(of, keys.size());
    }
    return findings.count() == before ? map : null;
  }

  private String shown() throws IOException {
    return JsonTree.value(parser, parser.currentToken()).shown();
  }

  private Object wrongType(String allowed) throws IOException {
    JsonValue value = JsonTree.value(parser, parser.currentToken());
    return findings.add(ObjectReader.wrongTypeOf(findings.at(""), value, allowed));
  }
}
