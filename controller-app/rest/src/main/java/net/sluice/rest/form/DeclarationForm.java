package net.sluice.rest.form;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.Ids;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.model.Kind;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.json.JsonCursor;
import net.sluice.rest.json.JsonText;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.json.ObjectReader;

/**
 * The JSON form of the declarations of one kind. What is read back can be put again.
 *
 * @param <D> the declaration
 */
public abstract class DeclarationForm<D extends Declaration> {
  /** What is allowed where an id is expected. */
  static final String ID = "an id: " + Ids.ALLOWED;

  private static final PolicyForm POLICY = new PolicyForm();
  private static final SubscriberForm SUBSCRIBER = new SubscriberForm();
  private static final RateLimitForm RATE_LIMIT = new RateLimitForm();

  private final Class<D> type;

  DeclarationForm(Class<D> type) {
    this.type = type;
  }

  /** The form of a kind. */
  public static DeclarationForm<?> of(Kind kind) {
    return switch (kind) {
      case POLICY -> POLICY;
      case SUBSCRIBER -> SUBSCRIBER;
      case RATE_LIMIT -> RATE_LIMIT;
    };
  }

  /** Writes a declaration, without its id. */
  public static void write(JsonGenerator json, Declaration declaration) throws IOException {
    of(declaration.kind()).writeObject(json, declaration);
  }

  /**
   * Reads a declaration.
   *
   * @throws Refusal with every problem of the value: wrong form is {@link Code#MALFORMED}, a value
   *     outside what is allowed {@link Code#INVALID}
   */
  public final D read(String id, JsonValue value) throws Refusal {
    List<Problem> problems = new ArrayList<>();
    if (!Ids.isValid(id)) {
      problems.add(Problem.of(Code.INVALID, "id", JsonText.quoted(id), Ids.ALLOWED));
    }
    ObjectReader body = new ObjectReader(value, "", problems);
    Supplier<D> declaration = readFields(id, body);
    body.finish();
    if (!problems.isEmpty()) {
      throw new Refusal(problems);
    }
    try {
      return declaration.get();
    } catch (InvalidValueException e) {
      // What only the model checks: rules that span fields.
      throw new Refusal(List.of(Problem.of(e)));
    }
  }

  private void writeObject(JsonGenerator json, Declaration declaration) throws IOException {
    json.writeStartObject();
    writeFields(json, type.cast(declaration));
    json.writeEndObject();
  }

  /**
   * Reads the fields of {@code body}, which collects their problems.
   *
   * @return makes the declaration; called only if there was no problem
   */
  abstract Supplier<D> readFields(String id, ObjectReader body);

  /** Writes the declaration's fields. */
  abstract void writeFields(JsonGenerator json, D declaration) throws IOException;

  /**
   * Reads the usual form of a declaration straight from bytes; what it takes, {@link #read} would
   * read alike.
   *
   * @throws JsonCursor.Unusual if it is not sure
   * @throws InvalidValueException if the model refuses it
   */
  public D readUsual(String id, JsonCursor at) {
    throw JsonCursor.unusual();
  }
}
