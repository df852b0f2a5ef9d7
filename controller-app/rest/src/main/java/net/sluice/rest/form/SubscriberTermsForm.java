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
import net.sluice.northbound.json.JsonText;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.json.ObjectReader;

/**
 * {@code "upstreamPolicy": ..}, which may be beside {@code "policy"} wherever that is; {@code
 * "suspended": true}, which stops its traffic, or {@code "suspended": {"policy": ..}}; and {@code
 * "schedule"} of {@link ScheduleForm}, each entry with {@code "policy"} or {@code "suspended":
 * true}.
 */
final class SubscriberTermsForm {
  private static final String SUSPENDED = "suspended";
  private static final String POLICY = "policy";
  private static final String UPSTREAM_POLICY = "upstreamPolicy";
  private static final String A_POLICY = "the id of a policy";
  private static final String ALLOWED = "true, which stops its traffic, or an object with policy";

  private SubscriberTermsForm() {}

  /** Reads the fields that are there; what is wrong with them is a problem of {@code body}. */
  static Optional<SubscriberTerms> read(
      ObjectReader body, String policyId, Optional<String> upstreamPolicyId) {
    Optional<Holding> suspendedTo = suspendedTo(body);
    Schedule<Holding> schedule = ScheduleForm.read(body, SubscriberTermsForm::holding);
    return policyId == null || !Ids.isValid(policyId)
        ? Optional.empty()
        : SubscriberTerms.of(new Holding.Has(policyId, upstreamPolicyId), suspendedTo, schedule);
  }

  /** Reads the policy of upstream traffic alone, if one is named. */
  static Optional<String> upstreamPolicy(ObjectReader in) {
    return in.optionalString(UPSTREAM_POLICY, A_POLICY)
        .filter(id -> isPolicy(in, UPSTREAM_POLICY, id));
  }

  private static boolean isPolicy(ObjectReader in, String field, String id) {
    if (!Ids.isValid(id)) {
      in.problem(Code.INVALID, field, JsonText.quoted(id), DeclarationForm.ID);
      return false;
    }
    return true;
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
    boolean hasPolicy = item.has(POLICY) || item.has(UPSTREAM_POLICY);
    boolean stopped = item.flag(SUSPENDED, false);
    if (stopped == hasPolicy) {
      item.know(POLICY, UPSTREAM_POLICY);
      if (item.sound()) {
        item.problem(
            Code.MALFORMED,
            SUSPENDED,
            stopped ? "true beside a policy" : "absent as policy is",
            "either policy, or suspended: true");
      }
      return Optional.empty();
    }
    return stopped ? Optional.of(new Holding.Stopped()) : policy(item);
  }

  private static Optional<Holding> policy(ObjectReader in) {
    Optional<String> upstreamPolicyId = upstreamPolicy(in);
    String id = in.string(POLICY, A_POLICY);
    return id == null || !isPolicy(in, POLICY, id)
        ? Optional.empty()
        : Optional.of(new Holding.Has(id, upstreamPolicyId));
  }

  static void write(JsonGenerator json, SubscriberTerms terms) throws IOException {
    Optional<Holding> suspendedTo = terms.suspendedTo();
    if (suspendedTo.isPresent() && suspendedTo.get() instanceof Holding.Has) {
      json.writeObjectFieldStart(SUSPENDED);
      write(json, suspendedTo.get());
      json.writeEndObject();
    } else if (suspendedTo.isPresent()) {
      write(json, suspendedTo.get());
    }
    ScheduleForm.write(json, terms.schedule(), holding -> write(json, holding));
  }

  private static void write(JsonGenerator json, Holding holding) throws IOException {
    if (holding instanceof Holding.Has has) {
      json.writeStringField(POLICY, has.policyId());
      writeUpstream(json, has.upstreamPolicyId());
    } else {
      json.writeBooleanField(SUSPENDED, true);
    }
  }

  /** The policy of upstream traffic alone, if one is named. */
  static void writeUpstream(JsonGenerator json, Optional<String> policyId) throws IOException {
    if (policyId.isPresent()) {
      json.writeStringField(UPSTREAM_POLICY, policyId.get());
    }
  }

  /** The fields of what is in force now. */
  static void writeInForce(JsonGenerator json, Subscriber subscriber) throws IOException {
    write(
        json,
        subscriber.parts().stopped()
            ? new Holding.Stopped()
            : new Holding.Has(subscriber.policyId(), subscriber.parts().upstreamPolicyId()));
  }
}
