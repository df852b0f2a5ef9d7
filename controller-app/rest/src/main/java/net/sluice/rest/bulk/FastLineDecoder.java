package net.sluice.rest.bulk;

import net.sluice.intents.model.Ids;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Change;
import net.sluice.rest.form.DeclarationForm;
import net.sluice.rest.json.JsonCursor;

/**
 * Decodes the usual lines of a bulk request straight from bytes.
 *
 * <p>It takes only lines it is sure of: usual as {@link JsonCursor} has it, with known fields given
 * once, and with {@code op} and {@code kind} before {@code value}. For anything else it answers
 * null and says nothing: the full decoder then accepts the line or tells what is wrong with it.
 * What it does take, the full decoder would decode to an equal change.
 */
final class FastLineDecoder {
  private static final Kind[] KINDS = Kind.values();

  private enum Op {
    PUT,
    DELETE
  }

  private final JsonCursor at = new JsonCursor();

  /** The change on the line in {@code line[from, to)}, or null. */
  Change decode(byte[] line, int from, int to) {
    at.begin(line, from, to);
    try {
      Change change = line();
      return at.atEnd() ? change : null;
    } catch (JsonCursor.Unusual | InvalidValueException e) {
      return null;
    }
  }

  private Change line() {
    String id = null;
    Op op = null;
    Kind kind = null;
    Change.Put put = null;
    boolean more = at.open('{', '}');
    while (more) {
      at.name();
      if (at.is("op") && op == null) {
        at.string();
        op = at.is("put") ? Op.PUT : at.is("delete") ? Op.DELETE : JsonCursor.failed();
      } else if (at.is("kind") && kind == null) {
        at.string();
        kind = kind();
      } else if (at.is("id") && id == null) {
        at.string();
        id = at.text();
      } else if (at.is("value") && op == Op.PUT && kind != null && id != null && put == null) {
        put = DeclarationForm.of(kind).readUsual(id, at);
      } else {
        throw JsonCursor.unusual();
      }
      more = at.next('}');
    }
    if (op == Op.PUT && put != null) {
      return put;
    }
    if (op != Op.DELETE || kind == null || id == null) {
      throw JsonCursor.unusual();
    }
    Ids.require("id", id);
    return new Change.Delete(kind, id);
  }

  private Kind kind() {
    for (Kind kind : KINDS) {
      if (at.is(kind.text())) {
        return kind;
      }
    }
    throw JsonCursor.unusual();
  }
}
