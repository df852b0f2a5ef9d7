package net.sluice.rest.json;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import net.sluice.intents.model.Aqm;
import net.sluice.intents.model.AqmKind;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.northbound.json.JsonText;

/**
 * How a queue is managed, of policies and of ports: {@code {"kind": .., "targetMicros": ..,
 * "intervalMicros": .., "ecn": ..}}, or {@code {"kind": "none"}}; beside or in place of it {@code
 * "rio": {..}}, where what is left out has its default.
 */
public final class AqmForm {
  private static final String FIELD = "aqm";
  private static final String KINDS =
      AqmKind.texts(EnumSet.allOf(AqmKind.class)) + ", " + Aqm.NONE_TEXT;

  private AqmForm() {}

  /** The field of an object; empty if it is absent, or unsound. */
  public static Optional<Aqm> read(ObjectReader body) {
    Optional<Aqm> aqm = body.absent(FIELD) ? Optional.empty() : aqm(body.object(FIELD));
    Optional<ObjectReader> rio = body.optionalObject(Aqm.Rio.FIELD);
    if (rio.isEmpty()) {
      return aqm;
    } else if (body.has(FIELD)) {
      body.problem(Code.INVALID, Aqm.Rio.FIELD, "given", "absent beside aqm");
      return Optional.empty();
    }
    return rio(rio.get());
  }

  private static Optional<Aqm> aqm(ObjectReader aqm) {
    if (!aqm.isObject()) {
      return Optional.empty();
    }
    String kind = aqm.string("kind", KINDS);
    Optional<Aqm> read = Aqm.NONE_TEXT.equals(kind) ? Optional.of(Aqm.NONE) : codel(aqm, kind);
    aqm.finish();
    return aqm.sound() ? read : Optional.empty();
  }

  private static Optional<Aqm> rio(ObjectReader aqm) {
    if (!aqm.isObject()) {
      return Optional.empty();
    }
    Aqm.Rio byDefault = new Aqm.Rio();
    OptionalInt inDscp = aqm.optionalInteger("inDscp", 0, 63);
    OptionalInt limitPackets = aqm.optionalInteger("limitPackets", 1, Aqm.Rio.MAX_PACKETS);
    OptionalInt weightShift = aqm.optionalInteger("weightShift", 0, 16);
    Optional<Aqm.RioCurve> in = curve(aqm, "in", byDefault.in());
    Optional<Aqm.RioCurve> out = curve(aqm, "out", byDefault.out());
    aqm.finish();
    if (!aqm.sound()) {
      return Optional.empty();
    }
    return Optional.of(
        new Aqm.Rio(
            inDscp.orElse(byDefault.inDscp()),
            limitPackets.orElse(byDefault.limitPackets()),
            weightShift.orElse(byDefault.weightShift()),
            in.orElseThrow(),
            out.orElseThrow()));
  }

  private static Optional<Aqm.RioCurve> curve(
      ObjectReader aqm, String name, Aqm.RioCurve byDefault) {
    Optional<ObjectReader> given = aqm.optionalObject(name);
    if (given.isEmpty()) {
      return Optional.of(byDefault);
    }
    ObjectReader curve = given.get();
    OptionalInt minPackets = curve.integer("minPackets", 0, Aqm.Rio.MAX_PACKETS - 1);
    OptionalInt maxPackets = curve.integer("maxPackets", 1, Aqm.Rio.MAX_PACKETS);
    OptionalDouble maxProbability = curve.number("maxProbability");
    curve.finish();
    if (minPackets.isEmpty() || maxPackets.isEmpty() || maxProbability.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new Aqm.RioCurve(
              minPackets.getAsInt(), maxPackets.getAsInt(), maxProbability.getAsDouble()));
    } catch (InvalidValueException e) {
      curve.invalid(e.field(), e);
      return Optional.empty();
    }
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
    if (aqm instanceof Aqm.Rio rio) {
      write(json, rio);
      return;
    }
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

  private static void write(JsonGenerator json, Aqm.Rio rio) throws IOException {
    json.writeObjectFieldStart(Aqm.Rio.FIELD);
    json.writeNumberField("inDscp", rio.inDscp());
    json.writeNumberField("limitPackets", rio.limitPackets());
    json.writeNumberField("weightShift", rio.weightShift());
    writeCurve(json, "in", rio.in());
    writeCurve(json, "out", rio.out());
    json.writeEndObject();
  }

  private static void writeCurve(JsonGenerator json, String name, Aqm.RioCurve curve)
      throws IOException {
    json.writeObjectFieldStart(name);
    json.writeNumberField("minPackets", curve.minPackets());
    json.writeNumberField("maxPackets", curve.maxPackets());
    json.writeNumberField("maxProbability", curve.maxProbability());
    json.writeEndObject();
  }
}
