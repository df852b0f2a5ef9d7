package net.sluice.rest.form;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Optional;
import net.sluice.intents.model.Ids;
import net.sluice.intents.model.Schedule;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.SubscriberTerms;
import net.sluice.intents.model.SubscriberTerms.Holding;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.rest.json.JsonText;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.json.ObjectReader;

/**
 * {@code "suspended": true}, which stops its traffic, or {@code "suspended": {"policy": ..}}; and
 * {@code "schedule"} of {@link ScheduleForm}, each entry with {@code "policy"} or {@code
 * "suspended": true}.
 */
final class SubscriberTermsForm {
  private static final String SUSPENDED = "suspended";
  private static final String POLICY = "policy";
  private static final String ALLOWED = "true, which stops its traffic, or an object with policy";

  private SubscriberTermsForm() {}

  /** Reads the fields that are there; what is wrong with them is a problem of {@code body}. */
  static Optional<SubscriberTerms> read(ObjectReader body, String policyId) {
    Optional<Holding> suspendedTo = suspendedTo(body);
    Schedule<Holding> schedule = ScheduleForm.read(body, SubscriberTermsForm::holding);
    return policyId == null || !Ids.isValid(policyId)
        ? Optional.empty()
        : SubscriberTerms.of(policyId, suspendedTo, schedule);
  }

  private static Optional<Holding> suspendedTo(ObjectReader body) {
    if (body.absent(SUSPENDED)) {
      return Optional.empty();
    }
    JsonValue value = body.any(SUSPENDED, ALLOWED);
    if (value == JsonValue.Literal.TRUE) {
      return Optional.of(new Holding.Stopped());
    } else if (value == JsonValue.Literal.FALSE) {
      return Optional.empty();
    } else if (!(value instanceof JsonValue.Obj)) {
      body.wrongType(SUSPENDED, value, ALLOWED);
      return Optional.empty();
    }
    ObjectReader in = body.object(SUSPENDED);
    Optional<Holding> holding = policy(in);
    in.finish();
    return holding;
  }

  private static Optional<Holding> holding(ObjectReader item) {
    boolean hasPolicy = item.has(POLICY);
    boolean stopped = item.flag(SUSPENDED, false);
    if (stopped == hasPolicy) {
      item.know(POLICY);
      if (item.sound()) {
        item.problem(
            Code.MALFORMED,
            SUSPENDED,
            stopped ? "true beside a policy" : "absent as policy is",
            "either policy, or suspended: true");
      }
      return Optional.empty();
    }
    item.know(POLICY);
    return stopped ? Optional.of(new Holding.Stopped()) : policy(item);
  }

  private static Optional<Holding> policy(ObjectReader in) {
    String id = in.string(POLICY, "the id of a policy");
    if (id != null && !Ids.isValid(id)) {
      in.problem(Code.INVALID, POLICY, JsonText.quoted(id), DeclarationForm.ID);
      return Optional.empty();
    }
    return Optional.ofNullable(id).map(Holding.Has::new);
  }

  static void write(JsonGenerator json, SubscriberTerms terms) throws IOException {
    Optional<Holding> suspendedTo = terms.suspendedTo();
    if (suspendedTo.isPresent() && suspendedTo.get().policy().isPresent()) {
      json.writeObjectFieldStart(SUSPENDED);
      write(json, suspendedTo.get());
      json.writeEndObject();
    } else if (suspendedTo.isPresent()) {
      write(json, suspendedTo.get());
    }
    ScheduleForm.write(json, terms.schedule(), holding -> write(json, holding));
  }

  private static void write(JsonGenerator json, Holding holding) throws IOException {
    if (holding.policy().isPresent()) {
      json.writeStringField(POLICY, holding.policy().get());
    } else {
      json.writeBooleanField(SUSPENDED, true);
    }
  }

  /** The fields of what is in force now. */
  static void writeInForce(JsonGenerator json, Subscriber subscriber) throws IOException {
    write(
        json,
        subscriber.parts().stopped()
            ? new Holding.Stopped()
            : new Holding.Has(subscriber.policyId()));
  }
}
