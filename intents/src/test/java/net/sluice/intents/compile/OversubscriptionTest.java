package net.sluice.intents.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.state.InMemorySlaState;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What limits of subscribers may add up to below a tree or port. */
class OversubscriptionTest {
  private static final long M = 1_000_000;

  private final Compiler compiler = Network.compiler();
  private final InMemorySlaState state = new InMemorySlaState(compiler);

  @BeforeEach
  void declare() {
    accept(Network.policy("gold", BuiltInFunction.GOLD));
    subscriber("a", 0, 3);
    subscriber("b", 0, 3);
    subscriber("c", 0, 4);
  }

  private void accept(Change change) {
    Network.apply(compiler, state, change);
  }

  private static Change at(String id, int port, int tree) {
    return new Change.Put(
        new Subscriber(
            id,
            "gold",
            List.of(IpPrefix.parse("10.0.0." + id.charAt(0) % 100 + "/32")),
            Optional.empty(),
            new Attachment(port, tree)));
  }

  private void subscriber(String id, int port, int tree) {
    accept(at(id, port, tree));
  }

  private static Change own(String id, long downBps, long upBps) {
    return Network.limit("l" + id, new Scope.OfSubscriber(id), downBps, upBps, 0);
  }

  private static Change tree(long downBps, int percent) {
    return shared("tree", new Scope.OfTree(0, 3), downBps, percent);
  }

  private static Change shared(String id, Scope scope, long downBps, int percent) {
    return new Change.Put(
        new RateLimit(
                id,
                scope,
                OptionalLong.of(downBps),
                OptionalLong.empty(),
                OptionalInt.empty(),
                Optional.empty())
            .withMaxCommittedPercent(OptionalInt.of(percent)));
  }

  private void assertRefused(Change change, String field, String detail) {
    assertThatThrownBy(() -> compiler.compile(state, change))
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal ->
                assertThat(refusal.problems())
                    .singleElement()
                    .satisfies(
                        problem -> {
                          assertThat(problem.code()).isEqualTo(Problem.Code.CONFLICT);
                          assertThat(problem.field()).isEqualTo(field);
                          assertThat(problem.detail()).isEqualTo(detail);
                        }));
  }

  @Test
  void limitsOfSubscribersAddUpToSoMuchOfTheirTreesAndNoMore() {
    accept(tree(100 * M, 150));
    accept(own("a", 100 * M, 400 * M));
    accept(own("c", 300 * M, 0));
    assertRefused(
        own("b", 50 * M + 1, 0),
        "downBps",
        "Rate limit tree lets the limits of subscribers of port 0 tree 3 add up to 150000000 bit/s"
            + " down; 100000000 are committed, and this would add 50000001.");
    accept(own("b", 50 * M, 0));
    // Less is always possible, and so is the other direction, which the tree's does not limit.
    accept(own("a", 90 * M, 500 * M));
    accept(own("b", 60 * M, 0));
    accept(new Change.Delete(Kind.RATE_LIMIT, "la"));
    accept(own("b", 150 * M, 0));
  }

  @Test
  void aLimitedSubscriberComesOnlyWhereItsLimitHasRoom() {
    accept(tree(100 * M, 100));
    accept(own("a", 80 * M, 0));
    accept(own("c", 30 * M, 0));
    assertRefused(
        at("c", 0, 3),
        "downBps",
        "Rate limit tree lets the limits of subscribers of port 0 tree 3 add up to 100000000 bit/s"
            + " down; 80000000 are committed, and this would add 30000000.");
    accept(at("a", 0, 5));
    accept(at("c", 0, 3));
    // Within the tree nothing is added.
    accept(at("c", 0, 3));
  }

  @Test
  void aPortCountsAllItsTreesAndMovesAmongThemAddNothing() {
    accept(shared("port", new Scope.OfPort(0), 100 * M, 100));
    accept(own("a", 60 * M, 0));
    assertRefused(
        own("c", 41 * M, 0),
        "downBps",
        "Rate limit port lets the limits of subscribers of port 0 add up to 100000000 bit/s down;"
            + " 60000000 are committed, and this would add 41000000.");
    accept(own("c", 40 * M, 0));
    accept(at("c", 0, 3));
  }

  /** A limit that was a subscriber's, put for the port, does not count itself. */
  @Test
  void aLimitThatComesToBeThePortsDoesNotCountWhatItWas() {
    accept(own("a", 100 * M, 0));
    accept(own("c", 10 * M, 0));
    assertRefused(
        shared("la", new Scope.OfPort(0), 9 * M, 100),
        "maxCommittedPercent",
        "The limits of subscribers of port 0 add up to 10000000 bit/s down already; with 100 % they"
            + " may add up to 9000000.");
    accept(shared("la", new Scope.OfPort(0), 10 * M, 100));
  }

  @Test
  void aRuleThatIsBrokenAlreadyIsRefusedAndSoIsALowerRate() {
    accept(own("a", 80 * M, 0));
    assertRefused(
        tree(50 * M, 150),
        "maxCommittedPercent",
        "The limits of subscribers of port 0 tree 3 add up to 80000000 bit/s down already; with"
            + " 150 % they may add up to 75000000.");
    accept(tree(60 * M, 150));
    assertRefused(
        tree(40 * M, 150),
        "maxCommittedPercent",
        "The limits of subscribers of port 0 tree 3 add up to 80000000 bit/s down already; with"
            + " 150 % they may add up to 60000000.");
    RateLimit inForce = state.rateLimit("tree").orElseThrow();
    assertThat(compiler.inForce(state, inForce).notes())
        .contains("downBps: limits of subscribers add up to 80000000 bit/s, at most 90000000");
  }

  @Test
  void onlyLimitsOfTreesAndPortsHaveOthersBelowThem() {
    assertThatThrownBy(() -> shared("l", new Scope.OfSubscriber("a"), M, 100))
        .hasMessage(
            "maxCommittedPercent is 100; allowed: absent: a subscriber has no limits below its"
                + " own");
  }
}
