package net.sluice.rest.form;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Ids;
import net.sluice.northbound.events.EventFilter;
import net.sluice.northbound.json.JsonText;
import net.sluice.northbound.webhooks.Webhook;
import net.sluice.northbound.webhooks.Webhooks;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.json.ObjectReader;

/**
 * {@code {"url": "https://..", "secret": "whsec_..", "types": [..], "subject": "..", "maxEvents":
 * 1}}. The secret is never written.
 */
public final class WebhookForm {
  /** The field that no log and no answer may have. */
  public static final String SECRET = "secret";

  /** The field of a replay. */
  public static final String AFTER = "after";

  private static final String URL =
      "an absolute URL of http or https, without user and fragment, of at most 2048 characters";
  private static final String SECRET_FORM =
      Webhook.SECRET_PREFIX + " and the base64 of 24 to 64 random bytes";
  private static final String TYPES = "up to 32 beginnings of types";
  private static final int MAX_URL = 2048;
  private static final int MAX_TYPES = 32;
  private static final int MAX_TEXT = 256;
  private static final int MIN_SECRET_BYTES = 24;
  private static final int MAX_SECRET_BYTES = 64;

  private WebhookForm() {}

  /**
   * The webhook in a body.
   *
   * @throws Refusal with all that is wrong with it
   */
  public static Webhook read(String id, JsonValue document) throws Refusal {
    List<Problem> problems = new ArrayList<>();
    if (!Ids.isValid(id)) {
      problems.add(Problem.of(Code.INVALID, "id", JsonText.quoted(id), Ids.ALLOWED));
    }
    ObjectReader body = new ObjectReader(document, "", problems);
    Optional<URI> url = url(body);
    Optional<String> secret = secret(body);
    List<String> types = types(body);
    String subject = body.optionalString("subject", "the beginning of a subject").orElse("");
    if (subject.length() > MAX_TEXT) {
      body.problem(Code.INVALID, "subject", subject.length() + " characters", "at most 256");
    }
    OptionalInt maxEvents = body.optionalInteger("maxEvents", 1, Webhook.MAX_EVENTS);
    body.finish();
    if (!problems.isEmpty()) {
      problems.replaceAll(WebhookForm::unseen);
      throw new Refusal(problems);
    }
    return new Webhook(id, url.get(), secret, new EventFilter(types, subject), maxEvents.orElse(1));
  }

  /** A field that there is not may be a secret with a misspelt name. */
  private static Problem unseen(Problem problem) {
    return problem.allowed().startsWith("only the fields ")
        ? new Problem(
            problem.code(), problem.field(), "not shown", problem.allowed(), problem.detail())
        : problem;
  }

  private static Optional<URI> url(ObjectReader body) {
    String text = body.string("url", URL);
    if (text == null) {
      return Optional.empty();
    }
    try {
      URI url = new URI(text);
      boolean isHttp = "https".equals(url.getScheme()) || "http".equals(url.getScheme());
      if (isHttp
          && url.getHost() != null
          && url.getRawUserInfo() == null
          && url.getRawFragment() == null
          && url.getPort() != 0
          && url.getPort() <= 65_535
          && text.length() <= MAX_URL) {
        return Optional.of(url);
      }
    } catch (URISyntaxException e) {
      // Refused as all that is no URL.
    }
    // Its own text might have a password in it.
    body.problem(Code.INVALID, "url", "not of that form", URL);
    return Optional.empty();
  }

  /** Read without a word of its value in any problem. */
  private static Optional<String> secret(ObjectReader body) {
    if (body.absent(SECRET)) {
      return Optional.empty();
    }
    JsonValue value = body.any(SECRET, SECRET_FORM);
    if (value instanceof JsonValue.Str text && text.text().startsWith(Webhook.SECRET_PREFIX)) {
      try {
        String encoded = text.text().substring(Webhook.SECRET_PREFIX.length());
        int bytes = Base64.getDecoder().decode(encoded).length;
        if (bytes >= MIN_SECRET_BYTES && bytes <= MAX_SECRET_BYTES) {
          return Optional.of(text.text());
        }
      } catch (IllegalArgumentException e) {
        // Refused as all that is no base64.
      }
    }
    body.problem(Code.INVALID, SECRET, "not of that form", SECRET_FORM);
    return Optional.empty();
  }

  private static List<String> types(ObjectReader body) {
    List<JsonValue> items = body.optionalArray("types", TYPES);
    if (items.size() > MAX_TYPES) {
      body.problem(Code.INVALID, "types", items.size() + " types", TYPES);
      return List.of();
    }
    List<String> types = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      if (items.get(i) instanceof JsonValue.Str text
          && !text.text().isEmpty()
          && text.text().length() <= MAX_TEXT) {
        types.add(text.text());
      } else {
        body.problem(
            Code.INVALID,
            "types[" + i + "]",
            items.get(i).shown(),
            "the beginning of a type, such as net.sluice.declaration.");
      }
    }
    return types;
  }

  /** Whether a body has nothing but what a replay has. */
  public static boolean isReplay(JsonValue document) {
    return document instanceof JsonValue.Obj object
        && object.members().stream().allMatch(field -> field.name().equals(AFTER));
  }

  /** The id of the event after which a body of a replay asks for events. */
  public static Optional<String> readReplay(JsonValue document) throws Refusal {
    List<Problem> problems = new ArrayList<>();
    ObjectReader body = new ObjectReader(document, "", problems);
    Optional<String> after =
        body.optionalString(AFTER, "the id of an event, or 0 for all that are kept");
    body.finish();
    if (!problems.isEmpty()) {
      throw new Refusal(problems);
    }
    return after;
  }

  /** Writes what can be put again, but for the secret, into an object. */
  public static void write(JsonGenerator json, Webhook declared) throws IOException {
    write(json, declared, declared.url().toString());
  }

  /** As {@link #write}, for a log: of a query, which may have a secret, only that there is one. */
  public static void writeLogged(JsonGenerator json, Webhook declared) throws IOException {
    String url = declared.url().toString();
    int query = url.indexOf('?');
    write(json, declared, query < 0 ? url : url.substring(0, query) + "?(left out)");
  }

  private static void write(JsonGenerator json, Webhook declared, String url) throws IOException {
    json.writeStringField("url", url);
    if (!declared.filter().types().isEmpty()) {
      json.writeArrayFieldStart("types");
      for (String type : declared.filter().types()) {
        json.writeString(type);
      }
      json.writeEndArray();
    }
    if (!declared.filter().subject().isEmpty()) {
      json.writeStringField("subject", declared.filter().subject());
    }
    json.writeNumberField("maxEvents", declared.maxEvents());
  }

  /** Writes a webhook and how far it is. */
  public static void write(JsonGenerator json, Webhooks.Status status) throws IOException {
    json.writeStartObject();
    json.writeStringField("id", status.declared().id());
    write(json, status.declared());
    if (status.declaredBy().isPresent()) {
      json.writeStringField("declaredBy", status.declaredBy().get());
    }
    json.writeStringField("state", status.state().name());
    if (status.lastEvent().isPresent()) {
      json.writeStringField("lastEvent", status.lastEvent().get());
    }
    json.writeNumberField("attempts", status.attempts());
    if (status.error().isPresent()) {
      json.writeStringField("error", status.error().get());
    }
    json.writeNumberField("deadLetters", status.deadLetters());
    json.writeEndObject();
  }
}
