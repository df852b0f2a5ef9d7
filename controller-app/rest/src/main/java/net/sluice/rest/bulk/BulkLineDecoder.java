package net.sluice.rest.bulk;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Change;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Ids;
import net.sluice.northbound.json.JsonContent;
import net.sluice.northbound.json.JsonText;
import net.sluice.rest.condition.RequestCondition;
import net.sluice.rest.condition.Tags;
import net.sluice.rest.form.DeclarationForm;
import net.sluice.rest.json.JsonTree;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.json.ObjectReader;

/**
 * Decodes lines of a bulk request: {@code {"op": "put", "kind": .., "id": .., "value": {..}}} or
 * {@code {"op": "delete", "kind": .., "id": ..}}, perhaps with a condition.
 *
 * <p>{@link SoundLines} reads the usual ones. Any other is read as a whole, which tells what is
 * wrong with it.
 */
public final class BulkLineDecoder {
  private static final String OP = "\"put\" or \"delete\"";
  private static final String KIND =
      Arrays.stream(Kind.values())
          .map(kind -> JsonText.quoted(kind.text()))
          .collect(Collectors.joining(", "));

  private static final String TREATMENT =
      "what the value declares for some time, as answers have it";

  private BulkLineDecoder() {}

  /**
   * Decodes the line in {@code bytes[from, to)}, which has no line end.
   *
   * @param lines has come to it
   */
  static BulkLine decode(long number, SoundLines lines, byte[] bytes, int from, int to) {
    Change change = lines.change(from, to);
    if (change != null) {
      return new BulkLine(number, change);
    }
    try {
      return decodeFully(number, bytes, from, to);
    } catch (Refusal e) {
      return new BulkLine(number, e.problems());
    }
  }

  /**
   * Decodes any line, also one that is broken for people to read.
   *
   * @throws Refusal with every problem it has
   */
  public static BulkLine decodeFully(long number, byte[] bytes, int from, int to) throws Refusal {
    List<Problem> problems = new ArrayList<>();
    ObjectReader line = new ObjectReader(tree(bytes, from, to), "", problems);
    String op = oneOf(line, "op", line.string("op", OP), OP);
    String named = oneOf(line, "kind", line.string("kind", KIND), KIND);
    Kind kind = named == null ? null : Kind.of(named).orElseThrow();
    String id = line.string("id", "an id: " + Ids.ALLOWED);
    Change change = null;
    if (op != null && op.equals("delete")) {
      change = delete(line, kind, id);
    } else if (op != null) {
      change = put(line, kind, id, problems);
    } else {
      line.know("value", ChangeLines.IN_FORCE);
    }
    Optional<Tags> match = tags(line, Tags.IF_MATCH);
    Optional<Tags> noneMatch = tags(line, Tags.IF_NONE_MATCH);
    line.finish();
    if (!problems.isEmpty()) {
      throw new Refusal(problems);
    }
    return new BulkLine(number, change, new RequestCondition(match, noneMatch), List.of());
  }

  /** A tag, or {@code *}; empty if the field is absent. */
  private static Optional<Tags> tags(ObjectReader line, String field) {
    return line.optionalString(field, "a tag without quotes, or *")
        .map(tag -> new Tags(field, List.of(tag)));
  }

  /** The line as JSON; what cannot be read in its value is named as it would be in a body. */
  private static JsonValue tree(byte[] bytes, int from, int to) throws Refusal {
    try {
      return JsonTree.read(bytes, from, to - from);
    } catch (Refusal e) {
      throw new Refusal(
          e.problems().stream()
              .map(
                  problem ->
                      new Problem(
                          problem.code(),
                          problem.field().replaceFirst("^value\\.", ""),
                          problem.value(),
                          problem.allowed(),
                          problem.detail()))
              .toList());
    }
  }

  private static Change delete(ObjectReader line, Kind kind, String id) {
    if (kind == null || id == null) {
      return null;
    }
    if (!DeclarationForm.isId(kind, id)) {
      line.problem(Code.INVALID, "id", JsonText.quoted(id), Ids.ALLOWED);
      return null;
    }
    return new Change.Delete(kind, id);
  }

  private static Change put(ObjectReader line, Kind kind, String id, List<Problem> problems) {
    JsonValue value = line.any("value", "an object");
    if (value != null && !(value instanceof JsonValue.Obj)) {
      line.wrongType("value", value, "an object");
      return null;
    }
    if (kind == null || id == null || value == null) {
      return null;
    }
    try {
      Change.Put put = DeclarationForm.read(kind, id, value);
      return line.absent(ChangeLines.IN_FORCE) ? put : put.elsewhere(inForce(line, put));
    } catch (Refusal e) {
      problems.addAll(e.problems());
      return null;
    }
  }

  private static Optional<Declaration> inForce(ObjectReader line, Change.Put put) throws Refusal {
    JsonValue value = line.any(ChangeLines.IN_FORCE, TREATMENT);
    Optional<Declaration> inForce =
        put.declaration().isTimed() ? treatment(put.declaration(), value) : Optional.empty();
    if (inForce.isEmpty()) {
      line.problem(
          Code.INVALID,
          ChangeLines.IN_FORCE,
          value.shown(),
          put.declaration().isTimed() ? TREATMENT : "absent without schedule and suspended");
    }
    return inForce;
  }

  /** The declaration with that of its treatments in force that a value names. */
  private static Optional<Declaration> treatment(Declaration declaration, JsonValue value)
      throws Refusal {
    for (Declaration each : declaration.treatments()) {
      byte[] text = JsonContent.bytes(json -> DeclarationForm.writeTreatment(json, each));
      if (isAlike(value, JsonTree.read(text, 0, text.length))) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  /** Whether two are objects with the same fields, in whatever order. */
  private static boolean isAlike(JsonValue one, JsonValue other) {
    return one instanceof JsonValue.Obj a
        && other instanceof JsonValue.Obj b
        && a.members().size() == b.members().size()
        && a.members().containsAll(b.members());
  }

  private static String oneOf(ObjectReader line, String field, String text, String allowed) {
    if (text == null || allowed.contains(JsonText.quoted(text))) {
      return text;
    }
    line.problem(Code.MALFORMED, field, JsonText.quoted(text), allowed);
    return null;
  }
}
