package net.sluice.intents.validate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import net.sluice.intents.Golden;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.BuiltInFunction;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.PointsFunction;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.validate.Declarations.RawPoint;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class DeclarationsTest {
  private final StringBuilder text = new StringBuilder();

  @Test
  void acceptsWhatTheModelHolds() throws Refusal {
    assertThat(
            Declarations.subscriber(
                "alice", "gold", List.of("10.0.0.1/32", "2001:db8::/56"), 100L, 7L, 0L, 3L))
        .isEqualTo(
            new Subscriber(
                "alice",
                "gold",
                List.of(IpPrefix.parse("10.0.0.1/32"), IpPrefix.parse("2001:db8::/56")),
                Optional.of(VlanTags.pair(100, 7)),
                new Attachment(0, 3)));
    assertThat(Declarations.subscriber("a", "gold", null, 100L, null, 7L, 63L).vlans())
        .contains(VlanTags.single(100));
    assertThat(Declarations.policy("gold", "gold", null))
        .isEqualTo(new Policy("gold", BuiltInFunction.GOLD));
    assertThat(
            Declarations.policy(
                "own", null, List.of(new RawPoint(1L, 1e9), new RawPoint(1000L, 1.0))))
        .isEqualTo(
            new Policy(
                "own",
                new PointsFunction(
                    List.of(new PointsFunction.Point(1, 1e9), new PointsFunction.Point(1000, 1)))));
    assertThat(Declarations.rateLimit("l", "alice", null, null, 5L, null, 3000L))
        .isEqualTo(
            new RateLimit(
                "l",
                new Scope.OfSubscriber("alice"),
                OptionalLong.of(5),
                OptionalLong.empty(),
                OptionalInt.of(3000)));
    assertThat(Declarations.rateLimit("l", null, 0L, 3L, null, 5L, null).scope())
        .isEqualTo(new Scope.OfTree(0, 3));
    assertThat(Declarations.rateLimit("l", null, 0L, null, null, 5L, null).scope())
        .isEqualTo(new Scope.OfPort(0));
  }

  @Test
  void refusalsNameEveryProblem() {
    when("nothing", () -> Declarations.subscriber("", null, null, null, null, null, null));
    when(
        "all wrong",
        () ->
            Declarations.subscriber(
                "-a",
                "no spaces",
                List.of("10.0.0.1", "10.0.0.1/24", "10.0.0.1/32"),
                4095L,
                0L,
                8L,
                4_294_967_296L));
    when(
        "customer tag alone, null prefix",
        () ->
            Declarations.subscriber(
                "a", "gold", Collections.singletonList(null), null, 7L, 0L, 0L));
    when(
        "too many prefixes",
        () ->
            Declarations.subscriber(
                "a", "gold", Collections.nCopies(65, "10.0.0.1/32"), null, null, 0L, 0L));
    when("id of 65", () -> Declarations.policy("x".repeat(65), "gold", null));
    when("neither", () -> Declarations.policy("p", null, null));
    when("both", () -> Declarations.policy("p", "gold", List.of()));
    when("unknown", () -> Declarations.policy("p", "Gold", null));
    when("one point", () -> Declarations.policy("p", null, List.of(new RawPoint(1L, 1.0))));
    when(
        "bad points",
        () ->
            Declarations.policy(
                "p",
                null,
                List.of(
                    new RawPoint(0L, 1.0),
                    new RawPoint(null, 1.0),
                    new RawPoint(1L, null),
                    new RawPoint(5L, 1e10))));
    when(
        "rates fall",
        () ->
            Declarations.policy("p", null, List.of(new RawPoint(5L, 9.0), new RawPoint(4L, 8.0))));
    when("empty limit", () -> Declarations.rateLimit("l", null, null, null, null, null, null));
    when("all wrong", () -> Declarations.rateLimit("l l", "a", 0L, null, 0L, -1L, 3_000_000_000L));
    when("tree alone", () -> Declarations.rateLimit("l", null, null, 3L, 1L, null, null));
    when("scope range", () -> Declarations.rateLimit("l", null, 8L, 64L, 1L, null, null));
    when("scope id", () -> Declarations.rateLimit("l", "a b", null, null, 1L, null, null));
    Golden.assertMatches("declaration-refusals.txt", text.toString());
  }

  @Test
  void gravestProblemNamesTheRefusal() {
    Problem invalid = Problem.of(Problem.Code.INVALID, "a", 1, "2");
    Problem conflict = Problem.of(Problem.Code.CONFLICT, "b", 1, "2");
    Problem malformed = Problem.of(Problem.Code.MALFORMED, "c", 1, "2");
    assertThat(new Refusal(List.of(conflict, invalid)).code()).isEqualTo(Problem.Code.INVALID);
    assertThat(new Refusal(List.of(conflict, malformed)).code()).isEqualTo(Problem.Code.MALFORMED);
    assertThat(new Refusal(List.of(invalid))).hasMessage("INVALID: a is 1; allowed: 2.");
    assertThat(new Refusal(List.of(invalid)).getStackTrace()).isEmpty();
  }

  @Test
  void reservedPrefixesAreNamed() {
    assertThat(ReservedPrefixes.reason(IpPrefix.parse("10.0.0.0/8"))).isEmpty();
    assertThat(ReservedPrefixes.reason(IpPrefix.parse("100.64.0.0/10"))).isEmpty();
    assertThat(ReservedPrefixes.reason(IpPrefix.parse("fd00::/8"))).isEmpty();
    assertThat(ReservedPrefixes.reason(IpPrefix.parse("::2/128"))).isEmpty();
    for (String text :
        List.of(
            "0.0.0.0/32",
            "127.1.2.3/32",
            "169.254.9.0/24",
            "239.1.1.1/32",
            "255.255.255.255/32",
            "128.0.0.0/1",
            "::/128",
            "::1/128",
            "::ffff:a00:1/128",
            "fe80::1/128",
            "ff02::/16",
            "::/0")) {
      assertThat(ReservedPrefixes.reason(IpPrefix.parse(text))).as(text).isPresent();
    }
  }

  private void when(String title, ThrowingCallable declaration) {
    Refusal refusal = catchThrowableOfType(Refusal.class, declaration);
    text.append("== ").append(title).append('\n');
    refusal.problems().forEach(problem -> text.append(problem).append('\n'));
  }
}
