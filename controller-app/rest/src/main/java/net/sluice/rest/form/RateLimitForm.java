package net.sluice.rest.form;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Supplier;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.Gate;
import net.sluice.intents.model.Ids;
import net.sluice.intents.model.LimitTerms;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.plan.Change;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Refusal;
import net.sluice.northbound.json.JsonText;
import net.sluice.rest.json.JsonCursor;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.json.ObjectReader;

/**
 * {@code {"scope": .., "downBps": .., "upBps": .., "burstBytes": .., "enforcement": .., "gate": ..,
 * "maxCommittedPercent": ..}} and the fields of {@link LimitTermsForm}, where the scope is {@code
 * {"subscriber": ..}}, {@code {"port": .., "tree": ..}} or {@code {"port": ..}}; the last two may
 * name the {@code switch}, and have to where there are several.
 */
public final class RateLimitForm extends DeclarationForm<RateLimit> {
  private static final String ENFORCEMENT = "enforcement";
  private static final String GATE = "gate";
  private static final String COMMITTED = "maxCommittedPercent";
  private static final String SCOPE_FORM =
      "either the field subscriber, or the field port and optionally tree";

  RateLimitForm() {
    super(RateLimit.class);
  }

  @Override
  Supplier<Change.Put> readFields(String id, ObjectReader body) {
    ObjectReader scoped = body.object("scope");
    Scope scope = null;
    Optional<String> switchName = Optional.empty();
    if (scoped != null && scoped.isObject()) {
      scope = scope(scoped);
      switchName = switchName(scoped);
      if (switchName.isPresent() && scope instanceof Scope.OfSubscriber) {
        scoped.problem(
            Code.INVALID,
            SWITCH,
            JsonText.quoted(switchName.get()),
            "absent: a subscriber's limit is where the subscriber is");
      }
      scoped.finish();
    }
    LimitTerms.Rates rates = LimitTermsForm.rates(body);
    if (!body.has("downBps") && !body.has("upBps")) {
      body.problem(Code.MALFORMED, "downBps", "absent", "downBps, upBps or both");
    }
    Optional<Enforcement> enforcement = enforcement(body);
    Gate gate = body.absent(GATE) ? Gate.OPEN : gate(body);
    OptionalInt committed = body.optionalInteger(COMMITTED, 1, RateLimit.MAX_PERCENT);
    Optional<LimitTerms> terms = LimitTermsForm.read(body, rates);
    Scope of = scope;
    Optional<String> at = switchName;
    return () ->
        new Change.Put(
            new RateLimit(
                id,
                of,
                rates.downBps(),
                rates.upBps(),
                rates.burstBytes(),
                enforcement,
                gate,
                committed,
                terms),
            at);
  }

  /**
   * Reads {@code {"gate": ..}}.
   *
   * @throws Refusal if it is something else
   */
  public static Gate readGate(JsonValue value) throws Refusal {
    List<Problem> problems = new ArrayList<>();
    ObjectReader body = new ObjectReader(value, "", problems);
    Gate gate = gate(body);
    body.finish();
    if (!problems.isEmpty()) {
      throw new Refusal(problems);
    }
    return gate;
  }

  /** Null if there is a problem, which the body then has. */
  private static Gate gate(ObjectReader body) {
    String text = body.string(GATE, Gate.texts());
    Optional<Gate> gate = Optional.ofNullable(text).flatMap(Gate::of);
    if (text != null && gate.isEmpty()) {
      body.problem(Code.INVALID, GATE, JsonText.quoted(text), Gate.texts());
    }
    return gate.orElse(null);
  }

  private static Optional<Enforcement> enforcement(ObjectReader body) {
    if (body.absent(ENFORCEMENT)) {
      return Optional.empty();
    }
    String text = body.string(ENFORCEMENT, Enforcement.texts());
    Optional<Enforcement> enforcement = Optional.ofNullable(text).flatMap(Enforcement::of);
    if (text != null && enforcement.isEmpty()) {
      body.problem(Code.INVALID, ENFORCEMENT, JsonText.quoted(text), Enforcement.texts());
    }
    return enforcement;
  }

  private static Scope scope(ObjectReader body) {
    body.know("subscriber", "port", "tree");
    boolean ofSubscriber = body.has("subscriber");
    if (ofSubscriber == (body.has("port") || body.has("tree"))) {
      String given = ofSubscriber ? "subscriber and port or tree" : "neither subscriber nor port";
      body.problem(Code.MALFORMED, "", given, SCOPE_FORM);
      return null;
    }
    if (ofSubscriber) {
      String id = body.string("subscriber", "the id of a subscriber");
      if (id != null && !Ids.isValid(id)) {
        body.problem(Code.INVALID, "subscriber", JsonText.quoted(id), ID);
        return null;
      }
      return id == null ? null : new Scope.OfSubscriber(id);
    }
    OptionalInt port = body.integer("port", 0, Attachment.MAX_PORT);
    OptionalInt tree = body.optionalInteger("tree", 0, Attachment.MAX_TREE);
    if (port.isEmpty() || (body.has("tree") && tree.isEmpty())) {
      return null;
    }
    return tree.isPresent()
        ? new Scope.OfTree(port.getAsInt(), tree.getAsInt())
        : new Scope.OfPort(port.getAsInt());
  }

  @Override
  public Change.Put readUsual(String id, JsonCursor at) {
    ScopeAt scope = null;
    OptionalLong downBps = OptionalLong.empty();
    OptionalLong upBps = OptionalLong.empty();
    OptionalInt burstBytes = OptionalInt.empty();
    Optional<Enforcement> enforcement = Optional.empty();
    Gate gate = null;
    OptionalInt committed = OptionalInt.empty();
    boolean more = at.open('{', '}');
    while (more) {
      at.name();
      if (at.is("scope") && scope == null) {
        scope = scope(at);
      } else if (at.is("downBps") && downBps.isEmpty()) {
        downBps = OptionalLong.of(at.whole());
      } else if (at.is("upBps") && upBps.isEmpty()) {
        upBps = OptionalLong.of(at.whole());
      } else if (at.is("burstBytes") && burstBytes.isEmpty()) {
        burstBytes = OptionalInt.of(at.integer());
      } else if (at.is(ENFORCEMENT) && enforcement.isEmpty()) {
        at.string();
        enforcement = Optional.of(Enforcement.of(at.text()).orElseThrow(JsonCursor::unusual));
      } else if (at.is(GATE) && gate == null) {
        at.string();
        gate = Gate.of(at.text()).orElseThrow(JsonCursor::unusual);
      } else if (at.is(COMMITTED) && committed.isEmpty()) {
        committed = OptionalInt.of(at.integer());
      } else {
        throw JsonCursor.unusual();
      }
      more = at.next('}');
    }
    if (scope == null) {
      throw JsonCursor.unusual();
    }
    return new Change.Put(
        new RateLimit(
            id,
            scope.scope,
            downBps,
            upBps,
            burstBytes,
            enforcement,
            gate == null ? Gate.OPEN : gate,
            committed),
        scope.switchName);
  }

  private record ScopeAt(Scope scope, Optional<String> switchName) {}

  private static ScopeAt scope(JsonCursor at) {
    Optional<String> switchName = Optional.empty();
    String subscriber = null;
    int port = JsonCursor.ABSENT;
    int tree = JsonCursor.ABSENT;
    boolean more = at.open('{', '}');
    while (more) {
      at.name();
      if (at.is("subscriber") && subscriber == null) {
        at.string();
        subscriber = at.text();
      } else if (at.is("port") && port == JsonCursor.ABSENT) {
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
    if (subscriber != null) {
      return port == JsonCursor.ABSENT && tree == JsonCursor.ABSENT && switchName.isEmpty()
          ? new ScopeAt(new Scope.OfSubscriber(subscriber), switchName)
          : JsonCursor.failed();
    }
    Scope scope = tree == JsonCursor.ABSENT ? new Scope.OfPort(port) : new Scope.OfTree(port, tree);
    return new ScopeAt(scope, switchName);
  }

  @Override
  void writeFields(JsonGenerator json, RateLimit limit, Optional<String> switchName)
      throws IOException {
    json.writeObjectFieldStart("scope");
    if (!(limit.scope() instanceof Scope.OfSubscriber)) {
      writeSwitch(json, switchName);
    }
    if (limit.scope() instanceof Scope.OfSubscriber of) {
      json.writeStringField("subscriber", of.subscriberId());
    } else if (limit.scope() instanceof Scope.OfTree of) {
      json.writeNumberField("port", of.port());
      json.writeNumberField("tree", of.tree());
    } else {
      json.writeNumberField("port", ((Scope.OfPort) limit.scope()).port());
    }
    json.writeEndObject();
    RateLimit declared = limit.asDeclared();
    LimitTermsForm.write(json, declared.downBps(), declared.upBps(), declared.burstBytes());
    if (limit.enforcement().isPresent()) {
      json.writeStringField(ENFORCEMENT, limit.enforcement().get().text());
    }
    if (limit.gate() != Gate.OPEN) {
      json.writeStringField(GATE, limit.gate().text());
    }
    if (limit.maxCommittedPercent().isPresent()) {
      json.writeNumberField(COMMITTED, limit.maxCommittedPercent().getAsInt());
    }
    if (limit.terms().isPresent()) {
      LimitTermsForm.write(json, limit.terms().get());
    }
  }

  @Override
  void writeNow(JsonGenerator json, RateLimit limit) throws IOException {
    LimitTermsForm.writeInForce(json, limit);
  }
}
