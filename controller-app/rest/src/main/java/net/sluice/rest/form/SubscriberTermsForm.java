package net.sluice.rest.form;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Optional;
import net.sluice.intents.model.Ids;
import net.sluice.intents.model.Schedule;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.SubscriberTerms;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.rest.json.JsonText;
import net.sluice.rest.json.ObjectReader;

/**
 * {@code "suspended": {"policy": ..}} and {@code "schedule": [{.., "policy": ..}]} of {@link
 * ScheduleForm}.
 */
final class SubscriberTermsForm {
  private static final String SUSPENDED = "suspended";
  private static final String POLICY = "policy";

  private SubscriberTermsForm() {}

  /** Reads the fields that are there; what is wrong with them is a problem of {@code body}. */
  static Optional<SubscriberTerms> read(ObjectReader body, String policyId) {
    Optional<ObjectReader> suspended = body.optionalObject(SUSPENDED);
    Optional<String> suspendedTo = suspended.flatMap(SubscriberTermsForm::policy);
    suspended.ifPresent(ObjectReader::finish);
    Schedule<String> schedule = ScheduleForm.read(body, SubscriberTermsForm::policy);
    return policyId == null || !Ids.isValid(policyId)
        ? Optional.empty()
        : SubscriberTerms.of(policyId, suspendedTo, schedule);
  }

  private static Optional<String> policy(ObjectReader in) {
    String id = in.string(POLICY, "the id of a policy");
    if (id != null && !Ids.isValid(id)) {
      in.problem(Code.INVALID, POLICY, JsonText.quoted(id), DeclarationForm.ID);
      return Optional.empty();
    }
    return Optional.ofNullable(id);
  }

  static void write(JsonGenerator json, SubscriberTerms terms) throws IOException {
    if (terms.suspendedTo().isPresent()) {
      json.writeObjectFieldStart(SUSPENDED);
      json.writeStringField(POLICY, terms.suspendedTo().get());
      json.writeEndObject();
    }
    ScheduleForm.write(json, terms.schedule(), policy -> json.writeStringField(POLICY, policy));
  }

  /** The fields of what is in force now. */
  static void writeInForce(JsonGenerator json, Subscriber subscriber) throws IOException {
    json.writeStringField(POLICY, subscriber.policyId());
  }
}
