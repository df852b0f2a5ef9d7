package net.sluice.rest.form;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.sluice.core.store.StoreCodec;
import net.sluice.core.store.StoredRecord;
import net.sluice.core.store.StoredRecord.Standing;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.plan.Change;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SubscriberState;
import net.sluice.intents.validate.Refusal;
import net.sluice.northbound.json.JsonContent;
import net.sluice.rest.json.FieldsJson;
import net.sluice.rest.json.JsonTree;
import net.sluice.rest.testing.Declared;

/** A declaration is the same through JSON, the store and back, as it is declared and in force. */
final class RoundTripTest {
  private static final Instant NOW = Instant.parse("2026-12-01T20:00:00Z");

  @Property(tries = 300, seed = "1")
  void aPolicyStaysTheSame(@ForAll("policies") Policy policy) throws Refusal {
    assertSameThroughJson(policy);
    byte[] record = StoreCodec.encode(new PolicyState(policy, 7));
    assertThat(StoreCodec.policy(policy.id(), record)).isEqualTo(new PolicyState(policy, 7));
    assertThatTheRecordIsTheSame(policy, record);
  }

  @Property(tries = 500, seed = "1")
  void aSubscriberStaysTheSame(@ForAll("subscribers") Subscriber subscriber) throws Refusal {
    assertSameThroughJson(subscriber);
    for (Subscriber each :
        new Subscriber[] {subscriber, subscriber.at(NOW), subscriber.at(NOW).outAt(NOW)}) {
      SubscriberState state = new SubscriberState(each, 5, 9);
      assertThat(StoreCodec.subscriber(each.id(), StoreCodec.encode(state))).isEqualTo(state);
      assertThatTheRecordIsTheSame(each, StoreCodec.encode(state));
      assertThat(json(each)).isEqualTo(json(subscriber));
    }
  }

  @Property(tries = 500, seed = "1")
  void aRateLimitStaysTheSame(@ForAll("rateLimits") RateLimit limit) throws Refusal {
    assertSameThroughJson(limit);
    for (RateLimit each : new RateLimit[] {limit, limit.at(NOW), limit.at(NOW).outAt(NOW)}) {
      assertThat(StoreCodec.rateLimit(each.id(), StoreCodec.encode(each))).isEqualTo(each);
      assertThatTheRecordIsTheSame(each, StoreCodec.encode(each));
      assertThat(json(each)).isEqualTo(json(limit));
    }
  }

  private static byte[] json(Declaration declaration) {
    return JsonContent.bytes(json -> DeclarationForm.write(json, declaration, Optional.empty()));
  }

  /** What a record says without being decoded is what it says decoded. */
  private static void assertThatTheRecordIsTheSame(Declaration declaration, byte[] value) {
    StoredRecord record = new StoredRecord(declaration.kind(), declaration.id(), value);
    assertThat(record.declaration()).isEqualTo(declaration);
    assertThat(record.standing()).isEqualTo(new Standing(false, declaration.isTimed()));
    for (Optional<String> at : List.of(Optional.<String>empty(), Optional.of("bng1"))) {
      assertThat(JsonContent.bytes(json -> record.writeDeclared(at, new FieldsJson(json))))
          .asString()
          .isEqualTo(
              new String(
                  JsonContent.bytes(json -> DeclarationForm.write(json, declaration, at)),
                  StandardCharsets.UTF_8));
    }
  }

  /** As a document, and as a value of a bigger one. */
  private static void assertSameThroughJson(Declaration declaration) throws Refusal {
    Kind kind = declaration.kind();
    byte[] json = json(declaration);
    Change.Put put = new Change.Put(declaration);
    assertThat(DeclarationForm.read(kind, declaration.id(), json)).isEqualTo(put);
    assertThat(DeclarationForm.read(kind, declaration.id(), JsonTree.read(json, 0, json.length)))
        .isEqualTo(put);
  }

  @Provide
  Arbitrary<Policy> policies() {
    return Declared.policies();
  }

  @Provide
  Arbitrary<Subscriber> subscribers() {
    return Declared.subscribersWithParts();
  }

  @Provide
  Arbitrary<RateLimit> rateLimits() {
    return Arbitraries.oneOf(Declared.rateLimits(), Declared.timedRateLimits());
  }
}
