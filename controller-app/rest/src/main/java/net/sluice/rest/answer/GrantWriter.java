package net.sluice.rest.answer;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.plan.Grant;

/** Writes what was asked for and what is granted, side by side under the same names. */
final class GrantWriter {
  private static final double MAX_EXACT = 1L << 53;

  private GrantWriter() {}

  /** The fields {@code requested} and {@code granted}, which says what each rate is enforced by. */
  static void write(JsonGenerator json, List<Grant> grants) throws IOException {
    json.writeObjectFieldStart("requested");
    writeNumbers(json, grants, Grant::requested);
    json.writeEndObject();
    json.writeObjectFieldStart("granted");
    writeNumbers(json, grants, Grant::granted);
    for (Grant grant : grants) {
      if (grant.limiter().isPresent()) {
        String direction = grant.direction().orElseThrow().text();
        json.writeStringField(direction + "Limiter", grant.limiter().get().text());
        if (!grant.others().isEmpty()) {
          json.writeObjectFieldStart(direction + "OtherLimiters");
          for (Enforcement other : Enforcement.values()) {
            if (grant.others().containsKey(other)) {
              json.writeNumberField(other.text(), grant.others().get(other));
            }
          }
          json.writeEndObject();
        }
      }
    }
    json.writeEndObject();
  }

  /** One grant's fields {@code requested}, {@code granted} and {@code unit}, for a single write. */
  static void writeOne(JsonGenerator json, Grant grant) throws IOException {
    json.writeFieldName("requested");
    writeNumber(json, grant.requested());
    json.writeFieldName("granted");
    writeNumber(json, grant.granted());
    json.writeStringField("unit", grant.unit());
  }

  private static void writeNumbers(
      JsonGenerator json, List<Grant> grants, ToDoubleFunction<Grant> side) throws IOException {
    for (Grant grant : grants) {
      json.writeFieldName(name(grant));
      writeNumber(json, side.applyAsDouble(grant));
    }
  }

  /**
   * A field that is declared once but granted by each FPGA gets its direction in front: {@code
   * downBurstBytes}. {@code downBps} has it already.
   */
  static String name(Grant grant) {
    if (grant.direction().isEmpty()) {
      return grant.field();
    }
    String direction = grant.direction().get().text();
    if (grant.field().startsWith(direction)) {
      return grant.field();
    }
    return direction
        + grant.field().substring(0, 1).toUpperCase(Locale.ROOT)
        + grant.field().substring(1);
  }

  private static void writeNumber(JsonGenerator json, double number) throws IOException {
    if (number == Math.rint(number) && Math.abs(number) <= MAX_EXACT) {
      json.writeNumber((long) number);
    } else {
      json.writeNumber(number);
    }
  }
}
