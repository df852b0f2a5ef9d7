package net.sluice.rest.form;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Optional;
import net.sluice.core.declaration.Bodies.AqmBody;
import net.sluice.core.declaration.Bodies.RioBody;
import net.sluice.core.declaration.BodyMapping;
import net.sluice.core.declaration.Shape;
import net.sluice.intents.model.policy.Aqm;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.rest.json.ObjectReader;
import net.sluice.rest.json.RecordJson;

/** The field {@code aqm} of ports and queues, or {@code rio} beside it or in place of it. */
public final class AqmForm {
  private static final String FIELD = "aqm";

  private AqmForm() {}

  /** The field of an object; empty if it is absent, or unsound. */
  public static Optional<Aqm> read(ObjectReader body) {
    Optional<AqmBody> aqm = body.optionalRecord(FIELD, Shape.of(AqmBody.class));
    Optional<RioBody> rio = body.optionalRecord(Aqm.Rio.FIELD, Shape.of(RioBody.class));
    if (body.has(FIELD) && body.has(Aqm.Rio.FIELD)) {
      body.problem(Code.INVALID, Aqm.Rio.FIELD, "given", "absent beside aqm");
    }
    return BodyMapping.aqm(aqm, rio);
  }

  /** Writes the field. */
  public static void write(JsonGenerator json, Aqm aqm) throws IOException {
    Optional<AqmBody> body = BodyMapping.aqmBody(aqm);
    json.writeFieldName(body.isPresent() ? FIELD : Aqm.Rio.FIELD);
    RecordJson.write(json, body.isPresent() ? body.get() : BodyMapping.rioBody(aqm).orElseThrow());
  }
}
