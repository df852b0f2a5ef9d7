package net.sluice.rest.form;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Ids;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.OptionalParts;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.plan.Change;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.northbound.json.JsonText;
import net.sluice.rest.json.JsonCursor;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.json.ObjectReader;

/**
 * {@code {"policy": .., "prefixes": [..], "sVlan": .., "cVlan": .., "attachment": {"port": ..,
 * "tree": .., "switch": ..}}} and the fields of {@link OptionalPartsForm}; prefixes may be left out
 * if there is an sVlan, the switch if there is only one.
 */
public final class SubscriberForm extends DeclarationForm<Subscriber> {
  private static final String PREFIX = "a prefix such as \"192.0.2.0/24\" or \"2001:db8::/56\"";

  SubscriberForm() {
    super(Subscriber.class);
  }

  @Override
  Supplier<Change.Put> readFields(String id, ObjectReader body) {
    String policy = body.string("policy", "the id of a policy");
    if (policy != null && !Ids.isValid(policy)) {
      body.problem(Code.INVALID, "policy", JsonText.quoted(policy), ID);
    }
    List<IpPrefix> prefixes = prefixes(body);
    Optional<VlanTags> vlans = vlans(body);
    ObjectReader attached = body.object("attachment");
    OptionalInt port = OptionalInt.empty();
    OptionalInt tree = OptionalInt.empty();
    Optional<String> switchName = Optional.empty();
    if (attached != null) {
      switchName = switchName(attached);
      port = attached.integer("port", 0, Attachment.MAX_PORT);
      tree = attached.integer("tree", 0, Attachment.MAX_TREE);
      attached.finish();
    }
    OptionalParts parts = OptionalPartsForm.read(body, policy);
    OptionalInt atPort = port;
    OptionalInt atTree = tree;
    Optional<String> atSwitch = switchName;
    return () ->
        new Change.Put(
            new Subscriber(
                id,
                policy,
                prefixes,
                vlans,
                new Attachment(atPort.getAsInt(), atTree.getAsInt()),
                parts),
            atSwitch);
  }

  private static List<IpPrefix> prefixes(ObjectReader body) {
    List<JsonValue> items = body.optionalArray("prefixes", "an array of prefixes");
    List<IpPrefix> prefixes = new ArrayList<>(items.size());
    if (items.size() > Subscriber.MAX_PREFIXES) {
      body.problem(
          Code.INVALID,
          "prefixes",
          items.size() + " prefixes",
          "at most " + Subscriber.MAX_PREFIXES + " prefixes");
      return prefixes;
    }
    for (int i = 0; i < items.size(); i++) {
      String field = "prefixes[" + i + "]";
      if (!(items.get(i) instanceof JsonValue.Str)) {
        body.wrongType(field, items.get(i), PREFIX);
        continue;
      }
      try {
        prefixes.add(IpPrefix.parse(((JsonValue.Str) items.get(i)).text()));
      } catch (InvalidValueException e) {
        body.invalid(field, e);
      }
    }
    return prefixes;
  }

  private static Optional<VlanTags> vlans(ObjectReader body) {
    OptionalInt sVlan = body.optionalInteger("sVlan", VlanTags.MIN, VlanTags.MAX);
    OptionalInt cVlan = body.optionalInteger("cVlan", VlanTags.MIN, VlanTags.MAX);
    if (body.has("cVlan") && !body.has("sVlan")) {
      body.problem(Code.INVALID, "sVlan", "absent", "given whenever cVlan is given");
    }
    if (sVlan.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(new VlanTags(sVlan.getAsInt(), cVlan.orElse(VlanTags.NONE)));
  }

  @Override
  public Change.Put readUsual(String id, JsonCursor at) {
    String policy = null;
    List<IpPrefix> prefixes = null;
    int sVlan = JsonCursor.ABSENT;
    int cVlan = JsonCursor.ABSENT;
    AttachmentAt attachment = null;
    boolean more = at.open('{', '}');
    while (more) {
      at.name();
      if (at.is("policy") && policy == null) {
        at.string();
        policy = at.repeatedText();
      } else if (at.is("prefixes") && prefixes == null) {
        prefixes = prefixes(at);
      } else if (at.is("sVlan") && sVlan == JsonCursor.ABSENT) {
        sVlan = at.integer();
      } else if (at.is("cVlan") && cVlan == JsonCursor.ABSENT) {
        cVlan = at.integer();
      } else if (at.is("attachment") && attachment == null) {
        attachment = attachment(at);
      } else {
        throw JsonCursor.unusual();
      }
      more = at.next('}');
    }
    if (policy == null
        || attachment == null
        || (cVlan != JsonCursor.ABSENT && sVlan == JsonCursor.ABSENT)) {
      throw JsonCursor.unusual();
    }
    Optional<VlanTags> vlans =
        sVlan == JsonCursor.ABSENT
            ? Optional.empty()
            : Optional.of(
                cVlan == JsonCursor.ABSENT ? VlanTags.single(sVlan) : VlanTags.pair(sVlan, cVlan));
    return new Change.Put(
        new Subscriber(
            id, policy, prefixes == null ? List.of() : prefixes, vlans, attachment.attachment),
        attachment.switchName);
  }

  private static List<IpPrefix> prefixes(JsonCursor at) {
    List<IpPrefix> prefixes = new ArrayList<>(2);
    boolean more = at.open('[', ']');
    while (more) {
      at.string();
      prefixes.add(IpPrefix.parse(at.text()));
      more = at.next(']');
    }
    return prefixes;
  }

  private record AttachmentAt(Attachment attachment, Optional<String> switchName) {}

  private static AttachmentAt attachment(JsonCursor at) {
    Optional<String> switchName = Optional.empty();
    int port = JsonCursor.ABSENT;
    int tree = JsonCursor.ABSENT;
    boolean more = at.open('{', '}');
    while (more) {
      at.name();
      if (at.is("port") && port == JsonCursor.ABSENT) {
        port = at.integer();
      } else if (at.is("tree") && tree == JsonCursor.ABSENT) {
        tree = at.integer();
      } else if (at.is(SWITCH) && switchName.isEmpty()) {
        switchName = usualSwitchName(at);
      } else {
        throw JsonCursor.unusual();
      }
      more = at.next('}');
    }
    // An absent number is out of range, so the model refuses it.
    return new AttachmentAt(new Attachment(port, tree), switchName);
  }

  @Override
  void writeFields(JsonGenerator json, Subscriber subscriber, Optional<String> switchName)
      throws IOException {
    Subscriber declared = subscriber.asDeclared();
    json.writeStringField("policy", declared.policyId());
    SubscriberTermsForm.writeUpstream(json, declared.parts().upstreamPolicyId());
    json.writeArrayFieldStart("prefixes");
    for (IpPrefix prefix : subscriber.prefixes()) {
      json.writeString(prefix.toString());
    }
    json.writeEndArray();
    if (subscriber.vlans().isPresent()) {
      writeTags(json, subscriber.vlans().get());
    }
    json.writeObjectFieldStart("attachment");
    writeSwitch(json, switchName);
    json.writeNumberField("port", subscriber.attachment().port());
    json.writeNumberField("tree", subscriber.attachment().tree());
    json.writeEndObject();
    OptionalPartsForm.write(json, subscriber.parts());
  }

  @Override
  void writeNow(JsonGenerator json, Subscriber subscriber) throws IOException {
    SubscriberTermsForm.writeInForce(json, subscriber);
  }

  /** The fields {@code sVlan} and, if there is one, {@code cVlan}. */
  public static void writeTags(JsonGenerator json, VlanTags vlans) throws IOException {
    json.writeNumberField("sVlan", vlans.sVlan());
    if (vlans.isPair()) {
      json.writeNumberField("cVlan", vlans.cVlan());
    }
  }
}
