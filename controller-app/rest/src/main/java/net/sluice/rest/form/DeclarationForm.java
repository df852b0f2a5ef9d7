package net.sluice.rest.form;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.Ids;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Change;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Refusal;
import net.sluice.northbound.json.JsonText;
import net.sluice.rest.json.JsonCursor;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.json.ObjectReader;

/**
 * The JSON form of the declarations of one kind. What is read back can be put again.
 *
 * @param <D> the declaration
 */
public abstract class DeclarationForm<D extends Declaration> {
  /** The field that names the switch. */
  static final String SWITCH = "switch";

  /** The allowed values where an id is expected. */
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

  /**
   * Writes a declaration, without its id.
   *
   * @param switchName the switch it is for; empty if that is not said
   */
  public static void write(JsonGenerator json, Declaration declaration, Optional<String> switchName)
      throws IOException {
    of(declaration.kind()).writeObject(json, declaration, switchName);
  }

  /**
   * Writes what is in force now of a declaration that does not always hold as it is, and until when
   * at least.
   */
  public static void writeInForce(JsonGenerator json, Declaration declaration) throws IOException {
    json.writeStartObject();
    of(declaration.kind()).writeNowOf(json, declaration);
    if (declaration.changesAt().isPresent()) {
      json.writeStringField("until", declaration.changesAt().get().toString());
    }
    json.writeEndObject();
  }

  private void writeNowOf(JsonGenerator json, Declaration declaration) throws IOException {
    writeNow(json, type.cast(declaration));
  }

  /** Writes what is in force now, and not until when. */
  public static void writeTreatment(JsonGenerator json, Declaration declaration)
      throws IOException {
    json.writeStartObject();
    of(declaration.kind()).writeNowOf(json, declaration);
    json.writeEndObject();
  }

  /** Writes the fields that are other ones at times, as they are now. */
  void writeNow(JsonGenerator json, D declaration) throws IOException {}

  /**
   * Reads a declaration and the switch it is for, if it says so.
   *
   * @throws Refusal with every problem of the value: wrong form is {@link Code#MALFORMED}, a value
   *     outside what is allowed {@link Code#INVALID}
   */
  public final Change.Put read(String id, JsonValue value) throws Refusal {
    List<Problem> problems = new ArrayList<>();
    if (!Ids.isValid(id)) {
      problems.add(Problem.of(Code.INVALID, "id", JsonText.quoted(id), Ids.ALLOWED));
    }
    ObjectReader body = new ObjectReader(value, "", problems);
    Supplier<Change.Put> put = readFields(id, body);
    body.finish();
    if (!problems.isEmpty()) {
      throw new Refusal(problems);
    }
    try {
      return put.get();
    } catch (InvalidValueException e) {
      // What only the model checks: rules that span fields.
      throw new Refusal(List.of(Problem.of(e)));
    }
  }

  private void writeObject(JsonGenerator json, Declaration declaration, Optional<String> switchName)
      throws IOException {
    json.writeStartObject();
    writeFields(json, type.cast(declaration), switchName);
    json.writeEndObject();
  }

  /**
   * Reads the fields of {@code body}, which collects their problems.
   *
   * @return makes the change; called only if there was no problem
   */
  abstract Supplier<Change.Put> readFields(String id, ObjectReader body);

  /** Reads the name of a switch, if the field is there. */
  static Optional<String> switchName(ObjectReader body) {
    Optional<String> name = body.optionalString(SWITCH, "the name of a switch");
    if (name.isPresent() && !Ids.isValid(name.get())) {
      body.problem(Code.INVALID, SWITCH, JsonText.quoted(name.get()), ID);
    }
    return name;
  }

  /** Writes the declaration's fields. */
  abstract void writeFields(JsonGenerator json, D declaration, Optional<String> switchName)
      throws IOException;

  /** Reads the name of a switch straight from bytes. */
  static Optional<String> usualSwitchName(JsonCursor at) {
    at.string();
    String name = at.repeatedText();
    return Ids.isValid(name) ? Optional.of(name) : JsonCursor.failed();
  }

  static void writeSwitch(JsonGenerator json, Optional<String> switchName) throws IOException {
    if (switchName.isPresent()) {
      json.writeStringField(SWITCH, switchName.get());
    }
  }

  /**
   * Reads the usual form of a declaration straight from bytes; what it takes, {@link #read} would
   * read alike.
   *
   * @throws JsonCursor.Unusual if it is not sure
   * @throws InvalidValueException if the model refuses it
   */
  public Change.Put readUsual(String id, JsonCursor at) {
    throw JsonCursor.unusual();
  }
}
