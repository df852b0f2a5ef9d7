package net.sluice.rest.form;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.sluice.core.declaration.Bodies.GateBody;
import net.sluice.core.declaration.BodyMapping;
import net.sluice.core.declaration.Shape;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.Gate;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Tariff;
import net.sluice.intents.plan.Change;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Ids;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.northbound.json.JsonText;
import net.sluice.rest.json.Binder;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.json.RecordJson;

/**
 * Declarations as JSON, of the fields that {@code Bodies} describes. What is read back can be put
 * again. A refusal has every problem of a value: wrong form is {@link Code#MALFORMED}, a value
 * outside what is allowed {@link Code#INVALID}.
 */
public final class DeclarationForm {
  private DeclarationForm() {}

  /** Reads a body. */
  private interface Reading {
    /**
     * Null if there is a problem.
     *
     * @throws Refusal if it is not JSON
     */
    Object read(List<Problem> problems) throws Refusal;
  }

  /**
   * Reads a declaration and the switch it is for, if it says so.
   *
   * @param body a document in UTF-8
   */
  public static Change.Put read(Kind kind, String id, byte[] body) throws Refusal {
    return read(kind, id, problems -> Binder.read(BodyMapping.shape(kind), body, problems));
  }

  /** Reads a declaration from a value. */
  public static Change.Put read(Kind kind, String id, JsonValue body) throws Refusal {
    return read(kind, id, problems -> Binder.read(BodyMapping.shape(kind), body, "", problems));
  }

  /**
   * Reads a declaration where a parser is; null if there is a problem, of which nothing is said.
   *
   * @throws IOException if it is not JSON
   */
  public static Change.Put readSound(Kind kind, String id, JsonParser at) throws IOException {
    List<Problem> problems = new ArrayList<>(0);
    Object body = Binder.read(BodyMapping.shape(kind), at, "", problems);
    if (body == null) {
      return null;
    }
    try {
      return BodyMapping.put(id, body);
    } catch (InvalidValueException e) {
      return null;
    }
  }

  /** Reads the gate that a limit is to have. */
  public static Gate readGate(byte[] body) throws Refusal {
    List<Problem> problems = new ArrayList<>();
    GateBody gate = Binder.read(Shape.of(GateBody.class), body, problems);
    if (gate == null) {
      throw new Refusal(problems);
    }
    return gate.gate();
  }

  /** Whether a declaration can have an id; that of a limit which a tariff makes is one. */
  public static boolean isId(Kind kind, String id) {
    return Ids.isValid(kind == Kind.RATE_LIMIT ? Tariff.subscriberOf(id).orElse(id) : id);
  }

  private static Change.Put read(Kind kind, String id, Reading reading) throws Refusal {
    List<Problem> problems = new ArrayList<>();
    if (!isId(kind, id)) {
      problems.add(Problem.of(Code.INVALID, "id", JsonText.quoted(id), Ids.ALLOWED));
    }
    Object body = reading.read(problems);
    if (!problems.isEmpty()) {
      throw new Refusal(problems);
    }
    try {
      return BodyMapping.put(id, body);
    } catch (InvalidValueException e) {
      // What only the model checks: rules that span fields.
      throw new Refusal(List.of(Problem.of(e)));
    }
  }

  /**
   * Writes a declaration, without its id.
   *
   * @param switchName the switch it is for; empty if that is not said
   */
  public static void write(JsonGenerator json, Declaration declaration, Optional<String> switchName)
      throws IOException {
    RecordJson.write(json, BodyMapping.body(declaration, switchName));
  }

  /**
   * Writes what is in force now of a declaration that does not always hold as it is, and until when
   * at least.
   */
  public static void writeInForce(JsonGenerator json, Declaration declaration) throws IOException {
    json.writeStartObject();
    writeNow(json, declaration);
    if (declaration.changesAt().isPresent()) {
      json.writeStringField("until", declaration.changesAt().get().toString());
    }
    json.writeEndObject();
  }

  /** Writes what is in force now, and not until when. */
  public static void writeTreatment(JsonGenerator json, Declaration declaration)
      throws IOException {
    json.writeStartObject();
    writeNow(json, declaration);
    json.writeEndObject();
  }

  private static void writeNow(JsonGenerator json, Declaration declaration) throws IOException {
    Optional<Object> treatment = BodyMapping.treatment(declaration);
    if (treatment.isPresent()) {
      RecordJson.writeFields(json, treatment.get());
    }
  }
}
