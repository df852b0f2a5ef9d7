package net.sluice.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.sluice.core.declaration.RecordSink;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.Gate;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Labels;
import net.sluice.intents.model.LimitTerms;
import net.sluice.intents.model.OptionalParts;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.SubscriberTerms;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.model.aggregate.Aggregate;
import net.sluice.intents.model.aggregate.AggregateMarker;
import net.sluice.intents.model.aggregate.Aggregates;
import net.sluice.intents.model.policy.Aqm;
import net.sluice.intents.model.policy.AqmKind;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.model.policy.TrafficClass;
import net.sluice.intents.model.policy.TrafficClasses;
import net.sluice.intents.model.schedule.Schedule;
import net.sluice.intents.model.schedule.Span;
import net.sluice.intents.model.schedule.Timing;
import net.sluice.intents.state.Leaving;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SubscriberState;
import net.sluice.intents.value.Direction;
import org.junit.jupiter.api.Test;

/** Records: what is written is read, what nothing writes is refused, and the bytes stay. */
class StoreCodecTest {
  private static final Timing LATER =
      new Timing(Optional.of(Instant.ofEpochMilli(7)), Optional.empty());
  private static final Timing OUT =
      new Timing(Optional.empty(), Optional.of(Instant.ofEpochMilli(8)));
  private static final Span UNTIL = new Span.Until(Instant.ofEpochMilli(1_000));
  private static final Span NIGHT =
      new Span.Daily(
          LocalTime.of(22, 0),
          LocalTime.of(6, 0),
          ZoneId.of("UTC"),
          Set.of(DayOfWeek.MONDAY, DayOfWeek.SUNDAY));

  private static void assertKept(PolicyState policy) {
    assertThat(StoreCodec.policy(policy.policy().id(), StoreCodec.encode(policy)))
        .isEqualTo(policy);
  }

  private static void assertKept(SubscriberState subscriber) {
    byte[] record = StoreCodec.encode(subscriber);
    assertThat(StoreCodec.subscriber("alice", record)).isEqualTo(subscriber);
    assertThat(StoreCodec.subscriberIndex("alice", record)).isEqualTo(subscriber.index());
  }

  private static void assertKept(RateLimit limit) {
    assertThat(StoreCodec.rateLimit("l", StoreCodec.encode(limit))).isEqualTo(limit);
  }

  /** The numbers of fields and the form of their values are for good. */
  @Test
  void theBytesOfARecordStay() {
    assertThat(HexFormat.of().formatHex(StoreCodec.encode(subscriber(OptionalParts.NONE))))
        .isEqualTo(
            "0a"
                + ("08" + "05")
                + ("2a" + "15")
                + ("0a" + "04676f6c64")
                + ("1a" + "05" + "200a000001")
                + ("20" + "64")
                + ("32" + "04" + "1007" + "1803"));
    assertThat(HexFormat.of().formatHex(StoreCodec.encode(limit(Optional.of(Enforcement.POLICE)))))
        .isEqualTo(
            "0a"
                + ("0a" + "14")
                + ("0a" + "02" + "1807")
                + ("10" + "80ade204")
                + ("20" + "c00c")
                + ("2a" + "06706f6c696365"));
    PolicyState policy = new PolicyState(new Policy("p", BuiltInFunction.GOLD), 5);
    assertThat(HexFormat.of().formatHex(StoreCodec.encode(policy)))
        .isEqualTo("0a" + ("08" + "05") + ("12" + "08") + ("0a" + "06") + ("0a" + "04676f6c64"));
  }

  @Test
  void policiesAreKept() {
    TrafficClasses classes =
        new TrafficClasses(
            List.of(
                new TrafficClass("voice", List.of(46, 44), OptionalInt.of(1), OptionalInt.empty()),
                new TrafficClass("rest", List.of(), OptionalInt.empty(), OptionalInt.of(14))));
    for (Optional<Aqm> aqm :
        List.of(
            Optional.<Aqm>empty(),
            Optional.of(Aqm.NONE),
            Optional.<Aqm>of(new Aqm.Rio()),
            Optional.<Aqm>of(new Aqm.Rio(0, 1, 0, new Aqm.RioCurve(0, 1, 0.01), Aqm.RioCurve.OUT)),
            Optional.<Aqm>of(new Aqm.CoDel(AqmKind.CODEL_ACT, 5_000, 100_000, false)),
            Optional.<Aqm>of(new Aqm.CoDel(AqmKind.RFC8289, 1, 1_000_000, true)))) {
      assertKept(new PolicyState(new Policy("p", BuiltInFunction.SILVER, aqm), 0));
      assertKept(new PolicyState(new Policy("p", BuiltInFunction.GOLD, aqm, classes), 63));
    }
  }

  @Test
  void subscribersAreKeptWithWhatIsAllottedToThem() {
    SubscriberState plain = subscriber(OptionalParts.NONE);
    assertKept(plain);
    assertKept(plain.withAllotment(0));
    assertKept(plain.withAllotment(Integer.MAX_VALUE).withContract(0));
    assertKept(plain.withLeaving(Optional.of(new Leaving("bng2", 1_000))));
    assertKept(
        subscriber(
            OptionalParts.NONE.withLabels(
                new Labels(new TreeMap<>(Map.of("tier", "fibre", "a", "b"))))));
    assertKept(
        subscriber(
            OptionalParts.NONE.withAggregates(
                Aggregates.of(
                    List.of(
                        Aggregate.up(
                            1_000_000, 25_000, new AggregateMarker.Fsam(200, 300, Map.of(46, 4.0))),
                        new Aggregate(
                            Direction.DOWN, 2_000, 1_600, new AggregateMarker.Pam(), 0, 2))))));
  }

  @Test
  void whatIsInForceIsKeptBesideWhatIsDeclared() {
    Schedule<SubscriberTerms.Holding> schedule =
        new Schedule<>(
            List.of(
                new Schedule.Entry<>(
                    UNTIL, new SubscriberTerms.Holding.Has("boost", Optional.of("up"))),
                new Schedule.Entry<>(NIGHT, new SubscriberTerms.Holding.Stopped())));
    for (Timing timing : List.of(Timing.NONE, LATER, OUT)) {
      for (Optional<SubscriberTerms.Holding> suspended :
          List.of(
              Optional.<SubscriberTerms.Holding>empty(),
              Optional.<SubscriberTerms.Holding>of(new SubscriberTerms.Holding.Stopped()),
              Optional.<SubscriberTerms.Holding>of(new SubscriberTerms.Holding.Has("walled")))) {
        SubscriberTerms terms =
            new SubscriberTerms(
                new SubscriberTerms.Holding.Has("silver", Optional.of("gold")),
                suspended,
                schedule,
                timing);
        OptionalParts parts = OptionalParts.NONE.withTerms(Optional.of(terms));
        assertKept(subscriber(parts));
        assertKept(subscriber(parts.withStopped(true)));
        assertKept(subscriber(parts.withUpstreamPolicy(Optional.of("gold"))));
      }
    }
  }

  /** Only requests are held to the names of the database. */
  @Test
  void anyZoneIsKept() {
    Span daily =
        new Span.Daily(LocalTime.MIN, LocalTime.NOON, ZoneOffset.UTC, Set.of(DayOfWeek.FRIDAY));
    SubscriberTerms terms =
        new SubscriberTerms(
            new SubscriberTerms.Holding.Has("gold"),
            Optional.empty(),
            new Schedule<>(
                List.of(new Schedule.Entry<>(daily, new SubscriberTerms.Holding.Stopped()))),
            Timing.NONE);
    assertKept(subscriber(OptionalParts.NONE.withTerms(Optional.of(terms))));
  }

  @Test
  void limitsAreKept() {
    assertKept(limit(Optional.empty()));
    assertKept(limit(Optional.of(Enforcement.SHAPE)).withGate(Gate.CLOSED));
    assertKept(limit(Optional.empty()).withMaxCommittedPercent(OptionalInt.of(150)));
    LimitTerms.Rates otherwise =
        new LimitTerms.Rates(OptionalLong.of(5), OptionalLong.of(6), OptionalInt.of(7));
    Schedule<LimitTerms.Holding> schedule =
        new Schedule<>(
            List.of(
                new Schedule.Entry<>(UNTIL, new LimitTerms.Holding.At(otherwise)),
                new Schedule.Entry<>(NIGHT, new LimitTerms.Holding.Off())));
    for (Timing timing : List.of(Timing.NONE, LATER, OUT)) {
      assertKept(
          new RateLimit(
              "l",
              new Scope.OfTree(0, 63),
              OptionalLong.empty(),
              OptionalLong.of(9),
              OptionalInt.empty(),
              Optional.empty(),
              Gate.OPEN,
              OptionalInt.empty(),
              Optional.of(new LimitTerms(otherwise, true, schedule, timing))));
    }
  }

  @Property(tries = 1000, seed = "1")
  void prefixesAreKept(@ForAll("prefixes") IpPrefix prefix) {
    assertThat(PrefixBytes.read(PrefixBytes.write(prefix))).isEqualTo(prefix);
  }

  @Provide
  Arbitrary<IpPrefix> prefixes() {
    return Arbitraries.oneOf(
        Arbitraries.integers()
            .flatMap(
                bits ->
                    Arbitraries.integers()
                        .between(0, 32)
                        .map(l -> IpPrefix.v4(l == 0 ? 0 : bits & -1 << 32 - l, l))),
        Arbitraries.longs()
            .flatMap(
                bits ->
                    Arbitraries.integers()
                        .between(1, 64)
                        .map(l -> IpPrefix.v6(bits, bits & -1L << 64 - l, 64 + l))),
        Arbitraries.integers().between(0, 128).map(l -> IpPrefix.v6(0, 0, l)));
  }

  @Test
  void whatNothingWritesIsRefused() {
    assertPolicyRefused(
        "01" + "0005" + "01",
        "policy p has record version 1; this release reads 10: " + StoreCodec.MIGRATION);
    assertPolicyRefused("", "the record of policy p is corrupt: it is empty");
    assertPolicyRefused("0a", "the record of policy p is corrupt: it has no declared");
    assertPolicyRefused(
        "0a" + "0805" + "7801",
        "the record of policy p is corrupt: it has field 15 of policy, of a later release");
    assertPolicyRefused(
        "0a" + "0805" + "0806", "the record of policy p is corrupt: it has no such slot");
    assertPolicyRefused("0a" + "0a00", "the record of policy p is corrupt: it has no such slot");
    assertPolicyRefused(
        "0a" + "0805" + "1208" + "0a06" + "0a04" + "676f6c65",
        "the record of policy p is corrupt: it has 'gole', of a later release");
    assertPolicyRefused(
        "0a" + "0805" + "120f" + "0a06" + "0a04676f6c64" + "1205" + "0a03706965",
        "the record of policy p is corrupt: it has 'pie', of a later release");
    assertThatThrownBy(
            () -> StoreCodec.policy("p", HexFormat.of().parseHex("0a" + "0805" + "1208" + "0a06")))
        .isInstanceOf(StoreException.class)
        .hasMessageStartingWith("the record of policy p is corrupt: ");
    assertThatThrownBy(() -> StoreCodec.subscriberIndex("s", new byte[] {9, 0, 0, 0, 5}))
        .hasMessageStartingWith("subscriber s has record version 9; this release reads 10: ");
    for (String prefix : List.of("", "21", "200a0000", "ff", "ff81", "80ff")) {
      assertThatThrownBy(() -> PrefixBytes.read(HexFormat.of().parseHex(prefix)))
          .as(prefix)
          .isInstanceOf(MalformedRecord.class);
    }
  }

  /** Whether it is decoded, or passed on as it is. */
  private static void assertPolicyRefused(String hex, String message) {
    StoredRecord record = new StoredRecord(Kind.POLICY, "p", HexFormat.of().parseHex(hex));
    assertThatThrownBy(record::declaration).isInstanceOf(StoreException.class).hasMessage(message);
    assertThatThrownBy(
            () -> {
              assertThat(record.standing().isLeaving()).isFalse();
              record.writeDeclared(Optional.empty(), sink(unused -> {}));
            })
        .isInstanceOf(StoreException.class)
        .hasMessage(message);
  }

  private interface Taking {
    void text(String text) throws IOException;
  }

  /** A sink that takes texts and passes over the rest. */
  private static RecordSink sink(Taking texts) {
    return (RecordSink)
        Proxy.newProxyInstance(
            RecordSink.class.getClassLoader(),
            new Class<?>[] {RecordSink.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("text")) {
                texts.text((String) arguments[0]);
              }
              return null;
            });
  }

  @Test
  void aSinkThatFailsIsNoFaultOfTheRecord() {
    StoredRecord record =
        new StoredRecord(
            Kind.SUBSCRIBER, "alice", StoreCodec.encode(subscriber(OptionalParts.NONE)));
    RecordSink failing =
        sink(
            text -> {
              throw new IOException("gone");
            });
    assertThatThrownBy(() -> record.writeDeclared(Optional.empty(), failing))
        .isInstanceOf(UncheckedIOException.class)
        .hasRootCauseMessage("gone");
  }

  /** Any bytes are a subscriber or refused. */
  @Property(tries = 2000, seed = "1")
  void damagedRecordsAreRefusedOrRead(@ForAll("damage") List<Integer> damage) {
    byte[] record = StoreCodec.encode(subscriber(OptionalParts.NONE).withAllotment(7));
    for (int i = 0; i + 1 < damage.size(); i += 2) {
      record[1 + Math.floorMod(damage.get(i), record.length - 1)] = (byte) (int) damage.get(i + 1);
    }
    try {
      assertThat(StoreCodec.subscriber("alice", record).subscriber().id()).isEqualTo("alice");
    } catch (StoreException e) {
      assertThat(e).hasMessageStartingWith("the record of subscriber alice is corrupt: ");
    }
  }

  @Provide
  Arbitrary<List<Integer>> damage() {
    return Arbitraries.integers().list().ofMinSize(2).ofMaxSize(6);
  }

  private static SubscriberState subscriber(OptionalParts parts) {
    return new SubscriberState(
        new Subscriber(
            "alice",
            "gold",
            List.of(IpPrefix.parse("10.0.0.1/32")),
            Optional.of(VlanTags.single(100)),
            new Attachment(7, 3),
            parts),
        5,
        SubscriberState.NONE);
  }

  private static RateLimit limit(Optional<Enforcement> enforcement) {
    return new RateLimit(
        "l",
        new Scope.OfPort(7),
        OptionalLong.of(10_000_000),
        OptionalLong.empty(),
        OptionalInt.of(1_600),
        enforcement);
  }
}
