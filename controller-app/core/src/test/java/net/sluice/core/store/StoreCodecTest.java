package net.sluice.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import net.sluice.intents.model.Aggregate;
import net.sluice.intents.model.AggregateMarker;
import net.sluice.intents.model.Aggregates;
import net.sluice.intents.model.Aqm;
import net.sluice.intents.model.AqmKind;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.BuiltInFunction;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.Gate;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Labels;
import net.sluice.intents.model.LimitTerms;
import net.sluice.intents.model.OptionalParts;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Schedule;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Span;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.SubscriberTerms;
import net.sluice.intents.model.Timing;
import net.sluice.intents.model.TrafficClass;
import net.sluice.intents.model.TrafficClasses;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.state.Leaving;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SubscriberState;
import org.junit.jupiter.api.Test;

/** Records byte by byte: what a release has written, every later one reads. */
class StoreCodecTest {
  private static final String FIRST = "01" + "0005" + "01";

  /** Of BNG port 7, 10 Mbit/s down, 1,600 bytes; behind the version. */
  private static final String PORT_LIMIT =
      "02" + "07" + "0000000000989680" + "0000000000000000" + "00000640";

  /** Index 5, without a queue, at port 7, tree 3, VLAN 100, gold, one prefix. */
  private static final String ALICE =
      "00000005" + "ffffffff" + "0703" + "0064" + "0000" + "04676f6c64" + "01" + "200a000001";

  private static final Optional<Leaving> LEAVING = Optional.of(new Leaving("bng2", 1_000));
  private static final String TO_BNG2 = "04626e6732" + "00000000000003e8";
  private static final Labels LABELS = new Labels(new TreeMap<>(Map.of("tier", "fibre")));

  private static PolicyState policy(Aqm aqm) {
    return new PolicyState(new Policy("p", BuiltInFunction.GOLD, Optional.ofNullable(aqm)), 5);
  }

  private static void assertRecord(PolicyState policy, String hex) {
    assertThat(HexFormat.of().formatHex(new StoreCodec().encode(policy))).isEqualTo(hex);
    assertThat(StoreCodec.policy("p", HexFormat.of().parseHex(hex))).isEqualTo(policy);
  }

  @Test
  void aPolicyWithoutAqmIsWhatTheFirstReleaseWroteAndReads() {
    assertRecord(policy(null), FIRST);
  }

  @Test
  void aPolicyWithAqmIsOfTheSecondVersion() {
    assertRecord(policy(Aqm.NONE), "02" + "0005" + "01" + "00");
    assertRecord(
        policy(new Aqm.CoDel(AqmKind.CODEL_ACT, 5_000, 100_000, false)),
        "02" + "0005" + "01" + "01" + "00001388" + "000186a0");
    assertRecord(
        policy(new Aqm.CoDel(AqmKind.RFC8289, 1, 1_000_000, true)),
        "02" + "0005" + "01" + "83" + "00000001" + "000f4240");
    assertRecord(
        policy(new Aqm.CoDel(AqmKind.P4_CODEL, 5_000, 100_000, true)),
        "02" + "0005" + "01" + "82" + "00001388" + "000186a0");
  }

  /** A release before RIO says that it cannot read it, instead of taking it for corrupt. */
  @Test
  void aPolicyWithRioIsOfTheEighthVersion() {
    assertRecord(
        policy(new Aqm.Rio()),
        "08"
            + "0005"
            + "01"
            + "04"
            + "0a"
            + "00000032"
            + "09"
            + "0000000f0000001e"
            + "3f947ae147ae147b"
            + "000000050000000f"
            + "3fc999999999999a");
  }

  @Test
  void aPolicyWithClassesIsOfTheNinthVersion() {
    TrafficClasses classes =
        new TrafficClasses(
            List.of(
                new TrafficClass("voice", List.of(46, 44), OptionalInt.of(1), OptionalInt.empty()),
                new TrafficClass("rest", List.of(), OptionalInt.empty(), OptionalInt.of(14))));
    String records = "02" + "05766f696365" + "022c2e" + "81" + "0472657374" + "00" + "0e";
    assertRecord(policy(Optional.empty(), classes), "09" + "0005" + "01" + "7f" + records);
    assertRecord(policy(Optional.of(Aqm.NONE), classes), "09" + "0005" + "01" + "00" + records);
    assertCorrupt(
        "09" + "0005" + "01" + "7f" + "01" + "0472657374" + "00" + "0f",
        "share is 15; allowed: 1 to 14");
  }

  private static PolicyState policy(Optional<Aqm> aqm, TrafficClasses classes) {
    return new PolicyState(new Policy("p", BuiltInFunction.GOLD, aqm, classes), 5);
  }

  @Test
  void whatNobodyWroteIsCorrupt() {
    assertCorrupt("02" + "0005" + "01" + "05", "unknown kind of aqm 5");
    assertCorrupt("02" + "0005" + "01" + "0100", "cut short at byte 6");
    assertCorrupt(
        "02" + "0005" + "01" + "01" + "00000000" + "000186a0",
        "targetMicros is 0; allowed: 1 to 100000, the interval");
    assertThatThrownBy(() -> StoreCodec.policy("p", HexFormat.of().parseHex("0a" + "0005" + "01")))
        .hasMessage("policy p has record version 10; this release reads 1 to 9");
    assertThatThrownBy(
            () -> StoreCodec.rateLimit("l", HexFormat.of().parseHex("04" + PORT_LIMIT + "04")))
        .hasMessage("the record of rate limit l is corrupt: unknown enforcement 4");
    assertThatThrownBy(
            () -> StoreCodec.rateLimit("l", HexFormat.of().parseHex("04" + PORT_LIMIT + "00")))
        .hasMessage("the record of rate limit l is corrupt: unknown enforcement 0");
    assertThatThrownBy(
            () -> StoreCodec.rateLimit("l", HexFormat.of().parseHex("05" + PORT_LIMIT + "0002")))
        .hasMessage("the record of rate limit l is corrupt: unknown gate 2");
  }

  /** What releases without policing wrote is a limit that leaves its enforcement open. */
  @Test
  void aLimitThatAsksForNoLimiterIsWhatTheFirstReleaseWroteAndReads() {
    assertRecord(Optional.empty(), "01" + PORT_LIMIT);
    assertRecord(Optional.of(Enforcement.FPGA), "04" + PORT_LIMIT + "01");
    assertRecord(Optional.of(Enforcement.POLICE), "04" + PORT_LIMIT + "02");
    assertRecord(Optional.of(Enforcement.SHAPE), "04" + PORT_LIMIT + "03");
  }

  @Test
  void aLimitWithAClosedGateIsOfTheFifthVersion() {
    assertRecord(limit(Optional.empty()).withGate(Gate.CLOSED), "05" + PORT_LIMIT + "0001");
    assertRecord(
        limit(Optional.of(Enforcement.FPGA)).withGate(Gate.CLOSED), "05" + PORT_LIMIT + "0101");
  }

  @Test
  void aLimitWithARuleForWhatIsCommittedBelowItIsOfTheSixthVersion() {
    RateLimit limit = limit(Optional.empty()).withMaxCommittedPercent(OptionalInt.of(150));
    assertRecord(limit, "06" + PORT_LIMIT + "0000" + "00000096");
    assertRecord(limit.withGate(Gate.CLOSED), "06" + PORT_LIMIT + "0001" + "00000096");
  }

  @Test
  void aSubscriberWithoutOptionalPartsIsWhatEarlierReleasesWroteAndRead() {
    assertRecord(subscriber(OptionalParts.NONE), "01" + ALICE);
    assertRecord(subscriber(OptionalParts.NONE).withLeaving(LEAVING), "03" + ALICE + TO_BNG2);
  }

  @Test
  void optionalPartsAreBehindTagsAndLengths() {
    SubscriberState labelled = subscriber(OptionalParts.NONE.withLabels(LABELS));
    String labels = "02" + "000b" + "0474696572" + "0566696272" + "65";
    assertRecord(labelled, "07" + ALICE + labels);
    assertRecord(labelled.withLeaving(LEAVING), "07" + ALICE + "01" + "000d" + TO_BNG2 + labels);
    assertThatThrownBy(
            () -> StoreCodec.subscriber("alice", HexFormat.of().parseHex("07" + ALICE + "ff0000")))
        .hasMessage(
            "the record of subscriber alice is corrupt: it has part 255, of a later release");
    assertThatThrownBy(
            () ->
                StoreCodec.subscriber(
                    "alice", HexFormat.of().parseHex("07" + ALICE + "02" + "000c" + labels)))
        .hasMessageContaining("cut short");
  }

  @Test
  void aContractHasItsNumberAndEachDirectionsTerms() {
    Aggregates both =
        Aggregates.of(
            List.of(
                Aggregate.up(
                    1_000_000, 25_000, new AggregateMarker.Fsam(200, 300, Map.of(46, 4.0))),
                new Aggregate(
                    Direction.DOWN, 2_000, 1_600, new AggregateMarker.Tsw2cm(1_000), 1, 2)));
    String down = "00" + "00000000000007d0" + "0000000000000640" + "01" + "02" + "01" + "000003e8";
    String up =
        "01"
            + "00000000000f4240"
            + "00000000000061a8"
            + "0a"
            + "0c"
            + "03"
            + "000000c8"
            + "0000012c";
    String weight = "01" + "2e" + "4010000000000000";
    assertRecord(
        subscriber(OptionalParts.NONE.withAggregates(both)).withContract(7),
        "07" + ALICE + "10" + "0042" + "00000007" + down + up + weight);
  }

  @Test
  void termsAreDeclaredBesideWhatIsInForce() {
    Schedule<SubscriberTerms.Holding> schedule =
        new Schedule<>(
            List.of(
                new Schedule.Entry<>(
                    new Span.Until(Instant.ofEpochMilli(1_000)),
                    new SubscriberTerms.Holding.Has("boost")),
                new Schedule.Entry<>(
                    new Span.Daily(
                        LocalTime.of(22, 0),
                        LocalTime.of(6, 0),
                        ZoneId.of("UTC"),
                        Set.of(DayOfWeek.MONDAY, DayOfWeek.SUNDAY)),
                    new SubscriberTerms.Holding.Stopped())));
    Optional<SubscriberTerms> terms =
        Optional.of(
            new SubscriberTerms(
                new SubscriberTerms.Holding.Has("silver"),
                Optional.of(new SubscriberTerms.Holding.Has("walled")),
                schedule,
                new Timing(Optional.of(Instant.ofEpochMilli(7)), Optional.empty())));
    String silver = "0673696c766572";
    String walled = "01" + "00" + "0677616c6c6564";
    String until = "01" + "0000000000000007";
    String boost = "00" + "00000000000003e8" + "00" + "05626f6f7374";
    String night = "01" + "0528" + "0168" + "03555443" + "41" + "01";
    assertRecord(
        subscriber(OptionalParts.NONE.withTerms(terms).withStopped(true)),
        "07" + ALICE + "03" + "0035" + silver + walled + until + "02" + boost + night + "040000");
  }

  /** Earlier releases refuse the flag, rather than to bring into force what is not. */
  @Test
  void whatIsOutOfForceHasTheTimeSinceWhenItIs() {
    SubscriberTerms terms =
        new SubscriberTerms(
            new SubscriberTerms.Holding.Has("silver"),
            Optional.of(new SubscriberTerms.Holding.Stopped()),
            Schedule.empty(),
            new Timing(Optional.empty(), Optional.of(Instant.ofEpochMilli(8))));
    String silver = "0673696c766572";
    String stopped = "01" + "01";
    assertRecord(
        subscriber(OptionalParts.NONE.withTerms(Optional.of(terms))),
        "07" + ALICE + "03" + "0013" + silver + stopped + "02" + "0000000000000008" + "00");
  }

  @Test
  void policiesOfUpstreamTrafficHaveTagsThatEarlierReleasesRefuse() {
    SubscriberTerms.Holding.Has both =
        new SubscriberTerms.Holding.Has("silver", Optional.of("gold"));
    OptionalParts always = OptionalParts.NONE.withUpstreamPolicy(both.upstreamPolicyId());
    String gold = "04676f6c64";
    assertRecord(subscriber(always), "07" + ALICE + "05" + "0005" + gold);
    Optional<SubscriberTerms> suspended =
        SubscriberTerms.of(both, Optional.of(both), Schedule.empty());
    String treatment = "02" + "0673696c766572" + gold;
    assertRecord(
        subscriber(OptionalParts.NONE.withTerms(suspended).withStopped(true)),
        "07" + ALICE + "06" + "001d" + treatment + "01" + treatment + "00" + "00" + "040000");
    assertThatThrownBy(
            () ->
                StoreCodec.subscriber(
                    "alice", HexFormat.of().parseHex("07" + ALICE + "06" + "0004" + "01000000")))
        .hasMessage("the record of subscriber alice is corrupt: it has no policy otherwise");
  }

  @Test
  void aLimitWithTermsIsOfTheSeventhVersion() {
    LimitTerms.Rates otherwise =
        new LimitTerms.Rates(OptionalLong.of(5), OptionalLong.of(6), OptionalInt.of(7));
    LimitTerms.Rates boost =
        new LimitTerms.Rates(OptionalLong.of(9), OptionalLong.empty(), OptionalInt.empty());
    LimitTerms terms =
        new LimitTerms(
            otherwise,
            true,
            new Schedule<>(
                List.of(
                    new Schedule.Entry<>(
                        new Span.Until(Instant.ofEpochMilli(1_000)),
                        new LimitTerms.Holding.At(boost)),
                    new Schedule.Entry<>(
                        new Span.Until(Instant.ofEpochMilli(1_000)),
                        new LimitTerms.Holding.Off()))),
            Timing.NONE);
    RateLimit limit =
        new RateLimit(
            "l",
            new Scope.OfPort(7),
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalInt.empty(),
            Optional.empty(),
            Gate.OPEN,
            OptionalInt.empty(),
            Optional.of(terms));
    String none = "02" + "07" + "0000000000000000" + "0000000000000000" + "00000000";
    String rates = "0000000000000005" + "0000000000000006" + "00000007";
    String at = "00" + "00000000000003e8" + "01" + "0000000000000009" + "00".repeat(12);
    String off = "00" + "00000000000003e8" + "00";
    assertRecord(
        limit,
        "07" + none + "0000" + "00000000" + "03" + "003f" + rates + "0100" + "02" + at + off);
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

  private static void assertRecord(SubscriberState subscriber, String hex) {
    assertThat(HexFormat.of().formatHex(new StoreCodec().encode(subscriber))).isEqualTo(hex);
    assertThat(StoreCodec.subscriber("alice", HexFormat.of().parseHex(hex))).isEqualTo(subscriber);
  }

  private static void assertRecord(Optional<Enforcement> enforcement, String hex) {
    assertRecord(limit(enforcement), hex);
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

  private static void assertRecord(RateLimit limit, String hex) {
    assertThat(HexFormat.of().formatHex(new StoreCodec().encode(limit))).isEqualTo(hex);
    assertThat(StoreCodec.rateLimit("l", HexFormat.of().parseHex(hex))).isEqualTo(limit);
  }

  private static void assertCorrupt(String hex, String reason) {
    assertThatThrownBy(() -> StoreCodec.policy("p", HexFormat.of().parseHex(hex)))
        .isInstanceOf(StoreException.class)
        .hasMessage("the record of policy p is corrupt: " + reason);
  }
}
