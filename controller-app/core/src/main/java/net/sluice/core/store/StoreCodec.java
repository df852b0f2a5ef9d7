package net.sluice.core.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import net.sluice.core.declaration.Bodies.PolicyBody;
import net.sluice.core.declaration.Bodies.RateLimitBody;
import net.sluice.core.declaration.Bodies.SubscriberBody;
import net.sluice.core.declaration.Bodies.SuspensionBody;
import net.sluice.core.declaration.Bodies.TariffBody;
import net.sluice.core.declaration.BodyMapping;
import net.sluice.core.declaration.RecordSink;
import net.sluice.core.declaration.Shape;
import net.sluice.intents.field.Field;
import net.sluice.intents.field.Form;
import net.sluice.intents.model.LimitTerms;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.SubscriberTerms;
import net.sluice.intents.model.Tariff;
import net.sluice.intents.model.schedule.Timing;
import net.sluice.intents.state.Leaving;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SubscriberState;
import net.sluice.intents.value.InvalidValueException;

/**
 * The store's record format: a byte with its version, and the fields of a declaration with what the
 * store keeps beside it. The id is the key and is not repeated in the value.
 */
public final class StoreCodec {
  /** The version of the records that this release writes, and the only one that it reads. */
  public static final int VERSION = 10;

  /** The way from one version to another, for error texts. */
  public static final String MIGRATION =
      "run the release that wrote it, sluice export what is declared, and sluice import that with"
          + " this release and an empty store";

  private static final int LEAVING = 4;
  private static final int SUBSCRIBER_DECLARED = 5;
  private static final int SUBSCRIBER_NOW = 6;
  private static final int POLICY_DECLARED = 2;
  private static final int LIMIT_DECLARED = 1;
  private static final int LIMIT_NOW = 2;
  private static final int TARIFF_DECLARED = 1;

  private StoreCodec() {}

  /** A subscriber and what is allotted to it. */
  @Form(name = "subscriber", says = "A subscriber and what is allotted to it.")
  public record SubscriberRecord(
      @Field(number = 1, says = "Its index in the switch.") int index,
      @Field(number = 2, says = "What a limiter has allotted to it.") OptionalInt allotment,
      @Field(number = 3, says = "The number of its contract.") OptionalInt contract,
      @Field(number = LEAVING, says = "The switch it moves to.") Optional<LeavingRecord> leaving,
      @Field(number = SUBSCRIBER_DECLARED, says = "As it is declared.") SubscriberBody declared,
      @Field(number = SUBSCRIBER_NOW, says = "What is in force, if that is not always the same.")
          Optional<SubscriberNow> now,
      @Field(number = 7, says = "The policies that its tariff gives it when nothing else is due.")
          Optional<SuspensionBody> underTariff) {}

  /** A subscriber that moves. */
  @Form(name = "move", says = "A move to another switch.")
  public record LeavingRecord(
      @Field(number = 1, says = "The switch that is waited for.") String toSwitch,
      @Field(number = 2, says = "Since when, milliseconds since 1970.") long sinceMillis) {}

  /** The treatment of a subscriber now. */
  @Form(name = "subscriber's treatment", says = "What a subscriber gets now.")
  public record SubscriberNow(
      @Field(number = 1, says = "Its policy.") String policy,
      @Field(number = 2, says = "That of upstream traffic alone.") Optional<String> upstreamPolicy,
      @Field(number = 3, says = "Whether its traffic is stopped.", byDefault = "false")
          boolean stopped,
      @Field(number = 4, says = "When it may change, milliseconds since 1970.")
          OptionalLong untilMillis,
      @Field(number = 5, says = "Since when it is out of force, milliseconds since 1970.")
          OptionalLong outSinceMillis) {}

  /** A policy and its slot. */
  @Form(name = "policy", says = "A policy and its slot.")
  public record PolicyRecord(
      @Field(number = 1, says = "Its slot in the switch.") int slot,
      @Field(number = POLICY_DECLARED, says = "As it is declared.") PolicyBody declared) {}

  /** A rate limit. */
  @Form(name = "rate limit", says = "A rate limit.")
  public record RateLimitRecord(
      @Field(number = LIMIT_DECLARED, says = "As it is declared.") RateLimitBody declared,
      @Field(number = LIMIT_NOW, says = "What is in force, if that is not always the same.")
          Optional<RatesNow> now) {}

  /** A tariff. */
  @Form(name = "tariff", says = "A tariff.")
  public record TariffRecord(
      @Field(number = TARIFF_DECLARED, says = "As it is declared.") TariffBody declared) {}

  /** The rates of a limit now. */
  @Form(name = "limit's rates", says = "The rates of a limit now.")
  public record RatesNow(
      @Field(number = 1, says = "Rate to the subscribers, bit/s.") OptionalLong downBps,
      @Field(number = 2, says = "Rate from the subscribers, bit/s.") OptionalLong upBps,
      @Field(number = 3, says = "Burst, byte.") OptionalInt burstBytes,
      @Field(number = 4, says = "When they may change, milliseconds since 1970.")
          OptionalLong untilMillis,
      @Field(number = 5, says = "Since when they are out of force, milliseconds since 1970.")
          OptionalLong outSinceMillis) {}

  // ---------------------------------------------------------------- subscribers

  /** The record of a subscriber. */
  public static byte[] encode(SubscriberState state) {
    Subscriber subscriber = state.subscriber();
    Optional<Timing> timing = subscriber.parts().terms().map(SubscriberTerms::timing);
    return RecordCodec.encode(
        (byte) VERSION,
        new SubscriberRecord(
            state.index(),
            number(state.allotment()),
            number(state.contract()),
            state.leaving().map(of -> new LeavingRecord(of.toSwitch(), of.sinceMillis())),
            BodyMapping.body(subscriber, Optional.empty()),
            timing.map(
                of ->
                    new SubscriberNow(
                        subscriber.policyId(),
                        subscriber.parts().upstreamPolicyId(),
                        subscriber.parts().stopped(),
                        millis(of.until()),
                        millis(of.outSince()))),
            subscriber
                .parts()
                .tariff()
                .map(use -> subscriber.otherwise())
                .map(has -> new SuspensionBody(has.policyId(), has.upstreamPolicyId()))));
  }

  private static OptionalInt number(int allotted) {
    return allotted == SubscriberState.NONE ? OptionalInt.empty() : OptionalInt.of(allotted);
  }

  /**
   * The subscriber of a record.
   *
   * @throws StoreException if the record is corrupt or of another format
   */
  public static SubscriberState subscriber(String id, byte[] value) {
    return decode(
        id,
        value,
        SubscriberRecord.class,
        of ->
            new SubscriberState(
                subscriber(id, of),
                of.index(),
                of.allotment().orElse(SubscriberState.NONE),
                of.contract().orElse(SubscriberState.NONE),
                of.leaving().map(to -> new Leaving(to.toSwitch(), to.sinceMillis()))));
  }

  private static Subscriber subscriber(String id, SubscriberRecord of) {
    Subscriber asPut = BodyMapping.subscriber(id, of.declared());
    Subscriber declared =
        of.underTariff()
            .map(
                has ->
                    asPut.otherwise(
                        new SubscriberTerms.Holding.Has(has.policy(), has.upstreamPolicy())))
            .orElse(asPut);
    if (of.now().isEmpty()) {
      return declared;
    }
    SubscriberNow now = of.now().get();
    Optional<SubscriberTerms> terms =
        declared
            .parts()
            .terms()
            .map(
                each ->
                    new SubscriberTerms(
                        each.otherwise(),
                        each.suspendedTo(),
                        each.schedule(),
                        timing(now.untilMillis(), now.outSinceMillis())));
    return declared
        .withPolicy(now.policy())
        .withParts(
            declared
                .parts()
                .withTerms(terms)
                .withStopped(now.stopped())
                .withUpstreamPolicy(now.upstreamPolicy()));
  }

  /**
   * The index in the record of a subscriber, without decoding the rest.
   *
   * @throws StoreException if the record is corrupt or of another format
   */
  public static int subscriberIndex(String id, byte[] value) {
    return reading(
        "subscriber",
        id,
        value,
        in -> {
          int unused = in.readTag();
          return in.readInt32();
        });
  }

  // ---------------------------------------------------------------- policies

  /** The record of a policy. */
  public static byte[] encode(PolicyState state) {
    return RecordCodec.encode(
        (byte) VERSION, new PolicyRecord(state.slot(), BodyMapping.body(state.policy())));
  }

  /**
   * The policy of a record.
   *
   * @throws StoreException if the record is corrupt or of another format
   */
  public static PolicyState policy(String id, byte[] value) {
    return decode(
        id,
        value,
        PolicyRecord.class,
        of -> new PolicyState(BodyMapping.policy(id, of.declared()), of.slot()));
  }

  // ---------------------------------------------------------------- rate limits

  /** The record of a rate limit. */
  public static byte[] encode(RateLimit limit) {
    Optional<Timing> timing = limit.terms().map(LimitTerms::timing);
    return RecordCodec.encode(
        (byte) VERSION,
        new RateLimitRecord(
            BodyMapping.body(limit, Optional.empty()),
            timing.map(
                of ->
                    new RatesNow(
                        limit.downBps(),
                        limit.upBps(),
                        limit.burstBytes(),
                        millis(of.until()),
                        millis(of.outSince())))));
  }

  /**
   * The rate limit of a record.
   *
   * @throws StoreException if the record is corrupt or of another format
   */
  public static RateLimit rateLimit(String id, byte[] value) {
    return decode(id, value, RateLimitRecord.class, of -> rateLimit(id, of));
  }

  private static RateLimit rateLimit(String id, RateLimitRecord of) {
    RateLimit declared = BodyMapping.rateLimit(id, of.declared());
    if (of.now().isEmpty()) {
      return declared;
    }
    RatesNow now = of.now().get();
    return declared.withRates(
        new LimitTerms.Rates(now.downBps(), now.upBps(), now.burstBytes()),
        timing(now.untilMillis(), now.outSinceMillis()));
  }

  // ---------------------------------------------------------------- tariffs

  /** The record of a tariff. */
  public static byte[] encode(Tariff tariff) {
    return RecordCodec.encode((byte) VERSION, new TariffRecord(BodyMapping.body(tariff)));
  }

  /**
   * The tariff of a record.
   *
   * @throws StoreException if the record is corrupt or of another format
   */
  public static Tariff tariff(String id, byte[] value) {
    return decode(id, value, TariffRecord.class, of -> BodyMapping.tariff(id, of.declared()));
  }

  // ---------------------------------------------------------------- all

  private static OptionalLong millis(Optional<Instant> time) {
    return time.isPresent() ? OptionalLong.of(time.get().toEpochMilli()) : OptionalLong.empty();
  }

  private static Timing timing(OptionalLong until, OptionalLong outSince) {
    return new Timing(instant(until), instant(outSince));
  }

  private static Optional<Instant> instant(OptionalLong millis) {
    return millis.isPresent()
        ? Optional.of(Instant.ofEpochMilli(millis.getAsLong()))
        : Optional.empty();
  }

  /** As {@link StoredRecord#standing}. */
  static StoredRecord.Standing standing(StoredRecord record) {
    return switch (record.kind()) {
      case POLICY -> standing(record, PolicyRecord.class, 0, 0);
      case SUBSCRIBER -> standing(record, SubscriberRecord.class, LEAVING, SUBSCRIBER_NOW);
      case RATE_LIMIT -> standing(record, RateLimitRecord.class, 0, LIMIT_NOW);
      case TARIFF -> standing(record, TariffRecord.class, 0, 0);
    };
  }

  private static StoredRecord.Standing standing(
      StoredRecord record, Class<?> type, int leaving, int now) {
    Shape<?> shape = Shape.of(type);
    long numbers =
        reading(shape.name(), record.id(), record.value(), in -> RecordFields.numbers(shape, in));
    return new StoredRecord.Standing((numbers & 1L << leaving) != 0, (numbers & 1L << now) != 0);
  }

  /** As {@link StoredRecord#writeDeclared}. */
  static void writeDeclared(StoredRecord record, Optional<String> switchName, RecordSink to) {
    int number =
        switch (record.kind()) {
          case POLICY -> POLICY_DECLARED;
          case SUBSCRIBER -> SUBSCRIBER_DECLARED;
          case RATE_LIMIT -> LIMIT_DECLARED;
          case TARIFF -> TARIFF_DECLARED;
        };
    boolean unused =
        reading(
            record.kind().words(),
            record.id(),
            record.value(),
            in -> {
              RecordFields.enter(in, number);
              try {
                new RecordFields(in, switchName, to).write(BodyMapping.shape(record.kind()));
              } catch (InvalidProtocolBufferException e) {
                throw e;
              } catch (IOException e) {
                // It is not the record's.
                throw new UncheckedIOException(e);
              }
              return true;
            });
  }

  private interface Decoder<R, T> {
    T from(R record) throws IOException;
  }

  private static <R, T> T decode(String id, byte[] value, Class<R> type, Decoder<R, T> decoder) {
    Shape<R> shape = Shape.of(type);
    return reading(shape.name(), id, value, in -> decoder.from(RecordCodec.read(shape, in)));
  }

  private static <T> T reading(
      String kind, String id, byte[] value, Decoder<CodedInputStream, T> decoder) {
    if (value.length > 0 && value[0] != VERSION) {
      throw new StoreException(
          "%s %s has record version %d; this release reads %d: %s"
              .formatted(kind, id, value[0], VERSION, MIGRATION));
    }
    try {
      if (value.length == 0) {
        throw new MalformedRecord("it is empty");
      }
      return decoder.from(CodedInputStream.newInstance(value, 1, value.length - 1));
    } catch (MalformedRecord | InvalidValueException | IOException e) {
      throw new StoreException(
          "the record of " + kind + " " + id + " is corrupt: " + e.getMessage(), e);
    }
  }
}
