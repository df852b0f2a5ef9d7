package net.sluice.rest.json;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalLong;
import net.sluice.intents.model.Aqm;
import net.sluice.intents.model.AqmKind;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.validate.Problem.Code;

/**
 * How a queue's delay is managed, of policies and of ports: {@code {"kind": .., "targetMicros": ..,
 * "intervalMicros": .., "ecn": ..}}, or {@code {"kind": "none"}}.
 */
public final class AqmForm {
  private static final String FIELD = "aqm";
  private static final String KINDS =
      AqmKind.texts(EnumSet.allOf(AqmKind.class)) + ", " + Aqm.NONE_TEXT;

  private AqmForm() {}

  /** The field of an object; empty if it is absent, or unsound. */
  public static Optional<Aqm> read(ObjectReader body) {
    if (body.absent(FIELD)) {
      return Optional.empty();
    }
    ObjectReader aqm = body.object(FIELD);
    if (!aqm.isObject()) {
      return Optional.empty();
    }
    String kind = aqm.string("kind", KINDS);
    Optional<Aqm> read = Aqm.NONE_TEXT.equals(kind) ? Optional.of(Aqm.NONE) : codel(aqm, kind);
    aqm.finish();
    return aqm.sound() ? read : Optional.empty();
  }

  private static Optional<Aqm> codel(ObjectReader aqm, String text) {
    Optional<AqmKind> kind = text == null ? Optional.empty() : AqmKind.of(text);
    if (text != null && kind.isEmpty()) {
      aqm.problem(Code.INVALID, "kind", JsonText.quoted(text), KINDS);
    }
    OptionalLong targetMicros = aqm.whole("targetMicros");
    OptionalLong intervalMicros = aqm.whole("intervalMicros");
    boolean ecn = aqm.flag("ecn", false);
    if (!aqm.sound()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new Aqm.CoDel(
              kind.orElseThrow(), targetMicros.getAsLong(), intervalMicros.getAsLong(), ecn));
    } catch (InvalidValueException e) {
      aqm.invalid(e.field(), e);
      return Optional.empty();
    }
  }

  /** Writes the field. */
  public static void write(JsonGenerator json, Aqm aqm) throws IOException {
    json.writeObjectFieldStart(FIELD);
    if (aqm instanceof Aqm.CoDel codel) {
      json.writeStringField("kind", codel.kind().text());
      json.writeNumberField("targetMicros", codel.targetMicros());
      json.writeNumberField("intervalMicros", codel.intervalMicros());
      json.writeBooleanField("ecn", codel.ecn());
    } else {
      json.writeStringField("kind", Aqm.NONE_TEXT);
    }
    json.writeEndObject();
  }
}
