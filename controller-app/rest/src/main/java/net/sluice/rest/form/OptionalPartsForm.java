package net.sluice.rest.form;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import net.sluice.intents.model.Ids;
import net.sluice.intents.model.Labels;
import net.sluice.intents.model.OptionalParts;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.northbound.json.JsonText;
import net.sluice.rest.json.ObjectReader;

/**
 * The fields of a subscriber that most do not have: {@code "labels": {key: value, ..}} and those of
 * {@link AggregateForm} and {@link SubscriberTermsForm}.
 */
final class OptionalPartsForm {
  private static final String LABELS = "labels";

  private OptionalPartsForm() {}

  /**
   * Reads those that are there, of a subscriber of that policy; what is wrong with one is a problem
   * of {@code body}.
   */
  static OptionalParts read(ObjectReader body, String policyId) {
    Optional<String> upstreamPolicyId = SubscriberTermsForm.upstreamPolicy(body);
    return OptionalParts.NONE
        .withLabels(labels(body))
        .withAggregates(AggregateForm.read(body))
        .withUpstreamPolicy(upstreamPolicyId)
        .withTerms(SubscriberTermsForm.read(body, policyId, upstreamPolicyId));
  }

  private static Labels labels(ObjectReader body) {
    Optional<ObjectReader> given = body.optionalObject(LABELS);
    if (given.isEmpty()) {
      return Labels.NONE;
    }
    ObjectReader in = given.get();
    TreeMap<String, String> labels = new TreeMap<>();
    for (String key : in.names()) {
      String value = in.string(key, "a string");
      if (!Ids.isValid(key)) {
        body.problem(Code.INVALID, LABELS, JsonText.quoted(key), "keys of " + Ids.ALLOWED);
      } else if (value != null && !Ids.isValid(value)) {
        in.problem(Code.INVALID, key, JsonText.quoted(value), Ids.ALLOWED);
      } else if (value != null) {
        labels.put(key, value);
      }
    }
    if (in.names().size() > Labels.MAX_LABELS) {
      body.problem(
          Code.INVALID,
          LABELS,
          in.names().size() + " labels",
          "at most " + Labels.MAX_LABELS + " labels");
      return Labels.NONE;
    }
    return new Labels(labels);
  }

  static void write(JsonGenerator json, OptionalParts parts) throws IOException {
    if (!parts.labels().isEmpty()) {
      json.writeObjectFieldStart(LABELS);
      for (Map.Entry<String, String> label : parts.labels().byKey().entrySet()) {
        json.writeStringField(label.getKey(), label.getValue());
      }
      json.writeEndObject();
    }
    AggregateForm.write(json, parts.aggregates());
    if (parts.terms().isPresent()) {
      SubscriberTermsForm.write(json, parts.terms().get());
    }
  }
}
